import { orderOf, type Change, type PaperBody } from './body.ts'
import { homeOf, placeOf, sectionNameOf } from './kinds.ts'

/** A question as far as picking it needs to know it. */
export interface Pickable {
  readonly id: number
  readonly version_no: number
  readonly type: number
  readonly score: number | null
  readonly category_name: string | null
}

/** A question's points where nobody has said: what such questions have in exams. */
const USUAL_SCORE: Readonly<Record<number, number>> = { 1: 5, 2: 6, 3: 5, 4: 12, 5: 15, 6: 15 }

/** Points of a question that says none. */
export const usualScore = (type: number): number => USUAL_SCORE[type] ?? 5

const itemOf = ({ id, version_no, type, score }: Pickable) => ({ practice_id: id, version_no, score: score ?? usualScore(type), sub_scores: [] })

/** A key that no section of the paper has: two that are made in one moment are two. */
export function newKey(body: PaperBody): string {
  for (;;) {
    const key = `s${Math.random().toString(36).slice(2, 10)}`
    if (!body.sections.some((section) => section.key === key)) return key
  }
}

/**
 * Changes that add a question to a paper.
 * @param pinned the section that all questions go into for now; else one of its kind, which is opened where papers have it when there is none
 */
export function pickInto(body: PaperBody, question: Pickable, pinned: string | undefined): Change[] {
  const home = body.sections.find(({ key }) => key === pinned) ?? homeOf(body, question)
  if (home) return [{ do: 'item', section: home.key, item: { ...itemOf(question), ...(home.each !== undefined && question.type <= 4 && { score: home.each }) } }]
  const key = newKey(body)
  const place = placeOf(body, question)
  return [
    { do: 'section', key, name: sectionNameOf(question), title: '', instruction: '' },
    { do: 'item', section: key, item: itemOf(question) },
    ...(place < body.sections.length ? [{ do: 'arrange' as const, order: orderOf(body).order.toSpliced(place, 0, { key, items: [question.id] }) }] : []),
  ]
}

/** Changes that take questions over in their newest versions: one, or all that the paper holds in an older one. */
export function updates(body: PaperBody, cards: ReadonlyMap<number, { latest: number }>, only?: number): Change[] {
  return body.sections.flatMap(({ key, items }) => items.flatMap((item): Change[] => {
    const latest = cards.get(item.practice_id)?.latest ?? item.version_no
    if (latest === item.version_no || (only !== undefined && only !== item.practice_id)) return []
    return [{ do: 'item', section: key, item: { ...item, version_no: latest }, instead_of: item.practice_id }]
  }))
}

/** Changes that put a question into the place of another one, with the points of that place. */
export function pickInstead(body: PaperBody, question: Pickable, of: number): Change[] {
  const home = body.sections.find(({ items }) => items.some(({ practice_id }) => practice_id === of))
  const old = home?.items.find(({ practice_id }) => practice_id === of)
  return home && old ? [{ do: 'item', section: home.key, item: { ...itemOf(question), score: old.score }, instead_of: of }] : []
}
