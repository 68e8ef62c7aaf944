/** Problems for tests and benchmarks of composing. */
import fc from 'fast-check'
import type { PracticeCandidate, Problem } from './problem.ts'

/** Small banks with overlapping cells, clusters, limits and sometimes too few questions. */
export function problems(most: number): fc.Arbitrary<Problem> {
  return fc.integer({ min: 1, max: 3 }).chain((cellCount) => fc.record({
    cells: fc.array(fc.record({ section: fc.constant(0), count: fc.integer({ min: 1, max: 3 }), score: fc.constantFrom(3, 5, 12) }), { minLength: cellCount, maxLength: cellCount }),
    candidates: fc.array(fc.record({
      cells: fc.uniqueArray(fc.integer({ min: 0, max: cellCount - 1 }), { minLength: 1 }),
      coef: fc.constantFrom(0.25, 0.4, 0.55, 0.65, 0.75, 0.9),
      labels: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
      covers: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
      source: fc.constantFrom(null, 'a', 'b'),
      year: fc.constantFrom(null, 2012, 2020, 2026),
      seconds: fc.integer({ min: 30, max: 600 }),
      cluster: fc.constantFrom(null, null, 1, 2),
      repeats: fc.integer({ min: 0, max: 3 }),
    }), { minLength: 1, maxLength: most }).map((rows) => rows.map((row, index): PracticeCandidate => ({ ...row, id: index + 1 }))),
    aims: fc.record({
      coef: fc.option(fc.constantFrom(0.5, 0.65, 0.8), { nil: undefined }),
      bands: fc.option(fc.constant({ easy: 0.5, medium: 0.3, hard: 0.2 }), { nil: undefined }),
      coverage: fc.option(fc.constant([{ label: 1, weight: 2 }, { label: 2, weight: 1 }, { label: 3, weight: 1 }]), { nil: undefined }),
      minutes: fc.option(fc.constantFrom(5, 20), { nil: undefined }),
      thisYear: fc.constant(2026),
    }),
    limits: fc.record({ perLabel: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), perSource: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) }),
    seed: fc.nat(),
  }))
}
