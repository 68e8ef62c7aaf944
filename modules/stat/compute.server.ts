import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { DIMENSIONS, type DailyFigure } from '../../core/kernel/figure.server.ts'
import { MOST_DAYS, startOfHour } from './stretch.ts'

const DAY = 86_400
/** Days that are counted when a figure is new: eighteen months. */
export const PAST_DAYS = 548
/** Days that are told apart by dimensions: as many as a stretch and the one before it can have. */
const WIDE_DAYS = 2 * MOST_DAYS
/** Days that are counted in one transaction. */
const PIECE_DAYS = 92
/** Windows of days in which people are counted beside single days, and how many of the last days have them. */
export const WINDOWS = [7, 30] as const
const WINDOW_DAYS = 70
/** Seconds that the log is looked through again, because what was written last may be committed later. */
const OVERLAP = 900

/** Start of the day of a moment in China, as SQL. */
const dayOf = (at: SQL) => sql`(floor((extract(epoch from ${at}) + 28800) / 86400) * 86400 - 28800)::bigint`

/** Records of a figure of some days, each with what tells it from others. */
function source({ table, at, where, value, person, line, dimensions = {} }: DailyFigure, from: number, to: number): SQL {
  const moment = sql`t.${sql.identifier(at)}`
  const columns = DIMENSIONS.flatMap((name) => (dimensions[name] ? [sql`coalesce(${dimensions[name]}, '') as ${sql.identifier(name)}`] : []))
  return sql`select ${dayOf(moment)} as day, extract(hour from ${moment} at time zone 'Asia/Shanghai')::int as hour, (${value ?? sql`1`})::bigint as value, ${line ?? sql`''`} as line${columns.length > 0 ? sql`, ${sql.join(columns, sql`, `)}` : sql``}${person ? sql`, ${person} as person` : sql``}
    from ${sql.identifier(table)} t where ${moment} >= to_timestamp(${from}) and ${moment} < to_timestamp(${to})${where ? sql` and ${where}` : sql``}`
}

/** Everything that a record counts for: all, each of its dimensions, and the same within its line. */
function spread({ line, dimensions = {} }: DailyFigure, from: SQL): SQL {
  const keys = DIMENSIONS.filter((name) => dimensions[name]).map((name) => sql`(${sql.raw(`'${name}'`)}, s.${sql.identifier(name)})`)
  const all = sql.join([sql`('', '')`, ...(line ? [sql`('line', s.line)`] : []), ...keys], sql`, `)
  return sql`(${from}) s cross join lateral (values (''::text)${line ? sql`, (s.line)` : sql``}) l (line) join lateral (values ${all}) d (dim, key) on d.dim in ('', 'line') or s.day >= ${startOfDay(Date.now() / 1000) - WIDE_DAYS * DAY}`
}

/** Counts of a figure by day, in the columns of the table. */
function counted(figure: DailyFigure, from: number, to: number): SQL {
  const rows = spread(figure, source(figure, from, to))
  const byHour = figure.person
    ? sql`select day, hour, line, dim, key, count(*)::bigint as v from (select s.day, l.line, d.dim, d.key, s.person, min(s.hour) as hour from ${rows} group by 1, 2, 3, 4, 5) p group by 1, 2, 3, 4, 5`
    : sql`select s.day, s.hour, l.line, d.dim, d.key, sum(s.value)::bigint as v from ${rows} group by 1, 2, 3, 4, 5`
  return sql`select ${figure.name}::text as figure, 1 as grain, day, line, dim, key, sum(v)::bigint as value, jsonb_object_agg(hour, v) as hours from (${byHour}) h group by day, line, dim, key`
}

/** People of the days that end with each day, of all and by line. */
function windows(figure: DailyFigure, from: number, to: number, days: number): SQL {
  const lines = figure.line ? sql`, (s.line)` : sql``
  return sql`select ${figure.name}::text, ${days}::int, s.day + n * 86400, l.line, '', '', count(distinct s.person)::bigint, null::jsonb
    from (select distinct day, line, person from (${source(figure, from - (days - 1) * DAY, to)}) x) s cross join generate_series(0, ${days - 1}::int) n cross join lateral (values (''::text)${lines}) l (line)
    where s.day + n * 86400 >= ${from} and s.day + n * 86400 < ${to} group by s.day + n * 86400, l.line`
}

