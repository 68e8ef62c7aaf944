import type { Highs, ModelData } from 'highs'
import { seededRandom } from '../../../core/setup/random.ts'
import { fillGreedily, polish, type Price } from './polish.ts'
import { ageCost, BANDS, bandOf, penalty, repeatCost, terms, WEIGHTS, type PracticeCandidate, type Pick, type Problem, type Term } from './problem.ts'

/** One paper, and how good it is. */
export interface Solution {
  readonly picks: readonly Pick[]
  /** Cells that could not be filled, and how many questions each lacks. Empty when the paper is whole. */
  readonly unmet: readonly { readonly cell: number; readonly lack: number }[]
  readonly terms: Readonly<Record<Term, number>>
  readonly penalty: number
  /** No choice among the candidates has a penalty below this. */
  readonly bound: number
}

/** Cost of a place that stays empty: more than all terms together can ever win. */
const EMPTY = 100
/** Random costs far below any term, so that equal choices differ by seed. */
const NOISE = 1e-4
/** Good enough, on a scale where a whole miss of one aim costs 0.5 to 4. */
const GAP = 0.01
/** Up to so many candidates the whole model is solved in whole numbers, aims and all. */
const SMALL = 60
const CONTRADICTION = 'the locked questions contradict the limits'

let loading: Promise<Highs> | undefined

/** A sparse model that grows column by column and row by row. */
class Model {
  readonly cost: number[] = []
  readonly upper: number[] = []
  readonly integral: (0 | 1)[] = []
  readonly rowLower: number[] = []
  readonly rowUpper: number[] = []
  readonly starts: number[] = [0]
  readonly indices: number[] = []
  readonly values: number[] = []
  offset = 0

  /** A column from 0 to `upper`; returns its index. */
  column(cost: number, upper = Infinity, integral: 0 | 1 = 0): number {
    this.integral.push(integral)
    this.upper.push(upper)
    return this.cost.push(cost) - 1
  }

  row(lower: number, upper: number, entries: Iterable<readonly [column: number, value: number]>): void {
    for (const [column, value] of entries) {
      if (value === 0) continue
      this.indices.push(column)
      this.values.push(value)
    }
    this.starts.push(this.indices.length)
    this.rowLower.push(lower)
    this.rowUpper.push(upper)
  }

  /** The distance of a sum from a target, as a cost per unit. */
  distance(target: number, cost: number, entries: readonly (readonly [column: number, value: number])[]): void {
    this.row(target, target, [...entries, [this.column(cost), -1], [this.column(cost), 1]])
  }

  /** The model for the solver, with whole numbers or relaxed. */
  data(integral: boolean): ModelData {
    return {
      numCols: this.cost.length, numRows: this.rowLower.length, offset: this.offset,
      colCost: this.cost, colLower: this.cost.map(() => 0), colUpper: this.upper, ...(integral && { integrality: this.integral }),
      rowLower: this.rowLower, rowUpper: this.rowUpper,
      matrix: { format: 'csr', numRows: this.rowLower.length, numCols: this.cost.length, starts: this.starts, indices: this.indices, values: this.values },
    }
  }
}

/** A candidate in one of its cells. */
interface CellColumn {
  readonly candidate: PracticeCandidate
  readonly cell: number
  readonly column: number
}

/** The model of a problem, with the aims as its objective or, when prices are given, with those alone. */
function build(problem: Problem, price?: Price): { model: Model; places: CellColumn[] } {
  const { cells, candidates, aims, limits } = problem
  const model = new Model()
  const random = seededRandom(problem.seed)
  const points = Math.max(cells.reduce((sum, { count, score }) => sum + count * score, 0), 1)
  const questions = Math.max(cells.reduce((sum, { count }) => sum + count, 0), 1)
  const locked = new Map((limits.locked ?? []).map(({ id, cell }) => [id, cell]))
  const places: CellColumn[] = []
  for (const candidate of candidates) {
    const linear = (WEIGHTS.repeat * repeatCost(candidate) + WEIGHTS.age * ageCost(candidate, aims.thisYear)) / questions + NOISE * random.next()
    const lock = locked.get(candidate.id)
    for (const cell of candidate.cells) {
      if (lock === undefined || lock === cell) places.push({ candidate, cell, column: model.column(price?.(candidate, cell) ?? linear, 1, 1) })
    }
  }
  const score = ({ cell }: CellColumn) => cells[cell]?.score ?? 0
  const entries = (chosen: readonly CellColumn[], value: (place: CellColumn) => number = () => 1) => chosen.map((place) => [place.column, value(place)] as const)
  const grouped = <K>(keys: (place: CellColumn) => Iterable<K>): Map<K, CellColumn[]> => {
    const groups = new Map<K, CellColumn[]>()
    for (const place of places) for (const key of keys(place)) groups.set(key, [...(groups.get(key) ?? []), place])
    return groups
  }
  const atMost = <K>(most: number, groups: Map<K, CellColumn[]>) => {
    for (const group of groups.values()) if (group.length > most) model.row(-Infinity, most, entries(group))
  }

  const byCell = Map.groupBy(places, ({ cell }) => cell)
  for (const [cell, { count }] of cells.entries()) {
    model.row(count, count, [...entries(byCell.get(cell) ?? []), [model.column(EMPTY, count), 1]])
  }
  for (const group of Map.groupBy(places, ({ candidate }) => candidate.id).values()) {
    const first = group[0] as CellColumn
    if (locked.has(first.candidate.id)) model.row(1, 1, entries(group))
    else if (group.length > 1) model.row(-Infinity, 1, entries(group))
  }
  atMost(1, grouped(({ candidate }) => (candidate.cluster === null ? [] : [candidate.cluster])))
  if (limits.perLabel !== undefined) atMost(limits.perLabel, grouped(({ candidate }) => new Set(candidate.labels)))
  if (limits.perSource !== undefined) atMost(limits.perSource, grouped(({ candidate }) => (candidate.source === null ? [] : [candidate.source])))

  if (price) return { model, places }
  if (aims.coef !== undefined) model.distance(aims.coef, WEIGHTS.coef, entries(places, (place) => (place.candidate.coef * score(place)) / points))
  for (const band of aims.bands ? BANDS : []) {
    model.distance(aims.bands?.[band] ?? 0, WEIGHTS.bands, entries(places.filter(({ candidate }) => bandOf(candidate.coef) === band), (place) => score(place) / points))
  }
  if (aims.minutes !== undefined) model.distance(1, WEIGHTS.time, entries(places, ({ candidate }) => candidate.seconds / ((aims.minutes ?? 1) * 60)))
  const weight = (aims.coverage ?? []).reduce((sum, one) => sum + one.weight, 0)
  if (weight > 0) {
    const byLabel = grouped(({ candidate }) => new Set(candidate.covers))
    model.offset += WEIGHTS.coverage
    for (const one of aims.coverage ?? []) {
      const covered = model.column((-WEIGHTS.coverage * one.weight) / weight, 1)
      model.row(0, Infinity, [...entries(byLabel.get(one.label) ?? []), [covered, -1]])
    }
  }
  return { model, places }
}

