/** What differs between two states of a paper. */
import { itemsOf, totalScore, type PaperBody, type PaperItem } from '../compose/body.ts'
import { numbered, type Numbers } from '../compose/heading.ts'

/** A question's place: the number that it begins with, and its section. */
export interface ItemPosition {
  readonly number: number
  readonly section: string
}

export interface QuestionChange {
  readonly practice_id: number
  /** Where it was and is; absent where it is not in the paper. */
  readonly from: (ItemPosition & Pick<PaperItem, 'score' | 'version_no'>) | undefined
  readonly to: (ItemPosition & Pick<PaperItem, 'score' | 'version_no'>) | undefined
  readonly kinds: readonly ChangeKind[]
}

export const CHANGE_KINDS = { added: '新增', removed: '移除', rescored: '改分', updated: '换了版本', moved: '调整位置' } as const
export type ChangeKind = keyof typeof CHANGE_KINDS

export interface Comparison {
  readonly questions: readonly QuestionChange[]
  /** Sections that are new, gone or named otherwise, in words. */
  readonly sections: readonly string[]
  readonly count: readonly [from: number, to: number]
  readonly points: readonly [from: number, to: number]
}

function places(body: PaperBody, numbers: Numbers) {
  return new Map(numbered(body, numbers).flatMap(({ section, items }) => items.map(({ item, from }) => [item.practice_id, { number: from, section: section.name, key: section.key, item }] as const)))
}

/** Questions of both states that stand in another section, or in another order among those that both have. */
function movedBetween(from: PaperBody, to: PaperBody): ReadonlySet<number> {
  const rows = (body: PaperBody) => body.sections.flatMap(({ key, items }) => items.map(({ practice_id }) => ({ id: practice_id, key })))
  const [before, after] = [new Map(rows(from).map(({ id, key }) => [id, key])), rows(to).filter(({ id }) => itemsOf(from).some(({ practice_id }) => practice_id === id))]
  const order = new Map(rows(from).filter(({ id }) => after.some((one) => one.id === id)).map(({ id }, index) => [id, index]))
  // What lies on the longest rising run has kept its order; the fewest questions count as moved.
  const best: { id: number; rank: number; length: number; previous: number }[] = []
  for (const { id } of after) {
    const rank = order.get(id) ?? 0
    let [length, previous] = [1, -1]
    for (const [at, one] of best.entries()) if (one.rank < rank && one.length + 1 > length) [length, previous] = [one.length + 1, at]
    best.push({ id, rank, length, previous })
  }
  const kept = new Set<number>()
  for (let at = best.findIndex(({ length }) => length === Math.max(...best.map((one) => one.length))); at >= 0; at = best[at]?.previous ?? -1) kept.add(best[at]?.id ?? 0)
  return new Set(after.flatMap(({ id, key }) => (kept.has(id) && before.get(id) === key ? [] : [id])))
}

/**
 * @param numbers how many numbers a question takes
 * @returns questions that differ, in the order of the later state, those that are gone last
 */
export function compare(from: PaperBody, to: PaperBody, numbers: Numbers): Comparison {
  const [before, after, moved] = [places(from, numbers), places(to, numbers), movedBetween(from, to)]
  const questions = [...new Set([...after.keys(), ...before.keys()])].flatMap((practice_id): QuestionChange[] => {
    const [old, now] = [before.get(practice_id), after.get(practice_id)]
    const kinds: ChangeKind[] = !old ? ['added'] : !now ? ['removed'] : [
      ...(old.item.score !== now.item.score || old.item.sub_scores.join() !== now.item.sub_scores.join() ? ['rescored' as const] : []),
      ...(old.item.version_no !== now.item.version_no ? ['updated' as const] : []),
      ...(moved.has(practice_id) ? ['moved' as const] : []),
    ]
    const place = (one: typeof old) => one && { number: one.number, section: one.section, score: one.item.score, version_no: one.item.version_no }
    return kinds.length > 0 ? [{ practice_id, from: place(old), to: place(now), kinds }] : []
  })
  const sections = [
    ...to.sections.flatMap(({ key, name, title, instruction }) => {
      const old = from.sections.find((section) => section.key === key)
      if (!old) return [`新增大题「${name}」`]
      return old.name !== name ? [`大题「${old.name}」改名为「${name}」`] : old.title !== title || old.instruction !== instruction ? [`大题「${name}」改了标题或说明`] : []
    }),
    ...from.sections.flatMap(({ key, name }) => (to.sections.some((section) => section.key === key) ? [] : [`删除大题「${name}」`])),
  ]
  return { questions, sections, count: [before.size, after.size], points: [totalScore(from), totalScore(to)] }
}
