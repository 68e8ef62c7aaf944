import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination, Select, Skeleton, Table } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { briefTime, formatDate } from '../../core/field/time.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useMinute } from '../../core/ui/use-minute.tsx'
import { FollowDialog } from './dialogs.tsx'
import { cohortPeople, needyTeachers, OPERATION_RIGHTS, teacherFunnel, teacherReps, type Cohort, type Needy } from './operation.ts'
import { REASONS, STEPS, WINDOW_DAYS, type Reason } from './states.ts'
import { TEACHER_PATH } from './teacher.ts'
import './teacher.css'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))
/** Rows of a page, as the server has it. */
const PAGE = 20
/** From all who applied to those who work with their classes: one hue, deeper step by step. */
const SHADES = ['#b9d9fb', '#8cc0f7', '#5aa3ee', '#2a83dd', '#0a5cab']

/** Bars of a month stand in one another; those of months whose window still runs are hatched. */
function chartOf(cohorts: readonly Cohort[]): EChartsCoreOption {
  const hatch = { decal: { symbol: 'rect', symbolSize: 1, rotation: Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 5], color: 'rgba(255,255,255,.85)' } }
  return {
    tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid: { left: 8, right: 8, top: 36, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: cohorts.map(({ month }) => month.slice(2)) }, yAxis: { type: 'value', minInterval: 1 },
    series: STEPS.map((name, step) => ({
      name, type: 'bar', barGap: '-100%', barMaxWidth: 40, z: step + 2, itemStyle: { color: SHADES[step] },
      data: cohorts.map(({ steps, ripe }) => ({ value: steps[step], ...(!ripe && { itemStyle: hatch }) })),
    })),
  }
}

interface Drill { month: string; step: number; only: 'reached' | 'stopped' }

/** Who stands behind a number of the funnel: the same number. */
function People({ drill, repId, onOnly, onClose }: { drill: Drill; repId: string | undefined; onOnly: (only: Drill['only']) => void; onClose: () => void }) {
  const [page, setPage] = useState(1)
  const { data, error, isFetching } = useQuery({
    queryKey: ['teacher-cohort', drill, repId, page], placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(cohortPeople, { month: drill.month, step: String(drill.step), only: drill.only, page: String(page - 1), ...(repId !== undefined && { rep_id: repId }) }, { signal, quiet: true }),
  })
  const last = STEPS.length - 1
  return (
    <section className="teacher-drill" aria-label="漏斗明细">
      <header>
        <h3>{drill.month} 申请，{drill.only === 'reached' ? `到达「${STEPS[drill.step] ?? ''}」` : `停在「${STEPS[drill.step] ?? ''}」`}：{data?.total ?? 0} 人</h3>
        {drill.step < last && <Button size="small" onClick={() => { setPage(1); onOnly(drill.only === 'reached' ? 'stopped' : 'reached') }}>{drill.only === 'reached' ? '只看停在这一步的' : '看全部到达的'}</Button>}
        <Button size="small" type="text" onClick={onClose}>收起</Button>
      </header>
      {error ? <Alert type="error" showIcon title={error.message} /> : (
        <Table size="small" rowKey="apply_id" loading={isFetching} dataSource={data?.items ?? []} scroll={{ x: 'max-content' }} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有人停在这一步" /> }}
          pagination={(data?.total ?? 0) > PAGE && { current: page, pageSize: PAGE, total: data?.total ?? 0, showSizeChanger: false, onChange: setPage }} columns={[
            { title: '教师', key: 'name', render: (_value, one) => <>{one.teacher_id === null ? <Link to={`/operate/teacherApply?open=${one.apply_id}`}>{one.name}</Link> : <Link to={`${TEACHER_PATH}?open=${one.teacher_id}`}>{one.name}</Link>}<div className="note">{one.school}</div></> },
            { title: '业务员', dataIndex: 'rep_name' },
            ...STEPS.map((title, step) => ({ title, key: title, render: (_value: unknown, one: { at: (number | null)[] }) => (one.at[step] == null ? '' : formatDate(one.at[step])) })),
          ]} />
      )}
    </section>
  )
}

