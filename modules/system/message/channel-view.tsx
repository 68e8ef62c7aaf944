import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { FormField } from '../../../core/record/form-field.tsx'
import { present, type FormLayoutProps, type RowDialogProps } from '../../../core/resource/present.tsx'
import { HEALTH_RIGHTS } from '../health.ts'
import { MAIL, messageChannel, setChannelKey, testChannel } from './channel.ts'

const KEYS = HEALTH_RIGHTS.id('keys')
const SIGNED = new Set(['dingtalk', 'feishu'])

/** What a channel asks for depends on what it is. */
function ChannelForm({ values }: Pick<FormLayoutProps, 'values'>) {
  const mail = values['kind'] === MAIL
  return (
    <>
      <FormField name="name" /><FormField name="kind" />
      {mail && <><FormField name="host" /><FormField name="port" /><FormField name="security" /><FormField name="account" /><FormField name="sender" /><FormField name="domains" /></>}
      {!mail && <><FormField name="alerts" /><FormField name="quiet_from" /><FormField name="quiet_to" /></>}
      <FormField name="status" /><FormField name="remark" />
    </>
  )
}

interface Keys { password?: string; webhook?: string; sign?: string }

/** 设置密钥: what is typed is stored and never shown again. */
function KeyDialog({ row, reload, onClose }: RowDialogProps<typeof messageChannel>) {
  const [form] = Form.useForm<Keys>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (keys: Keys) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(setChannelKey, keys, { params: { id: row.id }, quiet: true })
      reload()
      onClose()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const fields = Object.entries(error.fields)
      form.setFields(fields.map(([name, words]) => ({ name: name as keyof Keys, errors: [words] })))
      if (fields.length === 0) setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`设置密钥 · ${row.name}`} okText="保存" confirmLoading={busy} onOk={form.submit} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p className="note">保存后不再显示{row.key_at === null ? '' : '；原来的密钥立即失效'}。</p>
      <Form form={form} name="channel-key" layout="vertical" onFinish={(keys) => void save(keys)} autoComplete="off">
        {row.kind === MAIL
          ? <Form.Item name="password" label="密码或授权码" rules={[{ required: true }]}><Input.Password autoComplete="new-password" /></Form.Item>
          : <Form.Item name="webhook" label="机器人地址" rules={[{ required: true }]} extra="在群里添加自定义机器人后得到的 Webhook 地址"><Input autoComplete="off" placeholder="https://" /></Form.Item>}
        {SIGNED.has(String(row.kind)) && <Form.Item name="sign" label="加签密钥" rules={[{ required: true }]} extra="机器人安全设置中的「加签」或「签名校验」"><Input.Password autoComplete="new-password" /></Form.Item>}
      </Form>
    </Modal>
  )
}

/** 发送测试: says at once what came of it. */
function TestDialog({ row, reload, onClose }: RowDialogProps<typeof messageChannel>) {
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ ok: boolean; words: string }>()
  const mail = row.kind === MAIL
  const run = async () => {
    setBusy(true)
    setResult(undefined)
    try {
      setResult(await call(testChannel, mail ? { to } : {}, { params: { id: row.id }, quiet: true }))
      reload()
    } catch (error) {
      setResult({ ok: false, words: error instanceof CallError ? Object.values(error.fields)[0] ?? error.message : '发送失败' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`发送测试 · ${row.name}`} okText="发送测试" cancelText="关闭" confirmLoading={busy} onOk={() => void run()} onCancel={onClose}>
      {result && <Alert className="form-alert" type={result.ok ? 'success' : 'error'} showIcon title={result.words} role="alert" />}
      {mail
        ? <Form layout="vertical"><Form.Item label="收件邮箱" htmlFor="test-to" required><Input id="test-to" value={to} maxLength={120} placeholder={`如 name@${row.domains?.[0] ?? 'example.com'}`} onChange={(event) => setTo(event.target.value)} onPressEnter={() => void run()} /></Form.Item></Form>
        : <p className="note">将向机器人所在的群发送一条测试消息。</p>}
    </Modal>
  )
}

export default present(messageChannel)({
  form: ChannelForm,
  rowActions: [
    { key: 'test', label: '发送测试', grant: KEYS, first: true, visible: (row) => row.status === 1 },
    { key: 'key', label: '设置密钥', grant: KEYS },
  ],
  dialogs: { key: KeyDialog, test: TestDialog },
  afterCreate: (row, tools) => tools.open('key', row),
})
