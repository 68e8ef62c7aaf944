import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Form, Modal, Skeleton, Space, Timeline } from 'antd'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { briefTime, formatTime } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { screenId } from '../screens.ts'
import { useSend } from '../user/door.tsx'
import { accountMonitor, APPEALED, MONITOR_RIGHTS, MONITOR_STATUS } from './account-monitor.ts'
import { kickMonitor, monitorRules, monitorStory, rescoreMonitor, type MonitorStory } from './calls.ts'
import { LINE, PARTS, RULES, WINDOW_DAYS, type Part } from './score.ts'
import { NETWORKS } from './session.ts'
import './risk.css'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

type Row = WireRow<typeof accountMonitor>

const DAY = 86_400
const COLORS = ['#0170d9', '#d97706', '#7c3aed', '#0f9d74', '#d93a3a', '#64748b'] as const
const KINDS: Readonly<Record<string, string>> = { remind: '系统提醒', limit: '限速', freeze: '冻结', kick: '强制下线', appeal: '申诉', accept: '申诉成立', keep: '维持处置', clear: '误报排除', family: '确认是一家人', release: '解除处置' }

/** Sessions by the device on one time axis, coloured by the city: what overlaps in two colours is what it is about. */
function Lanes({ story: { from, to, lanes } }: { story: MonitorStory }) {
  const cities = [...new Set(lanes.flatMap(({ bars }) => bars.map(({ city }) => city ?? '未知城市')))]
  const color = (city: string | null) => COLORS[cities.indexOf(city ?? '未知城市') % COLORS.length]
  const share = (at: number) => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  if (lanes.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`${WINDOW_DAYS} 天内没有会话`} />
  const days = Array.from({ length: WINDOW_DAYS }, (_, n) => Math.ceil((from + 8 * 3600) / DAY) * DAY - 8 * 3600 + n * DAY).filter((at, n) => at <= to && n % 2 === 0)
  return (
    <>
      <div className="risk-cities">{cities.map((city) => <span key={city}><i style={{ '--city': color(city) } as React.CSSProperties} />{city}</span>)}<span>淡色：学校网络和自习室平板，不计分</span></div>
      <div className="risk-lanes">
        {lanes.map(({ device, name, bars }) => (
          <div key={device} style={{ display: 'contents' }}>
            <span title={device}>{name}</span>
            <div className="risk-lane" role="img" aria-label={`${name}：${bars.length} 次会话`}>{bars.map((bar) => <b key={bar.id} data-network={bar.network} title={`${bar.city ?? '未知城市'} ${formatTime(Math.floor(bar.began_at)).slice(5, 16)} 至 ${formatTime(Math.floor(bar.ended_at)).slice(11, 16)}（${choiceLabel(NETWORKS, bar.network)}）`} style={{ left: `${share(bar.began_at)}%`, width: `${share(bar.ended_at) - share(bar.began_at)}%`, '--city': color(bar.city) } as React.CSSProperties} />)}</div>
          </div>
        ))}
        <span /><div className="risk-days" aria-hidden>{days.map((at) => <span key={at} style={{ left: `${share(at)}%` }}>{formatTime(at).slice(8, 10)}日</span>)}</div>
      </div>
    </>
  )
}

/** What the score is made of. */
function Parts({ row }: { row: Row }) {
  return <table className="risk-parts"><tbody>{(Object.keys(PARTS) as Part[]).map((part) => { const value = row.parts?.[part] ?? 0; return <tr key={part} data-none={value === 0}><td>{PARTS[part].label}</td><td aria-label={`${PARTS[part].label} 的条形`}><i style={{ width: `${(value / PARTS[part].most) * 100}%` }} /></td><td>{value} / {PARTS[part].most}</td></tr> })}</tbody></table>
}

