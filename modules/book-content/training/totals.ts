/** Sums of what a book's sets have and lack. Pure. */
import { TRAINING_GROUPS } from '../sets.ts'
import type { TrainingChapter } from './calls.ts'

/** How far one set is. */
export function figuresOf({ groups }: Pick<TrainingChapter, 'groups'>, group: number): { n: number; target_n: number | null; missing: number } {
  const { n = 0, target_n = null } = groups.find(({ group_key }) => group_key === group) ?? {}
  return { n, target_n, missing: Math.max(0, (target_n ?? 0) - n) }
}

/** How far a book is: what is beyond a set's target makes up for no other. */
export function totalsOf(chapters: readonly Pick<TrainingChapter, 'groups'>[]): { n: number; target: number; missing: number; holes: number } {
  const all = chapters.flatMap((chapter) => TRAINING_GROUPS.map(({ value }) => figuresOf(chapter, value)))
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  return { n: sum(({ n }) => n), target: sum(({ target_n }) => target_n ?? 0), missing: sum(({ missing }) => missing), holes: all.filter(({ missing }) => missing > 0).length }
}
