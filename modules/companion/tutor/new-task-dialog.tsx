import { DatePicker, Form, Input, InputNumber, Modal, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { validated } from '../../../core/form/validated.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { useSend } from '../../user/door.tsx'
import { companionEndpoints, type OwnStudent } from '../calls.ts'
import type { Companion } from '../companion.ts'
import { MOST_LESSONS, TASK_KINDS } from '../task.ts'

interface Values { title: string; task_kind: string; student_ids: number[]; due_at: Dayjs; needs?: string[]; full: number; lessons: number; paper_id?: number; body?: string }

const NEEDS = [{ value: 'text', label: '文字' }, { value: 'image', label: '图片' }, { value: 'voice', label: '语音' }]

function Papers({ companion, id, value, onChange }: { companion: Companion; id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={companion.papers} label="试卷" id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** 布置任务: for learners of one's own, given at once. @param start what is known already, such as an item of a pack */
export function NewTaskDialog({ companion, start = {}, pack, onClose, onDone }: { companion: Companion; start?: Partial<Values>; pack?: { id: number; name: string }; onClose: () => void; onDone: () => void }) {
  const calls = companionEndpoints(companion)
  const said = useSaid()
  const [form] = Form.useForm<Values>()
  const kind = Form.useWatch('task_kind', form)
  const { busy, problem, send } = useSend(form)
  const { data } = useQuery({ queryKey: ['own-students', companion.kind.value], queryFn: ({ signal }) => call(calls.ownStudents, {}, { signal, quiet: true }) as Promise<{ items: OwnStudent[] }> })
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(calls.setTask, { ...values, due_at: values.due_at.unix(), ...(pack && { pack_id: pack.id }) }, { quiet: true })
    said({ words: `已布置给 ${values.student_ids.length} 名学生` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={pack ? `布置任务 · ${pack.name}` : '布置任务'} okText="布置" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical" initialValues={{ task_kind: 'exercise', full: 100, lessons: 1, needs: ['image'], due_at: dayjs().add(2, 'day').hour(21).minute(0).second(0), ...start }}>
        <Form.Item name="title" label="标题" rules={[{ required: true, message: '请填写标题' }]}><Input maxLength={60} /></Form.Item>
        <Form.Item name="task_kind" label="类型"><Select options={[...TASK_KINDS]} /></Form.Item>
        {kind === 'paper' && <Form.Item name="paper_id" label="试卷"><Papers companion={companion} /></Form.Item>}
        <Form.Item name="student_ids" label="学生" rules={[{ required: true, message: '请选择学生' }]}><Select mode="multiple" maxTagCount={6} showSearch={{ optionFilterProp: 'label' }} options={(data?.items ?? []).map(({ student_id, name }) => ({ value: student_id, label: name }))} /></Form.Item>
        <Form.Item name="due_at" label="截止时间" rules={[{ required: true, message: '请选择截止时间' }]}><DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" className="wide" /></Form.Item>
        <Form.Item name="needs" label="提交要求"><Select mode="multiple" options={NEEDS} /></Form.Item>
        <Form.Item name="body" label="要求"><Input.TextArea rows={3} maxLength={1000} showCount /></Form.Item>
        <Form.Item name="full" label="满分" rules={[{ required: true, message: '请填写满分' }]}><InputNumber min={1} max={1000} /></Form.Item>
        <Form.Item name="lessons" label="计课时" extra="批改后从学生剩余课时中扣减" rules={[{ required: true, message: '请填写课时' }]}><InputNumber min={0} max={MOST_LESSONS} precision={0} suffix="节" /></Form.Item>
      </Form>
    </Modal>
  )
}
