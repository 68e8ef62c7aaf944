import { Alert, App, Button, Checkbox, Modal, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCan, useStaff } from '../../core/session/staff-context.tsx'
import { forceLogout, resetFactors, resetPassword } from './grants.ts'
import { STAFF_RIGHTS, type staff } from './staff.ts'

/** What a person who passes on a password has to know. */
const NOTE = '密码只显示这一次，请立即交给本人。24 小时内有效，只能登录一次，登录后须修改。'

const words = (error: unknown) => (error instanceof Error ? error.message : '操作失败')

/** A password that is shown once: closing without having copied it asks first. */
function PasswordShown({ title, account, name, password, note, onClose, next }: { title: string; account: string; name: string; password: string; note: string; onClose: () => void; next?: (() => void) | undefined }) {
  const [copied, setCopied] = useState(false)
  const close = useCloseGuard(!copied, `${name}的密码`, onClose, { title: '密码还没有复制', content: '关闭后无法再次查看，只能重新生成。', okText: '仍要关闭', cancelText: '返回复制' })
  const goOn = useCloseGuard(!copied, `${name}的密码`, next ?? onClose, { title: '密码还没有复制', content: '离开后无法再次查看，只能重新生成。', okText: '仍要离开', cancelText: '返回复制' })
  return (
    <Modal open title={title} onCancel={close} mask={{ closable: false }} footer={<><Button onClick={close}>关闭</Button>{next && <Button type="primary" onClick={goOn}>去授权</Button>}</>}>
      <Alert type="warning" showIcon title={note} />
      <dl className="first-password">
        <dt>姓名</dt><dd>{name}</dd>
        <dt>账号</dt><dd><code>{account}</code></dd>
        <dt>密码</dt><dd><code data-testid="password">{password}</code></dd>
      </dl>
      <CopyButton type="primary" text={`账号：${account}\n密码：${password}`} label="复制账号和密码" onCopied={() => setCopied(true)} />
    </Modal>
  )
}

/** A new person's first password: made at once and shown once; from there on to their rights. */
export function FirstPasswordDialog({ row, onClose, open }: RowDialogProps<typeof staff>) {
  const can = useCan()
  // Without rights a new person sees nothing: granting them is the next step.
  const next = open && can(STAFF_RIGHTS.id('grant')) ? () => open('grant_new') : undefined
  const allowed = can(STAFF_RIGHTS.id('resetPassword'))
  const [password, setPassword] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const asked = useRef(false)
  const make = () => {
    setProblem(undefined)
    call(resetPassword, undefined, { params: { id: row.id }, quiet: true }).then((answer) => setPassword(answer.password), (error: unknown) => setProblem(words(error)))
  }
  useEffect(() => {
    // Each call makes another password, so it is asked for once.
    if (!allowed || asked.current) return
    asked.current = true
    make()
  })
  const [account, name] = [row.account, row.name]
  if (password) {
    return <PasswordShown title="员工已创建，初始密码" account={account} name={name} password={password} note={NOTE} onClose={onClose} next={next} />
  }
  return (
    <Modal open title="员工已创建" onCancel={onClose} footer={[
      problem && <Button key="again" type="primary" onClick={make}>重新生成</Button>,
      <Button key="close" onClick={onClose}>关闭</Button>,
      next && <Button key="next" type={problem ? 'default' : 'primary'} onClick={next}>去授权</Button>,
    ]}>
      {!allowed ? <p>您没有「{STAFF_RIGHTS.title('resetPassword')}」权限，请联系管理员为{name}生成初始密码。</p>
        : problem ? <Alert type="error" showIcon title={`初始密码生成失败：${problem}`} /> : <div className="boot"><Spin description="正在生成初始密码…" /></div>}
    </Modal>
  )
}

