import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { addressOf, type DailyFigure, type FigureList } from '../../core/kernel/figure.server.ts'
import { publishLive } from '../../core/live/live.server.ts'
import { NOTHING_COMPUTED, present, readOne } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { alert, ALERT_STATE, alertSilence } from './alert.ts'
import { alertChooser, alertDetail, assignAlert, endSilence, figureChoices, ignoreAlert, noteAlert, silenceAlert, tryRule, type AlertChoice, type AlertDetail, type FigureChoice } from './alert-calls.ts'
import { ruleProblems } from './alert.server.ts'
import { keyTitles } from './breakdown.server.ts'
import type { Note } from './calls.ts'
import { countedUntil } from './compute.server.ts'
import { figureOf, shownFigures, visibleLists } from './figures.server.ts'
import { episodes, expectedAt, lookBack, windowSum, type HourSeries } from './firing.ts'
import { alertPath, DATA_PATH, MONITOR_RIGHTS } from './rights.ts'
import { firingOf, hourSeries } from './series.server.ts'
import { startOfHour } from './stretch.ts'
import { ruleColumns, ruleWords, say, type RuleRow } from './watch.server.ts'

const S = ALERT_STATE
const DAY = 86_400
const HOUR = 3600
/** Days of the past that a rule is tried on before it is saved. */
const TRY_DAYS = 60
/** Longest time that alerts are ignored or silenced for. */
const MOST_REST = 30 * DAY

const now = () => Math.floor(Date.now() / 1000)

/** @throws AppError when a rest has no sensible end */
function checkEnd(until: number): void {
  if (until <= now()) throw invalid({ until: '结束时间应晚于现在' })
  if (until > now() + MOST_REST) throw invalid({ until: '最长 30 天' })
}

/** An alert of the person's, locked, that is not over yet. @throws AppError */
async function heldOpen(tx: Queryable, call: Pick<Call, 'staff' | 'params'>, verb: string): Promise<{ id: number; title: string; state: number | null; rule_id: number; key: string | null; owner_id: number | null; dim: string | null }> {
  const row = await lockRow(tx, alert, call.staff, idParam(call))
  if (row['state'] === S.recovered) throw badRequest(`告警已恢复，不能${verb}`)
  return row
}

/** Hours of a day before an alert until a day after it was over, with the same weekday of the weeks before. */
async function pointsOf(db: Queryable, row: { began_at: number; recovered_at: number | null; last_at: number; key: string | null; line: string | null; dim: string | null; figure: string }, hours: number): Promise<{ points: AlertDetail['points']; gap: number | null }> {
  const until = Math.min(startOfHour(await countedUntil(db)), (row.recovered_at ?? row.last_at) + DAY)
  const from = row.began_at - DAY
  const key = row.key ?? ''
  const found = await hourSeries(db, { figure: row.figure, line: row.line, group_by: row.dim }, from - lookBack({ window_hours: hours, for_n: 1 }) * HOUR, Math.max(until, from), key)
  const series: HourSeries = found.get(key) ?? { from: startOfDay(from), values: [] }
  const points: AlertDetail['points'] = []
  for (let at = startOfHour(from); at <= until; at += HOUR) points.push({ at, value: windowSum(series, at, hours), expected: expectedAt(series, at, hours) ?? null })
  // Hour by hour, so that the windows of readings are not counted twice.
  let gap: number | null = null
  for (let at = startOfHour(row.began_at - (hours - 1) * HOUR); at <= Math.min(until, row.recovered_at ?? until); at += HOUR) {
    const expected = expectedAt(series, at, 1)
    if (expected !== undefined) gap = (gap ?? 0) + windowSum(series, at, 1) - expected
  }
  return { points, gap: gap === null ? null : Math.round(gap) }
}

/** Where the records of the day are: in the list, or where a figure has several, in the data center, which leads on to each. */
function behindOf(figure: DailyFigure, visible: readonly FigureList[], row: Pick<AlertDetail['row'], 'line' | 'dim' | 'key'>, day: number): AlertDetail['behind'] {
  const own = visible.filter((list) => (!row.line || list.line === row.line) && (row.dim !== 'line' || list.line === row.key))
  if (own.length > 1) return [{ title: '当天的数据', to: addressOf(DATA_PATH, { range: 'custom', from: String(day), to: String(day), figure: figure.name }) }]
  return own.flatMap((list) => {
    const query = list.query({ from: day, to: day + DAY, ...((row.dim === 'channel' || row.dim === 'province') && { by: { dimension: row.dim, key: row.key ?? '' } }) })
    return query ? [{ title: `当天的${list.title}`, to: addressOf(list.path, query) }] : []
  })
}

