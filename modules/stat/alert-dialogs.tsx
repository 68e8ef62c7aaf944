import { Checkbox, DatePicker, Form, Input, Modal, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { staff } from '../staff/module.ts'
import { useSend } from '../user/door.tsx'
import { assignAlert, ignoreAlert, noteAlert, silenceAlert } from './alert-calls.ts'

interface Props { id: number; title: string; onClose: () => void; onDone: () => void }

/** The picker with what the form gives to an input. */
function Owner({ id, value, onChange }: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={staff} label="处理人" id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** 指派: somebody else looks after it. */
export function AssignDialog({ id, title, onClose, onDone }: Props) {
  const said = useSaid()
  const [form] = Form.useForm<{ owner_id: number }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(assignAlert, values, { params: { id }, quiet: true })
    said({ words: '已指派' })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`指派 · ${title}`} okText="指派" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical"><Form.Item name="owner_id" label="处理人" rules={[{ required: true, message: '请选择处理人' }]}><Owner /></Form.Item></Form>
    </Modal>
  )
}

const LENGTHS = [{ value: 4, label: '4 小时' }, { value: 24, label: '1 天' }, { value: 72, label: '3 天' }, { value: 168, label: '7 天' }]

/** Until when something rests: by a length, or a moment. */
function Until({ value, onChange }: { value?: Dayjs; onChange?: (value: Dayjs | null) => void }) {
  const now = dayjs()
  return (
    <div className="stat-until">
      <Segmented options={LENGTHS} value={LENGTHS.find((length) => value && Math.abs(value.diff(now, 'minute') - length.value * 60) < 2)?.value ?? 0} onChange={(hours) => onChange?.(dayjs().add(hours, 'hour'))} />
      <DatePicker aria-label="结束时间" showTime={{ format: 'HH:mm', minuteStep: 15 }} format="YYYY-MM-DD HH:mm" value={value ?? null} onChange={(next) => onChange?.(next)} />
    </div>
  )
}

const endRules = [{ required: true, message: '请选择到什么时候' }]

/** 忽略: known and left alone until a moment. */
export function IgnoreDialog({ id, title, onClose, onDone }: Props) {
  const said = useSaid()
  const [form] = Form.useForm<{ until: Dayjs; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(ignoreAlert, { until: values.until.unix(), reason: values.reason }, { params: { id }, quiet: true })
    said({ words: `已忽略至 ${values.until.format('MM-DD HH:mm')}` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`忽略 · ${title}`} okText="忽略" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">到时仍未恢复会重新成为未处理。</p>
      <Form form={form} layout="vertical" initialValues={{ until: dayjs().add(24, 'hour') }}><Form.Item name="until" label="忽略到" rules={endRules}><Until /></Form.Item><ReasonItem /></Form>
    </Modal>
  )
}

/** 静默: nobody is told until a moment; alerts are still opened and closed. */
export function SilenceDialog({ id, title, grouped, onClose, onDone }: Props & { grouped: boolean }) {
  const said = useSaid()
  const [form] = Form.useForm<{ until: Dayjs; reason: string; whole_rule: boolean }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(silenceAlert, { until: values.until.unix(), reason: values.reason, whole_rule: !grouped || (values.whole_rule ?? false) }, { params: { id }, quiet: true })
    said({ words: `已静默至 ${values.until.format('MM-DD HH:mm')}` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`静默 · ${title}`} okText="静默" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">静默期间照常判断和恢复，只是不通知，也不进待我处理。</p>
      <Form form={form} layout="vertical" initialValues={{ until: dayjs().add(4, 'hour'), whole_rule: false }}>
        <Form.Item name="until" label="静默到" rules={endRules}><Until /></Form.Item>
        {grouped && <Form.Item name="whole_rule" valuePropName="checked"><Checkbox>整条规则都静默，不只这一项</Checkbox></Form.Item>}
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 记录: what somebody found or did. */
export function NoteForm({ id, onDone }: { id: number; onDone: () => void }) {
  const [form] = Form.useForm<{ body: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(noteAlert, values, { params: { id }, quiet: true })
    form.resetFields()
    onDone()
  })
  return (
    <Form form={form} className="stat-say" onFinish={() => void submit()}>
      {problem}
      <Form.Item name="body" rules={[{ required: true, whitespace: true, message: '请填写内容' }, { min: 2, message: '内容至少 2 个字' }]}>
        <Input.Search aria-label="处理记录" placeholder="查到了什么，做了什么" maxLength={300} enterButton="记录" loading={busy} onSearch={() => form.submit()} />
      </Form.Item>
    </Form>
  )
}
