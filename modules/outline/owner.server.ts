import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { CompleteRule } from './complete.ts'
import type { ImpactGroup } from './calls.ts'
import { admitOwner, type OwnerGrants } from './grants.ts'

/** An owner of an outline as the editor shows it. */
export interface OwnerFacts {
  /** 必修第一册 */
  readonly title: string
  /** 高中数学 · 人教 A 版 */
  readonly note: string
  /** Subject of what can be bound below it; null: of any. */
  readonly subject_id: number | null
}

/** A kind of owner: the row of data that a module whose records have outlines hands over. */
export interface OutlineOwnerKind {
  /** Kept with each outline, snake case; never changed. */
  readonly kind: string
  readonly label: string
  readonly grants: OwnerGrants
  /** Kinds of blocks that its editor offers, in this order. */
  readonly blocks: readonly string[]
  readonly complete: CompleteRule
  /** Which of these owners live within a person's scopes, and what the editor says of them. */
  find(db: Queryable, staff: Staff, ids: readonly number[]): Promise<ReadonlyMap<number, OwnerFacts>>
  /** Address of the editor of an owner's outline. */
  path(ownerId: number): string
}

/** What a module that refers to outlines, or whose people learn by them, knows of the effects of publishing one. */
export interface OutlineUser {
  /** Groups of what would be touched: places that show it, printed codes, learners midway. */
  impact(db: Queryable, outlineId: number): Promise<ImpactGroup[]>
  /** A version was published, in its transaction. */
  published?(tx: Queryable, outlineId: number): Promise<void>
}

const owners = new Map<string, OutlineOwnerKind>()
const users: OutlineUser[] = []

/**
 * Adds a kind of owner; called once by the server half of the module that owns it.
 * @throws Error when there is a kind of that name
 * @public for the modules that have outlines
 */
export function addOutlineOwner(owner: OutlineOwnerKind): void {
  if (owners.has(owner.kind)) throw new Error(`two kinds of owners of outlines are called ${owner.kind}`)
  owners.set(owner.kind, owner)
  admitOwner(owner.grants)
}

/** Adds what else is touched when an outline is published. @public for the modules that refer to outlines */
export function addOutlineUser(user: OutlineUser): void {
  users.push(user)
}

export const ownerKinds = (): readonly OutlineOwnerKind[] => [...owners.values()]
export const ownerOf = (kind: string): OutlineOwnerKind | undefined => owners.get(kind)
export const outlineUsers = (): readonly OutlineUser[] => users

/** Whether anybody has outlines: without owners their calls would be nobody's. */
export const hasOwners = (): boolean => owners.size > 0