async function detail(call: Pick<Call, 'db' | 'staff' | 'params'>): Promise<AlertDetail> {
  const { db, staff } = call
  const found = await readOne(db, alert, staff, idParam(call), NOTHING_COMPUTED)
  if (!found) throw notFound(alert.label)
  const row = present(alert, staff, found)
  const [rule] = await db.query<RuleRow & Record<string, unknown>>(sql`select ${ruleColumns} from alert_rule where id = ${row.rule_id}`)
  const figure = figureOf(row.figure)
  const hours = rule?.window_hours ?? 1
  const began = Math.floor(row.began_at)
  const { points, gap } = await pointsOf(db, { began_at: began, recovered_at: row.recovered_at ?? null, last_at: row.last_at, key: row.key ?? null, line: row.line ?? null, dim: row.dim ?? null, figure: row.figure }, hours)
  const first = points[0]?.at ?? began
  const notes = await db.query<Note & { staff_id: number | null }>(sql`select n.id, n.day::float8 as day, n.body, n.bad, n.staff_id, s.name as staff_name, false as mine from stat_note n left join staff s on s.id = n.staff_id where n.day >= ${startOfDay(first)} and n.day <= ${points.at(-1)?.at ?? began} order by n.day, n.id`)
  const day = startOfDay(began)
  return {
    row, as: figure?.as ?? 'number', figure_title: figure?.title ?? row.figure, window_hours: hours, points, gap,
    rule: rule ? { id: rule.id, name: rule.name, runbook: rule.runbook, words: ruleWords(rule), status: rule.status } : null,
    notes: notes.map(({ staff_id, ...note }) => ({ ...note, mine: staff_id === staff.id || staff.role === SUPER_ROLE })),
    events: await db.query<AlertDetail['events'][number] & Record<string, unknown>>(sql`select e.id, extract(epoch from e.at)::float8 as at, e.kind, s.name as staff_name, e.body from alert_event e left join staff s on s.id = e.staff_id where e.alert_id = ${row.id} order by e.at desc, e.id desc limit 200`),
    similar: await db.query<AlertDetail['similar'][number] & Record<string, unknown>>(sql`select id, title, extract(epoch from began_at)::float8 as began_at, extract(epoch from recovered_at)::float8 as recovered_at, coalesce(worst, 0)::float8 as worst, expected::float8 as expected, state from alert
      where id <> ${row.id} and figure = ${row.figure} and deleted_at is null order by (rule_id = ${row.rule_id}) desc, (coalesce(key, '') = ${row.key ?? ''}) desc, began_at desc limit 8`),
    behind: figure ? behindOf(figure, visibleLists(figure, staff), row, day) : [],
  }
}

