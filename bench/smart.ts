/**
 * Smart papers: 20 questions from a pool of 300,000, against a plain genetic algorithm as it is published for this
 * problem (binary tournament, one-point crossover within sections, mutation by another question of the section,
 * 100 papers, 100 generations), on the same candidates and the same measure of worth.
 * Then 10,000 random requests to small banks, none of which may break what always holds.
 * Usage: node bench/smart.ts
 */
import fc from 'fast-check'
import { broken, penalty, type PracticeCandidate, type Pick, type Problem } from '../modules/paper/smart/problem.ts'
import { solve } from '../modules/paper/smart/solve.server.ts'
import { problems } from '../modules/paper/smart/testing.ts'
import { seededRandom } from '../core/setup/random.ts'

const POOL = 300_000
const RUNS = 40
const CELLS = [{ section: 0, count: 8, score: 5 }, { section: 1, count: 3, score: 6 }, { section: 2, count: 3, score: 5 }, { section: 3, count: 6, score: 12 }]
/** As smart/candidates.server.ts takes them from the bank. */
const PER_CELL = 40
const PER_QUESTION = 12

/** A pool like a bank: difficulty, knowledge by Zipf, sources, years, some variants and some used lately. */
function makePool(): PracticeCandidate[] {
  const random = seededRandom(7)
  return Array.from({ length: POOL }, (_, index): PracticeCandidate => {
    const label = 1 + Math.floor(450 * random.next() ** 2)
    return {
      id: index + 1, cells: [index % CELLS.length], coef: Math.round((0.15 + 0.8 * random.next()) * 100) / 100, labels: [label], covers: label <= 25 ? [label] : [],
      source: `p${random.int(1, 2000)}`, year: random.int(2012, 2026), seconds: random.int(60, 700), cluster: random.chance(0.1) ? random.int(1, 9000) : null, repeats: random.chance(0.1) ? 1 : 0,
    }
  })
}

/** A part of the pool, from a place that follows from the seed, as the bank's index gives it. */
function someOf(pool: readonly PracticeCandidate[], seed: number): PracticeCandidate[] {
  const start = (seed * 7_368_787) % pool.length
  return CELLS.flatMap(({ count }, cell) => {
    const wanted = PER_CELL + PER_QUESTION * count
    const found: PracticeCandidate[] = []
    for (let step = 0; found.length < wanted && step < pool.length; step++) {
      const one = pool[(start + step) % pool.length]
      if (one?.cells[0] === cell) found.push(one)
    }
    return found
  })
}

function genetic(problem: Problem): Pick[] {
  const random = seededRandom(problem.seed)
  const byCell = CELLS.map((_, cell) => problem.candidates.filter(({ cells }) => cells[0] === cell))
  const any = (cell: number) => random.pick(byCell[cell] ?? []).id
  const places = CELLS.flatMap(({ count }, cell) => Array.from({ length: count }, () => cell))
  const fitness = (genes: readonly number[]) => {
    const picks = genes.map((id, place) => ({ cell: places[place] ?? 0, id }))
    return penalty(problem, picks) + (broken(problem, picks) ? 100 : 0)
  }
  let people = Array.from({ length: 100 }, () => places.map(any)).map((genes) => ({ genes, worth: fitness(genes) }))
  const parent = () => {
    const [one, other] = [random.pick(people), random.pick(people)]
    return one.worth < other.worth ? one.genes : other.genes
  }
  for (let generation = 0; generation < 100; generation++) {
    const best = people.reduce((a, b) => (a.worth < b.worth ? a : b))
    people = [best, ...Array.from({ length: 99 }, () => {
      const [mother, father] = [parent(), parent()]
      const cut = random.int(0, places.length)
      const genes = mother.map((id, place) => (random.chance(0.05) ? any(places[place] ?? 0) : place < cut ? id : father[place] ?? id))
      return { genes, worth: fitness(genes) }
    })]
  }
  return people.reduce((a, b) => (a.worth < b.worth ? a : b)).genes.map((id, place) => ({ cell: places[place] ?? 0, id }))
}

const pool = makePool()
const problemOf = (seed: number): Problem => ({
  cells: CELLS, candidates: someOf(pool, seed), seed, limits: { perLabel: 3 },
  aims: { coef: 0.62, bands: { easy: 0.5, medium: 0.3, hard: 0.2 }, coverage: Array.from({ length: 25 }, (_, index) => ({ label: index + 1, weight: 1 + (index % 3) })), minutes: 100, thisYear: 2026 },
})
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

await solve(problemOf(0))
const rows: { time: number; penalty: number; bound: number; geneticTime: number; genetic: number; wrong: boolean }[] = []
for (let seed = 1; seed <= RUNS; seed++) {
  const problem = problemOf(seed)
  let start = performance.now()
  const ours = await solve(problem)
  const time = performance.now() - start
  if (broken(problem, ours.picks)) throw new Error(`seed ${seed}: ${broken(problem, ours.picks)}`)
  start = performance.now()
  const theirs = genetic(problem)
  rows.push({ time, penalty: ours.penalty, bound: ours.bound, geneticTime: performance.now() - start, genetic: penalty(problem, theirs), wrong: broken(problem, theirs) !== undefined })
}
const column = (key: 'time' | 'penalty' | 'bound' | 'geneticTime' | 'genetic') => rows.map((row) => row[key])
console.log(`smart paper: 20 questions, ${problemOf(1).candidates.length} candidates of ${POOL.toLocaleString('en')}, ${RUNS} requests`)
console.log(`  ours     p50 ${median(column('time')).toFixed(0)} ms, p95 ${p95(column('time')).toFixed(0)} ms; penalty ${median(column('penalty')).toFixed(3)}, bound ${median(column('bound')).toFixed(3)}; conditions broken in 0`)
console.log(`  genetic  p50 ${median(column('geneticTime')).toFixed(0)} ms, p95 ${p95(column('geneticTime')).toFixed(0)} ms; penalty ${median(column('genetic')).toFixed(3)}; conditions broken in ${rows.filter(({ wrong }) => wrong).length}`)
console.log(`  ratio    time ${(median(column('time')) / median(column('geneticTime'))).toFixed(2)}, penalty ${(median(column('penalty')) / median(column('genetic'))).toFixed(2)}`)

const REQUESTS = 10_000
const began = performance.now()
let short = 0
for (const problem of fc.sample(problems(16), { numRuns: REQUESTS, seed: 2026 })) {
  const { picks, unmet } = await solve(problem)
  const reason = broken(problem, picks)
  if (reason) throw new Error(`${reason}: ${JSON.stringify({ problem, picks })}`)
  const lack = unmet.reduce((sum, one) => sum + one.lack, 0)
  if (picks.length + lack !== problem.cells.reduce((sum, { count }) => sum + count, 0)) throw new Error(`places were lost: ${JSON.stringify(problem)}`)
  if (lack > 0) short++
}
console.log(`  random   ${REQUESTS.toLocaleString('en')} requests to small banks, ${short.toLocaleString('en')} of them short of questions: conditions broken in 0; ${((performance.now() - began) / REQUESTS).toFixed(1)} ms each`)
