import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Input, Segmented, Select, Skeleton, Space } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { screenId } from '../screens.ts'
import { findValidity, MOST_PEOPLE, validityItems, type ValidityBar, type ValidityFound } from './validity-calls.ts'
import { ExtendValidity, OpenValidity, ValidityRows } from './validity-dialogs.tsx'
import { VALIDITY_PATH, VALIDITY_RIGHTS, validityChange } from './validity.ts'
import './query.css'
import './validity.css'

const YEAR = 365 * 86_400
const DAY = 86_400

function Items({ row }: { row: { id: number; rev: number } }) {
  const { data, error } = useQuery({ queryKey: ['validity-items', row.id, row.rev], queryFn: ({ signal }) => call(validityItems, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  return data ? <ValidityRows rows={data.items} /> : <Skeleton active />
}

function Views({ on }: { on: 'find' | 'changes' }) {
  return <nav className="view-links" aria-label="视图"><Link to={`${VALIDITY_PATH}?show=find`} data-on={on === 'find'}>查询</Link><Link to={`${VALIDITY_PATH}?show=changes`} data-on={on === 'changes'}>延期单</Link></nav>
}

const presentation = present(validityChange)({
  slots: { above: () => <Views on="changes" />, details: [{ key: 'items', label: '明细', Content: Items }] },
})

export default presentation

/** From when to when the axis goes, with the first days of half years on it. */
function axisOf(bars: readonly ValidityBar[], now: number) {
  const from = Math.max(now - 2 * YEAR, Math.min(now - 90 * DAY, ...bars.map(({ start_at }) => start_at)))
  const to = Math.min(now + 3 * YEAR, Math.max(now + 180 * DAY, ...bars.map(({ expire_at }) => expire_at)))
  const share = (at: number) => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  const months = (to - from) / (30 * DAY)
  const step = months > 30 ? 12 : months > 14 ? 6 : 3
  const ticks: { at: number; words: string }[] = []
  for (let month = new Date(from * 1000).getUTCMonth() + 1, year = new Date(from * 1000).getUTCFullYear(); ; month++) {
    if (month > 11) [month, year] = [0, year + 1]
    const at = Date.UTC(year, month) / 1000
    if (at > to) break
    if (month % step === 0) ticks.push({ at, words: `${year}-${String(month + 1).padStart(2, '0')}` })
  }
  return { share, ticks }
}

/** A bar with its cause; what is chosen is given more time. */
function Bar({ bar, axis, now, chosen, onChoose }: { bar: ValidityBar; axis: ReturnType<typeof axisOf>; now: number; chosen: boolean; onChoose: ((on: boolean) => void) | undefined }) {
  const [left, right] = [axis.share(bar.start_at), axis.share(bar.expire_at)]
  const days = Math.ceil((bar.expire_at - now) / DAY)
  return (
    <li className="validity-row" data-chosen={chosen}>
      <Checkbox aria-label={`选择 ${bar.product}`} checked={chosen} disabled={bar.fixed !== null || !onChoose} title={bar.fixed ?? undefined} onChange={(event) => onChoose?.(event.target.checked)} />
      <div><span>{bar.product}</span><p>{bar.line_name} · {bar.source}{bar.cause !== bar.source && <> · {bar.to ? <Link to={bar.to}>{bar.cause}</Link> : bar.cause}</>}</p></div>
      <div className="validity-lane" role="img" aria-label={`${formatDate(bar.start_at)} 至 ${formatDate(bar.expire_at)}，${bar.state}`} title={`${formatDate(bar.start_at)} 至 ${formatDate(bar.expire_at)}`}><b data-state={bar.state} style={{ left: `${left}%`, width: `${Math.max(0, right - left)}%` }} /><i style={{ left: `${axis.share(now)}%` }} /></div>
      <div className="validity-end">{formatDate(bar.expire_at)} <small>{bar.state}{bar.state === '生效中' && ` · 还有 ${days} 天`}</small></div>
    </li>
  )
}

/** Everybody who was found, on one time axis. */
function Found({ found, onChanged }: { found: ValidityFound; onChanged: () => void }) {
  const can = useCan()
  const may = can(VALIDITY_RIGHTS.id('extend'))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [line, setLine] = useState<string>()
  const [shown, setShown] = useState<'all' | '生效中' | '已过期'>('all')
  const [doing, setDoing] = useState<'extend' | 'open'>()
  const [now] = useState(() => Date.now() / 1000)
  const all = found.people.flatMap(({ bars }) => bars)
  const fits = (bar: ValidityBar) => (line === undefined || bar.line === line) && (shown === 'all' || bar.state === shown)
  const visible = all.filter(fits)
  const axis = axisOf(visible, now)
  const lines = [...new Map(all.map((bar) => [bar.line, bar.line_name]))]
  const free = visible.filter(({ fixed }) => fixed === null)
  const done = () => { setChosen(new Set()); onChanged() }
  return (
    <>
      <div className="validity-bar-head">
        <Segmented value={shown} onChange={setShown} options={[{ value: 'all', label: `全部 ${found.counts.bars}` }, { value: '生效中', label: `生效中 ${found.counts.running}` }, { value: '已过期', label: `已过期 ${found.counts.over}` }]} />
        {lines.length > 1 && <Select allowClear placeholder="全部产品线" aria-label="产品线" value={line} onChange={(next?: string) => setLine(next)} options={lines.map(([value, label]) => ({ value, label }))} style={{ minWidth: 140 }} />}
        {found.counts.soon > 0 && <span className="note">{found.counts.soon} 项 30 天内到期</span>}
        {may && <Space wrap>
          <Checkbox indeterminate={chosen.size > 0 && chosen.size < free.length} checked={free.length > 0 && chosen.size === free.length} disabled={free.length === 0} onChange={(event) => setChosen(new Set(event.target.checked ? free.map(({ id }) => id) : []))}>全选</Checkbox>
          <Button type="primary" disabled={chosen.size === 0} onClick={() => setDoing('extend')}>延期{chosen.size > 0 && ` ${chosen.size} 项`}</Button>
          <Button disabled={found.people.length === 0} onClick={() => setDoing('open')}>补开</Button>
        </Space>}
      </div>
      {found.missing.length > 0 && <Alert className="form-alert" type="warning" showIcon title={`${found.missing.length} 行没有找到`} description={<ul className="reasons">{found.missing.slice(0, 20).map(({ row, typed, why }) => <li key={row}>第 {row} 行 {typed}：{why}</li>)}</ul>} />}
      {visible.length > 0 && <div className="validity-axis" aria-hidden><span /><span /><div className="validity-ticks">{axis.ticks.map(({ at, words }) => <span key={words} style={{ left: `${axis.share(at)}%` }}>{words}</span>)}</div><span>到期</span></div>}
      {found.people.map((person) => {
        const bars = person.bars.filter(fits)
        return (
          <section key={person.id} className="validity-person" aria-label={person.name}>
            <header><b>{can(screenId('/userManagement/total')) ? <Link to={`/userManagement/total?open=${person.id}`}>{person.name}</Link> : person.name}</b><span className="figure">{person.mobile}</span><span className="note">{person.user_no}</span>{person.frozen && <span className="state" data-tone="warning">{person.state}</span>}<span className="note">{person.bars.length} 项权益</span></header>
            {bars.length === 0 ? <p className="note">{person.bars.length === 0 ? '从未开通过任何产品' : '没有符合条件的权益'}</p> : (
              <ul>{bars.map((bar) => <Bar key={bar.id} bar={bar} axis={axis} now={now} chosen={chosen.has(bar.id)} onChoose={may ? (on) => setChosen((old) => { const next = new Set(old); if (on) next.add(bar.id); else next.delete(bar.id); return next }) : undefined} />)}</ul>
            )}
          </section>
        )
      })}
      {doing === 'extend' && <ExtendValidity ids={[...chosen]} onClose={() => setDoing(undefined)} onDone={done} />}
      {doing === 'open' && <OpenValidity people={found.people} onClose={() => setDoing(undefined)} onDone={done} />}
    </>
  )
}

function FindValidity() {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<ValidityFound>()
  const [asked, setAsked] = useState<readonly string[]>([])
  const { busy, attempt } = useAttempt()
  const lines = words.split(/[\n,，;；\t]/).map((line) => line.trim()).filter(Boolean)
  const find = (mobiles: readonly string[]) => {
    if (mobiles.length === 0 || mobiles.length > MOST_PEOPLE) return
    void attempt(async () => { setFound(await call(findValidity, { mobiles: [...mobiles] }, { quiet: true })); setAsked(mobiles) })
  }
  return (
    <section className="page-body" aria-label="有效期查询">
      <Views on="find" />
      <div className="validity-sides">
        <div>
          <Input.TextArea aria-label="手机号" rows={8} value={words} spellCheck={false} autoComplete="off" placeholder={`用户手机号，一行一个，最多 ${MOST_PEOPLE} 个`} onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); find(lines) } }} />
          <p className="note" data-over={lines.length > MOST_PEOPLE}>已填 {lines.length} 个{lines.length > MOST_PEOPLE && `，最多 ${MOST_PEOPLE} 个`}。Ctrl + Enter 查询。</p>
          <Space><Button type="primary" loading={busy} disabled={lines.length === 0 || lines.length > MOST_PEOPLE} onClick={() => find(lines)}>查询</Button><Button onClick={() => { setWords(''); setFound(undefined) }}>清空</Button></Space>
        </div>
        <div>{found ? <Found key={asked.join()} found={found} onChanged={() => find(asked)} /> : <Empty description="粘贴手机号后查询：每人所有产品线的权益画在一条时间轴上，选中即可延期，缺的可以补开" />}</div>
      </div>
    </section>
  )
}

/** 有效期查询: what people may use until when, or the changes of it. What was pasted stays behind the list. */
export function ValidityScreen() {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('show')
  const [shown, setShown] = useState<'find' | 'changes'>('find')
  const wanted = asked === 'find' ? 'find' : search.size > 0 ? 'changes' : shown
  if (wanted !== shown) setShown(wanted)
  useEffect(() => {
    if (asked === null) return
    // The list would take it for a filter of its own.
    setSearch((current) => {
      const rest = new URLSearchParams(current)
      rest.delete('show')
      return rest
    }, { replace: true })
  }, [asked, setSearch])
  return (
    <>
      <div hidden={wanted !== 'find'}><FindValidity /></div>
      {wanted === 'changes' && asked === null && <ListPage resource={validityChange} presentation={presentation} />}
    </>
  )
}
