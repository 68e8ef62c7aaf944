import { ageCost, BANDS, bandOf, repeatCost, WEIGHTS, type Band, type PracticeCandidate, type Pick, type Problem } from './problem.ts'

/** Rounds that begin again from the best paper with a few questions exchanged at random. */
const ROUNDS = 30
const KICK = 4
/** Candidates per place that the rounds look at, those first that are liked best. */
const NARROW = 8
const EPSILON = 1e-9
const NONE: readonly number[] = []

/** What a question in a cell is likely to cost. */
export type Price = (candidate: PracticeCandidate, cell: number) => number

/** What is asked of a candidate again and again. */
interface Facts {
  readonly linear: number
  readonly band: Band
  readonly labels: readonly number[]
  readonly covers: readonly number[]
}

/** Running sums of a paper, so that the worth of one exchange is known without adding up the rest. */
class Sums {
  private coef = 0
  private seconds = 0
  private linear = 0
  private covered = 0
  private readonly bands: Record<Band, number> = { easy: 0, medium: 0, hard: 0 }
  private readonly coverCount = new Map<number, number>()
  private readonly labelCount = new Map<number, number>()
  private readonly sourceCount = new Map<string, number>()
  private readonly clusterCount = new Map<number, number>()
  private readonly labelWeight: ReadonlyMap<number, number>
  private readonly allWeight: number
  private readonly points: number
  private readonly questions: number
  private readonly problem: Problem
  private readonly facts: ReadonlyMap<PracticeCandidate, Facts>

  constructor(problem: Problem) {
    this.problem = problem
    this.facts = new Map(problem.candidates.map((candidate) => [candidate, {
      linear: WEIGHTS.repeat * repeatCost(candidate) + WEIGHTS.age * ageCost(candidate, problem.aims.thisYear),
      band: bandOf(candidate.coef), labels: [...new Set(candidate.labels)], covers: [...new Set(candidate.covers)],
    }]))
    this.points = Math.max(problem.cells.reduce((sum, { count, score }) => sum + count * score, 0), 1)
    this.questions = Math.max(problem.cells.reduce((sum, { count }) => sum + count, 0), 1)
    this.labelWeight = new Map((problem.aims.coverage ?? []).map(({ label, weight }) => [label, weight]))
    this.allWeight = [...this.labelWeight.values()].reduce((sum, weight) => sum + weight, 0)
  }

  change(candidate: PracticeCandidate, score: number, sign: 1 | -1): void {
    const { linear, band, labels, covers } = this.factsOf(candidate)
    this.coef += sign * candidate.coef * score
    this.seconds += sign * candidate.seconds
    this.linear += sign * linear
    this.bands[band] += sign * score
    for (const label of labels) this.labelCount.set(label, (this.labelCount.get(label) ?? 0) + sign)
    for (const label of covers) {
      const before = this.coverCount.get(label) ?? 0
      this.coverCount.set(label, before + sign)
      if ((before === 0) !== (before + sign === 0)) this.covered += sign * (this.labelWeight.get(label) ?? 0)
    }
    if (candidate.source !== null) this.sourceCount.set(candidate.source, (this.sourceCount.get(candidate.source) ?? 0) + sign)
    if (candidate.cluster !== null) this.clusterCount.set(candidate.cluster, (this.clusterCount.get(candidate.cluster) ?? 0) + sign)
  }

  /** Whether a further question keeps to what always holds. */
  admits({ cluster, labels, source }: PracticeCandidate): boolean {
    const { perLabel, perSource } = this.problem.limits
    if (cluster !== null && (this.clusterCount.get(cluster) ?? 0) > 0) return false
    if (perLabel !== undefined && labels.some((label) => (this.labelCount.get(label) ?? 0) >= perLabel)) return false
    return perSource === undefined || source === null || (this.sourceCount.get(source) ?? 0) < perSource
  }

  /** Worth of the paper as it is, or with one more question, which is not taken in: this is asked most of all. */
  penalty(more?: PracticeCandidate, score = 0): number {
    const { aims } = this.problem
    const facts = more && this.factsOf(more)
    let sum = (this.linear + (facts?.linear ?? 0)) / this.questions
    if (aims.coef !== undefined) sum += WEIGHTS.coef * Math.abs((this.coef + (more?.coef ?? 0) * score) / this.points - aims.coef)
    if (aims.bands) for (const band of BANDS) sum += WEIGHTS.bands * Math.abs((this.bands[band] + (facts?.band === band ? score : 0)) / this.points - aims.bands[band])
    if (this.allWeight > 0) {
      let { covered } = this
      for (const label of facts?.covers ?? NONE) if ((this.coverCount.get(label) ?? 0) === 0) covered += this.labelWeight.get(label) ?? 0
      sum += WEIGHTS.coverage * (1 - covered / this.allWeight)
    }
    if (aims.minutes !== undefined) sum += WEIGHTS.time * Math.abs((this.seconds + (more?.seconds ?? 0)) / (aims.minutes * 60) - 1)
    return sum
  }

