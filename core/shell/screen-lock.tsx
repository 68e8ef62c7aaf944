import { LockOutlined } from '@ant-design/icons'
import { Button, Form, Input, Modal, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { verify } from '../session/calls.ts'
import { useStaff } from '../session/staff-context.tsx'
import { useLogout } from './use-logout.tsx'
import './screen-lock.css'

/** What counts as being there. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** How often it is looked whether somebody is there, in milliseconds. */
const LOOK = 5000
/** Under which this window remembers that it is locked. */
const LOCKED = 'daoyuan-locked'

/**
 * Covers the screen of somebody who has left. It keeps eyes off, no more: the session itself is ended by the server
 * when it has been idle for two hours, and what is open stays open behind it.
 * @param after minutes without a sign of life
 */
export function ScreenLock({ after }: { after: number }) {
  const staff = useStaff()
  const leave = useLogout()
  const [locked, setLocked] = useState(() => sessionStorage.getItem(LOCKED) !== null)
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<{ pwd: string }>()
  const input = useRef<InputRef>(null)
  const seenAt = useRef(0)

  useEffect(() => {
    const seen = () => {
      seenAt.current = Date.now()
    }
    seen()
    const timer = window.setInterval(() => {
      if (Date.now() - seenAt.current >= after * 60_000) setLocked(true)
    }, LOOK)
    for (const sign of SIGNS) window.addEventListener(sign, seen, { passive: true })
    return () => {
      window.clearInterval(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, seen)
    }
  }, [after])
  // A reload opens nothing.
  useEffect(() => {
    if (locked) sessionStorage.setItem(LOCKED, '1')
    else sessionStorage.removeItem(LOCKED)
  }, [locked])

  const open = async ({ pwd }: { pwd: string }) => {
    setBusy(true)
    try {
      await call(verify, { pwd }, { quiet: true })
      seenAt.current = Date.now()
      form.resetFields()
      setLocked(false)
    } catch (error) {
      form.setFields([{ name: 'pwd', errors: [error instanceof CallError ? error.fields['pwd'] ?? error.message : '密码不正确'] }])
      input.current?.focus({ cursor: 'all' })
    } finally {
      setBusy(false)
    }
  }
  if (!locked) return null
  return (
    <Modal open width={360} footer={null} closable={false} keyboard={false} mask={{ closable: false }} centered zIndex={2500} classNames={{ mask: 'screen-lock', body: 'screen-lock-card' }} afterOpenChange={(shown) => { if (shown) input.current?.focus() }}>
      <LockOutlined className="screen-lock-icon" />
      <h2>{staff.name}</h2>
      <p>屏幕已锁定，输入密码继续</p>
      <Form form={form} size="large" onFinish={(fields) => void open(fields)}>
        <Form.Item name="pwd" rules={[{ required: true, message: '请输入密码' }]}><Input.Password ref={input} aria-label="密码" autoComplete="current-password" maxLength={200} /></Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy}>解锁</Button>
      </Form>
      <Button type="link" onClick={() => { setLocked(false); leave() }}>退出登录</Button>
    </Modal>
  )
}
