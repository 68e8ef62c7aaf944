import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, DatePicker, Drawer, Empty, Form, Input, InputNumber, Modal, Skeleton, Table, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { MultiPicker, Picker } from '../../core/field/reference.tsx'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import type { BulkProps, RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { anyRoom } from '../room/module.ts'
import { useSend } from '../user/door.tsx'
import { classCourse } from './course.ts'
import { GRANT_RIGHTS, type roomCourse, type roomPlan } from './grant.ts'
import { extendCourses, extendPlans, grantMany, grantPlan, MOST_DAYS, openAccounts, previewAccounts, readRun, tickTask, type Granted, type Opened } from './grant-calls.ts'
import { trainingPlan } from './plan.ts'
import { MOST_ACCOUNTS, MOST_OPENED, readPeople } from './quota.ts'
import { TASK_KINDS } from './tasks.ts'

const WEEK_NAMES = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const seconds = (day: Dayjs) => startOfDay(day.unix())

interface Values { room_ids: number[]; course_ids?: number[]; plan_id?: number; quota: number; valid_until: Dayjs; start_on?: Dayjs; rest_days?: number[] }

/** 授权: rooms and what they may use; what a room may not have is said and left out. */
export function GrantDialog({ kind, start, onClose, onDone }: { kind: 'course' | 'plan'; start?: { room_ids?: number[]; course_ids?: number[] }; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, send } = useSend(form)
  const [left, setLeft] = useState<Granted>()
  const rooms = Form.useWatch('room_ids', form) ?? start?.room_ids ?? []
  const courses = Form.useWatch('course_ids', form) ?? start?.course_ids ?? []
  const plan = Form.useWatch('plan_id', form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const shared = { room_ids: values.room_ids, quota: values.quota, valid_until: seconds(values.valid_until) }
    const answer = kind === 'course' ? await call(grantMany, { ...shared, course_ids: values.course_ids ?? [] }, { quiet: true })
      : await call(grantPlan, { ...shared, plan_id: values.plan_id ?? 0, start_on: values.start_on ? seconds(values.start_on) : 0, rest_days: values.rest_days ?? [] }, { quiet: true })
    onDone()
    if (answer.left_out.length > 0) return setLeft(answer)
    void message.success(`已授权 ${answer.made} 个`)
    onClose()
  })
  if (left) {
    return (
      <Modal open title={`已授权 ${left.made} 个，${left.left_out.length} 个没有授权`} onCancel={onClose} cancelText="关闭" okButtonProps={{ hidden: true }} width={640}>
        <Table size="small" rowKey={(row) => `${row.room} ${row.what}`} pagination={false} scroll={{ y: 320 }} dataSource={left.left_out} columns={[{ title: '自习室', dataIndex: 'room' }, { title: kind === 'course' ? '课程' : '计划', dataIndex: 'what' }, { title: '原因', dataIndex: 'why' }]} />
      </Modal>
    )
  }
  const required = (text: string) => [{ required: true, message: text }]
  return (
    <Modal open title={kind === 'course' ? '授权课程' : '授权训练计划'} width={560} okText="授权" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }}>
      {problem}
      <Form<Values> form={form} name="grant" layout="vertical" initialValues={{ quota: 20, ...start }}>
        <Form.Item name="room_ids" label="自习室" rules={required('请选择自习室')}><MultiPicker target={anyRoom} id="grant_room_ids" label="自习室" value={rooms} onChange={(value) => form.setFieldValue('room_ids', value)} /></Form.Item>
        {kind === 'course' ? <Form.Item name="course_ids" label="课程" rules={required('请选择课程')}><MultiPicker target={classCourse} id="grant_course_ids" label="课程" value={courses} onChange={(value) => form.setFieldValue('course_ids', value)} /></Form.Item> : (
          <>
            <Form.Item name="plan_id" label="训练计划" rules={required('请选择训练计划')}><Picker target={trainingPlan} id="grant_plan_id" label="训练计划" value={plan} onChange={(value) => form.setFieldValue('plan_id', value ?? undefined)} /></Form.Item>
            <Form.Item name="start_on" label="开始日期" rules={required('请选择开始日期')}><DatePicker className="wide" /></Form.Item>
            <Form.Item name="rest_days" label="休息日" extra="休息日没有任务，计划顺延"><Checkbox.Group options={WEEK_NAMES.map((label, at) => ({ value: at + 1, label }))} /></Form.Item>
          </>
        )}
        <Form.Item name="quota" label="每个自习室的名额" rules={required('请填写名额')}><InputNumber className="wide" min={1} max={MOST_ACCOUNTS} precision={0} suffix="个" /></Form.Item>
        <Form.Item name="valid_until" label="有效期至" rules={required('请选择有效期')}><DatePicker className="wide" /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 续期: more days for many at once. */
