import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, DatePicker, Drawer, Empty, Form, Input, Modal, Select, Skeleton, Space } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { addNote, dropNote, dropSubscription, exportStats, keepSubscription, listSummaries, readSubscription, readSummary, rebuildStats, type Named, type Note } from './calls.ts'
import { ChangeWord } from './tiles.tsx'
import type { AskedStats } from './use-asked.tsx'
import { dayWord, figureText } from './words.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))
/** A day as a picker has it, and as the server wants it. */
const secondsOf = (day: Dayjs) => startOfDay(day.hour(12).unix())

/** 记一笔: what happened on a day; and what has been written down in the stretch. */
export function NoteDialog({ notes, onClose, onDone }: { notes: readonly Note[]; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ day: Dayjs; body: string; bad: boolean }>()
  const { busy, problem, send } = useSend(form)
  const { attempt } = useAttempt()
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(addNote, { day: secondsOf(values.day), body: values.body, bad: values.bad ?? false }, { quiet: true })
    said({ words: `已记在 ${values.day.format('MM-DD')}` })
    onDone()
    onClose()
  })
  return (
    <Modal open title="记一笔" okText="记下" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical" initialValues={{ day: dayjs(), bad: false }}>
        <Form.Item name="day" label="日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker className="wide" allowClear={false} disabledDate={(day) => day.isAfter(dayjs(), 'day')} /></Form.Item>
        <Form.Item name="body" label="发生了什么" rules={[{ required: true, whitespace: true, message: '请填写内容' }, { min: 2, message: '内容至少 2 个字' }]}><Input maxLength={40} showCount placeholder="如：双十一，客单价低 18%" /></Form.Item>
        <Form.Item name="bad" valuePropName="checked"><Checkbox>是故障或异常</Checkbox></Form.Item>
      </Form>
      {notes.length > 0 && <ul className="stat-lists">{notes.map((note) => (
        <li key={note.id}><span>{dayWord(note.day)} {note.body}<small className="note"> {note.staff_name}</small></span>
          {note.mine && <Button size="small" type="text" aria-label={`删除「${note.body}」`} onClick={() => void attempt(async () => { await call(dropNote, undefined, { params: { id: note.id }, quiet: true }); onDone() })}>删除</Button>}</li>
      ))}</ul>}
    </Modal>
  )
}

/** 重新计算: days again from their sources, followed while it runs. */
export function RebuildDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const [form] = Form.useForm<{ days: [Dayjs, Dayjs] }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (values) setJobId((await call(rebuildStats, { from: secondsOf(values.days[0]), to: secondsOf(values.days[1]) }, { quiet: true })).job_id)
  })
  const close = () => { if (jobId !== undefined) onDone(); onClose() }
  return (
    <Modal open title="重新计算指标" okText="开始" confirmLoading={busy} onOk={() => void submit()} onCancel={close} destroyOnHidden footer={jobId === undefined ? undefined : <Button onClick={close}>{isMoving(job) ? '后台运行' : '关闭'}</Button>}>
      {problem}
      {jobId === undefined ? (
        <Form form={form} layout="vertical" initialValues={{ days: [dayjs().subtract(29, 'day'), dayjs()] }}>
          <p className="note">按来源逐天重新统计，完成一段替换一段，期间页面照常可看。补录和退款会自动重算，只在自检不通过时需要手动。</p>
          <Form.Item name="days" label="日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker.RangePicker className="wide" allowClear={false} disabledDate={(day) => day.isAfter(dayjs(), 'day')} /></Form.Item>
        </Form>
      ) : <><JobProgress job={job} onCancel={cancel} onRetry={retry} />{job?.status === 'done' && <Alert type="success" showIcon title={`已重新统计 ${String(job.result?.['days'] ?? '')} 天的 ${String(job.result?.['figures'] ?? '')} 项指标`} />}</>}
    </Modal>
  )
}

