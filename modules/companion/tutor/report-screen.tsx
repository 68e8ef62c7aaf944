import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Empty, Form, Input, Segmented, Space } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { useParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatDate, startOfDay } from '../../../core/field/time.ts'
import { CopyButton } from '../../../core/form/copy-button.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { useSend } from '../../user/door.tsx'
import type { Companion } from '../companion.ts'
import { ReportFacts } from '../report-facts.tsx'
import { reportEndpoints, type OwnReport } from '../report-calls.ts'
import { FEWEST_WORDS, REPORT_STATE, type ReportResource } from '../report.ts'
import { minute, Waiting } from './tutor-parts.tsx'
import '../companion.css'

const PERIODS = [{ value: 1, label: '周报' }, { value: 2, label: '月报' }, { value: 3, label: '阶段报告' }]
const DAYS: Readonly<Record<number, number>> = { 1: 7, 2: 30, 3: 90 }

interface Values { period: number; between: [Dayjs, Dayjs]; words: string; plan?: string }

/** Writes a report: facts at the side, the teacher's words, what parents will see. */
function Editor({ companion, reports, studentId, report, last, onDone }: { companion: Companion; reports: ReportResource; studentId: number; report: OwnReport | undefined; last: OwnReport | undefined; onDone: () => void }) {
  const calls = reportEndpoints(companion, reports)
  const said = useSaid()
  const [form] = Form.useForm<Values>()
  const { busy, problem, send } = useSend(form)
  const start: Values = report ? { period: report.period, between: [dayjs.unix(report.from_at), dayjs.unix(report.to_at)], words: report.words, ...(report.plan !== null && { plan: report.plan }) } : { period: 1, between: [dayjs().subtract(6, 'day'), dayjs()], words: '' }
  const between = Form.useWatch('between', form) ?? start.between
  const words = Form.useWatch('words', form) ?? ''
  const plan = Form.useWatch('plan', form)
  const [from_at, to_at] = between.map((day: Dayjs) => startOfDay(day.unix())) as [number, number]
  const facts = useQuery({ queryKey: ['report-facts', reports.name, studentId, from_at, to_at], queryFn: ({ signal }) => call(calls.facts, { student_id: studentId, from_at, to_at }, { signal, quiet: true }) })
  const insert = (text: string) => form.setFieldValue('words', `${words}${words === '' || /[。，；\n]$/.test(words) ? '' : '，'}${text}`)
  const save = (go: boolean) => send(async () => {
    const values = await form.validateFields().catch(() => undefined)
    if (!values) return
    const row = await call(calls.write, { ...(report ? { id: report.id, rev: report.rev } : { student_id: studentId }), period: values.period, from_at, to_at, words: values.words, plan: values.plan ?? null, send: go }, { quiet: true })
    said({ words: !go ? '草稿已保存' : row['state'] === REPORT_STATE.waiting ? '已提交审核' : '已发送给家长' })
    onDone()
  })
  return (
    <div className="report-editor">
      <div>
        {problem}
        <Form form={form} layout="vertical" initialValues={start}>
          <Form.Item name="period" label="周期"><Segmented options={PERIODS} onChange={(period) => form.setFieldValue('between', [dayjs().subtract((DAYS[Number(period)] ?? 7) - 1, 'day'), dayjs()])} /></Form.Item>
          <Form.Item name="between" label="时间" rules={[{ required: true, message: '请选择时间' }]}><DatePicker.RangePicker className="wide" /></Form.Item>
          {facts.data ? <ReportFacts facts={facts.data} onInsert={insert} /> : <Waiting error={facts.error} rows={2} />}
          <Form.Item name="words" label="教师评语" extra={`至少 ${FEWEST_WORDS} 字，点击上面的数据可以写进评语`} rules={[{ required: true, message: '请填写教师评语' }]}><Input.TextArea rows={6} maxLength={1000} showCount /></Form.Item>
          {last && <details><summary>上次评语（{formatDate(last.to_at)}）</summary><p className="note">{last.words}</p></details>}
          <Form.Item name="plan" label="下阶段计划"><Input.TextArea rows={3} maxLength={500} showCount /></Form.Item>
        </Form>
        <Space><Button type="primary" loading={busy} onClick={() => void save(true)}>发送给家长</Button><Button loading={busy} onClick={() => void save(false)}>保存草稿</Button></Space>
      </div>
      <aside className="phone" aria-label="家长看到的样子">
        <h3>学习报告</h3><p className="note">{formatDate(from_at)} 至 {formatDate(to_at)}</p>
        {facts.data && <dl className="card-facts"><div><dt>完成任务</dt><dd>{facts.data.done} / {facts.data.tasks}</dd></div><div><dt>得分率</dt><dd>{facts.data.score ?? '—'}{facts.data.score === null || facts.data.score === undefined ? '' : '%'}</dd></div><div><dt>学习天数</dt><dd>{facts.data.days} 天</dd></div></dl>}
        <h4>老师的话</h4><p>{words || '—'}</p>{plan && <><h4>下阶段计划</h4><p>{plan}</p></>}
      </aside>
    </div>
  )
}