export function ExtendDialog({ kind, ids, many, onClose, onDone }: { kind: 'course' | 'plan'; ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [days, setDays] = useState(90)
  const { busy, problem, send } = useSend()
  const submit = () => send(async () => {
    const { extended, undo } = await call(kind === 'course' ? extendCourses : extendPlans, { ids: [...ids], days }, { quiet: true })
    said({ words: `${extended} 个授权已续期 ${days} 天`, undo })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`续期：${many}`} okText="续期" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose}>
      {problem}
      <p>从有效期末续，已到期的从今天续。学员的使用期一起延长。</p>
      <InputNumber aria-label="续期天数" className="wide" min={1} max={MOST_DAYS} precision={0} value={days} onChange={(value) => setDays(value ?? 1)} suffix="天" />
    </Modal>
  )
}

/** The button that extends what is chosen in a list. */
export const bulkExtend = (kind: 'course' | 'plan') => function BulkExtend({ selected, query, many, onDone }: BulkProps) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(GRANT_RIGHTS.id('open'))) return null
  return (
    <>
      <Button disabled={query !== undefined || selected.length === 0} title={query ? '请勾选要续期的授权' : undefined} onClick={() => setOpen(true)}>续期</Button>
      {open && <ExtendDialog kind={kind} ids={selected} many={many} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  )
}

const STATES = { new: { label: '新用户', tone: 'processing' }, known: { label: '已有用户', tone: 'success' }, there: { label: '已在用，跳过', tone: 'default' } } as const

/** 开通学员: pasted numbers and names, who they are, and whether the places are enough, before anything is written. */
export function AccountsDialog({ row, reload, onClose }: RowDialogProps<typeof roomCourse> | RowDialogProps<typeof roomPlan>) {
  const { message } = App.useApp()
  const [text, setText] = useState('')
  const [seen, setSeen] = useState<Opened>()
  const { busy, problem, send } = useSend()
  const { people, bad } = readPeople(text)
  const look = () => send(async () => setSeen(await call(previewAccounts, { people }, { params: { id: row.id }, quiet: true })))
  const open = () => send(async () => {
    const { opened } = await call(openAccounts, { people }, { params: { id: row.id }, quiet: true })
    void message.success(`已开通 ${opened} 人`)
    reload()
    onClose()
  })
  const short = seen ? seen.used + seen.opened - seen.quota : 0
  return (
    <Modal open title={`开通学员 · ${row.name}`} width={640} okText={seen ? `开通 ${seen.opened} 人` : '预览'} okButtonProps={{ disabled: people.length === 0 || people.length > MOST_OPENED || bad.length > 0 || (seen !== undefined && (seen.opened === 0 || short > 0)) }}
      confirmLoading={busy} onOk={() => void (seen ? open() : look())} onCancel={onClose} mask={{ closable: false }}>
      {problem}
      <p className="note">名额 {row.quota} 个，已用 {Number(row.used ?? 0)} 个。每行一人：手机号和姓名，可从表格粘贴。</p>
      <Input.TextArea aria-label="学员名单" rows={6} placeholder={'13900000001 林小满\n13900000002 陈一诺'} value={text} onChange={(event) => { setText(event.target.value); setSeen(undefined) }} />
      {bad.length > 0 && <Alert className="form-alert" type="error" showIcon title={bad.slice(0, 3).map(({ line, why }) => `第 ${line} 行${why}`).join('；')} />}
      {people.length > MOST_OPENED && <Alert className="form-alert" type="error" showIcon title={`一次最多 ${MOST_OPENED} 人`} />}
      {short > 0 && <Alert className="form-alert" type="error" showIcon title={`名额不足，还差 ${short} 个；请先修改名额或减少人数`} />}
      {seen && (
        <Table size="small" rowKey="mobile" pagination={false} scroll={{ y: 240 }} dataSource={seen.rows} columns={[
          { title: '手机号', dataIndex: 'mobile' }, { title: '姓名', dataIndex: 'name' }, { title: '', render: (_value, { state }) => <Tag color={STATES[state].tone}>{STATES[state].label}</Tag> },
        ]} />
      )}
    </Modal>
  )
}