/** Solves a model, in whole numbers up to a gap or relaxed; undefined when nothing can satisfy it. */
function run(highs: Highs, model: Model, gap: number | 'relaxed', seed: number): { value: Float64Array; reducedCost: Float64Array; objective: number } | undefined {
  return highs.withModel(model.data(gap !== 'relaxed'), (solver) => {
    solver.options.set({ output_flag: false, mip_detect_symmetry: false, mip_rel_gap: 0, mip_heuristic_effort: 0, ...(gap !== 'relaxed' && { mip_abs_gap: gap }), random_seed: seed & 0x7fffffff })
    solver.run()
    if (solver.info.get('primal_solution_status') !== 2) return undefined
    const { colValue, colDual } = solver.getSolution()
    return { value: colValue, reducedCost: colDual, objective: solver.getObjectiveValue() }
  })
}

/** In whole numbers the whole model or, when prices are given, the conditions alone at those; undefined when the locks contradict the limits. */
function fillExactly(highs: Highs, problem: Problem, price?: Price): Pick[] | undefined {
  const { model, places } = build(problem, price)
  const filled = run(highs, model, price ? EMPTY / 2 : GAP, problem.seed)
  return filled && places.filter(({ column }) => (filled.value[column] ?? 0) > 0.5).map(({ cell, candidate }) => ({ cell, id: candidate.id }))
}

/**
 * A very good paper among the candidates, and how far from the best it can be at most. Cells, clusters, limits and locks
 * are conditions of a mixed-integer model, the aims its objective. HiGHS solves the relaxed model, which gives a bound
 * that no choice can beat and the price of each question; then the conditions alone in whole numbers at those prices,
 * which fills every place that can be filled (skipped where taking the cheapest in turn does so too); exchanges then bring
 * the aims down. Deterministic by the seed.
 * Blocks its thread while it solves.
 * @throws Error when the locked questions contradict the limits
 */
export async function solve(problem: Problem): Promise<Solution> {
  loading ??= import('highs').then(({ default: load }) => load())
  const highs = await loading
  const aimed = build(problem)
  const relaxed = run(highs, aimed.model, 'relaxed', problem.seed)
  if (!relaxed) throw new Error(CONTRADICTION)
  const prices = new Map(aimed.places.map(({ candidate, cell, column }) => [`${candidate.id} ${cell}`, (relaxed.reducedCost[column] ?? 0) - (relaxed.value[column] ?? 0)]))
  const price: Price = (candidate, cell) => prices.get(`${candidate.id} ${cell}`) ?? 0
  const small = problem.candidates.length <= SMALL
  const start = small ? fillExactly(highs, problem) : fillGreedily(problem, price) ?? fillExactly(highs, problem, price)
  if (!start) throw new Error(CONTRADICTION)
  const unmet = problem.cells.flatMap(({ count }, cell) => {
    const lack = count - start.filter((pick) => pick.cell === cell).length
    return lack > 0 ? [{ cell, lack }] : []
  })
  const picks = polish(problem, start, price, seededRandom(problem.seed))
  const reached = penalty(problem, picks)
  // The bound is on the model's objective, which also holds the noise and the empty places.
  const noise = NOISE * problem.cells.reduce((sum, { count }) => sum + count, 0)
  const empty = unmet.reduce((sum, { lack }) => sum + lack * EMPTY, 0)
  const bound = Math.max(relaxed.objective - empty - noise, 0)
  return { picks, unmet, terms: terms(problem, picks), penalty: reached, bound: Math.min(bound, reached) }
}
