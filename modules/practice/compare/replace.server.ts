/** One question takes the place of another wherever it is used; what is printed or on the shelf stays as it is. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { setDerived } from '../../../core/resource/touch.server.ts'
import { lockPractices, type PracticeRow } from '../bank/access.server.ts'
import { practice, STATUS } from '../bank/practice.ts'
import { replaceImpact, replaceUses, type ReplaceImpact } from './calls.ts'
import { moveUses, usesOf } from './uses.server.ts'

type Asked = Call<{ to_id: number }>

async function lockBoth(tx: Queryable, call: Asked): Promise<{ from: PracticeRow; to: PracticeRow }> {
  const id = idParam(call)
  const rows = await lockPractices(tx, call.staff, [id, call.input.to_id])
  const [from, to] = [rows.find((row) => row.id === id), rows.find((row) => row.id === call.input.to_id)]
  if (!from || !to) throw notFound('试题')
  return { from, to }
}

/** Why one cannot stand for the other; null when it can. */
function refusalOf(from: PracticeRow, to: PracticeRow): string | null {
  if (from.id === to.id) return '请选择另一道题'
  if (from.subject_id !== to.subject_id) return '两道题的学科不同'
  if (from.type !== to.type) return '两道题的题型不同，放进原来的大题会出错'
  if (to.status === STATUS.void) return '替换成的题已经作废'
  if (from.pool === 'official' && !(to.pool === 'official' && (to.status === STATUS.published || to.status === STATUS.revising))) return '正式试题只能换成已发布的正式试题'
  return null
}

/** Carries what was found out of a transaction that is given up. */
class TriedOut extends Error {
  readonly impact: ReplaceImpact

  constructor(impact: ReplaceImpact) {
    super('tried out')
    this.impact = impact
  }
}

/** The calls, answered. */
export function replaceCalls(): Served[] {
  return [
    handle(replaceImpact, async (call) => {
      // Done and given up: only so it is known what the person may change.
      const tried = await call.transaction(async (tx) => {
        const { from, to } = await lockBoth(tx, call)
        const refusal = refusalOf(from, to)
        const uses = await usesOf(tx, call.staff, from.id)
        const done = refusal === null ? await moveUses(tx, call.staff, from.id, to.id, false) : { moved: 0, left_alone: 0 }
        throw new TriedOut({ uses, ...done, refusal })
      }).catch((error: unknown) => error)
      if (tried instanceof TriedOut) return tried.impact
      throw tried
    }),
    handle(replaceUses, (call) => call.transaction(async (tx) => {
      const { from, to } = await lockBoth(tx, call)
      const refusal = refusalOf(from, to)
      if (refusal !== null) throw badRequest(refusal)
      const done = await moveUses(tx, call.staff, from.id, to.id, false)
      if (done.moved > 0) await setDerived(tx, practice, { use_count: sql`t.use_count + ${done.moved}` }, to.id)
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after) values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'replace_uses', 'practice', ${from.id}, ${JSON.stringify({ to: to.no, ...done })}::jsonb)`)
      return done
    }, { action: 'replace_uses' })),
  ]
}
