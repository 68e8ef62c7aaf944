import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Breakdown } from './calls.ts'
import { publishLive } from '../../core/live/live.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { formatMoney } from '../../core/field/number.ts'
import { alert, ALERT_STATE, alertRule, LEVEL } from './alert.ts'
import { keyTitles } from './breakdown.server.ts'
import { countedUntil } from './compute.server.ts'
import { tellOutside } from '../system/door.server.ts'
import { figureOf } from './figures.server.ts'
import { AGAIN_WITHIN, COMPARE, isQuiet, lookBack, walk, type HourSeries, type Move } from './firing.ts'
import { alertPath } from './rights.ts'
import { firingOf, hourSeries } from './series.server.ts'
import { startOfHour } from './stretch.ts'

const HOUR = 3600
const S = ALERT_STATE

/** A rule as it is kept. */
export interface RuleRow {
  id: number; name: string; figure: string; figure_name: string | null; line: string | null; line_name: string | null; group_by: 'line' | 'channel' | 'province' | null; compare: number; limit_value: number; recover_value: number; window_hours: number
  for_n: number; min_base: number | null; level: 1 | 2 | 3; notify_id: number; repeat_hours: number; quiet_from: number | null; quiet_to: number | null; runbook: string | null; read_until: number | null; status: number
}

/** Columns of a rule, with numbers as numbers. */
export const ruleColumns = sql`id, name, figure, figure_name, line, line_name, group_by, compare, limit_value::float8 as limit_value, recover_value::float8 as recover_value, window_hours, for_n::int as for_n, min_base::float8 as min_base, level, notify_id, repeat_hours::int as repeat_hours, quiet_from, quiet_to, runbook,
  extract(epoch from read_until)::float8 as read_until, status`

interface OpenAlert { id: number; worst: number; value: number; state: number; dim: string; key: string; level: number }

const fingerprintOf = (rule: Pick<RuleRow, 'id' | 'group_by'>, key: string) => `${rule.id} ${rule.group_by ?? ''} ${key}`

/** Says what happened to an alert. */
export async function say(tx: Queryable, alertId: number, kind: string, body: string, { staffId = null, at }: { staffId?: number | null; at?: number } = {}): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`insert into alert_event (alert_id, at, kind, staff_id, body) values (${alertId}, ${at === undefined ? sql`now()` : sql`to_timestamp(${at})`}, ${kind}, ${staffId}, ${body}) returning id`)
  return row?.id ?? 0
}

const amountWords = (as: string, value: number) => (as === 'money' ? formatMoney(value) : value.toLocaleString('zh-CN'))

/** A reading in words: 4 小时 3，同期 41. */
export function readingWords(rule: Pick<RuleRow, 'window_hours' | 'figure'>, { value, expected }: Pick<Move, 'value' | 'expected'>): string {
  const as = figureOf(rule.figure)?.as ?? 'number'
  return `${rule.window_hours} 小时 ${amountWords(as, value)}${expected === null ? '' : `，同期 ${amountWords(as, Math.round(expected))}`}`
}

const VERBS: Readonly<Record<number, string>> = { [COMPARE.below]: '低于', [COMPARE.above]: '高于', [COMPARE.dropped]: '比同期低', [COMPARE.risen]: '比同期高' }

/** What a rule asks for, in words. */
export function ruleWords(rule: Pick<RuleRow, 'figure_name' | 'figure' | 'line_name' | 'window_hours' | 'compare' | 'limit_value' | 'for_n'>): string {
  const relative = rule.compare === COMPARE.dropped || rule.compare === COMPARE.risen
  const unit = relative ? '%' : figureOf(rule.figure)?.as === 'money' ? ' 元' : ''
  return `${rule.line_name ? `${rule.line_name} · ` : ''}${rule.figure_name ?? rule.figure} ${rule.window_hours} 小时${VERBS[rule.compare] ?? ''} ${rule.limit_value}${unit}${relative ? ' 以上' : ''}，连续 ${rule.for_n} 次`
}

/** What an alert is called: what is wrong with what. */
const titleOf = (rule: RuleRow, key: string, keyTitle: string | undefined) => `${rule.name}${rule.group_by ? `：${keyTitle ?? (key || '未填写')}` : ''}`.slice(0, 120)

const worseOf = (compare: number, a: number, b: number) => (compare === COMPARE.below || compare === COMPARE.dropped ? Math.min(a, b) : Math.max(a, b))

