import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { chapter, knowledgeLabel } from '../practice/module.ts'
import { blockKind, describeBlocks, openBlocks } from './block-kind.server.ts'
import { OUTLINE_STATE, type Clash, type OutlineNews } from './calls.ts'
import { applyAll, nodesNamed, type Change } from './changes.ts'
import { isLiving, type Draft } from './draft.ts'
import { MAX_BLOCKS, MAX_NODES } from './node.ts'
import { outlineChanged } from './module.ts'
import type { OutlineOwnerKind } from './owner.server.ts'
import { readStored, writeDifference, type OutlineRow, type Stored } from './store.server.ts'

/** Changes that are answered one by one; of more the whole outline is read again. */
const MOST_NEWS = 300

/** Refuses changes that name something outside the outline that is not there. */
async function checkNamed(tx: Queryable, owner: OutlineOwnerKind, changes: readonly Change[]): Promise<void> {
  const bound = changes.flatMap((change) => (change.do === 'bind' ? change.blocks : []))
  const strange = bound.find(({ kind }) => !owner.blocks.includes(kind) || !blockKind(kind))
  if (strange) throw badRequest(`「${owner.label}」的目录不能放「${blockKind(strange.kind)?.label ?? strange.kind}」`)
  const referring = bound.filter(({ kind }) => blockKind(kind)?.target)
  const known = new Set((await describeBlocks(tx, referring)).map(({ kind, id }) => `${kind} ${id}`))
  const missing = referring.find(({ kind, ref_id }) => !known.has(`${kind} ${ref_id}`))
  if (missing) throw badRequest(`${blockKind(missing.kind)?.label ?? '内容'}不存在或已被删除，请重新选择`)
  await openBlocks(tx, referring, owner.grants.view)
  const values = changes.flatMap((change) => (change.do === 'set' ? [change.values] : change.do === 'add' ? change.nodes : []))
  await checkThere(tx, knowledgeLabel, '标签', values.flatMap(({ label_ids }) => label_ids ?? []))
  await checkThere(tx, chapter, '教材章节', values.flatMap(({ chapter_id }) => chapter_id ?? []))
}

/** The lock keeps what is named from being removed before this is written. */
async function checkThere(tx: Queryable, { table }: { readonly table: string }, label: string, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  if (wanted.length === 0) return
  const rows = await tx.query(sql`select id from ${sql.identifier(table)} where id = any(${sql.param(wanted)}::bigint[]) and deleted_at is null order by id for key share`)
  if (rows.length < wanted.length) throw badRequest(`${label}不存在或已被删除，请重新选择`)
}

const living = ({ nodes }: Draft) => [...nodes.values()].filter(({ gone }) => !gone).length

/**
 * Applies changes to an outline, on top of whatever others have done to it. The outline is locked.
 * @returns the outline after it
 * @throws AppError when something does not allow it; nothing is changed then
 */
export async function applyToOutline(tx: Queryable, staffId: number | null, row: OutlineRow, owner: OutlineOwnerKind, changes: readonly Change[], known?: Stored): Promise<{ row: OutlineRow; draft: Draft }> {
  await checkNamed(tx, owner, changes)
  const stored = known ?? await readStored(tx, row.id)
  const next = applyAll(stored.draft, changes)
  if (next.nodes.size > stored.draft.nodes.size && living(next) > MAX_NODES) throw badRequest(`目录最多 ${MAX_NODES} 项`)
  if (next.blocks.size > stored.draft.blocks.size && next.blocks.size > MAX_BLOCKS) throw badRequest(`目录内容最多 ${MAX_BLOCKS} 个`)
  await writeDifference(tx, row.id, stored, next)
  const state = row.state === OUTLINE_STATE.published ? OUTLINE_STATE.changed : row.state
  const after = { ...row, rev: row.rev + 1, state }
  await tx.query(sql`update outline set rev = ${after.rev}, state = ${state}, updated_at = now() where id = ${row.id}`)
  await tx.query(sql`insert into outline_change (outline_id, rev, staff_id, changes) values (${row.id}, ${after.rev}, ${staffId}, ${JSON.stringify(changes)}::jsonb)`)
  await publishRecords(tx, 'all', outlineChanged, [row.id])
  return { row: after, draft: next }
}

interface Logged { rev: number; changes: Change[]; staff_id: number | null; staff_name: string; at: number }

/** Changes of an outline since a revision, in their order. */
async function changesSince(db: Queryable, outlineId: number, rev: number): Promise<Logged[]> {
  return db.query<Logged>(sql`select c.rev, c.changes, c.staff_id, coalesce(s.name, '系统') as staff_name, extract(epoch from c.at)::int as at
    from outline_change c left join staff s on s.id = c.staff_id where c.outline_id = ${outlineId} and c.rev > ${rev} order by c.rev limit ${MOST_NEWS + 1}`)
}

/** What happened to an outline since somebody looked. */
export async function newsOf(db: Queryable, { id, rev, state, version_no }: OutlineRow, since: number, clashes: Clash[] = []): Promise<OutlineNews> {
  const found = since >= rev ? [] : await changesSince(db, id, since)
  // A rev of another time, or too many: the whole is quicker.
  if (since > rev || found.length > MOST_NEWS || found.length < rev - since) return { rev, state, version_no, changes: null, targets: [], clashes }
  const bound = found.flatMap(({ changes }) => changes.flatMap((change) => (change.do === 'bind' ? change.blocks : [])))
  return { rev, state, version_no, changes: found, targets: await describeBlocks(db, bound), clashes }
}

/** The nearest removed node at or above one. */
function goneAbove({ nodes }: Draft, key: string): string | undefined {
  for (let node = nodes.get(key); node; node = node.parent === null ? undefined : nodes.get(node.parent)) if (node.gone) return node.key
  return undefined
}

/**
 * Whom the maker of changes has to hear of: colleagues who have meanwhile removed what the changes are about, or moved what
 * they move.
 * @param since revision that the changes were made on
 */
export async function clashesOf(db: Queryable, outlineId: number, staffId: number, since: number, changes: readonly Change[], after: Draft): Promise<Clash[]> {
  const others = (await changesSince(db, outlineId, since)).filter((one) => one.staff_id !== staffId)
  if (others.length === 0) return []
  const did = new Map<string, Clash>()
  for (const { changes: theirs, staff_name, at } of others) {
    for (const change of theirs) {
      const [what, keys] = change.do === 'remove' ? ['removed' as const, change.keys] : change.do === 'move' ? ['moved' as const, change.nodes.map(({ key }) => key)] : ['moved' as const, []]
      for (const key of keys) did.set(`${what} ${key}`, { key, name: after.nodes.get(key)?.name ?? '', did: what, staff_name, at })
    }
  }
  const found = new Map<string, Clash>()
  for (const change of changes) {
    if (change.do === 'remove' || change.do === 'restore') continue
    for (const key of nodesNamed(change)) {
      const gone = isLiving(after.nodes, key) ? undefined : goneAbove(after, key)
      const clash = gone === undefined ? undefined : did.get(`removed ${gone}`)
      if (clash) found.set(clash.key, clash)
    }
    if (change.do === 'move') {
      for (const { key } of change.nodes) {
        const clash = did.get(`moved ${key}`)
        if (clash && !found.has(key)) found.set(key, clash)
      }
    }
  }
  return [...found.values()]
}
