import fc from 'fast-check'
import { expect, test } from 'vitest'
import { broken, penalty, type PracticeCandidate, type Pick, type Problem } from './problem.ts'
import { solve } from './solve.server.ts'
import { problems } from './testing.ts'

/** Every choice there is, as far as it breaks nothing: the most places filled, then the least penalty. */
function bruteForce(problem: Problem): { filled: number; penalty: number } {
  let best = { filled: -1, penalty: Infinity }
  const walk = (index: number, picks: Pick[]): void => {
    // None of these problems holds a lock, so what is broken stays so however many are added.
    if (broken(problem, picks)) return
    const candidate = problem.candidates[index]
    if (!candidate) {
      const value = penalty(problem, picks)
      if (picks.length > best.filled || (picks.length === best.filled && value < best.penalty)) best = { filled: picks.length, penalty: value }
      return
    }
    walk(index + 1, picks)
    for (const cell of candidate.cells) walk(index + 1, [...picks, { cell, id: candidate.id }])
  }
  walk(0, [])
  return best
}

test('as good as trying everything, on small banks, and never below the bound', async () => {
  await fc.assert(fc.asyncProperty(problems(8), async (problem) => {
    const best = bruteForce(problem)
    const found = await solve(problem)
    expect(broken(problem, found.picks)).toBeUndefined()
    expect(found.picks.length).toBe(best.filled)
    expect(found.penalty).toBeLessThanOrEqual(best.penalty * 1.01 + 0.02)
    expect(found.bound).toBeLessThanOrEqual(best.penalty + 1e-6)
  }), { numRuns: 300 })
})

// No database is asked, so once is enough.
test.skipIf(process.env['TEST_DATABASE_URL'])('nothing that always holds is ever broken, in 1,000 random requests; bench/smart.ts asks 10,000', async () => {
  await fc.assert(fc.asyncProperty(problems(16), async (problem) => {
    const { picks, unmet } = await solve(problem)
    expect(broken(problem, picks)).toBeUndefined()
    const places = problem.cells.reduce((sum, { count }) => sum + count, 0)
    expect(picks.length + unmet.reduce((sum, { lack }) => sum + lack, 0)).toBe(places)
  }), { numRuns: 1_000 })
}, 300_000)

test('the same seed gives the same paper, another seed another one of equal worth', async () => {
  const candidates = Array.from({ length: 200 }, (_, index): PracticeCandidate => ({
    id: index + 1, cells: [0], coef: 0.65, labels: [1], covers: [], source: null, year: 2024, seconds: 120, cluster: null, repeats: 0,
  }))
  const problem: Problem = { cells: [{ section: 0, count: 10, score: 5 }], candidates, aims: { coef: 0.65, thisYear: 2026 }, limits: {}, seed: 7 }
  const ids = async (seed: number) => (await solve({ ...problem, seed })).picks.map(({ id }) => id)
  expect(await ids(7)).toEqual(await ids(7))
  expect(await ids(8)).not.toEqual(await ids(7))
  expect((await solve({ ...problem, seed: 8 })).penalty).toBeCloseTo((await solve(problem)).penalty, 6)
})

test('a locked question stays in its cell, whatever it costs; locks that contradict a limit are an error', async () => {
  const candidate = (id: number, coef: number, cluster: number | null): PracticeCandidate => ({
    id, cells: [0], coef, labels: [], covers: [], source: null, year: 2026, seconds: 60, cluster, repeats: 0,
  })
  const problem: Problem = {
    cells: [{ section: 0, count: 2, score: 5 }], candidates: [candidate(1, 0.1, 1), candidate(2, 0.9, 1), candidate(3, 0.9, null), candidate(4, 0.9, null)],
    aims: { coef: 0.9, thisYear: 2026 }, limits: { locked: [{ id: 1, cell: 0 }] }, seed: 1,
  }
  const { picks } = await solve(problem)
  expect(picks.map(({ id }) => id)).toContain(1)
  expect(picks.map(({ id }) => id)).not.toContain(2)
  await expect(solve({ ...problem, limits: { locked: [{ id: 1, cell: 0 }, { id: 2, cell: 0 }] } })).rejects.toThrow('contradict')
})