/** 重置密码: after a question, a new password that is shown once. */
export function ResetPasswordDialog({ row, onClose }: RowDialogProps<typeof staff>) {
  const me = useStaff()
  const can = useCan()
  const [password, setPassword] = useState<string>()
  const [factors, setFactors] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [account, name] = [row.account, row.name]
  const own = row.id === me.id
  const reset = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { password: made } = await call(resetPassword, undefined, { params: { id: row.id }, quiet: true })
      if (factors) await call(resetFactors, undefined, { params: { id: row.id }, quiet: true }).catch((error: unknown) => setProblem(words(error)))
      setPassword(made)
    } catch (error) {
      setProblem(words(error))
    } finally {
      setBusy(false)
    }
  }
  if (password) {
    const note = `${NOTE}${problem ? `两步验证未能清除：${problem}` : factors ? '两步验证和通行密钥已清除。' : ''}`
    return <PasswordShown title="密码已重置" account={account} name={name} password={password} note={note} onClose={onClose} />
  }
  return (
    <Modal open title={`重置「${name}」的密码`} okText="重置密码" okButtonProps={{ danger: true, disabled: own }} confirmLoading={busy} onOk={() => void reset()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {own ? <p>请在右上角「账号与安全」中修改自己的密码。</p> : (
        <>
          <p>将生成新的随机密码，24 小时内有效。{name}的所有登录会立即结束，下次登录时须修改密码。</p>
          {can(STAFF_RIGHTS.id('resetFactors')) && <Checkbox checked={factors} onChange={(event) => setFactors(event.target.checked)}>同时清除两步验证和通行密钥（本人已丢失手机或密钥时使用）</Checkbox>}
        </>
      )}
    </Modal>
  )
}

interface EndedDialogProps {
  readonly title: string
  readonly okText: string
  /** What will happen, in words; to oneself it cannot be done. */
  readonly text: string
  readonly own: boolean
  /** @returns what was done, in words */
  readonly run: () => Promise<string>
  readonly onClose: () => void
}

/** Asks before something of somebody else's account is ended, and says what was ended. */
function EndedDialog({ title, okText, text, own, run, onClose }: EndedDialogProps) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const end = async () => {
    setBusy(true)
    try {
      void message.success(await run())
      onClose()
    } catch (error) {
      setProblem(words(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={title} okText={okText} okButtonProps={{ danger: true, disabled: own }} confirmLoading={busy} onOk={() => void end()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p>{text}</p>
    </Modal>
  )
}

/** 清除两步验证: for somebody who has lost phone or key and still knows their password. */
export function ResetFactorsDialog({ row: { id, name }, onClose }: RowDialogProps<typeof staff>) {
  const own = id === useStaff().id
  const run = async () => {
    const { totp, passkeys } = await call(resetFactors, undefined, { params: { id }, quiet: true })
    const cleared = [totp && '两步验证', passkeys > 0 && `${passkeys} 个通行密钥`].filter(Boolean).join('和')
    return cleared ? `${name}的${cleared}已清除` : `${name}没有两步验证和通行密钥`
  }
  return (
    <EndedDialog title={`清除「${name}」的两步验证和通行密钥`} okText="清除" own={own} run={run} onClose={onClose}
      text={own ? '请在右上角「账号与安全」中管理自己的两步验证和通行密钥。' : `请先确认是${name}本人提出的。清除后仅凭密码即可登录，${name}的所有登录会立即结束。`} />
  )
}

/** 强制下线: ends every session of a person. */
export function ForceLogoutDialog({ row: { id, name }, onClose }: RowDialogProps<typeof staff>) {
  const own = id === useStaff().id
  const run = async () => {
    const { ended } = await call(forceLogout, undefined, { params: { id }, quiet: true })
    return ended > 0 ? `${name}的 ${ended} 个登录已结束` : `${name}当前没有登录`
  }
  return (
    <EndedDialog title={`强制「${name}」下线`} okText="强制下线" own={own} run={run} onClose={onClose}
      text={own ? '不能强制自己下线，请使用「退出登录」，或在「账号与安全」中结束其他登录。' : `${name}在所有设备上的登录会立即结束，未保存的内容会丢失。密码不变，可以重新登录。`} />
  )
}
