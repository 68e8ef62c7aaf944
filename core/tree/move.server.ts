import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Row } from '../resource/list.server.ts'
import type { Back, Done, Pipeline } from '../resource/operations.server.ts'
import { showRow } from '../resource/regions.server.ts'
import { lockTree } from '../resource/tree.server.ts'
import { checkRev, lockToChange } from '../resource/write.server.ts'
import { moveNode } from './change.server.ts'
import { childrenOf } from '../resource/tree-order.server.ts'
import type { NodeRow } from '../resource/tree-place.server.ts'

/** Where a node comes to stand: below which parent, null for the top, and before which sibling, absent for the end. */
export interface PlaceSent {
  readonly parent_id: number | null
  readonly before_id?: number | undefined
  /** Revision that the person saw. */
  readonly rev?: number | undefined
}

/** Locks a node of a tree that is held, as the person saw it. */
export async function lockNode(tx: Queryable, { service, staff }: Pick<Pipeline, 'service' | 'staff'>, id: number, rev?: number): Promise<NodeRow> {
  const row = await lockToChange(tx, service, staff, id)
  if (rev !== undefined) await checkRev(tx, row, rev, (stale: Row) => showRow(service.resource, staff, stale))
  return row as NodeRow
}

/**
 * Moves a node with everything below it; the right to do so is the caller's to ask for.
 * @throws AppError when it is out of reach, somebody wrote since, or it cannot stand there
 */
export async function moveRecord(tx: Queryable, pipeline: Pick<Pipeline, 'service' | 'staff'>, id: number, { parent_id, before_id, rev }: PlaceSent): Promise<Done> {
  const { resource } = pipeline.service
  await lockTree(tx, resource.table)
  const node = await lockNode(tx, pipeline, id, rev)
  // Within reach as the node is; nobody takes it away meanwhile.
  if (parent_id !== null && parent_id !== node.parent_id) await lockNode(tx, pipeline, parent_id)
  const [next] = await tx.query<{ id: number }>(sql`select id from ${sql.identifier(resource.table)}
    where ${childrenOf(resource, node, node.parent_id)} and (ord, id) > (${node.ord}::text collate "C", ${node.id}::bigint) order by ord, id limit 1`)
  const back: Back = { by: 'move', parent_id: node.parent_id, ...(next && { before_id: next.id }) }
  const moved = await moveNode(tx, pipeline, node, parent_id, before_id)
  return { record: moved, before: node, rev: moved.rev, back }
}
