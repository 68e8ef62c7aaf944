import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { regionName } from '../../core/field/region.server.ts'
import { lockTree } from '../../core/resource/tree.server.ts'
import { agent, AGENT_STATUS } from './agent.ts'

/** SQL: whether one of two agents stands above the other, or both are the same. */
export const sameBranch = (one: string, other: string) => sql.raw(`(${one}.id = ${other}.id or ${one}.path like '%/' || ${other}.id || '/%' or ${other}.path like '%/' || ${one}.id || '/%')`)

/**
 * An exclusive region is one agent's, and theirs who sell below them or above; agents who have ended hold none. The tree is held, so
 * that two who are given the same region at once do not both get it.
 * @param ids agents as they stand now, with everything below them
 * @throws AppError that names who holds the region
 */
export async function refuseOverlap(tx: Queryable, ids: readonly number[]): Promise<void> {
  await lockTree(tx, agent.table)
  const [clash] = await tx.query<{ mine: string; region_code: string; holder: string }>(sql`select a.name as mine, b.region_code, b.name as holder from agent a join agent b
      on (starts_with(a.region_code, b.region_code) or starts_with(b.region_code, a.region_code)) and not ${sameBranch('a', 'b')}
    where (a.id = any(${sql.param([...ids])}::bigint[]) or ${sql.join(ids.map((id) => sql`a.path like ${`%/${id}/%`}`), sql` or `)}) and a.status <> ${AGENT_STATUS.ended} and b.status <> ${AGENT_STATUS.ended} and b.deleted_at is null
    order by length(b.region_code), b.id limit 1`)
  if (clash) throw invalid({ region_code: `「${clash.holder}」已独家代理${regionName(clash.region_code)}，与「${clash.mine}」的独家区域重叠` })
}
