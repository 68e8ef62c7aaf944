import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { addressOf } from '../../core/kernel/figure.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Behind, Breakdown, Tile } from './calls.ts'
import { figureOf, shownFigures, sliceOf, type Slice } from './figures.server.ts'
import { hoursOfLast, untilHour, type Hours, type RangeName, type Stretch } from './stretch.ts'
import { WINDOWS } from './compute.server.ts'

const DAY = 86_400

/** A count of one day, as it is kept. */
interface DayRow { figure: string; line: string; day: number; value: number; hours: Hours | null }

/** Days of some figures, with the hours of the days on which a stretch ends within the day. */
async function readDays(db: Queryable, slices: readonly Slice[], from: number, to: number, cut: readonly number[]): Promise<DayRow[]> {
  const [first] = slices
  if (!first) return []
  const wanted = JSON.stringify(slices.flatMap(({ figure, lines }) => lines.map((line) => ({ figure: figure.name, line }))))
  return db.query<DayRow & Record<string, unknown>>(sql`select d.figure, d.line, d.day::float8 as day, d.value::float8 as value, case when d.day = any(${sql.param([...cut])}::bigint[]) then d.hours end as hours
    from jsonb_to_recordset(${wanted}::jsonb) as w (figure text, line text) join stat_daily d on d.figure = w.figure and d.grain = 1 and d.line = w.line and d.dim = ${first.dim} and d.key = ${first.key} and d.day >= ${from} and d.day < ${to}`)
}

/** People in windows of days that end with a day. */
async function readWindows(db: Queryable, slices: readonly Slice[], grain: number, ends: readonly number[]): Promise<Map<string, number>> {
  const names = slices.map(({ figure }) => figure.name)
  const [line = ''] = slices[0]?.lines ?? []
  const rows = await db.query<{ figure: string; day: number; value: number }>(sql`select figure, day::float8 as day, value::float8 as value from stat_daily
    where figure = any(${sql.param(names)}::text[]) and grain = ${grain} and line = ${line} and dim = '' and key = '' and day = any(${sql.param([...ends])}::bigint[])`)
  return new Map(rows.map((row) => [`${row.figure} ${row.day}`, row.value]))
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** A figure by the days of two stretches. */
interface Series { now: number[]; before: number[]; wholeBefore: number[] }

/** Puts days into two rows of values; of the last day of each only what is within the stretch. */
function seriesOf(rows: readonly DayRow[], stretch: Stretch): Series {
  const last = hoursOfLast(stretch)
  const values = (from: number) => {
    const whole = Array.from({ length: stretch.days }, () => 0)
    const cut = Array.from({ length: stretch.days }, () => 0)
    for (const { day, value, hours } of rows) {
      const place = Math.round((day - from) / DAY)
      if (place < 0 || place >= stretch.days) continue
      whole[place] = (whole[place] ?? 0) + value
      cut[place] = (cut[place] ?? 0) + (place === stretch.days - 1 && last < 24 ? untilHour(hours, last) : value)
    }
    return { whole, cut }
  }
  const [now, before] = [values(stretch.from), values(stretch.before.from)]
  return { now: now.cut, before: before.cut, wholeBefore: before.whole }
}

/** Lists behind a figure with as many records as it says, each line with its own number. */
function behindOf({ lists, dim, key }: Slice, byLine: ReadonlyMap<string, number>, { from, to }: Stretch): Behind[] {
  return lists.flatMap((list): Behind[] => {
    const value = byLine.get(list.line) ?? 0
    if (value === 0 && lists.length > 1) return []
    const query = to > from ? list.query({ from, to, ...(dim !== '' && { by: { dimension: dim, key } }) }) : undefined
    return [{ title: list.title, value, to: query ? addressOf(list.path, query) : null }]
  }).sort((a, b) => b.value - a.value)
}

/** What a stretch of people is told by: windows end with the last day that is over. */
function peopleOf(slice: Slice, stretch: Stretch, range: RangeName, windows: ReadonlyMap<string, number>, series: Series): Pick<Tile, 'value' | 'before' | 'note' | 'window'> {
  const days = range === 'week' ? 7 : range === 'month' ? 30 : 0
  if (stretch.days === 1) return { value: sum(series.now), before: sum(series.before), note: null }
  if (days > 0 && slice.dim === '') {
    const end = startOfDay(stretch.to) - DAY
    return { value: windows.get(`${slice.figure.name} ${end}`) ?? 0, before: windows.get(`${slice.figure.name} ${end - days * DAY}`) ?? 0, note: `${days} 天，到昨天`, window: days }
  }
  const whole = hoursOfLast(stretch) < 24 ? stretch.days - 1 : stretch.days
  const mean = (values: readonly number[]) => Math.round(sum(values.slice(0, whole)) / Math.max(1, whole))
  return { value: mean(series.now), before: mean(series.before), note: '日均' }
}

export interface Asked { range: RangeName; line: string; channel: string }

/** The tiles of a stretch, as far as a person may see them; read from what was counted alone. */
export async function readTiles(db: Queryable, staff: Pick<Staff, 'modules' | 'scopes'>, stretch: Stretch, { range, line, channel }: Asked): Promise<{ tiles: Tile[]; forecast: Record<string, number> }> {
  const hidden = figureOf('refunded')
  const slices = [...shownFigures(), ...(hidden ? [hidden] : [])].flatMap((figure) => sliceOf(figure, staff, line, channel) ?? [])
  const ends = [startOfDay(stretch.to), startOfDay(stretch.before.to)]
  // Each list behind a figure says its own number: the days of lines are read with the others.
  const withLines = slices.flatMap((slice) => [slice, ...(slice.lines[0] === '' && slice.lists.length > 1 ? [{ ...slice, lines: slice.lists.map((list) => list.line) }] : [])])
  const rows = await readDays(db, withLines, stretch.before.from - DAY, stretch.from + stretch.days * DAY, ends)
  const byFigure = Map.groupBy(rows, ({ figure }) => figure)
  const people = slices.filter(({ figure }) => figure.person)
  const grain = WINDOWS.find((days) => days === stretch.days)
  const end = startOfDay(stretch.to) - DAY
  const windows = grain !== undefined && people.length > 0 ? await readWindows(db, people, grain, [end, end - grain * DAY]) : new Map<string, number>()
  const forecast: Record<string, number> = {}
  const tiles = slices.map((slice): Tile => {
    const { figure, lines, lists } = slice
    const own = byFigure.get(figure.name) ?? []
    const mine = seriesOf(own.filter((row) => lines.includes(row.line)), stretch)
    const byLine = new Map(lists.map((list) => [list.line, sum(seriesOf(own.filter((row) => row.line === (lists.length > 1 || lines[0] !== '' ? list.line : '')), stretch).now)]))
    const total = figure.person ? peopleOf(slice, stretch, range, windows, mine) : { value: sum(mine.now), before: sum(mine.before), note: null }
    const ahead = figure.person ? undefined : forecastOf(mine, hoursOfLast(stretch))
    if (ahead !== undefined) forecast[figure.name] = ahead
    const by: Breakdown[] = figure.person ? [] : [...(figure.line && line === '' ? ['line' as const] : []), ...(Object.keys(figure.dimensions ?? {}) as Breakdown[])]
    return { name: figure.name, title: figure.title, about: figure.about, as: figure.as, ...total, values: mine.now, before_values: mine.before, up: figure.less ? 'bad' : 'good', behind: figure.person ? [] : behindOf(slice, byLine, stretch), by }
  })
  const paidLines = slices.find(({ figure }) => figure.name === 'paid')?.lines ?? []
  const paid = (byFigure.get('paid') ?? []).filter((row) => paidLines.includes(row.line))
  return { tiles: withRates(tiles, stretch, (from, to) => sum(paid.filter(({ day }) => day >= from && day < to).map(({ value }) => value))), forecast }
}

/** What a day that is not over will come to: as the same part of the days before stood to those days. */
function forecastOf({ now, before, wholeBefore }: Series, hours: number): number | undefined {
  if (hours === 24 || now.length < 2) return undefined
  const [part = 0, whole = 0] = [before.at(-1), wholeBefore.at(-1)]
  const today = now.at(-1) ?? 0
  return part > 0 && whole > part && today > 0 ? Math.round((today * whole) / part) : undefined
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 10_000))