/** The calls of alerts and their rules, beside those of their lists. */
export const alertCalls = (): Served[] => [
  handle(figureChoices, ({ staff }) => {
    const items = shownFigures().filter(({ person }) => !person).flatMap((figure): FigureChoice[] => {
      const lists = visibleLists(figure, staff)
      if (lists.length < figure.lists().length) return []
      return [{ name: figure.name, title: figure.title, as: figure.as, lines: figure.line ? lists.map(({ line, title }) => ({ key: line, title })) : [], by: (['line', 'channel', 'province'] as const).filter((by) => (by === 'line' ? figure.line : figure.dimensions?.[by]) !== undefined) }]
    })
    return Promise.resolve({ items, total: items.length })
  }),
  handle(tryRule, async ({ db, staff, input }) => {
    const problems = ruleProblems(input)
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const figure = figureOf(input.figure)
    if (!figure || visibleLists(figure, staff).length < figure.lists().length) throw invalid({ figure: '没有该指标，或无权查看' })
    const firing = firingOf(input, figure)
    const until = startOfHour(await countedUntil(db))
    const after = until - TRY_DAYS * DAY
    const series = await hourSeries(db, input, after - lookBack(firing) * HOUR, until)
    const found = [...series].flatMap(([key, hours]) => episodes(hours, firing, after, until).map((one) => ({ ...one, key })))
    const titles = input.group_by ? await keyTitles(db, input.group_by, [...new Set(found.map(({ key }) => key))]) : new Map<string, string>()
    return {
      days: TRY_DAYS, times: found.length, groups: new Set(found.map(({ key }) => key)).size, as: figure.as,
      episodes: found.sort((a, b) => b.began - a.began).slice(0, 20).map(({ key, ...one }) => ({ ...one, title: input.group_by ? titles.get(key) ?? key : null })),
    }
  }),
  handle(alertDetail, detail),
  handle(alertChooser, async ({ db }) => {
    const items = await db.query<AlertChoice & Record<string, unknown>>(sql`select a.id, a.title, a.state, a.level, extract(epoch from a.began_at)::float8 as began_at, extract(epoch from a.last_at)::float8 as last_at, s.name as owner_name from alert a left join staff s on s.id = a.owner_id
      where a.deleted_at is null order by (a.fingerprint is not null) desc, a.began_at desc limit 60`)
    return { items, total: items.length }
  }),
  handle(assignAlert, (call) => call.transaction(async (tx) => {
    const row = await heldOpen(tx, call, '指派')
    const [owner] = await tx.query<{ name: string }>(sql`select s.name from staff s where s.id = ${call.input.owner_id} and s.status = 1 and s.deleted_at is null and (s.role = ${SUPER_ROLE} or exists (select 1 from staff_module m where m.staff_id = s.id and m.module_id = ${MONITOR_RIGHTS.id('handle')}))`)
    if (!owner) throw invalid({ owner_id: '该员工不在职，或没有处理告警的权限' })
    if (row.owner_id === call.input.owner_id) throw invalid({ owner_id: `已由 ${owner.name} 处理` })
    await touch(tx, alert, { owner_id: call.input.owner_id, state: S.doing, ignored_until: null }, row.id)
    await say(tx, row.id, 'assign', `指派给 ${owner.name}`, { staffId: call.staff.id })
    if (call.input.owner_id !== call.staff.id) await publishLive(tx, call.input.owner_id, { type: 'notice', title: `告警指派给您：${row.title}`, to: alertPath(row.id) })
    return {}
  }, { action: 'assign' })),
  handle(ignoreAlert, (call) => call.transaction(async (tx) => {
    const row = await heldOpen(tx, call, '忽略')
    checkEnd(call.input.until)
    await touch(tx, alert, { state: S.ignored, ignored_until: call.input.until }, row.id)
    await say(tx, row.id, 'ignore', `忽略至 ${formatTime(call.input.until).slice(0, 16)}：${call.input.reason}`, { staffId: call.staff.id })
    return {}
  }, { action: 'ignore', reason: call.input.reason })),
  handle(noteAlert, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, alert, call.staff, idParam(call))
    return { id: await say(tx, row.id, 'note', call.input.body, { staffId: call.staff.id }) }
  }, { action: 'note' })),
  handle(silenceAlert, (call) => call.transaction(async (tx) => {
    const row = await heldOpen(tx, call, '静默')
    const { until, reason, whole_rule } = call.input
    checkEnd(until)
    const key = whole_rule || !row.dim ? null : row.key ?? ''
    const keyTitle = key === null ? null : (await keyTitles(tx, row.dim as 'line' | 'channel' | 'province', [key])).get(key) ?? key
    const [id = 0] = await insertMany(tx, alertSilence, [{ rule_id: row.rule_id, key, key_name: keyTitle, until, reason, created_by: call.staff.id }])
    const same = key === null ? sql`t.rule_id = ${row.rule_id}` : sql`t.rule_id = ${row.rule_id} and coalesce(t.key, '') = ${key}`
    const silenced = await touch(tx, alert, { silenced_until: until }, sql`${same} and t.fingerprint is not null and t.deleted_at is null`)
    for (const one of silenced) await say(tx, one.id, 'silence', `静默至 ${formatTime(until).slice(0, 16)}：${reason}`, { staffId: call.staff.id })
    return { id }
  }, { action: 'silence', reason: call.input.reason })),
  handle(endSilence, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, alertSilence, call.staff, idParam(call))
    if (row.ended_at !== null || row.until <= now()) throw badRequest('静默已经结束')
    await touch(tx, alertSilence, { ended_at: now() }, row.id)
    const freed = await touch(tx, alert, { silenced_until: null }, sql`t.rule_id = ${row.rule_id} ${row.key === null ? sql`` : sql`and coalesce(t.key, '') = ${row.key}`} and t.fingerprint is not null and t.deleted_at is null
      and not exists (select 1 from alert_silence s where s.rule_id = t.rule_id and s.id <> ${row.id} and (s.key is null or s.key = coalesce(t.key, '')) and s.until > now() and s.ended_at is null and s.deleted_at is null)`)
    for (const one of freed) await say(tx, one.id, 'silence', '静默提前结束', { staffId: call.staff.id })
    return {}
  }, { action: 'end_silence' })),
]
