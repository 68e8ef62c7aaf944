import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Resource } from '../resource/define.ts'

/** What is said about a record. */
export interface NewContribution {
  readonly body: string
  readonly mentions?: readonly number[]
  readonly follow_up?: { readonly at: number; readonly staff_id: number }
}

/** Keeps what somebody says about a record, in the caller's transaction; whoever calls has asked whether they may. @returns its id */
export async function addContribution(tx: Queryable, resource: Pick<Resource, 'table' | 'name'>, id: number, staffId: number, { body, mentions = [], follow_up }: NewContribution): Promise<number | undefined> {
  const [made] = await tx.query<{ id: number }>(sql`insert into discussion (entity, entity_id, resource, staff_id, body, mentions, follow_up_at, follow_up_staff)
    values (${resource.table}, ${id}, ${resource.name}, ${staffId}, ${body}, ${sql.param([...mentions])}::bigint[], to_timestamp(${follow_up?.at ?? null}), ${follow_up?.staff_id ?? null}) returning id`)
  return made?.id
}
