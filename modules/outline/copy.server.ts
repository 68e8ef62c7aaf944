import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { describeBlocks } from './block-kind.server.ts'
import type { OriginNews, OutlineSource } from './calls.ts'
import type { Change } from './changes.ts'
import { draftOf, livingBody } from './draft.ts'
import { applyToOutline } from './edit.server.ts'
import { LESSON, type OutlineBody } from './node.ts'
import { ownerKinds } from './owner.server.ts'
import { plainBody, readVersion } from './read.server.ts'
import { readStored, type Found, type OutlineRow } from './store.server.ts'
import { takeOver, undecided } from './take-over.ts'

/** What learners see of a version, as an editor holds it. */
async function bodyOfVersion(db: Queryable, outlineId: number, no: number): Promise<OutlineBody> {
  return livingBody(draftOf(plainBody(await readVersion(db, outlineId, no))))
}

/** Outlines that are looked through for a source, the newest first, and those that are offered. */
const [MOST_LOOKED, MOST_OFFERED] = [2000, 50] as const

/**
 * Outlines that somebody may copy from: of whatever owner they may look at, with something in them.
 * @param words part of the owner's title or note; empty: any
 */
export async function sourcesFor(db: Queryable, staff: Staff, outlineId: number, words: string): Promise<OutlineSource[]> {
  const kinds = ownerKinds().filter(({ grants }) => staff.modules.has(grants.view))
  const rows = await db.query<{ id: number; owner_kind: string; owner_id: number; version_no: number }>(sql`select o.id, o.owner_kind, o.owner_id, o.version_no from outline o
    where o.id <> ${outlineId} and o.owner_kind = any(${sql.param(kinds.map(({ kind }) => kind))}::text[]) and exists (select 1 from outline_node n where n.outline_id = o.id and not n.gone) order by o.id desc limit ${MOST_LOOKED}`)
  const found: Omit<OutlineSource, 'lessons'>[] = []
  const low = words.toLowerCase()
  for (const { kind, label, find } of kinds) {
    const own = rows.filter(({ owner_kind }) => owner_kind === kind)
    const facts = own.length === 0 ? undefined : await find(db, staff, own.map(({ owner_id }) => owner_id))
    for (const { id, owner_id, version_no } of own) {
      const fact = facts?.get(owner_id)
      if (fact && `${fact.title} ${fact.note} ${label}`.toLowerCase().includes(low)) found.push({ id, title: fact.title, note: fact.note, label, version_no })
    }
  }
  const offered = found.sort((a, b) => b.id - a.id).slice(0, MOST_OFFERED)
  const counts = await db.query<{ id: number; n: number }>(sql`select outline_id as id, count(*)::int as n from outline_node where outline_id = any(${sql.param(offered.map(({ id }) => id))}::bigint[]) and kind = ${LESSON} and not gone group by 1`)
  const lessons = new Map(counts.map(({ id, n }) => [id, n]))
  return offered.map((one) => ({ ...one, lessons: lessons.get(one.id) ?? 0 }))
}

/**
 * Brings everything of one outline into another that is still empty. Keys stay the same, so that the copy finds what its
 * origin changes later. The copy is locked.
 * @param from the origin, within the person's reach; its published version where it has one, else its draft
 */