/** Adds what follows from two figures each, and takes away those that are only behind others. @param paidOn what was paid on whole days, from one until before another */
function withRates(tiles: readonly Tile[], stretch: Stretch, paidOn: (from: number, to: number) => number): Tile[] {
  const find = (name: string) => tiles.find((tile) => tile.name === name)
  const [paid, refunded, payers] = [find('paid'), find('refunded'), find('payers')]
  const rates: Tile[] = []
  const each = (amount: number, people: number) => (people === 0 ? 0 : Math.round(amount / people))
  const [today, isWhole] = [startOfDay(stretch.to), hoursOfLast(stretch) === 24]
  if (paid && payers) {
    const values = paid.values.map((value, at) => each(value, payers.values[at] ?? 0))
    const before_values = paid.before_values.map((value, at) => each(value, payers.before_values[at] ?? 0))
    const of = { ...paid, name: 'per_payer', title: '人均实收', about: '实收除以付款人数，两者的天数相同', values, before_values, note: payers.note, behind: [], by: [] }
    const length = (payers.window ?? 0) * DAY
    if (length > 0) rates.push({ ...of, value: each(paidOn(today - length, today), payers.value), before: each(paidOn(today - 2 * length, today - length), payers.before) })
    else {
      const days = payers.note === null ? 1 : Math.max(1, isWhole ? stretch.days : stretch.days - 1)
      const mean = (all: readonly number[]) => sum(all.slice(0, days)) / days
      rates.push({ ...of, value: each(mean(paid.values), payers.value), before: each(mean(paid.before_values), payers.before) })
    }
  }
  if (paid && refunded) {
    rates.push({
      ...refunded, name: 'refund_rate', title: '退款率', about: '这段时间付款的订单，到现在为止退回的金额占实收的比例', as: 'share', value: share(refunded.value, paid.value), before: share(refunded.before, paid.before),
      values: refunded.values.map((value, at) => share(value, paid.values[at] ?? 0)), before_values: refunded.before_values.map((value, at) => share(value, paid.before_values[at] ?? 0)), up: 'bad', by: [],
    })
  }
  const shown = tiles.filter(({ name }) => name !== 'refunded')
  const at = shown.findIndex(({ name }) => name === 'payers') + 1
  return [...shown.slice(0, at), ...rates, ...shown.slice(at)]
}
