import { readTime } from '../field/time.ts'
import { groupKeys, hasMoments, isUnit, type Unit } from '../resource/groups.ts'
import type { Resource } from '../resource/define.ts'
import { listStates } from '../resource/status.ts'

/** By what a list is grouped or counted; moments by a unit. */
export interface Grouping {
  readonly key: string
  readonly unit: Unit | undefined
}

/** How much of a calendar is seen at once. */
export const SPANS = { month: '月', week: '周' } as const
export type Span = keyof typeof SPANS

/** How a list is looked at. */
export type Look =
  | { readonly kind: 'table'; readonly by?: Grouping | undefined }
  | { readonly kind: 'board' }
  | { readonly kind: 'calendar'; readonly key: string; readonly span: Span; /** Some day of it, 2026-11-26; today where absent. */ readonly day?: string | undefined }
  | { readonly kind: 'chart'; readonly by: Grouping; /** The field that is added up; records are counted where absent. */ readonly sum?: string | undefined }

export type LookKind = Look['kind']
export type LookOf<Kind extends LookKind> = Extract<Look, { kind: Kind }>

export const TABLE: LookOf<'table'> = { kind: 'table' }

/** Moments that a calendar can show: those of the definition, not those that every record has. */
export const calendarKeys = (resource: Resource): string[] => groupKeys(resource).filter((key) => key in resource.fields && hasMoments(resource, key))

/** The field whose states a board has columns for, with the transitions between them. */
export function boardStates(resource: Resource): ReturnType<typeof listStates> {
  const states = listStates(resource)
  return states && resource.transitions.some(({ field }) => field === states.key) && !(states.key in resource.where) ? states : undefined
}

const firstGrouping = (resource: Resource): Grouping | undefined => {
  const [key] = groupKeys(resource)
  return key === undefined ? undefined : groupingOf(resource, key)
}

/** Grouping by a field, moments by months unless told. */
export const groupingOf = (resource: Resource, key: string, unit?: Unit): Grouping => ({ key, unit: hasMoments(resource, key) ? unit ?? 'month' : undefined })

/** How each kind begins; undefined where the definition does not allow it. */
const FIRST: { readonly [Kind in LookKind]: (resource: Resource) => LookOf<Kind> | undefined } = {
  table: () => TABLE,
  board: (resource) => (boardStates(resource) ? { kind: 'board' } : undefined),
  calendar: (resource) => {
    const [key] = calendarKeys(resource)
    return key === undefined ? undefined : { kind: 'calendar', key, span: 'month' }
  },
  chart: (resource) => {
    const by = firstGrouping(resource)
    return by && { kind: 'chart', by }
  },
}

export const LOOK_WORDS: Readonly<Record<LookKind, string>> = { table: '表格', board: '看板', calendar: '日历', chart: '图表' }

/** The ways in which a list can be looked at, each as it begins. */
export const looksOf = (resource: Resource): Look[] => Object.values(FIRST).flatMap((first) => first(resource) ?? [])

const writeGrouping = ({ key, unit }: Grouping) => (unit ? `${key}:${unit}` : key)

function readGrouping(resource: Resource, text = ''): Grouping | undefined {
  const [key = '', unit] = text.split(':')
  return groupKeys(resource).includes(key) ? groupingOf(resource, key, isUnit(unit) ? unit : undefined) : undefined
}

function partsOf(look: Look): (string | undefined)[] {
  if (look.kind === 'table') return [look.by && writeGrouping(look.by)]
  if (look.kind === 'calendar') return [look.key, look.span, look.day]
  return look.kind === 'chart' ? [writeGrouping(look.by), look.sum] : []
}

/** A look as it stands in the address: `calendar.expire_at.week.2026-11-23`; undefined for the plain table. */
export function formatLook(look: Look): string | undefined {
  const parts = partsOf(look).filter((part) => part !== undefined)
  return look.kind === 'table' && parts.length === 0 ? undefined : [look.kind, ...parts].join('.')
}

/** A day that there is, in years that a calendar goes to. */
const isDay = (text = '') => /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) && typeof readTime(text) === 'number'

const READ: { readonly [Kind in LookKind]: (resource: Resource, parts: readonly string[]) => LookOf<Kind> | undefined } = {
  table: (resource, [by]) => ({ kind: 'table', by: readGrouping(resource, by) }),
  board: FIRST.board,
  calendar: (resource, [key = '', span, day]) => {
    const first = FIRST.calendar(resource)
    const known = first && { ...first, ...(calendarKeys(resource).includes(key) && { key }), ...(span === 'week' && { span: 'week' as const }) }
    return known && (isDay(day) ? { ...known, day } : known)
  },
  chart: (resource, [by, sum]) => {
    const grouping = readGrouping(resource, by) ?? firstGrouping(resource)
    return grouping && { kind: 'chart', by: grouping, ...(sum !== undefined && resource.list.summary.includes(sum) && { sum }) }
  },
}

/** Reads a look; what the list does not know any more is the plain table. */
export function parseLook(resource: Resource, text: string | undefined): Look {
  const [kind = '', ...parts] = (text ?? '').split('.')
  return Object.hasOwn(READ, kind) ? READ[kind as LookKind](resource, parts) ?? TABLE : TABLE
}