/** 导出: what is shown, day by day, as a workbook. */
export function ExportDialog({ asked, onClose }: { asked: AskedStats; onClose: () => void }) {
  const [jobId, setJobId] = useState<number>()
  const { job, cancel, retry } = useJob(jobId)
  const { busy, attempt } = useAttempt()
  const url = job?.result?.['url']
  return (
    <Modal open title="导出数据" onCancel={onClose} footer={jobId === undefined
      ? <Space><Button onClick={onClose}>取消</Button><Button type="primary" loading={busy} onClick={() => void attempt(async () => setJobId((await call(exportStats, asked, { quiet: true })).id))}>开始导出</Button></Space>
      : <Space>{typeof url === 'string' && <Button type="primary" href={url}>下载文件</Button>}<Button onClick={onClose}>{isMoving(job) ? '后台运行' : '关闭'}</Button></Space>}>
      {jobId === undefined ? <p>导出当前时间范围和筛选下的全部指标：本期、上期合计，以及每天的数值。</p> : <JobProgress job={job} onCancel={cancel} onRetry={retry} />}
    </Modal>
  )
}

/** 订阅日报: a summary of yesterday at an hour of China's clock. */
export function SubscribeDialog({ lines, onClose }: { lines: readonly Named[]; onClose: () => void }) {
  const said = useSaid()
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: ['stat-subscription'], queryFn: ({ signal }) => call(readSubscription, undefined, { signal, quiet: true }), staleTime: 0 })
  const [form] = Form.useForm<{ hour: number; line: string }>()
  const { busy, problem, send } = useSend(form)
  const done = (words: string) => { void client.invalidateQueries({ queryKey: ['stat-subscription'] }); said({ words }); onClose() }
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(keepSubscription, values, { quiet: true, keepEmpty: true })
    done(`每天 ${HOURS[values.hour]?.label ?? ''}（北京时间）收到日报`)
  })
  const stop = () => send(async () => { await call(dropSubscription, undefined, { quiet: true }); done('已取消订阅') })
  return (
    <Modal open title="订阅日报" onCancel={onClose} destroyOnHidden footer={<Space>{data?.subscription && <Button danger disabled={busy} onClick={() => void stop()}>取消订阅</Button>}<Button onClick={onClose}>关闭</Button><Button type="primary" loading={busy} disabled={!data} onClick={() => void submit()}>{data?.subscription ? '保存' : '订阅'}</Button></Space>}>
      {problem}
      {data ? (
        <Form form={form} layout="vertical" initialValues={{ hour: data.subscription?.hour ?? 8, line: data.subscription?.line ?? '' }}>
          <p className="note">昨天的指标与上周同一天对比，送到待我处理。</p>
          <Form.Item name="hour" label="时间（北京时间，UTC+8）"><Select options={HOURS} /></Form.Item>
          <Form.Item name="line" label="产品线"><Select showSearch={{ optionFilterProp: 'label' }} options={[{ value: '', label: '全部' }, ...lines.map(({ key, title }) => ({ value: key, label: title }))]} /></Form.Item>
        </Form>
      ) : <Skeleton active />}
    </Modal>
  )
}

/** The summaries that somebody got; what is opened counts as read. */
export function SummaryDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { attempt } = useAttempt()
  const { data, error } = useQuery({ queryKey: ['stat-summaries'], queryFn: ({ signal }) => call(listSummaries, undefined, { signal, quiet: true }), staleTime: 0 })
  const read = (id: number) => attempt(async () => {
    await call(readSummary, undefined, { params: { id }, quiet: true })
    await Promise.all(['stat-summaries', 'dashboard', 'waiting'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  })
  return (
    <Drawer open title="我的日报" size={480} onClose={onClose}>
      {error ? <Alert type="error" showIcon title={error.message} /> : !data ? <Skeleton active /> : data.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有日报，订阅后每天送到" /> : data.items.map((one) => (
        <section key={one.id} className="stat-summary" data-unread={!one.read} aria-label={`${formatTime(one.day).slice(0, 10)} 日报`}>
          <header><h3>{formatTime(one.day).slice(0, 10)}</h3><small>{one.line ?? '全部产品线'} · 比上周同一天</small>{!one.read && <Button size="small" onClick={() => void read(one.id)}>已读</Button>}</header>
          <table><tbody>{one.rows.map((row) => <tr key={row.name}><th scope="row">{row.title}</th><td className="figure">{figureText(row.as, row.value)}</td><td><ChangeWord of={row} /></td></tr>)}</tbody></table>
        </section>
      ))}
    </Drawer>
  )
}
