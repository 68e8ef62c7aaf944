import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Form, Input, QRCode, Space, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { CopyButton } from '../form/copy-button.tsx'
import { beginTotp, confirmTotp } from '../session/totp.ts'

/** Recovery codes, which are shown once: to be copied or kept as a file before going on. */
export function RecoveryCodes({ account, codes, onDone }: { account: string; codes: readonly string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false)
  const text = `道远后台恢复码（账号 ${account}）\n每个恢复码只能使用一次\n\n${codes.join('\n')}\n`
  const download = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = `道远后台恢复码-${account}.txt`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <Alert type="warning" showIcon title="恢复码只显示这一次。手机丢失时，每个恢复码可以代替验证码登录一次，请保存在安全的地方。" />
      <ul className="recovery-codes" aria-label="恢复码">{codes.map((code) => <li key={code}>{code}</li>)}</ul>
      <Space wrap>
        <CopyButton text={text} label="复制" />
        <Button icon={<DownloadOutlined />} onClick={download}>下载为文件</Button>
      </Space>
      <div className="recovery-done">
        <Checkbox checked={kept} onChange={(event) => setKept(event.target.checked)}>我已妥善保存恢复码</Checkbox>
        <Button type="primary" disabled={!kept} onClick={onDone}>完成</Button>
      </div>
    </>
  )
}

interface TotpSetupProps {
  account: string
  onDone: () => void
  /** Recovery codes are on the screen: leaving now loses them. */
  onCodes?: () => void
}

/** Sets up the second factor: scan, confirm by a first code, keep the recovery codes. */
export function TotpSetup({ account, onDone, onCodes }: TotpSetupProps) {
  const [form] = Form.useForm<{ code: string }>()
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const asked = useRef(false)
  const words = (error: unknown) => (error instanceof Error ? error.message : '操作失败')
  const begin = () => {
    setProblem(undefined)
    call(beginTotp, undefined, { quiet: true }).then(setBegun, (error: unknown) => setProblem(words(error)))
  }
  useEffect(() => {
    // Each call makes another secret, so it is asked for once.
    if (asked.current) return
    asked.current = true
    begin()
  })
  const confirm = async ({ code }: { code: string }) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const answer = await call(confirmTotp, { code }, { quiet: true })
      setCodes(answer.recovery_codes)
      onCodes?.()
    } catch (error) {
      const wrong = error instanceof CallError ? error.fields['code'] : undefined
      if (wrong) form.setFields([{ name: 'code', errors: [wrong] }])
      else setProblem(words(error))
    } finally {
      setBusy(false)
    }
  }
  if (codes) return <RecoveryCodes account={account} codes={codes} onDone={onDone} />
  const failed = problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" {...(!begun && { action: <Button size="small" onClick={begin}>重试</Button> })} />
  if (!begun) return failed || <div className="boot"><Spin delay={200} /></div>
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={(fields) => void confirm(fields)}>
      {failed}
      <ol className="totp-steps">
        <li>在手机上安装身份验证器，如 Microsoft Authenticator、Google Authenticator 或腾讯身份验证器。</li>
        <li>
          用它扫描二维码：
          {/* Always dark on light: many scanners do not read it otherwise. */}
          <div className="totp-code"><QRCode aria-label="两步验证二维码" value={begun.uri} type="svg" size={176} color="#000" bgColor="#fff" bordered={false} /></div>
          无法扫描时，手动输入密钥：<code className="secret">{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code> <CopyButton size="small" text={begun.secret} label="复制密钥" />
        </li>
        <li>输入身份验证器显示的 6 位验证码：</li>
      </ol>
      <Form.Item name="code" label="验证码" rules={[{ required: true, whitespace: true, message: '请输入验证码' }]}>
        <Input autoComplete="one-time-code" inputMode="numeric" maxLength={10} className="totp-input" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>开启两步验证</Button>
    </Form>
  )
}
