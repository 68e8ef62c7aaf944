import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound, notGranted } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { pathBelow } from '../../core/resource/tree-path.ts'
import type { OutlineContent } from './calls.ts'
import type { Draft } from './draft.ts'
import type { OutlineBlock, OutlineNode } from './node.ts'
import { ownerOf, type OutlineOwnerKind, type OwnerFacts } from './owner.server.ts'

/** An outline without what it consists of. */
export interface OutlineRow {
  id: number
  owner_kind: string
  owner_id: number
  rev: number
  state: OutlineContent['state']
  version_no: number
  origin_id: number | null
  origin_no: number | null
  decided: Record<string, number>
}

/** An outline that somebody may see, with what its owner says. */
export interface Found {
  readonly row: OutlineRow
  readonly owner: OutlineOwnerKind
  readonly facts: OwnerFacts
}

/** An outline as it is stored: with the ids that its keys have. */
export interface Stored {
  readonly draft: Draft
  readonly ids: ReadonlyMap<string, number>
}

const ROW = sql`id, owner_kind, owner_id, rev, state, version_no, origin_id, origin_no, decided`

/** An outline, whoever asks. @param lock nobody else changes it until the transaction ends */
export async function readRow(db: Queryable, id: number, lock: boolean): Promise<OutlineRow | undefined> {
  const [row] = await db.query<OutlineRow & Record<string, unknown>>(sql`select ${ROW} from outline where id = ${id}${lock ? sql` for no key update` : sql``}`)
  return row
}

/**
 * An outline within a person's reach.
 * @param right what the person wants to do with it
 * @param lock for a change: nobody else changes it until the transaction ends
 * @throws AppError when there is none that the person may see, or they may not do this
 */
export async function findOutline(db: Queryable, staff: Staff, id: number, right: keyof OutlineOwnerKind['grants'], lock = false): Promise<Found> {
  const row = await readRow(db, id, lock)
  const owner = row && ownerOf(row.owner_kind)
  const facts = row && owner && staff.modules.has(owner.grants.view) ? (await owner.find(db, staff, [row.owner_id])).get(row.owner_id) : undefined
  if (!row || !owner || !facts) throw notFound('课程目录')
  if (!staff.modules.has(owner.grants[right])) throw notGranted(`${owner.label} · ${right === 'publish' ? '发布' : '新增和编辑'}`)
  return { row, owner, facts }
}

/** An outline that its owner's own calls change; nobody else does until the transaction ends. */
export async function lockOutline(tx: Queryable, id: number): Promise<OutlineRow> {
  const [row] = await tx.query<OutlineRow>(sql`select ${ROW} from outline where id = ${id} for no key update`)
  if (!row) throw notFound('课程目录')
  return row
}

/** What an outline consists of. */
export async function readStored(db: Queryable, outlineId: number): Promise<Stored> {
  const rows = await db.query<Omit<OutlineNode, 'parent'> & { id: number; parent_id: number | null }>(sql`select id, key, parent_id, ord, kind, name, free, trial_minutes, unlock, unlock_score, open_at, label_ids, chapter_id, gone from outline_node where outline_id = ${outlineId}`)
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  const blocks = await db.query<Omit<OutlineBlock, 'node'> & { node_id: number }>(sql`select key, node_id, ord, kind, ref_id, slot, version_no, title, text from outline_block where outline_id = ${outlineId}`)
  return {
    draft: {
      nodes: new Map(rows.map(({ id: _id, parent_id, ...node }) => [node.key, { ...node, parent: parent_id === null ? null : keys.get(parent_id) ?? null }])),
      blocks: new Map(blocks.map(({ node_id, ...block }) => [block.key, { ...block, node: keys.get(node_id) ?? '' }])),
    },
    ids: new Map(rows.map(({ id, key }) => [key, id])),
  }
}

