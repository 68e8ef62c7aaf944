import type { ScopeKind, Scopes } from './grant.ts'

/** The logged-in person, as every handler sees them. Read afresh whenever grants change. */
export interface Staff {
  readonly id: number
  readonly account: string
  readonly name: string
  readonly role: string
  readonly modules: ReadonlySet<number>
  readonly scopes: Scopes
  /** Names of learners are masked for them wherever they do not work with the learner. */
  readonly masksNames: boolean
}

/** Ids that the person is limited to for a kind of data; undefined means no limit. */
export function limits(staff: Staff, kind: ScopeKind): readonly number[] | undefined {
  return staff.scopes[kind]
}
