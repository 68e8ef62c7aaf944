import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import type { Change } from './changes.ts'
import { applyToOutline } from './edit.server.ts'
import { ASSET_BLOCKS } from './kinds.server.ts'
import { ownerOf } from './owner.server.ts'
import { newKey } from './place.ts'
import { findOutline, readStored } from './store.server.ts'

/** Kinds as they stand in a statement, so that the index of kinds and ids is read. */
const listed = (kinds: readonly string[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))
const ASSETS = Object.keys(ASSET_BLOCKS)

/** Places that show something: in what is edited, or in what learners see alone. */
const places = (kinds: readonly string[], id: SQL) => sql`select b.outline_id, b.node_id, exists (select 1 from outline_shown s where s.outline_id = b.outline_id and s.kind = b.kind and s.ref_id = b.ref_id) as live from outline_block b where b.kind in (${listed(kinds)}) and b.ref_id = ${id}
  union all select s.outline_id, null, true from outline_shown s where s.kind in (${listed(kinds)}) and s.ref_id = ${id}
    and not exists (select 1 from outline_block b where b.outline_id = s.outline_id and b.kind = s.kind and b.ref_id = s.ref_id)`

interface NodeUse { outline_id: number; owner_kind: string; owner_id: number; node: string | null; live: boolean }

/** Places on outlines of owners within a person's reach, with how the owner is called. */
async function listUses(kinds: readonly string[], db: Queryable, staff: Staff, id: number) {
  const rows = await db.query<NodeUse & Record<string, unknown>>(sql`select p.outline_id, o.owner_kind, o.owner_id, n.name as node, p.live from (${places(kinds, sql`${id}::bigint`)}) p
    join outline o on o.id = p.outline_id left join outline_node n on n.id = p.node_id order by p.live desc, p.outline_id desc limit 100`)
  const found = []
  for (const [kind, own] of Map.groupBy(rows, ({ owner_kind }) => owner_kind)) {
    const owner = ownerOf(kind)
    if (!owner || !staff.modules.has(owner.grants.view)) continue
    const facts = await owner.find(db, staff, [...new Set(own.map(({ owner_id }) => owner_id))])
    for (const { owner_id, node, live } of own) {
      const title = facts.get(owner_id)?.title
      if (title !== undefined) found.push({ kind: owner.label, title: node === null ? `${title}（已发布的版本）` : `${title} · ${node}`, path: owner.path(owner_id), live })
    }
  }
  return found
}

/** Another asset takes the place of one in what is edited of one outline. @returns how many blocks follow */
async function moveWithin(tx: Queryable, staff: Staff, outlineId: number, from: number, to: number): Promise<number> {
  const { row, owner } = await findOutline(tx, staff, outlineId, 'edit', true)
  const stored = await readStored(tx, row.id)
  const blocks = [...stored.draft.blocks.values()].filter(({ kind, ref_id }) => kind in ASSET_BLOCKS && ref_id === from)
  const changes: Change[] = [{ do: 'unbind', keys: blocks.map(({ key }) => key) }, { do: 'bind', blocks: blocks.map((block) => ({ ...block, key: newKey(), ref_id: to })) }]
  await applyToOutline(tx, staff.id, row, owner, changes, stored)
  return blocks.length
}

/** Outlines as users of what blocks of some kinds show: how many places, and which of them a person may see. */
export const usesByBlocks = (kinds: readonly string[]): Pick<AssetUser, 'count' | 'list'> => ({
  count: (id) => sql`(select count(*) from (${places(kinds, id)}) p)`,
  list: (db, staff, id) => listUses(kinds, db, staff, id),
})

/** Outlines as users of assets. What learners see follows when the outline is published. */
export const assetUses: AssetUser = {
  ...usesByBlocks(ASSETS),
  async move(tx, staff, from, to) {
    const done = { moved: 0, left_alone: 0 }
    const rows = await tx.query<{ outline_id: number; n: number }>(sql`select outline_id, count(*)::int as n from outline_block where kind in (${listed(ASSETS)}) and ref_id = ${from} group by outline_id order by outline_id`)
    for (const { outline_id, n } of rows) {
      try {
        done.moved += await moveWithin(tx, staff, outline_id, from, to)
      } catch (error) {
        // Refused before anything is written: outlines that the person may not change.
        if (!(error instanceof AppError)) throw error
        done.left_alone += n
      }
    }
    return done
  },
}