/** 执行进度: who is behind with what, by the days of the room; a supervisor ticks what was done away from the screen. */
export function RunDrawer({ row, onClose }: RowDialogProps<typeof roomPlan>) {
  const can = useCan()
  const [chosen, setChosen] = useState<number>()
  const { problem, send } = useSend()
  const { data, error, refetch } = useQuery({ queryKey: ['plan-run', row.id], queryFn: ({ signal }) => call(readRun, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0 })
  const tick = (task_key: string, done: boolean) => send(async () => {
    await call(tickTask, { account_id: chosen ?? 0, task_key, done }, { params: { id: row.id }, quiet: true })
    await refetch()
  })
  const late = data?.learners.filter(({ behind }) => behind > 0).length ?? 0
  const learner = data?.learners.find(({ account_id }) => account_id === chosen)
  return (
    <Drawer open size={860} title={`执行进度 · ${row.name}`} onClose={onClose}>
      {problem}
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <p>{data.today === 0 ? '还没有开始' : `第 ${Math.min(data.today, data.last)} 天，共 ${data.last} 天`}，{data.learners.length} 名学员，{late === 0 ? '没有人落后' : `${late} 人落后`}。</p>
          {data.learners.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有开通学员" /> : (
            <Table size="small" className="run-learners" rowKey="account_id" pagination={false} scroll={{ y: 240 }} dataSource={data.learners} onRow={({ account_id }) => ({ onClick: () => setChosen(account_id) })} rowClassName={({ account_id }) => (account_id === chosen ? 'ant-table-row-selected' : '')} columns={[
              { title: '学员', render: (_value, { account_id, name }) => <Button type="link" size="small" onClick={() => setChosen(account_id)}>{name}</Button> },
              { title: '完成 / 应完成', render: (_value, { done, due }) => `${done} / ${due}` },
              { title: '落后', render: (_value, { behind }) => <span data-late={behind > 0}>{behind === 0 ? '无' : `${behind} 项`}</span> },
              { title: '最近完成', render: (_value, { last_at }) => (last_at === null ? '' : formatDate(last_at)) },
            ]} />
          )}
          {learner && (
            <>
              <h3>{learner.name} 的任务</h3>
              <Table size="small" rowKey="key" pagination={false} scroll={{ y: 320 }} dataSource={data.tasks} columns={[
                { title: '天', width: 130, render: (_value, { day, on }) => `第 ${day} 天 ${formatDate(on).slice(5)}` },
                { title: '任务', render: (_value, { title, kind, required }) => <>{TASK_KINDS.find(({ value }) => value === kind)?.label} · {title}{!required && <span className="note">（选做）</span>}</> },
                { title: '完成', width: 70, render: (_value, { key, day, done, title }) => <Checkbox aria-label={`${title} 已完成`} checked={done.includes(learner.account_id)} disabled={!can(GRANT_RIGHTS.id('open')) || day > data.today} onChange={(event) => void tick(key, event.target.checked)} /> },
              ]} />
            </>
          )}
        </>
      )}
    </Drawer>
  )
}