/** Why, and what was done: everything that a person needs who decides. */
function Case({ row, reload }: { row: Row; reload: () => void }) {
  const can = useCan()
  const { message } = App.useApp()
  const { busy, attempt } = useAttempt()
  const { data, error, refetch } = useQuery({ queryKey: ['monitor-story', row.id, row.rev], queryFn: ({ signal }) => call(monitorStory, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const evidence = row.evidence ?? []
  return (
    <div className="risk-block">
      {APPEALED.includes(row.status) && <Alert className="form-alert" type="warning" showIcon title={`用户申诉：${row.appeal ?? ''}`} description={`${row.appeal_due ? `${formatTime(row.appeal_due).slice(0, 16)} 前答复；` : ''}答复之前处置暂停，账号可以使用`} />}
      {data.frozen && row.status !== MONITOR_STATUS.frozen && <Alert className="form-alert" type="info" showIcon title="账号目前处于冻结状态（在用户总中心冻结）" />}
      <h4>风险分 <span className="risk-score" data-high={row.score >= LINE}>{row.score}</span> <span className="note">{LINE} 分以上由人处理，任何单项都到不了</span></h4>
      <Parts row={row} />
      <h4>证据</h4>
      {evidence.length === 0 ? <p className="note">没有异常</p> : <ul className="reasons">{evidence.map(({ words }, n) => <li key={n}>{words}</li>)}</ul>}
      <h4>{WINDOW_DAYS} 天会话</h4>
      <Lanes story={data} />
      {data.scores.length > 1 && <><h4>每天的风险分</h4><Suspense fallback={<Skeleton active />}><Chart height={120} label={`风险分：${data.scores.map(({ day, score }) => `${day} ${score}`).join('，')}`} option={{ grid: { left: 32, right: 8, top: 8, bottom: 24 }, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: data.scores.map(({ day }) => day.slice(5)) }, yAxis: { type: 'value', max: 100 }, series: [{ type: 'line', name: '风险分', data: data.scores.map(({ score }) => score), symbolSize: 4, itemStyle: { color: '#d93a3a' } }] }} /></Suspense></>}
      <h4>处置记录</h4>
      {data.actions.length === 0 ? <p className="note">还没有处置</p> : <Timeline items={data.actions.map((one) => ({ key: one.id, content: <>{KINDS[one.kind] ?? one.kind}　{one.staff_name ?? (one.kind === 'appeal' ? '用户本人' : '系统')}　<span className="note">{briefTime(Math.floor(one.at))}{one.score !== null && ` · 当时 ${one.score} 分`}{one.until !== null && ` · 至 ${formatTime(Math.floor(one.until)).slice(5, 16)}`}</span>{one.reason && <p>{one.reason}</p>}{one.evidence.length > 0 && <p className="note">当时证据 {one.evidence.length} 条：{one.evidence.slice(0, 2).join('；')}</p>}</> }))} />}
      <Space wrap>
        {can(MONITOR_RIGHTS.id('act')) && <Button size="small" loading={busy} onClick={() => void attempt(async () => { const { score } = await call(rescoreMonitor, undefined, { params: { id: row.id }, quiet: true }); void message.success(`重新评分：${score} 分`); await refetch(); reload() })}>重新评分</Button>}
        {can(screenId('/userManagement/total')) && <Link to={`/userManagement/total?open=${row.user_id}`}>查看用户</Link>}
      </Space>
    </div>
  )
}

/** How often each rule was wrong: whoever decides knows what a mark is worth. */
function Rules() {
  const { data } = useQuery({ queryKey: ['monitor-rules'], queryFn: ({ signal }) => call(monitorRules, undefined, { signal, quiet: true }) })
  if (!data) return null
  return <div className="risk-rules" aria-label="各规则 90 天的误报">{data.items.map(({ rule, raised, confirmed, dismissed, open }) => <span key={rule}>{choiceLabel(RULES, rule)}：预警 <b>{raised}</b>，属实 <b>{confirmed}</b>，误报 <b>{dismissed}</b>{confirmed + dismissed > 0 && `（${Math.round((dismissed / (confirmed + dismissed)) * 100)}%）`}，未定 <b>{open}</b></span>)}</div>
}

function KickDialog({ row, reload, onClose }: RowDialogProps<typeof accountMonitor>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(kickMonitor, values, { params: { id: row.id }, quiet: true })
    void message.success('已强制下线')
    reload()
    onClose()
  })
  return (
    <Modal open title={`强制下线 · ${row.user_name ?? ''}`} okText="强制下线" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">所有设备上的登录立即结束，可以重新登录。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** Accounts by their score, with why and what was done beside each. */
export default present(accountMonitor)({
  cells: { score: ({ value }) => <span className="risk-score" data-high={Number(value) >= LINE}>{Number(value)}</span> },
  slots: { above: Rules, details: [{ key: 'case', label: '证据与处置', Content: Case }] },
  rowActions: [{ key: 'kick', label: '强制下线', grant: MONITOR_RIGHTS.id('act'), visible: (row) => row.status === MONITOR_STATUS.waiting || row.status === MONITOR_STATUS.limited }],
  dialogs: { kick: KickDialog },
})
