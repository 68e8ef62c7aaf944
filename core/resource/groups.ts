import { choicesOf } from '../field/choice.ts'
import type { Resource } from './define.ts'
import { perResource } from './memo.ts'
import { fieldOf } from './meta-fields.ts'

/** Stretches by which moments are grouped, in their words. A week begins on Monday, all of them in Shanghai. */
export const UNITS = { day: '按天', week: '按周', month: '按月' } as const

export type Unit = keyof typeof UNITS

export const isUnit = (text: string | undefined): text is Unit => text !== undefined && Object.hasOwn(UNITS, text)

/** Groups that one answer holds at most; what comes after them is counted together. */
export const MOST_GROUPS = 60

/** Records of each group that are named at most, and the longest stretch for which they are, in seconds. */
export const MOST_SAMPLES = 20
export const LONGEST_SAMPLED = 46 * 86_400

/** The records of a list that have one value. */
export interface Group {
  /** A choice, the id of a record, or the first second of a day, week or month; null where there is no value. */
  value: string | number | null
  /** What the record is called that the value refers to. */
  name: string | null
  count: number
  /** Sums of the list's summary fields. */
  sums: Record<string, number>
  /** The first records, where they were asked for. */
  ids?: number[]
}

/** A list by the values of one field. */
export interface Groups {
  /** The largest first; of moments the latest. */
  groups: Group[]
  /** All groups that found no room. */
  rest: { groups: number; count: number; sums: Record<string, number> } | null
  total: number
  sums: Record<string, number>
}

/** Whether values of a field are moments that fall into days, weeks and months. */
export const hasMoments = (resource: Resource, key: string): boolean => {
  const field = fieldOf(resource, key)
  return field.filter === 'range' && field.column === 'timestamptz'
}

/**
 * Fields by which a list can be grouped: choices, switches, references and moments. Each is a filter of the list too, so that the
 * records of a group are the list narrowed to it. What is hidden or worked out is none, nor a tree, whose filter takes in what
 * hangs below.
 */
export const groupKeys = perResource((resource) => resource.list.filters.filter((key) => {
  const field = fieldOf(resource, key)
  if (field.hidden || field.computed || key in resource.where || ('shelf' in field && field.shelf)) return false
  return choicesOf(field) !== undefined || (field.refers === 'one' && field.filter === 'in') || hasMoments(resource, key)
}))
