import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { describeBlocks } from './block-kind.server.ts'
import { OUTLINE_STATE } from './calls.ts'
import type { Change } from './changes.ts'
import { EMPTY, livingBody, type Draft } from './draft.ts'
import { applyToOutline } from './edit.server.ts'
import { createOutline, outlinesOf } from './owned.server.ts'
import { ownerOf } from './owner.server.ts'
import { brokenBlocks, publish } from './publish.server.ts'
import { lockOutline, readStored } from './store.server.ts'

/** An outline as its owner's own calls see it, which name nodes and blocks by their ids. */
export interface OwnedOutline {
  readonly draft: Draft
  readonly nodeIds: ReadonlyMap<string, number>
  readonly blockIds: ReadonlyMap<string, number>
}

async function readIds(db: Queryable, outlineId: number): Promise<OwnedOutline> {
  const [{ draft, ids }, blocks] = [await readStored(db, outlineId), await db.query<{ id: number; key: string }>(sql`select id, key from outline_block where outline_id = ${outlineId}`)]
  return { draft, nodeIds: ids, blockIds: new Map(blocks.map(({ id, key }) => [key, id])) }
}

/** The outline of a record as it is edited; an empty one where it has none yet. @param kind of an owner that was handed over by `addOutlineOwner` */
export async function readOwned(db: Queryable, kind: string, ownerId: number): Promise<OwnedOutline> {
  const found = (await outlinesOf(db, kind, [ownerId])).get(ownerId)
  return found ? readIds(db, found.id) : { draft: EMPTY, nodeIds: new Map(), blockIds: new Map() }
}

/** What came of an edit that publishes at once. */
export interface EditedAtOnce extends OwnedOutline {
  /** Why learners do not see it yet, as one sentence; null where they do. */
  readonly waits: string | null
}

/**
 * Edits the outline of a record for calls that know no publishing: learners see what was changed as soon as it is written,
 * unless somebody is in the middle of editing it, or something else in it is not in order; it then waits for whoever publishes.
 * Rights and scope are the caller's to check.
 * @param make the changes, by what the outline is now; it is locked
 * @throws AppError when what is put in is not fit for learners
 */
export async function editAtOnce(tx: Queryable, staffId: number, { kind, id }: { readonly kind: string; readonly id: number }, note: string, make: (outline: OwnedOutline) => readonly Change[]): Promise<EditedAtOnce> {
  const owner = ownerOf(kind)
  if (!owner) throw new Error(`no kind of owner of outlines is called ${kind}`)
  const row = await lockOutline(tx, await createOutline(tx, { kind, id }))
  const changes = make(await readIds(tx, row.id))
  if (changes.length === 0) return { ...await readIds(tx, row.id), waits: null }
  const { row: after, draft } = await applyToOutline(tx, staffId, row, owner, changes)
  const body = livingBody(draft)
  const broken = brokenBlocks(body, await describeBlocks(tx, body.blocks))
  const bound = new Set(changes.flatMap((change) => (change.do === 'bind' ? change.blocks.map(({ key }) => key) : [])))
  const unfit = broken.find(({ key }) => bound.has(key))
  if (unfit) throw badRequest(`「${unfit.name}」${unfit.words}，不能放入课程`)
  const waits = row.state === OUTLINE_STATE.changed ? '章节有未发布的改动，发布后学员可见' : broken[0] ? `「${broken[0].name}」${broken[0].words}，处理并发布后学员可见` : body.nodes.length === 0 ? '章节没有内容，学员看到的仍是上一版' : null
  if (waits === null) await publish(tx, staffId, after, note)
  return { ...await readIds(tx, row.id), waits }
}
