import type { Queryable } from '../../core/database/database.server.ts'

/** What holds an outline: a textbook that courses follow, or a course that has its own. */
export type OutlineOwner = 'textbook' | 'offer'

/** How far an outline is, as far as it concerns whoever sells it. */
export interface OutlineState {
  /** Number of the published version; 0 where nothing was published yet. */
  readonly version: number
  /** Nodes that somebody can try without having bought. */
  readonly trial: number
  /** What of the published version does not work, one sentence each. */
  readonly problems: readonly string[]
}

/** What courses need to know of outlines; the module that keeps them hands it over. */
export interface OutlinePort {
  /** States of the outlines of owners; an owner without an outline is absent. */
  states(db: Queryable, kind: OutlineOwner, ids: readonly number[]): Promise<ReadonlyMap<number, OutlineState>>
}
