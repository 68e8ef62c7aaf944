import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, Select, Space, Tag, Typography } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { NONE } from '../../core/field/view.tsx'
import { present, type InputProps, type RowDialogProps } from '../../core/resource/present.tsx'
import { APP_KEY_GRANT, appClient, appScopes, makeAppKey, revokeAppKey } from './app-client.ts'

const sentence = (failure: unknown) => (failure instanceof Error ? failure.message : '操作失败')

const useScopes = () => useQuery({ queryKey: ['app_scopes'], queryFn: ({ signal }) => call(appScopes, undefined, { signal }) }).data?.items ?? []

/** What a key is good for, in words. */
function Scopes({ value }: { value: unknown }) {
  const known = useScopes()
  const names = Array.isArray(value) ? (value as string[]) : []
  if (names.length === 0) return NONE
  return <Space size={4} wrap>{names.map((name) => <Tag key={name}>{known.find((one) => one.name === name)?.label ?? name}</Tag>)}</Space>
}

function ScopesInput({ value, onChange, id }: InputProps<string[]>) {
  const known = useScopes()
  return (
    <Select
      {...(id && { id })} mode="multiple" placeholder="请选择可用接口" value={(value as string[] | null | undefined) ?? []} onChange={(names) => onChange?.(names)}
      options={known.map(({ name, label, calls }) => ({ value: name, label, title: calls.join('\n') }))} optionFilterProp="label"
    />
  )
}

/** 生成密钥: shows it once. */
function KeyDialog({ row, reload, onClose }: RowDialogProps<typeof appClient>) {
  const [key, setKey] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const make = async () => {
    setBusy(true)
    try {
      setKey((await call(makeAppKey, undefined, { params: { id: row.id }, quiet: true })).key)
      reload()
    } catch (failure) {
      setProblem(sentence(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`密钥 · ${row.name}`} onCancel={onClose} footer={key ? <Button onClick={onClose}>关闭</Button> : <Button type="primary" loading={busy} onClick={() => void make()}>生成密钥</Button>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {key ? (
        <>
          <p className="note">只显示这一次，请立即交给应用的负责人妥善保存。调用时放在请求头 Authorization: Bearer 之后。</p>
          <Typography.Paragraph copyable className="figure">{key}</Typography.Paragraph>
        </>
      ) : <p className="note">{row.key_at === null ? '应用凭密钥调用所选的接口。' : '重新生成后，原来的密钥立即失效。'}</p>}
    </Modal>
  )
}

/** 吊销密钥, with a reason. */
function RevokeDialog({ row, reload, onClose }: RowDialogProps<typeof appClient>) {
  const { message } = App.useApp()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    try {
      await call(revokeAppKey, { reason }, { params: { id: row.id }, quiet: true })
      void message.success('密钥已吊销')
      reload()
      onClose()
    } catch (failure) {
      setProblem(sentence(failure))
    }
  }
  return (
    <Modal open title={`吊销密钥 · ${row.name}`} okText="吊销" okButtonProps={{ danger: true }} onOk={run} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p className="note">吊销后，使用该密钥的应用立即不能再调用接口。</p>
      <Form layout="vertical"><Form.Item label="原因" htmlFor="revoke-reason" required><Input.TextArea id="revoke-reason" value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} /></Form.Item></Form>
    </Modal>
  )
}

export default present(appClient)({
  cells: { scopes: Scopes },
  inputs: { scopes: ScopesInput },
  rowActions: [
    { key: 'make', label: '生成密钥', grant: APP_KEY_GRANT, first: true, visible: (row) => row.status === 1 },
    { key: 'revoke', label: '吊销密钥', grant: APP_KEY_GRANT, danger: true, visible: (row) => row.key_at !== null },
  ],
  dialogs: { make: KeyDialog, revoke: RevokeDialog },
  afterCreate: (row, tools) => tools.open('make', row),
})