async function fire(tx: Queryable, rule: RuleRow, key: string, keyTitle: string | undefined, move: Move): Promise<OpenAlert> {
  const dim = rule.group_by ?? ''
  const [last] = await tx.query<{ id: number; worst: number; owner_id: number | null }>(sql`select id, worst::float8 as worst, owner_id from alert where rule_id = ${rule.id} and coalesce(dim, '') = ${dim} and coalesce(key, '') = ${key} and deleted_at is null
    and state = ${S.recovered} and recovered_at >= to_timestamp(${move.at - AGAIN_WITHIN}) order by id desc limit 1 for no key update`)
  const reading = { value: move.value, expected: move.expected === null ? null : Math.round(move.expected) }
  const words = readingWords(rule, move)
  if (last) {
    const state = last.owner_id === null ? S.open : S.doing
    await touch(tx, alert, { state, recovered_at: null, fingerprint: fingerprintOf(rule, key), last_at: move.at, ...reading }, last.id)
    await say(tx, last.id, 'fire', `一小时内再次异常，继续这条告警：${words}`, { at: move.at })
    return { id: last.id, worst: last.worst, value: move.value, state, dim, key, level: rule.level }
  }
  const [silence] = await tx.query<{ until: number }>(sql`select max(extract(epoch from until))::float8 as until from alert_silence where rule_id = ${rule.id} and (key is null or key = ${key}) and until > to_timestamp(${move.at}) and ended_at is null and deleted_at is null`)
  const [id = 0] = await insertMany(tx, alert, [{
    title: titleOf(rule, key, keyTitle), rule_id: rule.id, level: rule.level, figure: rule.figure, unit: figureOf(rule.figure)?.as ?? 'number', line: rule.line, dim: rule.group_by, key: rule.group_by ? key : null, fingerprint: fingerprintOf(rule, key), ...reading, worst: move.value,
    reading_cnt: rule.for_n, began_at: move.began, last_at: move.at, state: S.open, created_at: move.at, silenced_until: silence?.until ?? null,
  }])
  await say(tx, id, 'fire', words, { at: move.at })
  return { id, worst: move.value, value: move.value, state: S.open, dim, key, level: rule.level }
}

/** Writes what happened in the hours since a rule was looked at last. */
async function apply(tx: Queryable, rule: RuleRow, key: string, keyTitle: string | undefined, moves: readonly Move[], opened: OpenAlert | undefined): Promise<void> {
  let open = opened
  let still: { last: Move; worst: number; n: number } | undefined
  const keep = async () => {
    if (open && still) await setDerived(tx, alert, { value: still.last.value, expected: still.last.expected === null ? null : Math.round(still.last.expected), worst: worseOf(rule.compare, open.worst, still.worst), last_at: still.last.at, reading_cnt: sql`t.reading_cnt + ${still.n}` }, open.id)
    still = undefined
  }
  for (const move of moves) {
    if (move.kind === 'fire') open = await fire(tx, rule, key, keyTitle, move)
    else if (open && move.kind === 'still') still = { last: move, worst: still ? worseOf(rule.compare, still.worst, move.value) : move.value, n: (still?.n ?? 0) + 1 }
    else if (open) {
      await keep()
      await touch(tx, alert, { state: S.recovered, recovered_at: move.at, fingerprint: null, value: move.value, ignored_until: null }, open.id)
      await say(tx, open.id, 'recover', `连续 3 次回到恢复值以内：${readingWords(rule, move)}`, { at: move.at })
      open = undefined
    }
  }
  await keep()
}