/** The path of each node, by its key: the ids above it. */
function pathsOf({ nodes }: Draft, ids: ReadonlyMap<string, number>): Map<string, string> {
  const found = new Map<string, string>()
  const pathOf = (node: OutlineNode): string => {
    const known = found.get(node.key)
    if (known !== undefined) return known
    const parent = node.parent === null ? undefined : nodes.get(node.parent)
    const path = parent ? pathBelow({ id: ids.get(parent.key) ?? 0, path: pathOf(parent) }) : '/'
    found.set(node.key, path)
    return path
  }
  for (const node of nodes.values()) pathOf(node)
  return found
}

/**
 * Writes what is different between two states, whatever its extent in three statements.
 * @returns the ids that the keys have now
 */
export async function writeDifference(tx: Queryable, outlineId: number, { draft, ids }: Stored, next: Draft): Promise<ReadonlyMap<string, number>> {
  const fresh = [...next.nodes.keys()].filter((key) => !ids.has(key))
  const reserved = fresh.length === 0 ? [] : await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('outline_node', 'id')) as id from generate_series(1, ${fresh.length}::int)`)
  const all = new Map([...ids, ...fresh.map((key, index) => [key, reserved[index]?.id ?? 0] as const)])
  const [before, after] = [pathsOf(draft, ids), pathsOf(next, all)]
  const nodes = [...next.nodes.values()].filter((node) => draft.nodes.get(node.key) !== node || before.get(node.key) !== after.get(node.key))
  if (nodes.length > 0) {
    const rows = nodes.map(({ parent, ...node }) => ({ ...node, id: all.get(node.key), parent_id: parent === null ? null : all.get(parent), path: after.get(node.key) }))
    await tx.query(sql`insert into outline_node (id, outline_id, key, parent_id, path, ord, kind, name, free, trial_minutes, unlock, unlock_score, open_at, label_ids, chapter_id, gone) overriding system value
      select r.id, ${outlineId}::bigint, r.key, r.parent_id, r.path, r.ord, r.kind, r.name, r.free, r.trial_minutes, r.unlock, r.unlock_score, r.open_at, r.label_ids, r.chapter_id, r.gone
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, key text, parent_id bigint, path text, ord text, kind smallint, name text, free smallint, trial_minutes int, unlock smallint, unlock_score smallint, open_at bigint, label_ids bigint[], chapter_id bigint, gone boolean)
      on conflict (outline_id, key) do update set parent_id = excluded.parent_id, path = excluded.path, ord = excluded.ord, kind = excluded.kind, name = excluded.name, free = excluded.free, trial_minutes = excluded.trial_minutes,
        unlock = excluded.unlock, unlock_score = excluded.unlock_score, open_at = excluded.open_at, label_ids = excluded.label_ids, chapter_id = excluded.chapter_id, gone = excluded.gone`)
  }
  const dropped = [...draft.blocks.keys()].filter((key) => !next.blocks.has(key))
  if (dropped.length > 0) await tx.query(sql`delete from outline_block where outline_id = ${outlineId} and key = any(${sql.param(dropped)}::text[])`)
  const blocks = [...next.blocks.values()].filter((block) => draft.blocks.get(block.key) !== block)
  if (blocks.length > 0) {
    const rows = blocks.map(({ node, ...block }) => ({ ...block, node_id: all.get(node) }))
    await tx.query(sql`insert into outline_block (outline_id, key, node_id, ord, kind, ref_id, slot, version_no, title, text)
      select ${outlineId}::bigint, r.key, r.node_id, r.ord, r.kind, r.ref_id, r.slot, r.version_no, r.title, r.text
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (key text, node_id bigint, ord text, kind text, ref_id bigint, slot smallint, version_no int, title text, text text)
      on conflict (outline_id, key) do update set node_id = excluded.node_id, ord = excluded.ord, kind = excluded.kind, ref_id = excluded.ref_id, slot = excluded.slot, version_no = excluded.version_no, title = excluded.title, text = excluded.text`)
  }
  return all
}
