/** How points are given out (domain 3.6): evenly, by section, back from a total. All in halves of a point. */
import { type Change, itemsOf, type PaperBody, sum } from './body.ts'

const HALF = 2
type ScoreChange = Extract<Change, { do: 'score' }>

/**
 * Shares a number of points in proportion, in halves; what is left over goes to the largest remainders.
 * @param total points, a multiple of 0.5
 * @param weights one of each share; all zero means evenly
 * @returns shares that add up to `total` exactly
 */
export function share(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) return []
  const all = sum(weights)
  const exact = weights.map((weight) => (total * HALF * (all === 0 ? 1 / weights.length : weight / all)))
  const shares = exact.map(Math.floor)
  const rest = Math.round(total * HALF) - sum(shares)
  const first = exact.map((value, index) => ({ index, remainder: value - Math.floor(value) })).toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of first.slice(0, rest)) shares[index] = (shares[index] ?? 0) + 1
  return shares.map((value) => value / HALF)
}

/** A question's new points, shared out to its sub-questions as before. */
function rescored(item: { practice_id: number; score: number; sub_scores: readonly number[] }, score: number): ScoreChange[] {
  if (item.score === score) return []
  return [{ do: 'score', practice_id: item.practice_id, score, sub_scores: share(score, item.sub_scores) }]
}

/** The same points for every question of a section, or of the paper when no section is named. */
export function scoreEach(body: PaperBody, score: number, section?: string): ScoreChange[] {
  return body.sections.filter(({ key }) => section === undefined || key === section).flatMap(({ items }) => items.flatMap((item) => rescored(item, score)))
}

/** What a kind of question gets: for each question, or for each of its own questions where it is a passage. */
export interface KindPoints {
  readonly score: number
  readonly passages: boolean
}

/** The same points for every question of a kind, in whatever section it stands; kinds that are not named keep theirs. */
export function scoreKinds(body: PaperBody, points: ReadonlyMap<string, KindPoints>, about: (practiceId: number) => { kind: string; children: number } | undefined): ScoreChange[] {
  return itemsOf(body).flatMap((item): ScoreChange[] => {
    const known = about(item.practice_id)
    const given = known && points.get(known.kind)
    if (!known || !given) return []
    if (!given.passages || known.children < 1) return rescored(item, given.score)
    const sub_scores = Array.from({ length: known.children }, () => given.score)
    const score = sum(sub_scores)
    return score === item.score && sub_scores.join() === item.sub_scores.join() ? [] : [{ do: 'score', practice_id: item.practice_id, score, sub_scores }]
  })
}

/** Points back from a total: in proportion to what the questions have, evenly when they have none. */
export function scoreTotal(body: PaperBody, total: number): ScoreChange[] {
  const items = itemsOf(body)
  const shares = share(total, items.map((item) => item.score))
  return items.flatMap((item, index) => rescored(item, shares[index] ?? 0))
}
