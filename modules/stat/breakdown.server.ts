import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { addressOf } from '../../core/kernel/figure.server.ts'
import { regionName } from '../../core/field/region.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Breakdown, BreakdownAnswer, BreakdownRow, FunnelAnswer } from './calls.ts'
import { allFigures, shownFigures, sliceOf, visibleLists, type Slice } from './figures.server.ts'
import { hoursOfLast, type Stretch } from './stretch.ts'

const DAY = 86_400
/** Rows of a breakdown: the largest. */
const MOST_ROWS = 200

/** What of a day row counts when its day ends at an hour. */
const cut = (hours: number) => sql`(select coalesce(sum(v::bigint), 0) from jsonb_each_text(d.hours) h (k, v) where k::int < ${hours})`

/** Tables by which values of dimensions are called. */
const NAMES = { channel: 'channel', agent: 'agent', staff: 'staff' } as const

/** What values of a dimension are called. */
export async function keyTitles(db: Queryable, by: Breakdown, keys: readonly string[]): Promise<Map<string, string>> {
  if (by === 'province') return new Map(keys.map((key) => [key, key === '' ? '未填写地区' : regionName(key)]))
  if (by === 'line') return new Map(allFigures().flatMap((figure) => figure.lists().map(({ line, title }) => [line, title])))
  const ids = keys.filter((key) => key !== '').map(Number)
  const rows = await db.query<{ id: number; name: string }>(sql`select id, name from ${sql.identifier(NAMES[by])} where id = any(${sql.param(ids)}::bigint[])`)
  return new Map([['', by === 'channel' ? '没有渠道' : by === 'agent' ? '没有代理' : '系统或学习端'], ...rows.map(({ id, name }) => [String(id), name] as const)])
}

/** Where the list of a cell is: only where one list shows exactly its records. */
function cellPath({ figure, lists }: Slice, by: Breakdown, key: string, stretch: Stretch): string | null {
  const list = by === 'line' ? lists.find((one) => one.line === key) : lists.length === 1 || figure.lists().length === 1 ? lists[0] : undefined
  const query = list && stretch.to > stretch.from ? list.query({ from: stretch.from, to: stretch.to, ...(by !== 'line' && { by: { dimension: by, key } }) }) : undefined
  return list && query ? addressOf(list.path, query) : null
}

/** Figures of a stretch told apart by one dimension, the largest of the first figure first. */
export async function readBreakdown(db: Queryable, staff: Pick<Staff, 'modules' | 'scopes'>, stretch: Stretch, by: Breakdown, line: string): Promise<BreakdownAnswer> {
  const slices = shownFigures().filter(({ person }) => !person).flatMap((figure) => sliceOf(figure, staff, by === 'line' ? '' : line, '') ?? [])
    .filter(({ figure }) => (by === 'line' ? figure.line !== undefined : figure.dimensions?.[by] !== undefined))
  const hours = hoursOfLast(stretch)
  const last = startOfDay(stretch.to)
  const wanted = JSON.stringify(slices.flatMap(({ figure, lines }) => (by === 'line' ? [{ figure: figure.name, line: '' }] : lines.map((own) => ({ figure: figure.name, line: own })))))
  const part = (from: number, end: number, at: number) => sql`coalesce(sum(case when d.day >= ${from} and d.day < ${end} then case when d.day = ${hours < 24 ? at : -1} then ${cut(hours)} else d.value end end), 0)::float8`
  const rows = slices.length === 0 ? [] : await db.query<{ figure: string; key: string; value: number; before: number }>(sql`select d.figure, d.key, ${part(stretch.from, stretch.from + stretch.days * DAY, last)} as value,
      ${part(stretch.before.from, stretch.before.from + stretch.days * DAY, last - stretch.days * DAY)} as before
    from jsonb_to_recordset(${wanted}::jsonb) as w (figure text, line text) join stat_daily d on d.figure = w.figure and d.grain = 1 and d.line = w.line and d.dim = ${by} and d.day >= ${stretch.before.from} and d.day < ${stretch.from + stretch.days * DAY}
    group by d.figure, d.key`)
  const allowed = new Map(slices.map((slice) => [slice.figure.name, new Set(slice.lists.map((list) => list.line))]))
  const kept = by === 'line' ? rows.filter(({ figure, key }) => allowed.get(figure)?.has(key)) : rows
  const titles = await keyTitles(db, by, [...new Set(kept.map(({ key }) => key))])
  const byKey = Map.groupBy(kept.filter(({ value, before }) => value !== 0 || before !== 0), ({ key }) => key)
  const all = [...byKey].map(([key, cells]): BreakdownRow => ({
    key, title: titles.get(key) ?? `已删除（${key}）`,
    cells: Object.fromEntries(cells.map(({ figure, value, before }) => {
      const slice = slices.find((one) => one.figure.name === figure)
      return [figure, { value, before, to: slice && value !== 0 ? cellPath(slice, by, key, stretch) : null }]
    })),
  }))
  const [first] = slices
  const size = (row: BreakdownRow) => row.cells[first?.figure.name ?? '']?.value ?? 0
  return { figures: slices.map(({ figure: { name, title, as, less } }) => ({ name, title, as, up: less ? 'bad' : 'good' })), rows: all.sort((a, b) => size(b) - size(a)).slice(0, MOST_ROWS) }
}

/** What became of those who came in on the days of a stretch: each step of the days that people have had, and of all. */
export async function readFunnel(db: Queryable, staff: Pick<Staff, 'modules' | 'scopes'>, stretch: Stretch): Promise<FunnelAnswer> {
  const steps = allFigures().filter(({ step }) => step !== undefined).sort((a, b) => (a.step ?? 0) - (b.step ?? 0))
  const days = steps[0]?.ripens ?? 0
  // It is told to whoever may see those who came in.
  const users = allFigures().find(({ name }) => name === 'new_user')
  if (!users || visibleLists(users, staff).length === 0) return { days, steps: [], unripe_from: null }
  const end = stretch.from + stretch.days * DAY
  const ripe = startOfDay(stretch.to) - days * DAY
  const rows = await db.query<{ figure: string; value: number; ripe: number }>(sql`select figure, sum(value)::float8 as value, coalesce(sum(value) filter (where day < ${ripe}), 0)::float8 as ripe from stat_daily
    where figure = any(${sql.param(steps.map(({ name }) => name))}::text[]) and grain = 1 and line = '' and dim = '' and key = '' and day >= ${stretch.from} and day < ${end} group by 1`)
  const found = new Map(rows.map((row) => [row.figure, row]))
  return { days, steps: steps.map(({ name, title, about }) => ({ title, about, value: found.get(name)?.value ?? 0, ripe: found.get(name)?.ripe ?? 0 })), unripe_from: end > ripe ? Math.max(stretch.from, ripe) : null }
}