function Sent({ companion, reports, report, onDone }: { companion: Companion; reports: ReportResource; report: OwnReport; onDone: () => void }) {
  const calls = reportEndpoints(companion, reports)
  const { busy, attempt } = useAttempt()
  const said = useSaid()
  const open = report.state === REPORT_STATE.sent || report.state === REPORT_STATE.read
  const link = useQuery({ queryKey: ['report-link', reports.name, report.id], enabled: open, queryFn: ({ signal }) => call(calls.link, undefined, { params: { id: report.id }, signal, quiet: true }) })
  return (
    <div>
      <ReportFacts facts={report.facts} />
      <h3>教师评语</h3><p>{report.words}</p>{report.plan && <><h3>下阶段计划</h3><p>{report.plan}</p></>}
      {report.reply && <Alert type="success" showIcon title={`家长回复：${report.reply}`} />}
      {open && <Space>{link.data && <CopyButton text={`${location.origin}${link.data.path}`} label="复制家长链接" />}
        <Button danger loading={busy} onClick={() => void attempt(async () => { await call(calls.drop, {}, { params: { id: report.id }, quiet: true }); said({ words: '报告已撤回，家长不能再打开' }); onDone() })}>撤回</Button></Space>}
    </div>
  )
}

/** 学生报告: what was written about one learner, and the next one. */
export const reportScreen = (companion: Companion) => function TutorReports() {
  const { reports } = companion
  if (!reports) throw new Error('the business has no reports')
  return <Reports companion={companion} reports={reports} />
}

function Reports({ companion, reports }: { companion: Companion; reports: ReportResource }) {
  const studentId = Number(useParams()['studentId'])
  const client = useQueryClient()
  const calls = reportEndpoints(companion, reports)
  const key = ['own-reports', reports.name, studentId]
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(calls.own, { student_id: studentId }, { signal, quiet: true }) })
  const [chosen, setChosen] = useState<number>()
  if (!data) return <section className="page-body"><Waiting error={error} /></section>
  const state = reports.fields['state']
  const report = data.items.find(({ id }) => id === chosen)
  const done = () => { setChosen(undefined); void client.invalidateQueries({ queryKey: key }) }
  const writable = !report || report.state === REPORT_STATE.draft
  return (
    <section className="page-body tutor-thread" aria-label="学生报告">
      <nav aria-label="报告">
        <p><Button type={chosen === undefined ? 'primary' : 'default'} onClick={() => setChosen(undefined)}>写报告</Button></p>
        {data.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有报告" />}
        <ul className="plain">{data.items.map((one) => <li key={one.id} data-chosen={one.id === chosen}><button type="button" onClick={() => setChosen(one.id)}><span>{formatDate(one.from_at).slice(5)} 至 {formatDate(one.to_at).slice(5)}</span><small>{state && 'choices' in state && <StateWord choices={state.choices} value={one.state} />} {one.read_at === null ? '' : `${minute(one.read_at)} 已读`}</small></button></li>)}</ul>
      </nav>
      {writable ? <Editor key={report?.id ?? 'new'} companion={companion} reports={reports} studentId={studentId} report={report} last={data.items.find(({ state: at }) => at === REPORT_STATE.sent || at === REPORT_STATE.read)} onDone={done} /> : <Sent key={report.id} companion={companion} reports={reports} report={report} onDone={done} />}
    </section>
  )
}
