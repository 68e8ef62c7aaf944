import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest, notFound } from '../../core/error/error.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { blockKind, describeBlocks } from './block-kind.server.ts'
import { OUTLINE_STATE, type BlockTarget, type ImpactGroup, type PublishedBody } from './calls.ts'
import { difference } from './changes.ts'
import { draftOf, inOrder, livingBody, type Draft } from './draft.ts'
import { applyToOutline } from './edit.server.ts'
import type { OutlineBlock } from './node.ts'
import { outlineChanged } from './module.ts'
import { outlineUsers } from './owner.server.ts'
import { plainBody, readVersion } from './read.server.ts'
import { readStored, type Found, type OutlineRow, type Stored } from './store.server.ts'

/** Seconds that a look at the impact is good. */
const SEEN = 600

/** A block that must not come before learners. */
export interface Broken { key: string; name: string; words: string }

/** What of a block its learners get: its own words, or the name of what it shows. */
const nameOf = (block: OutlineBlock, target: BlockTarget | undefined) => block.title || target?.name || blockKind(block.kind)?.label || ''

/** Blocks of living nodes that show something which is not there or not in order. */
export function brokenBlocks(body: { blocks: readonly OutlineBlock[] }, targets: readonly BlockTarget[]): Broken[] {
  const known = new Map(targets.map((target) => [`${target.kind} ${target.id}`, target]))
  return body.blocks.flatMap((block) => {
    if (!blockKind(block.kind)?.target) return []
    const target = known.get(`${block.kind} ${block.ref_id}`)
    if (!target) return [{ key: block.key, name: nameOf(block, undefined), words: '已被删除' }]
    return target.health.tone === 'bad' ? [{ key: block.key, name: nameOf(block, target), words: target.health.words }] : []
  })
}

/** What publishing an outline would touch, as it is shown before. */
export interface Impact {
  groups: ImpactGroup[]
  learners: number
  broken: Broken[]
}

/** Works out what publishing touches. */
export async function impactOf(db: Queryable, row: OutlineRow, draft: Draft): Promise<Impact> {
  const groups: ImpactGroup[] = []
  for (const user of outlineUsers()) groups.push(...await user.impact(db, row.id))
  const [count] = await db.query<{ n: number }>(sql`select count(distinct user_id)::int as n from learn_stat where outline_id = ${row.id}`)
  const body = livingBody(draft)
  return { groups, learners: count?.n ?? 0, broken: brokenBlocks(body, await describeBlocks(db, body.blocks)) }
}

/** Learners come and go while somebody reads: how many they are is shown, and does not make it another picture. */
const pictureOf = ({ groups, broken }: Impact) => [groups.map(({ label, live, printed, rows }) => [label, live, printed, rows]), broken]
const hashOf = (row: OutlineRow, impact: Impact) => createHash('sha256').update(JSON.stringify([row.id, row.rev, row.version_no, pictureOf(impact)])).digest('base64url').slice(0, 22)
const now = () => Math.floor(Date.now() / 1000)

/** Says that somebody has seen exactly this impact. */
export const tokenOf = (row: OutlineRow, impact: Impact): string => `${now()}.${hashOf(row, impact)}`

/**
 * Refuses what hurts to somebody who has not just seen whom. The first version needs no token: nobody has seen anything yet.
 * @throws AppError with the present picture and its token, where another one was seen
 */
export async function requireSeen(tx: Queryable, row: OutlineRow, token: string | undefined): Promise<void> {
  if (row.version_no === 0) return
  const impact = await impactOf(tx, row, (await readStored(tx, row.id)).draft)
  const [at, hash] = (token ?? '').split('.')
  if (hash !== hashOf(row, impact) || Math.abs(now() - Number(at)) > SEEN) throw new AppError('impact_changed', 409, '影响已变化，重新查看后再发布', { extra: { impact: { ...impact, token: tokenOf(row, impact) } } })
}

/** What learners get: living nodes, and those that they once saw, which are not offered any more. */
async function publishedBody(db: Queryable, no: number, { draft, ids }: Stored, previous: PublishedBody | undefined): Promise<PublishedBody> {
  const body = livingBody(draft)
  const targets = new Map((await describeBlocks(db, body.blocks)).map((target) => [`${target.kind} ${target.id}`, target]))
  const blocks = body.blocks.map((block) => {
    const target = targets.get(`${block.kind} ${block.ref_id}`)
    return { ...block, name: nameOf(block, target), minutes: target?.minutes ?? 0 }
  })
  const minutes = Map.groupBy(blocks, ({ node }) => node)
  const living = new Set(body.nodes.map(({ key }) => key))
  const before = new Map((previous?.nodes ?? []).map((node) => [node.key, node]))
  const once = [...before.values()].filter(({ key }) => !living.has(key)).map((node) => ({ ...node, gone: true, gone_since: node.gone_since ?? no }))
  return {
    nodes: [...body.nodes.map((node) => ({ ...node, id: ids.get(node.key) ?? 0, minutes: (minutes.get(node.key) ?? []).reduce((sum, block) => sum + block.minutes, 0), gone_since: null })), ...once],
    // Those who had begun a node that is gone may finish it.
    blocks: [...blocks, ...(previous?.blocks ?? []).filter(({ node }) => !living.has(node))],
  }
}

