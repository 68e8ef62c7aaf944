import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { describeBlocks } from './block-kind.server.ts'
import type { OutlineContent, PublishedBody } from './calls.ts'
import { figuresOf, openingOf } from './complete.ts'
import { draftOf, livingBody } from './draft.ts'
import { FREE } from './node.ts'
import { ownerOf } from './owner.server.ts'
import { brokenBlocks } from './publish.server.ts'
import { plainBody, readVersion } from './read.server.ts'

/**
 * Makes the empty outline of a record, in the transaction that makes the record. Asked again it answers the one that is there.
 * @param owner of a kind that was handed over by `addOutlineOwner`
 * @returns its id
 */
export async function createOutline(tx: Queryable, owner: { readonly kind: string; readonly id: number }): Promise<number> {
  if (!ownerOf(owner.kind)) throw new Error(`no kind of owner of outlines is called ${owner.kind}`)
  const [row] = await tx.query<{ id: number }>(sql`insert into outline (owner_kind, owner_id) values (${owner.kind}, ${owner.id}) on conflict (owner_kind, owner_id) do update set owner_id = excluded.owner_id returning id`)
  return row?.id ?? 0
}

interface Owned { id: number; owner_id: number; state: OutlineContent['state']; version_no: number }

/** Outlines of owners of one kind, by the owner's id; an owner that has none is absent. */
export async function outlinesOf(db: Queryable, kind: string, ownerIds: readonly number[]): Promise<ReadonlyMap<number, Owned>> {
  const rows = await db.query<Owned>(sql`select id, owner_id, state, version_no from outline where owner_kind = ${kind} and owner_id = any(${sql.param([...ownerIds])}::bigint[])`)
  return new Map(rows.map((row) => [row.owner_id, row]))
}

/** How far the published version of an outline is, as far as it concerns a person who sells it. */
export interface OutlineHealth {
  /** Id of the outline. */
  readonly id: number
  /** Number of the published version; 0 where nothing was published yet. */
  readonly version: number
  readonly lessons: number
  readonly minutes: number
  /** Lessons that somebody can try without having bought. */
  readonly trial: number
  /** Lessons that are complete by the owner's rule. */
  readonly complete: number
  /** What of the published version does not work, one sentence each. */
  readonly problems: readonly string[]
}

/** Health of the outlines of owners of one kind, by the owner's id; an owner that has none is absent. */
export async function outlineHealth(db: Queryable, kind: string, ownerIds: readonly number[]): Promise<ReadonlyMap<number, OutlineHealth>> {
  const found = new Map<number, OutlineHealth>()
  const owner = ownerOf(kind)
  for (const { id, owner_id, version_no } of (await outlinesOf(db, kind, ownerIds)).values()) {
    const body = livingBody(draftOf(plainBody(await readVersion(db, id, version_no))))
    const draft = draftOf(body)
    const targets = await describeBlocks(db, body.blocks)
    const minutes = new Map(targets.map((target) => [`${target.kind} ${target.id}`, target.minutes]))
    const whole = figuresOf(draft, owner?.complete ?? { each: 'lesson', needs: [] }, (block) => minutes.get(`${block.kind} ${block.ref_id}`) ?? 0).get('')
    const parents = new Set(body.nodes.map(({ parent }) => parent))
    found.set(owner_id, {
      id, version: version_no, lessons: whole?.lessons ?? 0, minutes: whole?.minutes ?? 0, complete: whole?.met ?? 0,
      trial: body.nodes.filter(({ key }) => !parents.has(key) && openingOf(draft, key).free !== FREE.paid).length,
      problems: brokenBlocks(body, targets).map(({ name, words }) => `「${name}」${words}`),
    })
  }
  return found
}

/** The version of an outline that learners see; undefined where nothing was published yet. */
export async function publishedOf(db: Queryable, outlineId: number): Promise<{ no: number; body: PublishedBody } | undefined> {
  const [row] = await db.query<{ no: number; body: PublishedBody }>(sql`select v.no, v.body from outline o join outline_version v on v.outline_id = o.id and v.no = o.version_no where o.id = ${outlineId}`)
  return row
}
