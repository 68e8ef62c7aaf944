import { Alert, App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { mobile } from '../../core/field/mobile.ts'
import { formatTime } from '../../core/field/time.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { checkValue } from '../../core/field/check.ts'
import { forceUserLogout, rebindMobile, resetUserPassword } from './access.ts'
import { useSend } from './use-send.tsx'
import type { appUser } from './user.ts'

const numberField = mobile('手机号', { required: true })

/** 换绑手机: the account under another number. */
export function RebindMobileDialog({ row, reload, onClose }: RowDialogProps<typeof appUser>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ mobile: string; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const name = row.nickname
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    await send(async () => {
      await call(rebindMobile, { ...values, rev: row.rev }, { params: { id: row.id }, quiet: true })
      void message.success('换绑成功')
      reload()
      onClose()
    })
  }
  return (
    <Modal open title={`换绑手机 · ${name}`} okText="换绑" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">原手机号 {row.mobile}。账号、权益和激活码都随账号保留；原号码的登录立即结束，学生档案和历史订单上的号码不变。</p>
      <Form form={form} layout="vertical">
        <Form.Item name="mobile" label="新手机号" rules={[{ required: true, message: '请填写新手机号' }, {
          validator: (_rule, value: string) => {
            const checked = value ? checkValue(numberField, value) : undefined
            return checked && 'message' in checked ? Promise.reject(new Error(checked.message)) : Promise.resolve()
          },
        }]}><Input inputMode="numeric" maxLength={20} autoComplete="off" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 重置密码: a password for one login, shown once. */
export function ResetUserPasswordDialog({ row, reload, onClose }: RowDialogProps<typeof appUser>) {
  const [made, setMade] = useState<{ password: string; expires_at: number }>()
  const [copied, setCopied] = useState(false)
  const { busy, problem, send } = useSend()
  const name = row.nickname
  const close = useCloseGuard(made !== undefined && !copied, `${name}的密码`, onClose, { title: '密码还没有复制', content: '关闭后无法再次查看，只能重新生成。', okText: '仍要关闭', cancelText: '返回复制' })
  if (made) {
    return (
      <Modal open title={`「${name}」的一次性密码`} onCancel={close} mask={{ closable: false }} cancelText="关闭" okButtonProps={{ hidden: true }}>
        <Alert type="warning" showIcon title={`只显示这一次，${formatTime(made.expires_at).slice(0, 16)} 前可登录一次，登录后须设置自己的密码。`} />
        <p><code data-testid="password">{made.password}</code></p>
        <CopyButton type="primary" text={made.password} label="复制密码" onCopied={() => setCopied(true)} />
      </Modal>
    )
  }
  return (
    <Modal open title={`重置「${name}」的密码`} okText="重置密码" okButtonProps={{ danger: true }} confirmLoading={busy} onCancel={onClose}
      onOk={() => void send(async () => {
        setMade(await call(resetUserPassword, undefined, { params: { id: row.id }, quiet: true }))
        reload()
      })}>
      {problem}
      <p>将生成一次性密码，{name}在学习端的所有登录会立即结束。</p>
    </Modal>
  )
}

/** 强制下线: every session of a learner that began before now is over. */
export function ForceUserLogoutDialog({ row, reload, onClose }: RowDialogProps<typeof appUser>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend()
  const name = row.nickname
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    await send(async () => {
      await call(forceUserLogout, values, { params: { id: row.id }, quiet: true })
      void message.success(`已强制${name}下线`)
      reload()
      onClose()
    })
  }
  return (
    <Modal open title={`强制「${name}」下线`} okText="强制下线" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose}>
      {problem}
      <p>此刻之前的登录全部失效，密码不变，可以重新登录。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}
