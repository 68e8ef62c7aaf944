import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { useCloseGuard } from '../form/close-guard.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { disableTotp, renewRecoveryCodes, totpStatus } from '../session/totp.ts'
import { RecoveryCodes, TotpSetup } from './totp-setup.tsx'

/** Recovery codes are shown once. */
const LOST = { title: '恢复码还没有保存', content: '关闭后无法再次查看，只能重新生成。', okText: '仍要关闭', cancelText: '返回保存' }

/** Fewer recovery codes than this are worth a hint. */
const FEW = 3

function SetupDialog({ onClose }: { onClose: () => void }) {
  const staff = useStaff()
  const [codes, setCodes] = useState(false)
  const close = useCloseGuard(codes, '两步验证的恢复码', onClose, LOST)
  return <Modal open title="开启两步验证" footer={null} mask={{ closable: false }} onCancel={close}><TotpSetup account={staff.account} onDone={onClose} onCodes={() => setCodes(true)} /></Modal>
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const staff = useStaff()
  const close = useCloseGuard(true, '两步验证的恢复码', onClose, LOST)
  return <Modal open title="新的恢复码" footer={null} mask={{ closable: false }} onCancel={close}><RecoveryCodes account={staff.account} codes={codes} onDone={onClose} /></Modal>
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ pwd: string; code: string }>()
  const [busy, setBusy] = useState(false)
  const submit = async (fields: { pwd: string; code: string }) => {
    setBusy(true)
    try {
      await call(disableTotp, fields, { quiet: true })
      void message.success('两步验证已关闭')
      onClose()
    } catch (error) {
      const wrong = error instanceof CallError ? Object.entries(error.fields) : []
      form.setFields(wrong.map(([name, text]) => ({ name: name as 'pwd' | 'code', errors: [text] })))
      if (wrong.length === 0) void message.error(error instanceof Error ? error.message : '关闭失败', 5)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title="关闭两步验证" okText="关闭两步验证" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => form.submit()} onCancel={onClose}>
      <p>关闭后只凭密码即可登录，账号的安全性会降低。</p>
      <Form form={form} layout="vertical" requiredMark={false} onFinish={(fields) => void submit(fields)}>
        <Form.Item name="pwd" label="登录密码" rules={[{ required: true, message: '请输入密码' }]}><Input.Password autoComplete="current-password" maxLength={200} onPressEnter={() => form.submit()} /></Form.Item>
        <Form.Item name="code" label="验证码或恢复码" rules={[{ required: true, whitespace: true, message: '请输入验证码' }]}><Input autoComplete="one-time-code" maxLength={40} onPressEnter={() => form.submit()} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** The person's second factor: on or off, and its recovery codes. */
export function TotpCard() {
  const { modal } = App.useApp()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'setup' | 'disable'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { data, error, refetch } = useQuery({ queryKey: ['totp'], staleTime: 0, queryFn: ({ signal }) => call(totpStatus, undefined, { signal, quiet: true }) })
  const again = () => {
    setDialog(undefined)
    setCodes(undefined)
    for (const key of ['totp', 'own-sessions']) void client.invalidateQueries({ queryKey: [key] })
  }
  const renew = () => modal.confirm({
    title: '重新生成恢复码？', content: '原来的恢复码会全部作废。', okText: '重新生成',
    // The shell says what went wrong.
    onOk: () => call(renewRecoveryCodes).then((answer) => setCodes(answer.recovery_codes), () => undefined),
  })
  return (
    <section className="account-card" aria-labelledby="account-totp">
      <h2 id="account-totp">两步验证{data && <Tag color={data.enabled ? 'success' : 'default'}>{data.enabled ? '已开启' : '未开启'}</Tag>}</h2>
      <p>登录时除密码外，再输入手机上身份验证器显示的验证码。密码泄露时账号仍然安全。</p>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 1 }} />}
      {data && !data.enabled && <Button type="primary" onClick={() => setDialog('setup')}>开启两步验证</Button>}
      {data?.enabled && (
        <>
          {data.recovery_codes < FEW && <Alert className="form-alert" type="warning" showIcon title={`恢复码只剩 ${data.recovery_codes} 个，建议重新生成。`} />}
          <p>剩余恢复码 {data.recovery_codes} 个。{data.forced && '管理员要求您的账号使用两步验证，关闭后须重新设置。'}</p>
          <Space wrap>
            <Button onClick={renew}>重新生成恢复码</Button>
            <Button danger onClick={() => setDialog('disable')}>关闭两步验证</Button>
          </Space>
        </>
      )}
      {dialog === 'setup' && <SetupDialog onClose={again} />}
      {dialog === 'disable' && <DisableDialog onClose={again} />}
      {codes && <CodesDialog codes={codes} onClose={again} />}
    </section>
  )
}