/** Counts some days of a figure and puts them in the place of what stood there. Two at the same time wait for each other. */
export async function countDays(tx: Queryable, figure: DailyFigure, from: number, to: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`stat ${figure.name}`}))`)
  await tx.query(sql`delete from stat_dirty where figure = ${figure.name} and day >= ${from} and day < ${to}`)
  await tx.query(sql`delete from stat_daily where figure = ${figure.name} and grain = 1 and day >= ${from} and day < ${to}`)
  await tx.query(sql`insert into stat_daily (figure, grain, day, line, dim, key, value, hours) ${counted(figure, from, to)}`)
  if (!figure.person) return
  for (const days of WINDOWS) {
    // A day belongs to the windows of the days after it too.
    const first = Math.max(from, startOfDay(Date.now() / 1000) - WINDOW_DAYS * DAY)
    const end = Math.min(to + (days - 1) * DAY, startOfDay(Date.now() / 1000) + DAY)
    await tx.query(sql`delete from stat_daily where figure = ${figure.name} and grain = ${days} and day >= ${first} and day < ${end}`)
    if (first < end) await tx.query(sql`insert into stat_daily (figure, grain, day, line, dim, key, value, hours) ${windows(figure, first, end, days)}`)
  }
}

/** Days of which the stored count is not that of the sources (operations 1.10, 14). */
export const wrongDays = (db: Queryable, figure: DailyFigure, from: number, to: number): Promise<{ day: number; stored: number; now: number }[]> => {
  const records = source(figure, from, to)
  const value = figure.person ? sql`count(distinct person)` : sql`sum(value)`
  return db.query(sql`select coalesce(a.day, b.day)::float8 as day, coalesce(a.value, 0)::float8 as stored, coalesce(b.value, 0)::float8 as now
    from (select day, value from stat_daily where figure = ${figure.name} and grain = 1 and line = '' and dim = '' and day >= ${from} and day < ${to}) a
    full join (select day, ${value} as value from (${records}) r group by day) b on b.day = a.day where coalesce(a.value, 0) <> coalesce(b.value, 0) order by 1`)
}

/**
 * Marks days before today as dirty whose records were changed: paid for later, taken back, removed. The log knows every way in
 * which a record changes, so that no module has to say so.
 */
async function markChanged(db: Database, figures: readonly DailyFigure[], since: number, today: number): Promise<void> {
  for (const [key, same] of Map.groupBy(figures, ({ table, at }) => `${table} ${at}`)) {
    const [table = '', at = ''] = key.split(' ')
    const rows = await db.query<{ day: number }>(sql`select distinct ${dayOf(sql`x.at`)}::float8 as day from audit_log a left join ${sql.identifier(table)} t on t.id = a.entity_id
      cross join lateral (values ((a.before ->> ${at})::timestamptz), ((a.after ->> ${at})::timestamptz), (t.${sql.identifier(at)})) x (at)
      where a.entity = ${table} and a.at >= to_timestamp(${since}) and x.at < to_timestamp(${today}) and x.at >= to_timestamp(${today - PAST_DAYS * DAY})`)
    if (rows.length === 0) continue
    await db.query(sql`insert into stat_dirty (figure, day) select f, d from unnest(${sql.param(same.map(({ name }) => name))}::text[]) f, unnest(${sql.param(rows.map(({ day }) => day))}::bigint[]) d on conflict do nothing`)
  }
}

interface State { figure: string; counted_at: number; looked_at: number }

const statesOf = async (db: Queryable): Promise<Map<string, State>> => new Map((await db.query<State & Record<string, unknown>>(sql`select figure, extract(epoch from counted_at)::float8 as counted_at, extract(epoch from looked_at)::float8 as looked_at from stat_state`)).map((row) => [row.figure, row]))

const keepState = (tx: Queryable, figure: string, now: number) => tx.query(sql`insert into stat_state (figure, counted_at, looked_at) values (${figure}, to_timestamp(${now}), to_timestamp(${now}))
  on conflict (figure) do update set counted_at = excluded.counted_at, looked_at = excluded.looked_at`)

/** Counts all days of a figure that are kept, piece by piece. @param pieceDone told after each piece, with the transaction it was written in */
export async function countAll(db: Database, figure: DailyFigure, from: number, to: number, pieceDone: (tx: Queryable, until: number) => Promise<void> = () => Promise.resolve(), piece = PIECE_DAYS): Promise<void> {
  for (let start = from; start < to; start += piece * DAY) {
    const end = Math.min(to, start + piece * DAY)
    await db.transaction({ staff_id: null, silent: true }, async (tx) => {
      await countDays(tx, figure, start, end)
      await pieceDone(tx, end)
    })
  }
}

/**
 * Counts today, what was marked since, and days that are still ripening; a figure that was never counted as a whole.
 * @param now unix seconds
 */
export async function refresh(db: Database, figures: readonly DailyFigure[], now = Math.floor(Date.now() / 1000)): Promise<void> {
  const today = startOfDay(now)
  const states = await statesOf(db)
  const known = figures.filter(({ name }) => states.has(name))
  const looked = Math.min(now, ...known.map(({ name }) => states.get(name)?.looked_at ?? now))
  if (known.length > 0) await markChanged(db, known, looked - OVERLAP, today)
  for (const figure of figures) {
    const state = states.get(figure.name)
    if (!state) {
      await countAll(db, figure, today - (PAST_DAYS - 1) * DAY, today + DAY)
      await keepState(db, figure.name, now)
      continue
    }
    const dirty = (await db.query<{ day: number }>(sql`select day::float8 as day from stat_dirty where figure = ${figure.name} order by day`)).map(({ day }) => day)
    // What ripens grows by the hour; days that end meanwhile are counted once more as a whole.
    const isNewHour = startOfHour(state.counted_at) < startOfHour(now)
    const first = Math.min(startOfDay(state.counted_at), figure.ripens !== undefined && isNewHour ? today - figure.ripens * DAY : today)
    await db.transaction({ staff_id: null, silent: true }, async (tx) => {
      for (const day of dirty.filter((one) => one < first)) await countDays(tx, figure, day, day + DAY)
      await countDays(tx, figure, first, today + DAY)
      await keepState(tx, figure.name, now)
    })
  }
}

/** Until when everything was counted. */
export async function countedUntil(db: Queryable): Promise<number> {
  const [row] = await db.query<{ at: number | null }>(sql`select extract(epoch from min(counted_at))::float8 as at from stat_state`)
  return Math.floor(row?.at ?? 0)
}

/** Seconds between two counts of today. */
const COUNT_EVERY = 600

/** Counts when it is time: every ten minutes, and as soon as an hour is over, so that whole hours can be read. @returns whether it did */
export async function countWhenDue(db: Database, figures: readonly DailyFigure[], now = Math.floor(Date.now() / 1000)): Promise<boolean> {
  const states = await statesOf(db)
  const oldest = Math.min(...figures.map(({ name }) => states.get(name)?.counted_at ?? 0))
  if (figures.length === 0 || (now - oldest < COUNT_EVERY && startOfHour(oldest) === startOfHour(now))) return false
  await refresh(db, figures, now)
  return true
}
