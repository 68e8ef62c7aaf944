import { Alert, Button, DatePicker, Form, Input, Modal, Select, Table } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { MultiPicker } from '../../core/field/reference.tsx'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import { present, type Presentation } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import type { Companion } from './companion.ts'
import { planEndpoints, type Planned } from './plan-calls.ts'
import { MOST_WEEKS, type TemplateResource } from './template.ts'

interface Values { season: string; class_ids: number[]; weeks: number[]; holidays?: Dayjs[] }

function Classes({ companion, id, value = [], onChange }: { companion: Companion; id?: string; value?: number[]; onChange?: (value: number[]) => void }) {
  const [first] = companion.classes
  return first ? <MultiPicker target={first} label={first.label} id={id} value={value} onChange={(picked) => onChange?.(picked)} /> : null
}

/** 周计划: weeks of a season laid on the calendars of classes; what would be made is looked at first. */
function PlanButton({ companion, templates, reload }: { companion: Companion; templates: TemplateResource; reload: () => void }) {
  const can = useCan()
  const calls = planEndpoints(companion, templates)
  const [open, setOpen] = useState(false)
  const [planned, setPlanned] = useState<Planned[]>()
  const [form] = Form.useForm<Values>()
  const { busy, problem, send } = useSend(form)
  const said = useSaid()
  if (!can(templates.rights.id('plan'))) return null
  const input = ({ holidays = [], ...values }: Values) => ({ ...values, holidays: holidays.map((day) => startOfDay(day.unix())) })
  const ready = planned?.filter(({ why }) => why === null).length ?? 0
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    if (!planned) return setPlanned((await call(calls.preview, input(values), { quiet: true })).items)
    const { made } = await call(calls.plan, input(values), { quiet: true })
    said({ words: `已生成 ${made} 个任务草稿` })
    setOpen(false)
    setPlanned(undefined)
    reload()
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>周计划</Button>
      <Modal open={open} title="按周计划布置" width={760} okText={planned ? `布置 ${ready} 个任务` : '预览'} okButtonProps={{ disabled: planned !== undefined && ready === 0 }} confirmLoading={busy} onOk={() => void submit()} onCancel={() => { setOpen(false); setPlanned(undefined) }} destroyOnHidden>
        {problem}
        <Form form={form} layout="vertical" onValuesChange={() => setPlanned(undefined)}>
          <Form.Item name="season" label="期次" rules={[{ required: true, message: '请填写期次' }]}><Input maxLength={20} /></Form.Item>
          <Form.Item name="class_ids" label="班级" rules={[{ required: true, message: '请选择班级' }]}><Classes companion={companion} /></Form.Item>
          <Form.Item name="weeks" label="周" rules={[{ required: true, message: '请选择周' }]}><Select mode="multiple" options={Array.from({ length: MOST_WEEKS }, (_, index) => ({ value: index + 1, label: `第 ${index + 1} 周` }))} /></Form.Item>
          <Form.Item name="holidays" label="放假日期" extra="放假的日子不计，后面的任务顺延"><DatePicker multiple className="wide" /></Form.Item>
        </Form>
        {planned && (planned.length === 0 ? <Alert type="info" showIcon title="没有可以布置的任务" /> : <Table<Planned> size="small" rowKey={({ class_id, template_id }) => `${class_id}-${template_id}`} virtual scroll={{ y: 260, x: 620 }} pagination={false} dataSource={planned} columns={[
          { title: '班级', dataIndex: 'class_name', width: 140, ellipsis: true }, { title: '周', dataIndex: 'week', width: 56 }, { title: '任务', dataIndex: 'title', ellipsis: true },
          { title: '截止', dataIndex: 'due_at', width: 150, render: (at: number) => formatTime(at).slice(0, 16) }, { title: '说明', dataIndex: 'why', width: 150 },
        ]} />)}
      </Modal>
    </>
  )
}

/** Templates of tasks, and the week plan that is made from them. */
export function presentTemplates(companion: Companion, templates: TemplateResource): Presentation {
  return present(templates)({ slots: { toolbar: ({ reload }) => <PlanButton companion={companion} templates={templates} reload={reload} /> } })
}
