import { shelves } from '../resource/switch.ts'
import { statusKey } from '../resource/status.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Resource } from '../resource/define.ts'
import { widthOf } from '../field/width.ts'

/** More columns than these nobody reads (docs/design.md). */
const MOST_COLUMNS = 8
/** What is left for a list at 1440 px beside the open menu, in pixels. */
const LIST_WIDTH = 1440 - 210 - 8
/** Boxes to choose rows by, in pixels. */
export const SELECT_WIDTH = 44
/** The next step and the menu of all others, in pixels. */
export const ACTIONS_WIDTH = 112
/** The least that names a record, in pixels; it also takes what the others leave. */
export const IDENTITY_WIDTH = 200

/** The column that names a record: its title where the list begins with it, also behind a picture or a number, else the first. */
export function identityKey(resource: Resource): string {
  const { columns } = resource.list
  return columns.slice(0, 2).includes(resource.title) ? resource.title : columns[0] ?? 'id'
}

/**
 * The columns that a list shows to somebody who has chosen none: what names the record, where it stands, and of the others in
 * their order those that fit 1440 px without scrolling. The rest is one click away.
 */
export function defaultColumns(resource: Resource): string[] {
  const identity = identityKey(resource)
  const status = statusKey(resource)
  // A switch of states is what people come for as much as the state itself.
  const states = new Set([...(status === undefined || status === identity ? [] : [status]), ...shelves(resource).map(([key]) => key)].filter((key) => !(key in resource.where)))
  const above = new Set([identity, ...resource.list.under])
  const others = resource.list.columns.filter((key) => !above.has(key) && !states.has(key))
  const shown = [identity]
  let room = LIST_WIDTH - SELECT_WIDTH - ACTIONS_WIDTH - IDENTITY_WIDTH
  for (const key of [...states, ...others]) {
    const width = widthOf(fieldOf(resource, key))
    if (shown.length >= MOST_COLUMNS || width > room) continue
    room -= width
    shown.push(key)
  }
  return shown
}
