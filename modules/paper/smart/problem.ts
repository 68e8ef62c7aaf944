/**
 * What a smart paper asks for (domain 3.7), without database or screen: cells to fill, candidates that may fill them,
 * limits that always hold, aims that are met as well as the bank allows.
 */

/** A question as far as composing needs to know it. */
export interface PracticeCandidate {
  readonly id: number
  /** Indices of the cells that it may fill. */
  readonly cells: readonly number[]
  /** Difficulty coefficient: expected share of points, 0 to 1; easy is near 1. */
  readonly coef: number
  /** Knowledge that it carries itself; limits count these. */
  readonly labels: readonly number[]
  /** Knowledge of the aims that it covers, by its labels or by one below them. */
  readonly covers: readonly number[]
  readonly source: string | null
  /** Year of the source; null when unknown. */
  readonly year: number | null
  /** Expected time of answering, seconds. */
  readonly seconds: number
  /** Duplicates and variants of each other share a cluster; at most one of them comes into a paper. */
  readonly cluster: number | null
  /** Whether any paper has it. */
  readonly used?: boolean
  /** In how many of the last papers it was used. */
  readonly repeats: number
}

/** One row of the specification table, or a whole section that nothing narrows. */
export interface Cell {
  readonly section: number
  readonly count: number
  /** Points of each question. */
  readonly score: number
}

/** Bands of the difficulty coefficient (domain 3.2: 0.7 and above is easy, below 0.5 hard). */
export const BANDS = ['easy', 'medium', 'hard'] as const
export type Band = (typeof BANDS)[number]

export function bandOf(coef: number): Band {
  return coef >= 0.7 ? 'easy' : coef >= 0.5 ? 'medium' : 'hard'
}

/** What the paper should be like; each term is weighed, none is a condition. */
export interface Aims {
  /** Difficulty coefficient of the whole paper, weighed by points. */
  readonly coef?: number | undefined
  /** Share of the points per band, adding up to 1. */
  readonly bands?: Readonly<Record<Band, number>> | undefined
  /** Knowledge that should come up, by weight. */
  readonly coverage?: readonly { readonly label: number; readonly weight: number }[] | undefined
  /** Time of answering, minutes. */
  readonly minutes?: number | undefined
  /** The year that sources are held against. */
  readonly thisYear: number
}

/** What always holds. */
export interface Limits {
  readonly perLabel?: number | undefined
  readonly perSource?: number | undefined
  /** Questions that must stay, each in its cell. */
  readonly locked?: readonly { readonly id: number; readonly cell: number }[] | undefined
}

export interface Problem {
  readonly cells: readonly Cell[]
  readonly candidates: readonly PracticeCandidate[]
  readonly aims: Aims
  readonly limits: Limits
  /** Equal seeds give equal papers. */
  readonly seed: number
}

/** Weights of the terms. A term of 1 is a whole miss: every point off, nothing covered, all of it used before. */
export const WEIGHTS = { coef: 4, bands: 2, coverage: 2, repeat: 1, age: 0.5, time: 1 } as const
export type Term = keyof typeof WEIGHTS

export interface Pick {
  readonly cell: number
  readonly id: number
}

/** How far a choice is from what was asked, term by term, unweighted; 0 is exactly as asked. */
export function terms(problem: Problem, picks: readonly Pick[]): Record<Term, number> {
  const { cells, aims } = problem
  const byId = new Map(problem.candidates.map((candidate) => [candidate.id, candidate]))
  const chosen = picks.map(({ cell, id }) => ({ candidate: byId.get(id) as PracticeCandidate, score: (cells[cell] as Cell).score }))
  const points = cells.reduce((sum, { count, score }) => sum + count * score, 0)
  const questions = cells.reduce((sum, { count }) => sum + count, 0)
  const share = (value: number) => value / Math.max(points, 1)
  const coef = share(chosen.reduce((sum, { candidate, score }) => sum + candidate.coef * score, 0))
  const covered = new Set(chosen.flatMap(({ candidate }) => candidate.covers))
  const weight = (aims.coverage ?? []).reduce((sum, one) => sum + one.weight, 0)
  return {
    coef: aims.coef === undefined ? 0 : Math.abs(coef - aims.coef),
    bands: aims.bands === undefined ? 0 : BANDS.reduce((sum, band) => {
      const got = share(chosen.reduce((total, { candidate, score }) => total + (bandOf(candidate.coef) === band ? score : 0), 0))
      return sum + Math.abs(got - (aims.bands?.[band] ?? 0))
    }, 0),
    coverage: weight === 0 ? 0 : 1 - (aims.coverage ?? []).reduce((sum, one) => sum + (covered.has(one.label) ? one.weight : 0), 0) / weight,
    repeat: chosen.reduce((sum, { candidate }) => sum + repeatCost(candidate), 0) / Math.max(questions, 1),
    age: chosen.reduce((sum, { candidate }) => sum + ageCost(candidate, aims.thisYear), 0) / Math.max(questions, 1),
    time: aims.minutes === undefined ? 0
      : Math.abs(chosen.reduce((sum, { candidate }) => sum + candidate.seconds, 0) - aims.minutes * 60) / (aims.minutes * 60),
  }
}

/** Weighed sum of the terms. */
export function penalty(problem: Problem, picks: readonly Pick[]): number {
  const found = terms(problem, picks)
  return (Object.keys(WEIGHTS) as Term[]).reduce((sum, term) => sum + WEIGHTS[term] * found[term], 0)
}

/** Used once is half as bad as used every time. */
export function repeatCost({ repeats }: PracticeCandidate): number {
  return repeats / (repeats + 1)
}

/** 0 for this year's, 1 for what is ten years old; a source without a year counts as five years old. */
export function ageCost({ year }: PracticeCandidate, thisYear: number): number {
  return Math.min(Math.max(thisYear - (year ?? thisYear - 5), 0) / 10, 1)
}

/** Whether a choice breaks something that always holds, in words for a test or a log; undefined when it does not. */
export function broken(problem: Problem, picks: readonly Pick[]): string | undefined {
  const { cells, limits } = problem
  const byId = new Map(problem.candidates.map((candidate) => [candidate.id, candidate]))
  const count = (keys: readonly (string | number)[]) => keys.reduce((map, key) => map.set(key, (map.get(key) ?? 0) + 1), new Map<string | number, number>())
  const over = (keys: readonly (string | number)[], most: number) => [...count(keys).values()].some((n) => n > most)
  const chosen = picks.map(({ id }) => byId.get(id))
  if (chosen.some((candidate) => candidate === undefined)) return 'a question that is no candidate'
  const known = chosen as PracticeCandidate[]
  if (over(picks.map(({ id }) => id), 1)) return 'a question twice'
  if (picks.some(({ cell, id }) => !byId.get(id)?.cells.includes(cell))) return 'a question in a cell that it does not fit'
  const filled = count(picks.map(({ cell }) => cell))
  if (cells.some((cell, index) => (filled.get(index) ?? 0) > cell.count)) return 'a cell with too many'
  if (over(known.flatMap(({ cluster }) => cluster ?? []), 1)) return 'two variants of one question'
  if (limits.perLabel !== undefined && over(known.flatMap(({ labels }) => [...new Set(labels)]), limits.perLabel)) return 'too many of one label'
  if (limits.perSource !== undefined && over(known.flatMap(({ source }) => source ?? []), limits.perSource)) return 'too many of one source'
  if ((limits.locked ?? []).some((lock) => !picks.some(({ cell, id }) => cell === lock.cell && id === lock.id))) return 'a locked question is gone'
  return undefined
}
