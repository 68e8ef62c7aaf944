import { sql } from 'drizzle-orm'
import { questionChecks } from '../../core/kernel/self-check.server.ts'

/** An approved application has its effect, and one that was undone has none (operations 1.10, 18). */
export const applyChecks = questionChecks('入驻申请', [
  ['apply_effect', '申请已通过却没有生效', sql`select id from apply where status = 3 and effect_ref is null`],
  ['apply_agent', '已通过的申请所开的代理不在', sql`select a.id from apply a where a.status = 3 and a.effect_ref like 'agent %' and not exists (select 1 from agent g where a.effect_ref = 'agent ' || g.id and g.deleted_at is null)`],
])
