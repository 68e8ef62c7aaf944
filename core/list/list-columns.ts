import { fieldOf, hasValue } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { defaultColumns } from './column-plan.ts'

/** What a person has chosen about a list's columns. */
export interface ColumnChoice {
  /** Keys in order; keys that the resource no longer has are ignored, new ones come last. */
  order: string[]
  hidden: string[]
  widths: Record<string, number>
  pinned: Record<string, 'left' | 'right'>
  /** Rows of 48, 40 or 32 px. */
  density: 'large' | 'middle' | 'small'
}

export const noChoice: ColumnChoice = { order: [], hidden: [], widths: {}, pinned: {}, density: 'middle' }

export interface ShownColumn {
  key: string
  label: string
  hidden: boolean
  pinned: 'left' | 'right' | undefined
}

/** Every field that the list may show: those that it shows unless somebody chooses, then the definition's, then all others. */
export function columnKeys(resource: Resource): string[] {
  const named = [...new Set([...defaultColumns(resource), ...resource.list.columns])]
  const extra = Object.keys(resource.fields).filter((key) => !named.includes(key) && !(key in resource.where) && hasValue(fieldOf(resource, key)))
  return [...named, ...extra, ...['id', 'created_by_name', 'created_at', 'updated_by_name', 'updated_at'].filter((key) => !named.includes(key))]
}

/** Columns in the person's order, with what is hidden and pinned. The first column stays at the left edge (domain 0.3). */
export function arrangeColumns(resource: Resource, choice: ColumnChoice): ShownColumn[] {
  const keys = columnKeys(resource)
  const usual = defaultColumns(resource)
  const ordered = [...choice.order.filter((key) => keys.includes(key)), ...keys.filter((key) => !choice.order.includes(key))]
  const chosen = choice.order.length > 0 || choice.hidden.length > 0
  return ordered.map((key, index) => ({
    key,
    label: fieldOf(resource, key).label,
    hidden: chosen ? choice.hidden.includes(key) || (!choice.order.includes(key) && !usual.includes(key)) : !usual.includes(key),
    pinned: choice.pinned[key] ?? (index === 0 ? 'left' : undefined),
  }))
}

/** Columns by which a list can be sorted. */
export function sortableKeys(resource: Resource): string[] {
  return columnKeys(resource).filter((key) => key === 'id' || fieldOf(resource, key).sortable)
}

/** Columns that stay at an edge, as an address keeps them: `name,-amount`, a minus sign for the right; undefined where none was chosen. */
export function formatPins(pinned: ColumnChoice['pinned']): string | undefined {
  const pins = Object.entries(pinned)
  return pins.length === 0 ? undefined : pins.map(([key, side]) => (side === 'left' ? key : `-${key}`)).join(',')
}

/** Reads what `formatPins` wrote. */
export const parsePins = (text: string): ColumnChoice['pinned'] =>
  Object.fromEntries(text.split(',').filter(Boolean).map((pin) => (pin.startsWith('-') ? [pin.slice(1), 'right' as const] : [pin, 'left' as const])))
