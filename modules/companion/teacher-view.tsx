import { useQuery } from '@tanstack/react-query'
import { App, DatePicker, Form, InputNumber, Modal, Segmented, Table } from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { toFen, yuan } from '../../core/field/number.ts'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { setRate, teacherRates } from './calls.ts'
import { screenId } from '../screens.ts'
import { STUDENT_STATUS } from './student.ts'
import { companionTeacher, TEACHER_RIGHTS, TEACHER_STATUS } from './teacher.ts'
import { useSend } from '../user/door.tsx'

const MODES = [{ value: 'lesson', label: '按课时' }, { value: 'month', label: '按人月' }]

/** 调整费率: what a teacher gets from a day on; what was taught before stays as it was. */
function RateDialog({ row, reload, onClose }: RowDialogProps<typeof companionTeacher>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ mode: 'lesson' | 'month'; rate: number; valid_from: Dayjs; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(setRate, { ...values, rate: toFen(values.rate), valid_from: startOfDay(values.valid_from.unix()) }, { params: { id: row.id }, quiet: true })
    void message.success('费率已调整')
    reload()
    onClose()
  })
  return (
    <Modal open title={`调整费率 · ${row.name ?? ''}`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical" initialValues={{ mode: 'lesson' }}>
        <Form.Item name="mode" label="计费方式"><Segmented options={MODES} /></Form.Item>
        <Form.Item name="rate" label="费率" rules={[{ required: true, message: '请填写费率' }]}><InputNumber min={0} precision={2} suffix="元" className="wide" /></Form.Item>
        <Form.Item name="valid_from" label="生效日期" rules={[{ required: true, message: '请选择生效日期' }]}><DatePicker className="wide" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** The rates that were, and are. */
function Rates({ row }: { row: { id: number; rev: number } }) {
  const { data, isLoading } = useQuery({ queryKey: ['companion-rates', row.id, row.rev], queryFn: ({ signal }) => call(teacherRates, undefined, { params: { id: row.id }, signal, quiet: true }) })
  return (
    <Table size="small" rowKey="id" loading={isLoading} pagination={false} dataSource={data?.items ?? []} locale={{ emptyText: '还没有设置费率' }} columns={[
      { title: '生效日期', dataIndex: 'valid_from', render: formatDate },
      { title: '计费方式', dataIndex: 'mode', render: (mode: string) => MODES.find(({ value }) => value === mode)?.label },
      { title: '费率', dataIndex: 'rate', align: 'right', render: (rate: number) => `${yuan(rate)} 元` },
      { title: '设置人', dataIndex: 'staff_name' },
    ]} />
  )
}

const STUDENTS = '/accompany/operation/teacher/studentCount'
const Count = ({ id, status, value }: { id: number; status: number; value: unknown }) => <Link to={`${STUDENTS}/${status}?teacher_id=${id}`}>{String(value ?? 0)}</Link>

/** Leads to what a teacher has earned. */
function LeadToAmount({ row, onClose }: RowDialogProps<typeof companionTeacher>) {
  const navigate = useNavigate()
  useEffect(() => {
    onClose()
    void navigate(`/accompany/operation/teacher/amount/1?teacher_id=${row.id}`)
  }, [navigate, onClose, row.id])
  return null
}

export default present(companionTeacher)({
  cells: {
    trial_cnt: ({ row, value }) => <Count id={row.id} status={STUDENT_STATUS.trial} value={value} />,
    reading_cnt: ({ row, value }) => <Count id={row.id} status={STUDENT_STATUS.reading} value={value} />,
    paused_cnt: ({ row, value }) => <Count id={row.id} status={STUDENT_STATUS.paused} value={value} />,
    ended_cnt: ({ row, value }) => <Count id={row.id} status={STUDENT_STATUS.ended} value={value} />,
  },
  slots: { details: [{ key: 'rates', label: '费率', Content: Rates }] },
  rowActions: [
    { key: 'amount', label: '课酬', grant: screenId('/accompany/operation/teacher/amount/:amountType') },
    { key: 'rate', label: '调整费率', grant: TEACHER_RIGHTS.id('rate'), visible: (row) => row.status !== TEACHER_STATUS.left },
  ],
  dialogs: { amount: LeadToAmount, rate: RateDialog },
})
