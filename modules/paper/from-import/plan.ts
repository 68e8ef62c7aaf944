/** How the questions of an imported file become the sections of a paper. */
import { sum } from '../compose/body.ts'

/** A question of the file, as far as the plan needs it. */
export interface PlannedItem {
  readonly ord: number
  readonly place: string
  readonly score: number | null
  /** Points of its sub-questions, as they were read. */
  readonly parts: readonly (number | null)[]
  readonly section: { readonly at: number; readonly part: string; readonly name: string; readonly title: string; readonly instruction: string; readonly count: number | null; readonly total: number | null } | null
}

export interface PlannedSection {
  readonly key: string
  readonly part: string
  readonly name: string
  readonly title: string
  readonly instruction: string
  readonly items: readonly { readonly ord: number; readonly score: number; readonly sub_scores: number[] }[]
}

const isHalf = (points: number) => points >= 0 && points <= 300 && Number.isInteger(points * 2)
const numbersOf = ({ parts }: PlannedItem) => Math.max(parts.length, 1)

/** Points of a question, and of its parts where they add up to them; 0 where the file says nothing that can be used. */
function pointsOf({ score, parts }: PlannedItem): { score: number; sub_scores: number[] } {
  const known = parts.every((part): part is number => part !== null && isHalf(part)) ? parts : []
  const all = score ?? (known.length > 0 ? sum(known) : 0)
  if (!isHalf(all)) return { score: 0, sub_scores: [] }
  return { score: all, sub_scores: known.length > 0 && sum(known) === all ? [...known] : [] }
}

/**
 * Sections in the order of the file, and what the file itself says that differs from what was read.
 * @param total points of the whole, as the file names them
 */
export function planPaper(items: readonly PlannedItem[], total: number | null): { sections: PlannedSection[]; notes: string[] } {
  const notes: string[] = []
  const groups = [...Map.groupBy(items, ({ section }) => section?.at ?? -1).entries()].toSorted(([a], [b]) => a - b)
  const sections = groups.map(([at, group]): PlannedSection => {
    const told = group[0]?.section
    const placed = group.map((item) => ({ ord: item.ord, ...pointsOf(item) }))
    const numbers = sum(group.map(numbersOf))
    const points = sum(placed.map(({ score }) => score))
    const name = told?.name ?? '试题'
    if (told?.count && told.count !== numbers) notes.push(`「${name}」写明 ${told.count} 小题，现有 ${numbers} 小题`)
    if (told?.total && told.total !== points) notes.push(`「${name}」写明共 ${told.total} 分，现有 ${points} 分`)
    const open = group.filter((item) => pointsOf(item).score === 0)
    if (open.length > 0) notes.push(`${open.map(({ place }) => place).slice(0, 5).join('、')}${open.length > 5 ? ` 等 ${open.length} 题` : ''}没有读出分值`)
    return { key: `f${at + 1}`, part: told?.part ?? '', name, title: told?.title ?? '', instruction: told?.instruction ?? '', items: placed }
  })
  const points = sum(sections.flatMap((section) => section.items.map(({ score }) => score)))
  if (total !== null && total !== points) notes.push(`全卷写明 ${total} 分，现有 ${points} 分`)
  return { sections, notes }
}
