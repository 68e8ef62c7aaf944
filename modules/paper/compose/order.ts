/** Order by the rule of a subject (spec 9: single, multiple, fill-in, experiment, answer, comprehensive; domain 3.6). */
import type { Change, PaperBody, PaperItem } from './body.ts'
import { itemsOf } from './body.ts'

/** One group of `practice_category_rule`, as GET practice_order_rule answers it. */
export interface OrderGroup {
  readonly group_no: number
  readonly name: string
  readonly category_ids: readonly number[]
}

/** What the order needs to know of a question. */
export interface Orderable {
  readonly category_id: number | null
  /** 1 hard to 5 easy. */
  readonly difficulty: number | null
  readonly chapter: number | null
}

/**
 * Puts every question into the section of its group, groups in the order of the rule; within a group easy before hard,
 * then by chapter. Questions of no group come last, in 其他.
 * @returns changes; sections that end up empty are dropped
 */
export function orderByRule(body: PaperBody, groups: readonly OrderGroup[], about: (practiceId: number) => Orderable | undefined): Change[] {
  const rest: OrderGroup = { group_no: Number.MAX_SAFE_INTEGER, name: '其他题', category_ids: [] }
  const ordered = [...groups.toSorted((a, b) => a.group_no - b.group_no), rest]
  const groupOf = ({ practice_id }: PaperItem) => {
    const category = about(practice_id)?.category_id
    return ordered.find(({ category_ids }) => category !== null && category !== undefined && category_ids.includes(category)) ?? rest
  }
  const key = ({ practice_id }: PaperItem): [number, number, number] => {
    const known = about(practice_id)
    return [-(known?.difficulty ?? 3), known?.chapter ?? Number.MAX_SAFE_INTEGER, practice_id]
  }
  const easyFirst = (a: PaperItem, b: PaperItem): number => {
    const [left, right] = [key(a), key(b)]
    return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
  }
  const byGroup = Map.groupBy(itemsOf(body), groupOf)
  const wanted = ordered.flatMap((group) => {
    const items = byGroup.get(group)
    return items ? [{ section: sectionFor(body, group), items: items.toSorted(easyFirst).map(({ practice_id }) => practice_id) }] : []
  })
  const kept = new Set(wanted.map(({ section }) => section.key))
  return [
    ...wanted.flatMap(({ section }): Change[] => (body.sections.some(({ key: one }) => one === section.key) ? [] : [{ do: 'section', key: section.key, name: section.name, title: '', instruction: '' }])),
    { do: 'arrange', order: wanted.map(({ section, items }) => ({ key: section.key, items })) },
    ...body.sections.flatMap((section): Change[] => (kept.has(section.key) ? [] : [{ do: 'drop-section', key: section.key }])),
  ]
}

/** The section of a group: one of its name, or a new one. */
function sectionFor(body: PaperBody, group: OrderGroup) {
  return body.sections.find(({ name }) => name === group.name) ?? { key: `g${group.group_no === Number.MAX_SAFE_INTEGER ? 'rest' : group.group_no}`, name: group.name }
}
