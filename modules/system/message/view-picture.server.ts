import { choicesOf } from '../../../core/field/choice.ts'
import { formatMoney } from '../../../core/field/number.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { boardStates, groupingOf, parseLook, type Grouping } from '../../../core/list/look.ts'
import { groupWords, inOrder } from '../../../core/list/narrow.ts'
import { parseListState } from '../../../core/list/list-state.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { groupKeys, hasMoments } from '../../../core/resource/groups.ts'
import { readGroups } from '../../../core/resource/groups.server.ts'
import { NOTHING_COMPUTED } from '../../../core/resource/list.server.ts'
import { fieldOf } from '../../../core/resource/meta-fields.ts'
import type { ResourceService } from '../../../core/resource/serve.server.ts'
import type { Query } from '../../../core/resource/where.server.ts'
import { barsPicture } from '../../../core/subscription/picture.ts'

/** Bars of one picture; what comes after them is said in words. */
const MOST_BARS = 20

/** What a view counts, as it is looked at; undefined where it shows records. */
export interface CountedView { readonly by: Grouping; readonly sum?: string | undefined }

/** By what a view counts its records. @param search its query, as it stands in an address */
export function countedView(resource: Resource, search: string): CountedView | undefined {
  const look = parseLook(resource, parseListState(new URLSearchParams(search)).look)
  if (look.kind === 'chart') return { by: look.by, sum: look.sum }
  if (look.kind === 'table') return look.by && { by: look.by }
  const states = look.kind === 'board' ? boardStates(resource) : undefined
  return states && groupKeys(resource).includes(states.key) ? { by: groupingOf(resource, states.key) } : undefined
}

/** Whether what a view counts names no records: people of a group may see less of them than whoever sends it there. */
export const namesNobody = (resource: Resource, { by }: CountedView): boolean => hasMoments(resource, by.key) || choicesOf(fieldOf(resource, by.key)) !== undefined

/** A view's counts as a drawing, read as the list reads them for this person. */
export async function drawCounts({ db, registry }: Pick<Kernel, 'db' | 'registry'>, staff: Staff, { resource, rules: { computed = NOTHING_COMPUTED } }: ResourceService, { by, sum }: CountedView, query: Query, title: string, lines: readonly string[]): Promise<string> {
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  const { groups, rest } = await readGroups(db, resource, staff, { ...query, group_by: by.key, ...(by.unit && { group_unit: by.unit }) }, { computed, targets })
  const field = sum === undefined ? undefined : fieldOf(resource, sum)
  const words = (value: number) => (field?.sheet.type === 'money' ? formatMoney(value) : value.toLocaleString('zh-CN'))
  // Of moments the latest are the first ones that were read, and are drawn as they follow.
  const shown = inOrder(resource, by, groups.slice(0, MOST_BARS))
  const left = groups.length - shown.length + (rest?.groups ?? 0)
  const measure = `${field?.label ?? '数量'}，按${fieldOf(resource, by.key).label}${left > 0 ? `；另有 ${left} 组没有画出` : ''}`
  return barsPicture({ title, lines: [...lines, measure] }, shown.map((group) => {
    const value = sum === undefined ? group.count : group.sums[sum] ?? 0
    return { name: groupWords(resource, by, group), value, words: words(value) }
  }))
}
