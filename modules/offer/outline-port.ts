import type { Queryable } from '../../core/database/database.server.ts'

/** How far an outline is, as far as it concerns whoever sells it. */
interface OutlineState {
  /** Number of the published version; 0 where nothing was published yet. */
  readonly version: number
  /** Lessons that somebody can try without having bought. */
  readonly trial: number
  /** What of the published version does not work, one sentence each. */
  readonly problems: readonly string[]
}

/** What the courses of a line need to know of outlines. */
export interface OutlinePort {
  /** States of the outlines of textbooks, or of courses that have their own; what has none is absent. */
  states(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, OutlineState>>
}
