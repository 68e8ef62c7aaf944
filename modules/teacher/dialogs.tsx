import { DatePicker, Form, Input, Modal, Segmented } from 'antd'
import type { Dayjs } from 'dayjs'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { formatDate } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { extendTeacher, followTeacher, leaveTeacher, resumeTeacher, stopTeacher, transferClasses, WAYS } from './calls.ts'
import { teacherProfile } from './teacher.ts'

type Row = WireRow<typeof teacherProfile>
interface Props { row: Row; reload: () => void; onClose: () => void }

/** The picker of a teacher with what a form gives to an input. */
function Teacher({ id, value, onChange }: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={teacherProfile} label="教师" id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** 跟进: how, what came of it, and when next. */
export function FollowDialog({ id, name, onClose, onDone }: { id: number; name: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ way: (typeof WAYS)[number]['value']; body: string; next_follow_at?: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(followTeacher, { way: values.way, body: values.body, ...(values.next_follow_at && { next_follow_at: values.next_follow_at.unix() }) }, { params: { id }, quiet: true })
    said({ words: `已记录对「${name}」的跟进` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`跟进 · ${name}`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} name="teacher-follow" layout="vertical" initialValues={{ way: 'call' }}>
        <Form.Item name="way" label="方式"><Segmented options={[...WAYS]} /></Form.Item>
        <Form.Item name="body" label="跟进内容" rules={[{ required: true, whitespace: true, message: '请填写跟进内容' }, { min: 5, message: '跟进内容至少 5 个字' }]}><Input.TextArea rows={4} maxLength={500} showCount /></Form.Item>
        <Form.Item name="next_follow_at" label="下次跟进" extra="不填则不再提醒"><DatePicker showTime={{ format: 'HH:mm', minuteStep: 15 }} format="YYYY-MM-DD HH:mm" className="wide" /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 停用 and 恢复: the account follows at once, and the teacher is told why. */
function SwitchDialog({ row, reload, onClose, stops }: Props & { stops: boolean }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const verb = stops ? '停用' : '恢复'
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(stops ? stopTeacher : resumeTeacher, values, { params: { id: row.id }, quiet: true })
    said({ words: `已${verb}「${row.name}」` })
    reload()
    onClose()
  })
  return (
    <Modal open title={`${verb}教师 · ${row.name}`} okText={verb} okButtonProps={{ danger: stops }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">{stops ? `停用后不能布置作业，${row.class_cnt ?? 0} 个班级不能再加入学生；学生仍在班里。` : '恢复后权益和班级照常使用。'}教师会收到通知。</p>
      <Form form={form} name="teacher-switch" layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

export const StopDialog = (props: Props) => <SwitchDialog {...props} stops />
export const ResumeDialog = (props: Props) => <SwitchDialog {...props} stops={false} />

/** 离开: the classes go to another teacher in the same step. */
export function LeaveDialog({ row, reload, onClose }: Props) {
  const said = useSaid()
  const [form] = Form.useForm<{ to_id?: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const held = Number(row.class_cnt ?? 0)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { classes } = await call(leaveTeacher, values, { params: { id: row.id }, quiet: true })
    said({ words: classes > 0 ? `已办理离开，${classes} 个班级已交接` : '已办理离开' })
    reload()
    onClose()
  })
  return (
    <Modal open title={`办理离开 · ${row.name}`} okText={held > 0 ? `离开并交接 ${held} 个班级` : '办理离开'} okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">离开后权益停止，历史作业和试卷保留。再次申请并通过后可以回来。</p>
      <Form form={form} name="teacher-leave" layout="vertical">
        {held > 0 && <Form.Item name="to_id" label="接手的教师" rules={[{ required: true, message: '请选择接手的教师' }]} extra={`${held} 个进行中的班级、${row.student_cnt ?? 0} 名学生一起交接`}><Teacher /></Form.Item>}
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 延长权益: the certificate and what it opened end later. */
export function ExtendDialog({ row, reload, onClose }: Props) {
  const said = useSaid()
  const [form] = Form.useForm<{ until: Dayjs; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { cert_until } = await call(extendTeacher, { until: values.until.endOf('day').unix(), reason: values.reason }, { params: { id: row.id }, quiet: true })
    said({ words: `权益已延长至 ${formatDate(cert_until)}` })
    reload()
    onClose()
  })
  return (
    <Modal open title={`延长权益 · ${row.name}`} okText="延长" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} name="teacher-extend" layout="vertical">
        <Form.Item name="until" label="延长至" rules={[{ required: true, message: '请选择日期' }]} extra={row.cert_until ? `现在到 ${formatDate(row.cert_until)}` : undefined}><DatePicker className="wide" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 转让: classes to another teacher, taken back as one. */
export function TransferDialog({ ids, many, onClose, onDone }: { ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ teacher_id: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { moved, undo } = await call(transferClasses, { ids: [...ids], ...values }, { quiet: true })
    said({ words: `${moved} 个班级已转让`, undo })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`转让班级 · ${many}`} okText="转让" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">学生和班级码不变，两位教师都会收到通知。</p>
      <Form form={form} name="class-transfer" layout="vertical">
        <Form.Item name="teacher_id" label="接手的教师" rules={[{ required: true, message: '请选择教师' }]}><Teacher /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}
