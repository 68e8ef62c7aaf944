import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { RowType } from '../../core/resource/define.ts'
import { lockTree } from '../../core/resource/tree.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertNodes } from '../../core/tree/change.server.ts'
import { inviteCode } from './agent.server.ts'
import { agent, AGENT_STATUS } from './agent.ts'

/** What is known of somebody who becomes an agent. */
type NewAgent = Pick<RowType<typeof agent>, 'name' | 'mobile' | 'type' | 'level_id' | 'parent_id' | 'quota'>

/** At most so deep (domain 5.1); the first level is 0. */
const DEEPEST = (agent.tree?.levels ?? 3) - 1

/**
 * Makes somebody an agent who may sell at once, in the caller's transaction.
 * @returns the agent's id
 * @throws AppError when the number is an agent's already, or the one above cannot have another below
 */
export async function openAgent(tx: Queryable, { parent_id, ...values }: NewAgent): Promise<number> {
  await lockTree(tx, agent.table)
  const [known] = await tx.query<{ name: string }>(sql`select name from agent where mobile = ${values.mobile} and deleted_at is null`)
  if (known) throw badRequest(`该手机号已是代理「${known.name}」，不能重复开通`)
  if (parent_id != null) {
    const [above] = await tx.query<{ depth: number; status: number; name: string }>(sql`select depth, status, name from agent where id = ${parent_id} and deleted_at is null`)
    if (!above || above.status !== AGENT_STATUS.active) throw badRequest('上级代理不存在或未启用，请重新选择')
    if (above.depth >= DEEPEST) throw badRequest(`代理最多 ${DEEPEST + 1} 级，「${above.name}」下不能再有代理`)
  }
  const [id = 0] = await insertNodes(tx, agent, [{ ...values, ...(parent_id != null && { parent_id }), status: AGENT_STATUS.active, invite_code: inviteCode() }])
  return id
}

/**
 * Ends an agent whose opening is taken back, in the caller's transaction.
 * @throws AppError when somebody sells below them, or money is left on their account
 */
export async function closeAgent(tx: Queryable, id: number): Promise<void> {
  await lockTree(tx, agent.table)
  const [row] = await tx.query<{ name: string; left: number; below: number }>(sql`select a.name, coalesce(a.balance, 0) + coalesce(a.frozen, 0) as left,
      (select count(*)::int from agent b where b.parent_id = a.id and b.status <> ${AGENT_STATUS.ended} and b.deleted_at is null) as below from agent a where a.id = ${id} for no key update of a`)
  if (!row) return
  if (row.below > 0) throw badRequest(`代理「${row.name}」还有 ${row.below} 个下级，请先调整下级`)
  if (Number(row.left) > 0) throw badRequest(`代理「${row.name}」还有 ${(Number(row.left) / 100).toFixed(2)} 元未结清，请先结清`)
  await touch(tx, agent, { status: AGENT_STATUS.ended, quota: 0 }, id)
}