/** The funnel by month: a chart to look at, and below it the numbers that open who stands behind them. */
function Funnel({ repId }: { repId: string | undefined }) {
  const [drill, setDrill] = useState<Drill>()
  const { data, error, refetch } = useQuery({ queryKey: ['teacher-funnel', repId], queryFn: ({ signal }) => call(teacherFunnel, repId === undefined ? {} : { rep_id: repId }, { signal, quiet: true }) })
  const option = useMemo(() => chartOf(data?.cohorts ?? []), [data])
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active paragraph={{ rows: 8 }} />
  const all = data.cohorts.reduce((sum, { steps }) => sum + (steps[0] ?? 0), 0)
  const ripe = data.cohorts.filter((one) => one.ripe)
  const sum = (step: number) => ripe.reduce((total, { steps }) => total + (steps[step] ?? 0), 0)
  return (
    <section aria-label="漏斗">
      <h2>申请 → 认证 → 建班 → 布置 → 活跃</h2>
      <p className="note">按申请月份，每人一次，申请后 {WINDOW_DAYS} 天内走到的步骤才算；斜纹的月份还没满 {WINDOW_DAYS} 天。活跃：两次不同的作业都有学生交。</p>
      {all === 0 ? <Empty description="近 12 个月没有教师申请" /> : (
        <>
          <Suspense fallback={<Skeleton active />}><Chart option={option} height={280} label={`近 12 个月 ${all} 人申请；已满 ${WINDOW_DAYS} 天的 ${sum(0)} 人中 ${sum(STEPS.length - 1)} 人活跃`} /></Suspense>
          <div className="teacher-funnel">
            <table>
              <thead><tr><th scope="col">月份</th>{STEPS.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
              <tbody>
                {data.cohorts.toReversed().map(({ month, ripe: whole, steps }) => (
                  <tr key={month} data-ripe={whole}>
                    <th scope="row">{month}{!whole && <span className="note"> 未满</span>}</th>
                    {steps.map((n, step) => (
                      <td key={STEPS[step]}>
                        <button type="button" disabled={n === 0} data-on={drill?.month === month && drill.step === step} aria-label={`${month} ${STEPS[step] ?? ''} ${n} 人`} onClick={() => setDrill({ month, step, only: 'reached' })}>{n}</button>
                        {step > 0 && (steps[0] ?? 0) > 0 && <span className="note">{Math.round((n / (steps[0] ?? 1)) * 100)}%</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {drill && <People key={`${drill.month} ${drill.step}`} drill={drill} repId={repId} onOnly={(only) => setDrill({ ...drill, only })} onClose={() => setDrill(undefined)} />}
        </>
      )}
    </section>
  )
}

/** Who needs somebody this week, and why; a follow-up is written down where it is read. */
function Attention({ repId }: { repId: string | undefined }) {
  const can = useCan()
  const [reason, setReason] = useState<Reason>()
  const [page, setPage] = useState(1)
  const [asking, setAsking] = useState<Needy>()
  const now = useMinute()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['teacher-needy', repId, reason, page], placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(needyTeachers, { page: String(page - 1), ...(repId !== undefined && { rep_id: repId }), ...(reason && { reason }) }, { signal, quiet: true }),
  })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const choose = (next: Reason | undefined) => { setPage(1); setReason(next) }
  return (
    <section aria-label="本周需要关注">
      <h2>本周需要关注</h2>
      <nav className="view-links" aria-label="原因">
        <button type="button" data-on={reason === undefined} onClick={() => choose(undefined)}>全部</button>
        {REASONS.map(({ value, label, why }) => <button key={value} type="button" title={why} data-on={reason === value} onClick={() => choose(value)}>{label} <b className="figure">{data.counts[value]}</b></button>)}
        {reason && <Link to={`${TEACHER_PATH}?need=${reason}${repId === undefined || repId === '0' ? '' : `&rep_id=${repId}`}`}>在教师列表中打开</Link>}
      </nav>
      {data.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="本周没有需要关注的教师" /> : (
        <ul className="teacher-needy" aria-busy={isFetching}>
          {data.items.map((one) => (
            <li key={one.id}>
              <div><Link to={`${TEACHER_PATH}?open=${one.id}`}>{one.name}</Link><span className="note">{one.school} · {one.subject_name}</span></div>
              <div>{one.reasons.map((value) => <span key={value} className="teacher-why" title={REASONS.find((each) => each.value === value)?.why}>{REASONS.find((each) => each.value === value)?.label}</span>)}</div>
              <p className="note">{one.last_words ?? '还没有跟进过'}</p>
              <div className="note"><span data-late={one.next_follow_at !== null && one.next_follow_at < now}>{one.next_follow_at === null ? '未约下次' : `下次 ${briefTime(one.next_follow_at)}`}</span><span>{one.rep_name ?? '无人负责'}</span></div>
              {can(OPERATION_RIGHTS.id('follow')) && <Button size="small" aria-label={`跟进 ${one.name}`} onClick={() => setAsking(one)}>跟进</Button>}
            </li>
          ))}
        </ul>
      )}
      {data.total > PAGE && <Pagination size="small" current={page} pageSize={PAGE} total={data.total} showSizeChanger={false} showTotal={(total) => `共 ${total} 人`} onChange={setPage} />}
      {asking && <FollowDialog id={asking.id} name={asking.name} onClose={() => setAsking(undefined)} onDone={() => void refetch()} />}
    </section>
  )
}

/** 业务员: how many teachers each looks after, and what comes next. */
function Reps({ repId, onChoose }: { repId: string | undefined; onChoose: (id: string | undefined) => void }) {
  const { data, error } = useQuery({ queryKey: ['teacher-reps'], queryFn: ({ signal }) => call(teacherReps, undefined, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const idOf = (id: number | null) => String(id ?? 0)
  return (
    <section aria-label="按业务员">
      <h2>业务员</h2>
      <Table size="small" rowKey={({ rep_id }) => idOf(rep_id)} pagination={false} scroll={{ x: 'max-content' }} dataSource={data.items} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有认证教师" /> }} columns={[
        { title: '业务员', dataIndex: 'name', render: (name: string, one) => <Button size="small" type={repId === idOf(one.rep_id) ? 'primary' : 'text'} onClick={() => onChoose(repId === idOf(one.rep_id) ? undefined : idOf(one.rep_id))}>{name}</Button> },
        { title: '教师', dataIndex: 'teachers', align: 'right', render: (n: number, one) => (one.rep_id === null ? n : <Link to={`${TEACHER_PATH}?rep_id=${one.rep_id}&status=1`}>{n}</Link>) },
        { title: '30 天活跃', dataIndex: 'active', align: 'right' }, { title: '需要关注', dataIndex: 'needy', align: 'right' },
        { title: '已过期的跟进', dataIndex: 'overdue', align: 'right', render: (n: number) => <span data-late={n > 0}>{n}</span> },
        { title: '下次跟进', dataIndex: 'next_follow_at', render: (at: number | null) => (at === null ? '' : briefTime(at)) },
      ]} />
    </section>
  )
}

/** 教师运营: how far teachers come, who looks after them, and whom to speak with this week. */
export default function OperationScreen() {
  const [search, setSearch] = useSearchParams()
  const repId = search.get('rep_id') ?? undefined
  const choose = (id: string | undefined) => setSearch(id === undefined ? {} : { rep_id: id }, { replace: true })
  const { data } = useQuery({ queryKey: ['teacher-reps'], queryFn: ({ signal }) => call(teacherReps, undefined, { signal, quiet: true }) })
  return (
    <div className="page-body teacher-operation">
      <Select aria-label="业务员" allowClear placeholder="全部业务员" value={repId} onChange={(value: string | undefined) => choose(value)} options={(data?.items ?? []).map(({ rep_id, name }) => ({ value: String(rep_id ?? 0), label: name }))} />
      <Attention key={`a${repId ?? ''}`} repId={repId} />
      <Funnel key={`f${repId ?? ''}`} repId={repId} />
      <Reps repId={repId} onChoose={choose} />
    </div>
  )
}
