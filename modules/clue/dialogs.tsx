import { DatePicker, Form, Input, Modal, Segmented } from 'antd'
import type { Dayjs } from 'dayjs'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { staff } from '../staff/module.ts'
import { useSend } from '../user/door.tsx'
import { assignClues, followClue, releaseClue, WAYS } from './calls.ts'

/** 跟进: how, what came of it, and when next. */
export function FollowDialog({ id, name, onClose, onDone, needsNext }: { id: number; name: string; onClose: () => void; onDone: () => void; needsNext?: boolean }) {
  const said = useSaid()
  const [form] = Form.useForm<{ way: (typeof WAYS)[number]['value']; body: string; next?: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(followClue, { way: values.way, body: values.body, ...(values.next && { next_follow_at: values.next.unix() }) }, { params: { id }, quiet: true })
    said({ words: '已记录跟进' })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`跟进 · ${name}`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical" initialValues={{ way: 'call' }}>
        <Form.Item name="way" label="方式"><Segmented options={[...WAYS]} /></Form.Item>
        <Form.Item name="body" label="跟进内容" rules={[{ required: true, whitespace: true, message: '请填写跟进内容' }, { min: 5, message: '跟进内容至少 5 个字' }]}><Input.TextArea rows={4} maxLength={500} showCount /></Form.Item>
        <Form.Item name="next" label={needsNext ? '测评时间' : '下次跟进'} rules={needsNext ? [{ required: true, message: '请选择测评时间' }] : []}><DatePicker showTime={{ format: 'HH:mm', minuteStep: 15 }} format="YYYY-MM-DD HH:mm" className="wide" /></Form.Item>
      </Form>
    </Modal>
  )
}

/** The picker with what the form gives to an input. */
function Owner({ id, value, onChange }: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={staff} label="顾问" id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** 分配: clues to one advisor. */
export function AssignDialog({ ids, many, onClose, onDone }: { ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ owner_id: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { assigned, left_alone, undo } = await call(assignClues, { ids: [...ids], ...values }, { quiet: true })
    said({ words: `已分配 ${assigned} 条${left_alone.length > 0 ? `，${left_alone.length} 条未变：${left_alone[0]?.why ?? ''}` : ''}`, undo })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`分配线索 · ${many}`} okText="分配" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">分配后重新保护 7 天，每次跟进延长 3 天，最长 30 天。</p>
      <Form form={form} layout="vertical">
        <Form.Item name="owner_id" label="顾问" rules={[{ required: true, message: '请选择顾问' }]}><Owner /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 放回公海: somebody gives a clue back. */
export function ReleaseDialog({ id, name, onClose, onDone }: { id: number; name: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(releaseClue, values, { params: { id }, quiet: true })
    said({ words: '已放回公海' })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`放回公海 · ${name}`} okText="放回" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">放回后 24 小时内您不能再领取这条线索。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}
