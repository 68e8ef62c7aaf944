/** What a paper is like (domain 3.6): the panel beside the editor, recalculated with every change. */
import type { PaperItem } from './body.ts'

/** What the analysis needs to know of a question. */
export interface Described {
  readonly type: number
  readonly category: string | null
  /** 1 hard to 5 easy. */
  readonly difficulty: number | null
  /** Expected share of the points, 0 to 1. */
  readonly coef: number | null
  readonly cognitive: string | null
  /** Knowledge, the main one first. */
  readonly labels: readonly { readonly id: number; readonly name: string }[]
  readonly est_seconds: number | null
  readonly source_years: readonly number[]
  /** How many of the last papers of the subject it stands in, beside this one. */
  readonly repeats: number
  readonly has_video: boolean
}

/** Part of the points; the shares of one list add up to 1 but for knowledge, of which a question has several. */
export interface Share {
  readonly name: string
  readonly count: number
  readonly points: number
  /** 0 to 1 of the paper's points. */
  readonly share: number
}

export interface Analysis {
  readonly count: number
  readonly points: number
  /** Expected share of the points, weighed by points; null when no question says anything of it. */
  readonly coef: number | null
  readonly difficulty: readonly Share[]
  readonly types: readonly Share[]
  readonly knowledge: readonly Share[]
  readonly cognitive: readonly Share[]
  readonly minutes: number
  /** Points of questions whose newest source is at most three years old. */
  readonly recent: number
  /** Questions that stand in one of the last papers too. */
  readonly repeated: readonly number[]
  /** Questions with a video, 0 to 1. */
  readonly video: number
}

/** spec 9: 1-2 hard, 3 medium, 4-5 easy. */
const DIFFICULTY_NAMES = ['', '难', '难', '中', '易', '易']
/** domain 3.2 read backwards: the middle of each band of the coefficient. */
const COEF_OF_DIFFICULTY: Readonly<Record<number, number>> = { 1: 0.2, 2: 0.4, 3: 0.6, 4: 0.775, 5: 0.925 }
/** Seconds when a question says nothing: by type, from 1 single choice to 6 reading. */
const SECONDS_OF_TYPE: Readonly<Record<number, number>> = { 1: 120, 2: 180, 3: 180, 4: 600, 5: 900, 6: 900 }
const RECENT_YEARS = 3

/** Expected share of points of a question: measured, or from its difficulty. */
export const coefOf = ({ coef, difficulty }: Pick<Described, 'coef' | 'difficulty'>): number | null =>
  coef ?? (difficulty === null ? null : COEF_OF_DIFFICULTY[difficulty] ?? null)

/** Expected time of answering, seconds. */
export const secondsOf = ({ est_seconds, type }: Pick<Described, 'est_seconds' | 'type'>): number => est_seconds ?? SECONDS_OF_TYPE[type] ?? 300

/** All hard, or all easy, from this share of the points on; the coefficient then lies on the other side of the middle. */
const NEARLY_ALL = 0.8
const MIDDLE = 0.7

/** What in a paper's figures does not agree: hard questions whose coefficients promise nearly all points, or the other way round. */
export function contradiction({ difficulty, coef }: Pick<Analysis, 'difficulty' | 'coef'>): string | null {
  const share = (name: string) => difficulty.find((one) => one.name === name)?.share ?? 0
  if (coef === null) return null
  if (share('难') >= NEARLY_ALL && coef > MIDDLE) return `几乎都是难题，难度系数却是 ${coef.toFixed(2)}；请核对试题的难度和难度系数`
  if (share('易') >= NEARLY_ALL && coef < 1 - MIDDLE) return `几乎都是容易题，难度系数却是 ${coef.toFixed(2)}；请核对试题的难度和难度系数`
  return null
}

/**
 * @param items the questions with their points; those that `about` does not know are left out
 * @param typeName name of a question's kind where its subject gives none
 */
export function analyse(items: readonly PaperItem[], about: (practiceId: number) => Described | undefined, typeName: (type: number) => string, thisYear: number): Analysis {
  const known = items.flatMap((item) => {
    const described = about(item.practice_id)
    return described ? [{ ...described, id: item.practice_id, score: item.score }] : []
  })
  const points = known.reduce((sum, { score }) => sum + score, 0)
  const part = (value: number) => (points === 0 ? 0 : value / points)
  const shares = (names: (one: (typeof known)[number]) => readonly string[]): Share[] => {
    const found = new Map<string, { count: number; points: number }>()
    for (const one of known) {
      for (const name of new Set(names(one))) {
        const before = found.get(name) ?? { count: 0, points: 0 }
        found.set(name, { count: before.count + 1, points: before.points + one.score })
      }
    }
    return [...found].map(([name, sums]) => ({ name, ...sums, share: part(sums.points) })).toSorted((a, b) => b.points - a.points || b.count - a.count)
  }
  const judged = known.flatMap((one) => {
    const coef = coefOf(one)
    return coef === null ? [] : [{ coef, score: one.score }]
  })
  const judgedPoints = judged.reduce((sum, { score }) => sum + score, 0)
  return {
    count: known.length,
    points,
    coef: judgedPoints === 0 ? null : judged.reduce((sum, { coef, score }) => sum + coef * score, 0) / judgedPoints,
    difficulty: ['易', '中', '难', '未标'].flatMap((name) => shares(({ difficulty }) => [DIFFICULTY_NAMES[difficulty ?? 0] || '未标']).filter((one) => one.name === name)),
    types: shares(({ category, type }) => [category ?? typeName(type)]),
    knowledge: shares(({ labels }) => labels.map(({ name }) => name)),
    cognitive: shares(({ cognitive }) => [cognitive ?? '未标']),
    minutes: Math.round(known.reduce((sum, one) => sum + secondsOf(one), 0) / 60),
    recent: part(known.filter(({ source_years }) => Math.max(0, ...source_years) >= thisYear - RECENT_YEARS).reduce((sum, { score }) => sum + score, 0)),
    repeated: known.filter(({ repeats }) => repeats > 0).map(({ id }) => id),
    video: known.length === 0 ? 0 : known.filter(({ has_video }) => has_video).length / known.length,
  }
}