export async function copyInto(tx: Queryable, staffId: number | null, { row, owner }: Pick<Found, 'row' | 'owner'>, from: OutlineRow): Promise<OutlineRow> {
  if (row.id === from.id) throw badRequest('不能复制到自己')
  const stored = await readStored(tx, row.id)
  if ([...stored.draft.nodes.values()].some(({ gone }) => !gone)) throw badRequest('目录已有内容，清空后才能从别处复制')
  const source = from.version_no > 0 ? await bodyOfVersion(tx, from.id, from.version_no) : livingBody((await readStored(tx, from.id)).draft)
  if (source.nodes.length === 0) throw badRequest('来源目录没有内容')
  const strange = source.blocks.filter(({ kind }) => !owner.blocks.includes(kind))
  const blocks = source.blocks.filter((block) => !strange.includes(block))
  // What is not there any more would only have to be taken out by hand.
  const living = new Set((await describeBlocks(tx, blocks)).map(({ kind, id }) => `${kind} ${id}`))
  const kept = blocks.filter(({ kind, ref_id }) => ref_id === 0 || living.has(`${kind} ${ref_id}`))
  const again = source.nodes.filter(({ key }) => stored.draft.nodes.has(key)).map(({ key }) => key)
  const changes: Change[] = [
    { do: 'add', nodes: source.nodes.map(({ gone: _gone, ...node }) => node) },
    ...(again.length > 0 ? [{ do: 'restore' as const, keys: again }] : []),
    ...(kept.length > 0 ? [{ do: 'bind' as const, blocks: kept }] : []),
  ]
  const { row: after } = await applyToOutline(tx, staffId, row, owner, changes, stored)
  const no = from.version_no > 0 ? from.version_no : null
  await tx.query(sql`update outline set origin_id = ${from.id}, origin_no = ${no}, decided = '{}' where id = ${row.id}`)
  return { ...after, origin_id: from.id, origin_no: no, decided: {} }
}

/** What the origin published since it was looked through. @throws notFound where there is no origin */
export async function originOf(db: Queryable, row: OutlineRow): Promise<OriginNews> {
  const [origin] = row.origin_id === null ? [] : await db.query<{ version_no: number }>(sql`select version_no from outline where id = ${row.origin_id}`)
  if (!origin || row.origin_id === null) throw notFound('来源目录')
  const latest = origin.version_no
  const ours = await readStored(db, row.id)
  // A copy of a draft has no version to compare with: what it took is what it holds.
  const base = row.origin_no === null ? livingBody(ours.draft) : await bodyOfVersion(db, row.origin_id, row.origin_no)
  const theirs = latest === 0 ? base : await bodyOfVersion(db, row.origin_id, latest)
  return { latest, base, theirs, targets: await describeBlocks(db, [...base.blocks, ...theirs.blocks]), open: undecided(base, theirs, latest, row.decided) }
}

export interface Decision { readonly key: string; readonly take: 'accept' | 'keep' | 'skip' }

/**
 * Takes over what is accepted, and remembers the rest. When nothing is left open the origin counts as looked through.
 * The outline is locked.
 * @param latest version of the origin that was looked at
 */
export async function decide(tx: Queryable, staffId: number, { row, owner }: Found, latest: number, decisions: readonly Decision[]): Promise<OutlineRow> {
  const news = await originOf(tx, row)
  if (news.latest !== latest) throw badRequest('来源目录又有更新，刷新后再处理')
  const stored = await readStored(tx, row.id)
  const accepted = decisions.flatMap(({ key, take }) => (take === 'accept' ? [key] : []))
  const allowed: OutlineBody = { nodes: news.theirs.nodes, blocks: news.theirs.blocks.filter(({ kind }) => owner.blocks.includes(kind)) }
  const changes = takeOver(stored.draft, news.base, allowed, accepted)
  const after = changes.length === 0 ? row : (await applyToOutline(tx, staffId, row, owner, changes, stored)).row
  const decided = { ...row.decided }
  for (const { key, take } of decisions) decided[key] = take === 'keep' ? -1 : latest
  const open = news.open.filter((key) => decided[key] === undefined || (decided[key] !== -1 && decided[key] !== latest))
  const done = open.length === 0
  const kept = done ? Object.fromEntries(Object.entries(decided).filter(([, no]) => no === -1)) : decided
  const no = done ? latest : row.origin_no
  await tx.query(sql`update outline set decided = ${JSON.stringify(kept)}::jsonb, origin_no = ${no} where id = ${row.id}`)
  return { ...after, decided: kept, origin_no: no }
}