  private factsOf(candidate: PracticeCandidate): Facts {
    const facts = this.facts.get(candidate)
    if (!facts) throw new Error(`question ${candidate.id} is no candidate`)
    return facts
  }
}

/** Fills the cells with the cheapest questions in turn, the rarest cell first; undefined when a place stays empty. */
export function fillGreedily(problem: Problem, price: Price): Pick[] | undefined {
  const byId = new Map(problem.candidates.map((candidate) => [candidate.id, candidate]))
  const picks: Pick[] = []
  const used = new Set<number>()
  const sums = new Sums(problem)
  const take = (candidate: PracticeCandidate | undefined, cell: number): boolean => {
    if (!candidate || used.has(candidate.id) || !sums.admits(candidate)) return false
    sums.change(candidate, 0, 1)
    used.add(candidate.id)
    picks.push({ cell, id: candidate.id })
    return true
  }
  if (!(problem.limits.locked ?? []).every(({ id, cell }) => take(byId.get(id), cell))) return undefined
  const cells = problem.cells.map((cell, index) => ({ index, count: cell.count, pool: problem.candidates.filter((candidate) => candidate.cells.includes(index)) }))
  for (const { index, count, pool } of cells.toSorted((a, b) => a.pool.length / a.count - b.pool.length / b.count)) {
    let missing = count - picks.filter(({ cell }) => cell === index).length
    for (const candidate of pool.toSorted((a, b) => price(a, index) - price(b, index))) {
      if (missing === 0) break
      if (take(candidate, index)) missing--
    }
    if (missing > 0) return undefined
  }
  return picks
}

/**
 * Exchanges questions of a paper for better ones of the same cell until no single exchange helps, several times from
 * slightly shaken beginnings. Keeps to what always holds; locked questions stay.
 * @param price what a question in a cell is likely to cost; the rounds look at the cheap ones only, the end at all
 * @param random numbers from 0 to 1; the same ones give the same paper
 */
export function polish(problem: Problem, start: readonly Pick[], price: Price, random: { next(): number }): Pick[] {
  const byId = new Map(problem.candidates.map((candidate) => [candidate.id, candidate]))
  const all = problem.cells.map((_, cell) => problem.candidates.filter(({ cells }) => cells.includes(cell)))
  const cheap = all.map((candidates, cell) => candidates.toSorted((a, b) => price(a, cell) - price(b, cell)).slice(0, 20 + NARROW * (problem.cells[cell]?.count ?? 0)))
  const locked = new Set((problem.limits.locked ?? []).map(({ id }) => id))
  const picks = [...start]
  const used = new Set(picks.map(({ id }) => id))
  const sums = new Sums(problem)
  const score = (cell: number) => problem.cells[cell]?.score ?? 0
  for (const { cell, id } of picks) sums.change(byId.get(id) as PracticeCandidate, score(cell), 1)
  const open = picks.flatMap(({ id }, place) => (locked.has(id) ? [] : [place]))

  /** Puts another question into a place. */
  const put = (place: number, next: PracticeCandidate) => {
    const { cell, id } = picks[place] as Pick
    sums.change(byId.get(id) as PracticeCandidate, score(cell), -1)
    sums.change(next, score(cell), 1)
    used.delete(id)
    used.add(next.id)
    picks[place] = { cell, id: next.id }
  }
  /** Puts the best question into a place; whether that was another one. */
  const improve = (place: number, among: readonly (readonly PracticeCandidate[])[]): boolean => {
    const { cell, id } = picks[place] as Pick
    const now = byId.get(id) as PracticeCandidate
    let least = sums.penalty() - EPSILON
    let best = now
    sums.change(now, score(cell), -1)
    for (const other of among[cell] ?? []) {
      if (used.has(other.id) || !sums.admits(other)) continue
      const penalty = sums.penalty(other, score(cell))
      if (penalty < least) {
        least = penalty
        best = other
      }
    }
    sums.change(now, score(cell), 1)
    if (best === now) return false
    put(place, best)
    return true
  }
  const settle = (among: readonly (readonly PracticeCandidate[])[]) => {
    while (open.map((place) => improve(place, among)).includes(true));
  }

  settle(cheap)
  let best = { penalty: sums.penalty(), picks: [...picks] }
  for (let round = 0; round < ROUNDS && open.length > 0; round++) {
    for (let i = 0; i < KICK; i++) {
      const place = open[Math.floor(random.next() * open.length)] as number
      const { cell, id } = picks[place] as Pick
      const others = cheap[cell] ?? []
      const other = others[Math.floor(random.next() * others.length)]
      if (!other || used.has(other.id)) continue
      const now = byId.get(id) as PracticeCandidate
      sums.change(now, score(cell), -1)
      const fits = sums.admits(other)
      sums.change(now, score(cell), 1)
      if (fits) put(place, other)
    }
    settle(cheap)
    if (sums.penalty() < best.penalty - EPSILON) best = { penalty: sums.penalty(), picks: [...picks] }
    else for (const [place, { id }] of best.picks.entries()) if (picks[place]?.id !== id) put(place, byId.get(id) as PracticeCandidate)
    used.clear()
    for (const { id } of picks) used.add(id)
  }
  settle(all)
  return picks
}
