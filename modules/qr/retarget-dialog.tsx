import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, Input, Modal, Segmented, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import type { BlockTarget } from '../outline/module.ts'
import { qrEndpoints } from './calls.ts'
import { kindsOf, MAX_URL, QR_STATE, type QR_KINDS, type QrResource } from './qr-code.ts'
import { targetProblem } from './qr-text.ts'

type Kind = (typeof QR_KINDS)[number]['value']

interface Values {
  kind: Kind
  ref_id?: number
  url?: string
  reason?: string
}

const wordsOf = ({ id, name, note, health }: BlockTarget) => `${name}（${[String(id), note, ...(health.tone === 'ok' ? [] : [health.words])].filter(Boolean).join(' · ')}）`

/** Leads a code to something else; the code itself stays as it was printed. */
export function RetargetDialog({ codes, row, reload, onClose }: RowDialogProps<QrResource> & { codes: QrResource }) {
  const { message } = App.useApp()
  const endpoints = qrEndpoints(codes)
  const kinds = kindsOf(codes)
  const [form] = Form.useForm<Values>()
  const first: Kind = (row.target_kind as Kind | null) ?? 'micro'
  const kind = Form.useWatch('kind', form) ?? first
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [problem, setProblem] = useState<string>()
  const keyword = useDeferredValue(words.trim())
  const printed = row.state !== QR_STATE.draft
  const { data, isFetching } = useQuery({ queryKey: ['qr-targets', codes.name, kind, keyword], enabled: kind !== 'url', queryFn: ({ signal }) => call(endpoints.targets, { kind, ...(keyword !== '' && { keyword }) }, { signal, quiet: true }), staleTime: 30_000 })
  const close = useCloseGuard(dirty && !busy, '改指向', onClose)
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      await call(endpoints.retarget, { ...values, rev: row.rev }, { params: { id: row.id }, quiet: true })
      void message.success('已改指向，扫码立即生效')
      reload()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '改指向失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`改指向 · ${row.name}`} okText="确定" confirmLoading={busy} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p>编码 <b className="figure">{row.code}</b> 不变，现在指向：{row.target_name ?? '无'}{printed && `（第 ${row.printed_in ?? 1} 次印刷起已印在书上）`}</p>
      <Form<Values> form={form} layout="vertical" name="retarget" initialValues={{ kind: first, url: row.url ?? undefined }} onValuesChange={() => setDirty(true)}>
        <Form.Item name="kind" label="类型" hidden={kinds.length === 1}><Segmented<Kind> options={kinds.map(({ value, label }) => ({ value, label }))} onChange={() => form.setFieldValue('ref_id', undefined)} /></Form.Item>
        {kind === 'url' ? (
          <Form.Item name="url" label="网址" rules={[{ required: true, whitespace: true, message: '请填写网址' }, { validator: (_rule, value?: string) => (value && targetProblem(value.trim()) ? Promise.reject(new Error(targetProblem(value.trim()))) : Promise.resolve()) }]}><Input maxLength={MAX_URL} placeholder="https://" /></Form.Item>
        ) : (
          <Form.Item name="ref_id" label="内容" rules={[{ required: true, message: '请选择内容' }]}>
            <Select showSearch={{ filterOption: false, onSearch: setWords }} loading={isFetching} placeholder="名称或编号" notFoundContent={isFetching ? '正在查找…' : '没有匹配的内容'} options={(data?.items ?? []).map((target) => ({ value: target.id, label: wordsOf(target), disabled: target.health.tone === 'bad' }))} />
          </Form.Item>
        )}
        {printed && <ReasonItem />}
      </Form>
    </Modal>
  )
}
