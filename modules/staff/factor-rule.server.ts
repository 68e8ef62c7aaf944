import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { leastFactorRule, readFactorRule, writeFactorRule } from '../../core/session/factor-rule.server.ts'
import { getFactorRule, putFactorRule } from './grants.ts'

/** Calls of the setting that says of whom a second factor is asked. */
export function factorRuleCalls({ config, sessions }: Kernel): Served[] {
  const least = leastFactorRule(config)
  return [
    handle(getFactorRule, async (call) => ({ rule: await readFactorRule(call.db, config), least })),
    handle(putFactorRule, async (call) => {
      const { rule } = call.input
      if (rule === 'chosen' && least !== 'chosen') throw badRequest('本系统通过 HTTPS 对外提供服务，超级管理员必须使用两步验证')
      const result = await call.transaction(async (tx) => {
        const before = await readFactorRule(tx, config)
        await writeFactorRule(tx, rule)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
          values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'second_factor', 'staff', 0, ${JSON.stringify({ second_factor: before })}::jsonb, ${JSON.stringify({ second_factor: rule })}::jsonb)`)
        return { rule, least }
      })
      await sessions.changed()
      return result
    }),
  ]
}