/** Forgets nodes that were removed before any learner saw them, with their blocks. */
async function forget(tx: Queryable, outlineId: number, { draft, ids }: Stored, body: PublishedBody): Promise<void> {
  const seen = new Set(body.nodes.map(({ key }) => key))
  const order = inOrder(draft.nodes)
  // What hangs below a removed node may have been seen, and needs those above it.
  const needed = new Set<string>()
  for (const { node } of order.toReversed()) if ((seen.has(node.key) || needed.has(node.key)) && node.parent !== null) needed.add(node.parent)
  const gone = order.flatMap(({ node, gone: out }) => (out && !seen.has(node.key) && !needed.has(node.key) ? [ids.get(node.key) ?? 0] : []))
  if (gone.length === 0) return
  await tx.query(sql`delete from outline_block where node_id = any(${sql.param(gone)}::bigint[])`)
  await tx.query(sql`delete from outline_node where outline_id = ${outlineId} and id = any(${sql.param(gone)}::bigint[])`)
}

/**
 * Makes what an outline consists of now the version that learners see. The outline is locked.
 * @returns the number of the version; the present one where nothing was different
 * @throws AppError when it is not fit for that
 */
export async function publish(tx: Queryable, staffId: number | null, row: OutlineRow, note: string): Promise<number> {
  const stored = await readStored(tx, row.id)
  const body = livingBody(stored.draft)
  if (body.nodes.length === 0) throw badRequest('目录还没有内容，不能发布')
  const broken = brokenBlocks(body, await describeBlocks(tx, body.blocks))
  if (broken[0]) throw badRequest(`「${broken[0].name}」${broken[0].words}${broken.length > 1 ? `，另有 ${broken.length - 1} 处` : ''}，处理后再发布`)
  const previous = await readVersion(tx, row.id, row.version_no)
  if (previous && difference(draftOf(livingBody(draftOf(plainBody(previous)))), draftOf(body)).length === 0) {
    await tx.query(sql`update outline set state = ${OUTLINE_STATE.published} where id = ${row.id}`)
    await publishRecords(tx, 'all', outlineChanged, [row.id])
    return row.version_no
  }
  const no = row.version_no + 1
  const next = await publishedBody(tx, no, stored, previous)
  await tx.query(sql`insert into outline_version (outline_id, no, body, staff_id, note) values (${row.id}, ${no}, ${JSON.stringify(next)}::jsonb, ${staffId}, ${note})`)
  await tx.query(sql`update outline set version_no = ${no}, state = ${OUTLINE_STATE.published}, updated_at = now() where id = ${row.id}`)
  await tx.query(sql`update outline_node set published_no = ${no} where outline_id = ${row.id} and published_no is null and id = any(${sql.param(next.nodes.map(({ id }) => id))}::bigint[])`)
  await tx.query(sql`delete from outline_shown where outline_id = ${row.id}`)
  await tx.query(sql`insert into outline_shown (outline_id, kind, ref_id) select distinct ${row.id}::bigint, b.kind, b.ref_id from jsonb_to_recordset(${JSON.stringify(next.blocks)}::jsonb) as b(kind text, ref_id bigint) where b.ref_id > 0`)
  await forget(tx, row.id, stored, next)
  for (const user of outlineUsers()) await user.published?.(tx, row.id)
  await publishRecords(tx, 'all', outlineChanged, [row.id])
  return no
}

/** Brings the draft to what a version held. @throws notFound where there is none */
export async function returnTo(tx: Queryable, staffId: number, { row, owner }: Found, no: number): Promise<OutlineRow> {
  const body = await readVersion(tx, row.id, no)
  if (!body) throw notFound('目录版本')
  const stored = await readStored(tx, row.id)
  const changes = difference(stored.draft, draftOf(livingBody(draftOf(plainBody(body)))))
  // A block whose target is gone since was all right when it was published; the check before publishing says so.
  return changes.length === 0 ? row : (await applyToOutline(tx, staffId, row, owner, changes, stored)).row
}

/** Ends giving up the changes: what is edited is what learners see. @returns the outline's revision */
export async function finishDiscard(tx: Queryable, { id, rev }: OutlineRow): Promise<number> {
  await tx.query(sql`update outline set state = ${OUTLINE_STATE.published} where id = ${id}`)
  await publishRecords(tx, 'all', outlineChanged, [id])
  return rev
}
