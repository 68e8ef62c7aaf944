import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { lockTree } from '../../core/resource/tree.server.ts'
import { AGENT_DEPTH, agent } from './agent.ts'

/** Letters and digits that nobody mistakes for one another when reading a code aloud. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A code of eight letters by which an agent's customers are known. */
export function inviteCode(pick: (below: number) => number = randomInt): string {
  return Array.from({ length: 8 }, () => CODE_LETTERS[pick(CODE_LETTERS.length)]).join('')
}

/** Refuses a place in the tree that is too deep. */
async function checkDepth(tx: Queryable, id: number | undefined, parentId: number): Promise<void> {
  // Two additions at once could become deeper together than each of them sees.
  await lockTree(tx, agent.table)
  const [above] = await tx.query<{ height: number }>(sql`with recursive up as (
      select id, parent_id from agent where id = ${parentId}
      union select a.id, a.parent_id from agent a join up on a.id = up.parent_id
    ) select count(*)::int as height from up`)
  const [below] = await tx.query<{ height: number }>(sql`with recursive down as (
      select id, 1 as height from agent where id = ${id ?? null} and deleted_at is null
      union all select a.id, down.height + 1 from agent a join down on a.parent_id = down.id where a.deleted_at is null
    ) select coalesce(max(height), 1)::int as height from down`)
  if ((above?.height ?? 0) + (below?.height ?? 1) > AGENT_DEPTH) throw invalid({ parent_id: `代理最多 ${AGENT_DEPTH} 级` })
}

export const agents = serve(agent)({
  async before({ tx, values, row }) {
    if (!row) values['invite_code'] = inviteCode()
    if (values.parent_id) await checkDepth(tx, row?.id, values.parent_id)
  },
})
