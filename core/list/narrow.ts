import { formatDate, readTime, startOfDay } from '../field/time.ts'
import { mayLack } from '../query/asks.ts'
import { stretchOf, type Stretch } from '../query/days.ts'
import { choiceLabel, choicesOf } from '../field/choice.ts'
import type { Resource } from '../resource/define.ts'
import type { Group, Unit } from '../resource/groups.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { filterWord, withFilter, type Filters } from './filter-keys.ts'
import type { Grouping, Span } from './look.ts'

const DAY = 86_400
const daysOf: Readonly<Record<Unit, (from: number) => number>> = {
  day: () => 1,
  week: () => 7,
  // 31 days on stands the first of the next month, or as much later as this one is shorter.
  month: (from) => 32 - Number(formatDate(from + 31 * DAY).slice(8)),
}

/** The stretch of time of a group, both ends within it. */
export const stretchFrom = (from: number, unit: Unit): Required<Stretch> => ({ from, to: from + daysOf[unit](from) * DAY - 1 })

/** First second of the day that a text names, 2026-11-26. */
export const dayAt = (text: string): number => Number(readTime(text))

/** Filters by which a moment lies in a stretch and, as before, in what they asked of it; a word becomes the time that it means. */
export function withinStretch(resource: Resource, filters: Filters, key: string, { from, to }: Required<Stretch>, now = Date.now() / 1000): Filters {
  const word = stretchOf(filterWord(filters, key) ?? '', now)
  const bound = (end: string) => (filters[`${key}_${end}`]?.[0] ? Number(filters[`${key}_${end}`]?.[0]) : undefined)
  const start = Math.max(from, word?.from ?? from, bound('start') ?? from)
  const end = Math.min(to, word?.to ?? to, bound('end') ?? to)
  return withFilter(resource, filters, key, [String(start), String(end)])
}

/** The list's filters narrowed to one group; undefined where the list cannot be narrowed like that. */
export function narrowTo(resource: Resource, filters: Filters, { key, unit }: Grouping, value: Group['value'], now = Date.now() / 1000): Filters | undefined {
  if (value === null) return mayLack(fieldOf(resource, key)) ? withFilter(resource, filters, key, { word: 'empty' }) : undefined
  return unit ? withinStretch(resource, filters, key, stretchFrom(Number(value), unit), now) : withFilter(resource, filters, key, [String(value)])
}

const UNIT_WORDS: Readonly<Record<Unit, (from: number) => string>> = {
  day: formatDate,
  week: (from) => `${formatDate(from)} 至 ${formatDate(from + 6 * DAY).slice(5)}`,
  month: (from) => formatDate(from).slice(0, 7),
}

/** What a group is called. */
export function groupWords(resource: Resource, { key, unit }: Grouping, { value, name }: Pick<Group, 'value' | 'name'>): string {
  if (value === null) return '未填写'
  if (unit) return UNIT_WORDS[unit](Number(value))
  const choices = choicesOf(fieldOf(resource, key))
  return choices ? choiceLabel(choices, value) : name ?? `编号 ${value}`
}

/** Groups in the order in which people know them: choices as they are defined, moments as they follow, others the largest first. */
export function inOrder(resource: Resource, { key, unit }: Grouping, groups: readonly Group[]): Group[] {
  const choices = choicesOf(fieldOf(resource, key))
  if (choices) {
    const place = (value: Group['value']) => (value === null ? choices.length : choices.findIndex((choice) => choice.value === value))
    return groups.toSorted((a, b) => place(a.value) - place(b.value))
  }
  return unit ? groups.toSorted((a, b) => Number(a.value ?? Infinity) - Number(b.value ?? Infinity)) : [...groups]
}

/** First days that a calendar shows: the weeks of a month, from Monday, or one week. */
export function calendarDays(day: number, span: Span): number[] {
  const monday = (at: number) => startOfDay(at) - ((Math.floor((startOfDay(at) + 8 * 3600) / DAY) + 3) % 7) * DAY
  const first = span === 'week' ? monday(day) : monday(dayAt(`${formatDate(day).slice(0, 7)}-01`))
  const weeks = span === 'week' ? 1 : Math.ceil((stretchFrom(dayAt(`${formatDate(day).slice(0, 7)}-01`), 'month').to - first) / (7 * DAY))
  return Array.from({ length: weeks * 7 }, (_, n) => first + n * DAY)
}