/** Looks at the hours of a rule that nobody has looked at. @param after where it has never been looked at */
export async function watchRule(db: Database, rule: RuleRow, until: number, after = rule.read_until ?? until - HOUR): Promise<void> {
  const figure = figureOf(rule.figure)
  if (!figure || after >= until) return
  const firing = firingOf(rule, figure)
  const series = await hourSeries(db, rule, after - lookBack(firing) * HOUR, until)
  const known = await db.query<OpenAlert & Record<string, unknown>>(sql`select id, coalesce(worst, 0)::float8 as worst, coalesce(value, 0)::float8 as value, state, coalesce(dim, '') as dim, coalesce(key, '') as key, level from alert where rule_id = ${rule.id} and fingerprint is not null and deleted_at is null`)
  const empty: HourSeries = { from: startOfDay(after - lookBack(firing) * HOUR), values: [] }
  const keys = new Set([...series.keys(), ...known.map((one) => one.key)])
  const moving = [...keys].flatMap((key) => {
    const open = known.find((one) => one.key === key)
    const moves = walk(series.get(key) ?? empty, firing, after, until, open !== undefined)
    return moves.length > 0 ? [{ key, open, moves }] : []
  })
  const titles = moving.length > 0 && rule.group_by ? await keyTitles(db, rule.group_by satisfies Breakdown, moving.map(({ key }) => key)) : new Map<string, string>()
  await db.transaction({ staff_id: null, action: 'fire' }, async (tx) => {
    // Another process may have looked at it meanwhile, or somebody may have stopped it.
    const [held] = await tx.query<{ read_until: number | null; status: number }>(sql`select extract(epoch from read_until)::float8 as read_until, status from alert_rule where id = ${rule.id} and deleted_at is null for no key update`)
    if (held?.status !== 1 || (held.read_until ?? 0) > after) return
    for (const { key, open, moves } of moving) await apply(tx, rule, key, titles.get(key), moves, open)
    await setDerived(tx, alertRule, { read_until: until }, rule.id)
  })
}

/** Tells people of alerts that nobody looks after. */
async function notice(db: Database, now: number): Promise<void> {
  const hour = Math.floor((now - startOfDay(now)) / HOUR)
  const rows = await db.query<{ id: number; title: string; level: number; notify_id: number; quiet_from: number | null; quiet_to: number | null }>(sql`select a.id, a.title, a.level, r.notify_id, r.quiet_from, r.quiet_to from alert a join alert_rule r on r.id = a.rule_id
    where a.state = ${S.open} and a.fingerprint is not null and a.deleted_at is null and r.deleted_at is null and coalesce(a.silenced_until, '-infinity') <= to_timestamp(${now})
      and (a.noticed_at is null or a.noticed_at <= to_timestamp(${now}) - make_interval(hours => r.repeat_hours::int)) limit 200`)
  for (const row of rows.filter((one) => one.level === LEVEL.grave || !isQuiet(hour, one.quiet_from, one.quiet_to))) {
    await db.transaction({ staff_id: null, action: 'fire' }, async (tx) => {
      await publishLive(tx, row.notify_id, { type: 'notice', title: `告警：${row.title}`, to: alertPath(row.id) })
      await tellOutside(tx, { staffId: row.notify_id, title: `告警：${row.title}`, to: alertPath(row.id), key: `${row.id}.${now}` }, now)
      await setDerived(tx, alert, { noticed_at: now }, row.id)
    })
  }
}

/** Looks at every rule once more, ends what was to be ignored for a while, and tells people. */
export async function watch(db: Database, now = Math.floor(Date.now() / 1000)): Promise<void> {
  const counted = await countedUntil(db)
  if (counted === 0) return
  const until = startOfHour(counted)
  for (const rule of await db.query<RuleRow & Record<string, unknown>>(sql`select ${ruleColumns} from alert_rule where status = 1 and deleted_at is null and (read_until is null or read_until < to_timestamp(${until})) order by id`)) await watchRule(db, rule, until)
  const over = await db.query<{ id: number }>(sql`select id from alert where state = ${S.ignored} and fingerprint is not null and ignored_until <= to_timestamp(${now}) and deleted_at is null`)
  for (const { id } of over) {
    await db.transaction({ staff_id: null, action: 'reopen' }, async (tx) => {
      const done = await touch(tx, alert, { state: S.open, ignored_until: null }, sql`t.id = ${id} and t.state = ${S.ignored} and t.fingerprint is not null`)
      if (done.length > 0) await say(tx, id, 'fire', '忽略到期，仍未恢复')
    })
  }
  await notice(db, now)
}

/** Ends the alerts of a rule that nobody watches any more. */
export async function endAlerts(tx: Queryable, ruleId: number, words: string, staffId: number): Promise<void> {
  const ended = await touch(tx, alert, { state: S.recovered, recovered_at: Math.floor(Date.now() / 1000), fingerprint: null, ignored_until: null }, sql`t.rule_id = ${ruleId} and t.fingerprint is not null and t.deleted_at is null`)
  for (const { id } of ended) await say(tx, id, 'recover', words, { staffId })
}
