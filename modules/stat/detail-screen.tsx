import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton, Space, Timeline } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { briefTime, formatTime, startOfDay } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { useDark } from '../../core/ui/dark.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { useMinute } from '../../core/ui/use-minute.tsx'
import { usePageKeys } from '../../core/ui/use-page-keys.tsx'
import { alert, ALERT_STATE, ALERT_STATES, LEVELS } from './alert.ts'
import { alertChooser, alertDetail, type AlertChoice, type AlertDetail } from './alert-calls.ts'
import { AssignDialog, IgnoreDialog, NoteForm, SilenceDialog } from './alert-dialogs.tsx'
import { alertPath, MONITOR_PATH, MONITOR_RIGHTS } from './rights.ts'
import { chartColors, noteLines, WORDS_TAKE } from './trend-chart.tsx'
import { axisText, figureText, hourWord } from './words.ts'
import './stat.css'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))
const LAST = 'alert detail'
const S = ALERT_STATE

function chartOf({ points, as, row, notes }: AlertDetail, dark: boolean, take: number): EChartsCoreOption {
  const colors = chartColors(dark)
  const names = points.map(({ at }) => hourWord(at))
  const nameOf = (at: number) => names[Math.max(0, points.findIndex((point) => point.at >= at))] ?? ''
  return {
    grid: { left: 8, right: 16, top: notes.length > 0 ? 40 : 16, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', valueFormatter: (value: number | null) => (value === null ? '无' : figureText(as, Math.round(value))) },
    xAxis: { type: 'category', data: names, axisLabel: { color: colors.text, hideOverlap: true }, axisLine: { lineStyle: { color: colors.line } } },
    yAxis: { type: 'value', axisLabel: { color: colors.text, formatter: (value: number) => axisText(as, value) }, splitLine: { lineStyle: { color: colors.line } } },
    series: [
      { name: '当前', type: 'line', data: points.map(({ value }) => value), showSymbol: false, lineStyle: { color: colors.bar, width: 2 }, itemStyle: { color: colors.bar },
        markArea: { silent: true, itemStyle: { color: colors.bad, opacity: 0.12 }, data: [[{ xAxis: nameOf(row.began_at) }, { xAxis: row.recovered_at ? nameOf(row.recovered_at) : names.at(-1) ?? '' }]] }, markLine: noteLines(notes, (day) => nameOf(day + 12 * 3600), colors, points.length * 3600 * take) },
      { name: '同期中位数', type: 'line', data: points.map(({ expected }) => expected), showSymbol: false, lineStyle: { color: colors.before, type: 'dashed' }, itemStyle: { color: colors.before } },
    ],
  }
}

type Asking = 'assign' | 'ignore' | 'silence'

function Acts({ row, reload }: { row: AlertDetail['row']; reload: () => void }) {
  const can = useCan()
  const { busy, attempt } = useAttempt()
  const [asking, setAsking] = useState<Asking>()
  const handles = can(MONITOR_RIGHTS.id('handle'))
  const act = (name: string) => attempt(async () => { await request('POST', `${alert.api.item}/${row.id}/${name}`, { rev: row.rev }, { quiet: true }); reload() })
  if (row.state === S.recovered) return null
  const common = { id: row.id, title: row.title, onClose: () => setAsking(undefined), onDone: reload }
  return (
    <Space wrap>
      {handles && row.state === S.open && <Button type="primary" loading={busy} onClick={() => void act('ack')}>开始处理</Button>}
      {handles && row.state === S.ignored && <Button type="primary" loading={busy} onClick={() => void act('reopen')}>取消忽略</Button>}
      {handles && <Button onClick={() => setAsking('assign')}>指派</Button>}
      {handles && row.state !== S.ignored && <Button onClick={() => setAsking('ignore')}>忽略</Button>}
      {can(MONITOR_RIGHTS.id('silence')) && <Button onClick={() => setAsking('silence')}>静默</Button>}
      {asking === 'assign' && <AssignDialog {...common} />}
      {asking === 'ignore' && <IgnoreDialog {...common} />}
      {asking === 'silence' && <SilenceDialog {...common} grouped={Boolean(row.dim)} />}
    </Space>
  )
}

/** One alert: how bad, since when, what to do, what was done, and how it went before. */
function Detail({ data, reload }: { data: AlertDetail; reload: () => void }) {
  const dark = useDark()
  const can = useCan()
  const { row, rule, as, gap } = data
  const take = useWide('md') ? WORDS_TAKE.desk : WORDS_TAKE.phone
  const option = useMemo(() => chartOf(data, dark, take), [data, dark, take])
  const now = useMinute()
  const silent = row.silenced_until !== null && row.silenced_until !== undefined && row.silenced_until > now
  return (
    <main aria-label="告警">
      <div className="stat-alert-head"><h2>{row.title}</h2><Acts row={row} reload={reload} /></div>
      <p className="stat-facts">
        <StateWord choices={ALERT_STATES} value={row.state} /><StateWord choices={LEVELS} value={row.level} /><span>{hourWord(row.began_at)} 起{row.recovered_at ? `，${hourWord(row.recovered_at)} 恢复` : `，最近 ${briefTime(row.last_at)}`}</span><span>处理人 {row.owner_name ?? '无'}</span>
        {row.ignored_until && <span>忽略至 {hourWord(row.ignored_until)}</span>}{silent && <span>静默至 {hourWord(row.silenced_until ?? 0)}</span>}
      </p>
      {rule && <p className="note">{rule.words}{rule.status === 0 && '（规则已停用）'}</p>}
      <dl className="stat-numbers">
        <div><dt>{data.window_hours} 小时 · 最近</dt><dd className="figure">{figureText(as, row.value ?? 0)}</dd></div>
        <div><dt>最差</dt><dd className="figure">{figureText(as, row.worst ?? 0)}</dd></div>
        <div><dt>同期</dt><dd className="figure">{row.expected === null || row.expected === undefined ? '不够四周' : figureText(as, row.expected)}</dd></div>
        <div><dt>影响</dt><dd className="figure">{gap === null || gap === 0 ? '无' : `${gap < 0 ? '少' : '多'} ${figureText(as, Math.abs(gap))}`}</dd></div>
      </dl>
      <section className="stat-card" aria-labelledby="alert-chart">
        <header><h3 id="alert-chart">{data.figure_title} 前后 24 小时</h3><small>每小时看之前 {data.window_hours} 小时，虚线为同星期四周中位数</small>{data.behind.length > 0 && <Space wrap>{data.behind.map(({ title, to }) => <Link key={title} to={to}>{title}</Link>)}</Space>}</header>
        <Suspense fallback={<Skeleton active />}><Chart option={option} height={260} label={`${data.figure_title}，${formatTime(row.began_at)} 前后 24 小时，最差 ${figureText(as, row.worst ?? 0)}`} /></Suspense>
      </section>
      {rule?.runbook && <section className="stat-card stat-runbook" aria-labelledby="alert-runbook"><header><h3 id="alert-runbook">处理办法</h3></header><p>{rule.runbook}</p></section>}
      <div className="stat-two">
        <section className="stat-card" aria-labelledby="alert-events">
          <header><h3 id="alert-events">经过</h3></header>
          {can(MONITOR_RIGHTS.id('handle')) && <NoteForm id={row.id} onDone={reload} />}
          <Timeline items={data.events.map((one) => ({ key: one.id, color: one.kind === 'fire' ? 'red' : one.kind === 'recover' ? 'green' : 'blue', content: <>{one.body}<br /><span className="note">{one.staff_name ?? '系统'} · {briefTime(one.at)}</span></> }))} />
        </section>
        <section className="stat-card" aria-labelledby="alert-similar">
          <header><h3 id="alert-similar">以前类似的</h3></header>
          {data.similar.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="以前没有" /> : <ul className="stat-lists">{data.similar.map((one) => (
            <li key={one.id}><span><Link to={alertPath(one.id)}>{one.title}</Link><small className="note">　{hourWord(one.began_at)}，{one.recovered_at === null ? '未恢复' : `${Math.max(1, Math.round((one.recovered_at - one.began_at) / 3600))} 小时恢复`}</small></span><span className="figure">{figureText(as, one.worst)}</span></li>
          ))}</ul>}
        </section>
      </div>
    </main>
  )
}

/** Alerts to choose one from. */
function Chooser({ items, id }: { items: readonly AlertChoice[]; id: number }) {
  const today = startOfDay(useMinute())
  return (
    <nav aria-label="选择告警">
      <div className="note stat-nav"><span>未恢复的在前</span><Link to={MONITOR_PATH}>全部告警</Link></div>
      <ul>{items.map((one) => (
        <li key={one.id} data-chosen={one.id === id}><Link to={alertPath(one.id)} replace>
          <span>{one.title}</span><small><StateWord choices={ALERT_STATES} value={one.state} /> {one.began_at >= today ? briefTime(one.began_at) : hourWord(one.began_at)} {one.owner_name}</small>
        </Link></li>
      ))}</ul>
    </nav>
  )
}

/** 监控详情: the alert that the address names; from the menu the last one comes back. */
export default function AlertScreen() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const asked = Number(search.get('id')) || undefined
  const chooser = useQuery({ queryKey: ['alert-chooser'], queryFn: ({ signal }) => call(alertChooser, undefined, { signal, quiet: true }) })
  const id = asked ?? (Number(sessionStorage.getItem(LAST)) || chooser.data?.items[0]?.id || 0)
  const { data, error } = useQuery({ queryKey: ['alert', id], enabled: id > 0, retry: false, queryFn: ({ signal }) => call(alertDetail, undefined, { params: { id }, signal, quiet: true }) })
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  useEffect(() => {
    // One that is gone is not come back to.
    if (error && asked === undefined) sessionStorage.removeItem(LAST)
  }, [error, asked])
  useTabTitle(data && id > 0 ? `告警 #${id}` : undefined)
  const reload = () => void Promise.all(['alert', 'alert-chooser', 'dashboard', 'waiting'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  const step = (by: number) => {
    const items = chooser.data?.items ?? []
    const next = items[items.findIndex((one) => one.id === id) + by]
    if (next) void navigate(alertPath(next.id), { replace: true })
  }
  usePageKeys({ j: () => step(1), k: () => step(-1), n: () => step(1) })
  return (
    <section className="page-body stat-sides" aria-label="监控详情">
      {chooser.data ? <Chooser items={chooser.data.items} id={id} /> : <Skeleton active />}
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={reload}>重试</Button>} /> : data ? <Detail key={id} data={data} reload={reload} /> : chooser.data?.items.length === 0 ? <Empty description={<>还没有告警　<Link to={`${MONITOR_PATH}?show=rules`}>去设规则</Link></>} /> : <Skeleton active />}
    </section>
  )
}
