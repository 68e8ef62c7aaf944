import { readShelf, valueLabel, type ToggleField } from '../field/choice.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import type { Resource, Transition } from './define.ts'

/** The transition that a switch of states runs; undefined where the definition has none. */
export function shelfEdge(resource: Pick<Resource, 'transitions'>, { shelf }: ToggleField, value: 1 | 0): Transition | undefined {
  if (!shelf) return undefined
  const [from, to] = value === 1 ? [shelf.off, shelf.on[0]] : [shelf.on[0], shelf.off]
  return resource.transitions.find((transition) => transition.field === shelf.state && transition.to === to && transition.from.includes(from))
}

/** Switches of a resource that stand for a state. */
export function shelves(resource: Pick<Resource, 'fields'>): [key: string, field: ToggleField][] {
  return Object.entries(resource.fields).flatMap(([key, field]) => ('shelf' in field && field.shelf ? [[key, field] as [string, ToggleField]] : []))
}

/** Why a switch of states does not move from this state; undefined when it does. */
export function shelfRefusal(resource: Pick<Resource, 'fields'>, { shelf, on, off }: ToggleField, state: unknown, value: 1 | 0): { action: string; state: string } | undefined {
  if (!shelf || (value === 1 ? state === shelf.off : readShelf(shelf, state) === 1)) return undefined
  const field = resource.fields[shelf.state]
  return { action: value === 1 ? on : off, state: valueLabel(field, state) }
}

/** What the console knows of a row. */
interface SwitchedRow {
  readonly can: readonly string[]
  readonly cannot?: Readonly<Partial<Record<string, string>>>
  readonly deleted_at?: unknown
  readonly [key: string]: unknown
}

/** A switch as it stands in a list. */
export interface RowSwitch {
  readonly field: ToggleField
  readonly value: 1 | 0
  /** The transition that switching runs; its question is asked first. */
  readonly transition: Transition | undefined
  /** Why this person cannot switch it now, in words. */
  readonly refusal: string | undefined
}

const noRight = (title: string) => `没有「${title}」权限，请联系管理员开通`

/**
 * The switch of a row's field; undefined where the field is no switch, or nobody can set it.
 * The rights are the server's: they stand in `row.can`.
 */
export function rowSwitch(resource: Pick<Resource, 'label' | 'fields' | 'where' | 'actions' | 'transitions'>, row: SwitchedRow, key: string): RowSwitch | undefined {
  const field = resource.fields[key]
  if (!field || !('on' in field) || (row.deleted_at ?? null) !== null) return undefined
  const value = row[key] === 1 ? 1 : 0
  if (field.shelf) {
    const next = value === 1 ? 0 : 1
    const transition = shelfEdge(resource, field, next)
    const refused = shelfRefusal(resource, field, row[field.shelf.state], next)
    const refusal = refused ? `当前状态为「${refused.state}」，不能${refused.action}`
      : transition && row.can.includes(transition.name) ? undefined : row.cannot?.[transition?.name ?? ''] ?? noRight(`${resource.label} · ${transition?.label ?? field.label}`)
    return { field, value, transition, refusal }
  }
  if (field.readonly || field.createOnly || key in resource.where || !resource.actions.update) return undefined
  return { field, value, transition: undefined, refusal: row.can.includes('edit') ? undefined : row.cannot?.['edit'] ?? noRight(`${resource.label} · ${STANDARD_ACTIONS.edit.title}`) }
}
