import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { describeBlocks, offeredKinds } from './block-kind.server.ts'
import type { OutlineContent, PublishedBody } from './calls.ts'
import { bodyOf, draftOf, livingBody } from './draft.ts'
import type { OutlineBody } from './node.ts'
import { readStored, type Found } from './store.server.ts'

/** A version of an outline; undefined where there is none. */
export async function readVersion(db: Queryable, outlineId: number, no: number): Promise<PublishedBody | undefined> {
  const [row] = await db.query<{ body: PublishedBody }>(sql`select body from outline_version where outline_id = ${outlineId} and no = ${no}`)
  return row?.body
}

/** What of a version an editor compares with: without ids and lengths. */
export function plainBody(body: PublishedBody | undefined): OutlineBody {
  if (!body) return { nodes: [], blocks: [] }
  return {
    nodes: body.nodes.map(({ id: _id, minutes: _minutes, gone_since: _since, ...node }) => node),
    blocks: body.blocks.map(({ name: _name, minutes: _minutes, ...block }) => block),
  }
}

/** How many learners have begun each node of an outline, by its id. */
async function learnersByNode(db: Queryable, outlineId: number): Promise<{ node_id: number; n: number }[]> {
  return db.query(sql`select node_id, count(*)::int as n from learn_stat where outline_id = ${outlineId} group by node_id`)
}

/** An outline as its editor shows it. */
export async function outlineContent(db: Queryable, staff: Staff, { row, owner, facts }: Found): Promise<OutlineContent> {
  const { draft, ids } = await readStored(db, row.id)
  const published = plainBody(await readVersion(db, row.id, row.version_no))
  const counts = new Map((await learnersByNode(db, row.id)).map(({ node_id, n }) => [node_id, n]))
  const [origin] = row.origin_id === null ? [] : await db.query<{ version_no: number }>(sql`select version_no from outline where id = ${row.origin_id}`)
  const can_edit = staff.modules.has(owner.grants.edit)
  return {
    id: row.id, title: facts.title, note: facts.note, subject_id: facts.subject_id, state: row.state, version_no: row.version_no, rev: row.rev,
    body: bodyOf(draft), published: livingBody(draftOf(published)),
    targets: await describeBlocks(db, [...draft.blocks.values(), ...published.blocks]),
    kinds: offeredKinds(owner.blocks), complete: owner.complete,
    origin: origin && row.origin_id !== null ? { id: row.origin_id, no: row.origin_no ?? 0, latest: origin.version_no } : null,
    learners: Object.fromEntries([...ids].flatMap(([key, id]) => (counts.has(id) ? [[key, counts.get(id) ?? 0]] : []))),
    can_edit, can_publish: staff.modules.has(owner.grants.publish), read_only: can_edit ? null : `没有「${owner.label} · 新增和编辑」权限，只能查看`,
  }
}
