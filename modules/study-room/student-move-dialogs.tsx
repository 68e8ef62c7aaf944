import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, Input, Modal, Radio, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import type { Target } from '../../core/field/reference.ts'
import { formatDate } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCall } from '../code/door.tsx'
import { schoolCell } from './school-cell.ts'
import { school } from './school.ts'
import { schoolTeacher } from './school-teacher.ts'
import { changeCell, changeSchool, renewals, renewStudent } from './student-move.ts'
import type { schoolStudent } from './school-student.ts'

interface PickProps {
  target: Target
  label: string
  narrow?: Readonly<Record<string, unknown>>
  disabled?: boolean
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
}

/** The picker with what the form gives to an input. */
function Pick({ onChange, value, id, ...picker }: PickProps) {
  return <Picker {...picker} id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

interface Values {
  school_id?: number
  cell_id?: number
  teacher_id?: number
  student_no?: string
  unit_id?: number
  reason: string
}

/** A form in a dialog whose refusals stand at their fields, and which says so when it is done. */
function useMove({ reload, onClose }: RowDialogProps<typeof schoolStudent>, words: string) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, run } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name: name as keyof Values, errors: [text] }))))
  const send = async (work: (values: Values) => Promise<string | undefined>) => {
    const values = await validated(form)
    if (!values) return
    await run(async () => {
      const more = await work(values)
      void message.success(more ?? words)
      reload()
      onClose()
    })
  }
  return { form, busy, send, problem: problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" /> }
}

/** 转班: another class of the same school. */
export function ChangeCellDialog(props: RowDialogProps<typeof schoolStudent>) {
  const { row, onClose } = props
  const { form, busy, problem, send } = useMove(props, '转班成功')
  const narrow = { school_id: row.school_id }
  return (
    <Modal open title={`转班 · ${row.name}`} okText="转班" confirmLoading={busy} onCancel={onClose} destroyOnHidden
      onOk={() => void send(async ({ cell_id = 0, teacher_id, reason }) => {
        await call(changeCell, { cell_id, ...(teacher_id !== undefined && { teacher_id }), reason, rev: row.rev }, { params: { id: row.id }, quiet: true })
        return undefined
      })}>
      {problem}
      <p className="note">{row.school_name}，现在{row.cell_name ? `在${row.cell_name}` : '没有班级'}。</p>
      <Form form={form} layout="vertical" initialValues={{ teacher_id: row.teacher_id ?? undefined }}>
        <Form.Item name="cell_id" label="新班级" rules={[{ required: true, message: '请选择班级' }]}><Pick target={schoolCell} label="班级" narrow={narrow} /></Form.Item>
        <Form.Item name="teacher_id" label="督学" extra="不选则保持不变"><Pick target={schoolTeacher} label="督学" narrow={narrow} /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 转校: another school, with the class and supervisor there. */
export function ChangeSchoolDialog(props: RowDialogProps<typeof schoolStudent>) {
  const { row, onClose } = props
  const { form, busy, problem, send } = useMove(props, '转校成功')
  const target = Form.useWatch('school_id', form)
  const narrow = { school_id: target }
  return (
    <Modal open title={`转校 · ${row.name}`} okText="转校" confirmLoading={busy} onCancel={onClose} destroyOnHidden
      onOk={() => void send(async ({ school_id = 0, cell_id, teacher_id, student_no, reason }) => {
        await call(changeSchool, {
          school_id, reason, rev: row.rev, ...(cell_id !== undefined && { cell_id }), ...(teacher_id !== undefined && { teacher_id }), ...(student_no && { student_no }),
        }, { params: { id: row.id }, quiet: true })
        return undefined
      })}>
      {problem}
      <p className="note">现在在{row.school_name}。使用中的授权码随学生转到同一合伙人的学校；转到其他合伙人的学校前须先解绑。</p>
      <Form form={form} layout="vertical" onValuesChange={(changed: Partial<Values>) => { if ('school_id' in changed) form.resetFields(['cell_id', 'teacher_id']) }}>
        <Form.Item name="school_id" label="新学校" rules={[{ required: true, message: '请选择学校' }]}><Pick target={school} label="学校" /></Form.Item>
        <Form.Item name="cell_id" label="班级"><Pick target={schoolCell} label="班级" narrow={narrow} disabled={target === undefined} /></Form.Item>
        <Form.Item name="teacher_id" label="督学"><Pick target={schoolTeacher} label="督学" narrow={narrow} disabled={target === undefined} /></Form.Item>
        <Form.Item name="student_no" label="学号" extra="不填则保留原学号"><Input maxLength={30} autoComplete="off" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 续期: which unit goes on, by a code that the partner has left. */
export function RenewDialog(props: RowDialogProps<typeof schoolStudent>) {
  const { row, onClose } = props
  const { form, busy, problem, send } = useMove(props, '续期成功')
  const { data, error, isPending } = useQuery({
    queryKey: ['renewals', row.id, row.rev], queryFn: ({ signal }) => call(renewals, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0,
  })
  const items = data?.items ?? []
  return (
    <Modal open title={`续期 · ${row.name}`} okText="续期" okButtonProps={{ disabled: items.length === 0 }} confirmLoading={busy} onCancel={onClose} destroyOnHidden
      onOk={() => void send(async ({ unit_id = 0, reason }) => {
        const { expire_at } = await call(renewStudent, { unit_id, reason, rev: row.rev }, { params: { id: row.id }, quiet: true })
        return `续期成功，有效期至 ${formatDate(expire_at)}`
      })}>
      {problem}
      {error ? <Alert type="error" showIcon title={error.message} /> : isPending ? <Skeleton active /> : items.length === 0
        ? <Alert type="warning" showIcon title="合伙人没有可用的授权码，请先发码" />
        : (
          <Form form={form} layout="vertical" initialValues={{ unit_id: (items.find(({ until }) => until !== null) ?? items[0])?.unit_id }}>
            <p className="note">使用一个未激活的授权码，从现有有效期之后接着算。</p>
            <Form.Item name="unit_id" label="套餐" rules={[{ required: true, message: '请选择套餐' }]}>
              <Radio.Group vertical options={items.map(({ unit_id, name, left, until }) => ({
                value: unit_id, label: `${name}（剩余 ${left.toLocaleString('zh-CN')} 个码${until === null ? '' : `，现有效期至 ${formatDate(until)}`}）`,
              }))} />
            </Form.Item>
            <ReasonItem />
          </Form>
        )}
    </Modal>
  )
}
