import { sql } from 'drizzle-orm'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { guardedPerson } from './attempt.server.ts'
import { changePassword, endSession, ownSessions, type OwnSession } from '../session/calls.ts'
import { commonProblem, hashPassword, verifyPassword } from './password.server.ts'
import { passwordPolicies, passwordProblem } from '../session/policy.ts'
import { ABSOLUTE_SECONDS, hashToken, IDLE_SECONDS } from '../session/session.server.ts'

/** domain 1.19: a new password is not one of the last three. */
const FORMER = 3

/** Calls of a person's own password and sessions. */
export function ownCalls({ config, sessions }: Pick<Kernel, 'config' | 'sessions'>): Served[] {
  const policy = passwordPolicies[config.passwordPolicy]
  return [
    handle(changePassword, async (call) => {
      const { id } = call.staff
      const { old_password, new_password } = call.input
      const [stored] = await call.db.query<{ password_hash: string | null; former_hashes: string[] }>(
        sql`select password_hash, former_hashes from credential where staff_id = ${id}`,
      )
      if (!(await guardedPerson(call, () => verifyPassword(stored?.password_hash, old_password)))) throw invalid({ old_password: '当前密码不正确' })
      const problem = passwordProblem(policy, new_password, call.staff.account) ?? await commonProblem(new_password)
      if (problem) throw invalid({ new_password: problem })
      const former = [stored?.password_hash ?? '', ...(stored?.former_hashes ?? [])].filter(Boolean).slice(0, FORMER)
      for (const hash of former) if (await verifyPassword(hash, new_password)) throw invalid({ new_password: '不能使用最近三次用过的密码' })
      const hash = await hashPassword(new_password)
      await call.transaction(async (tx) => {
        await tx.query(sql`update credential set password_hash = ${hash}, former_hashes = ${sql.param(former)}::text[], must_change = false, good_until = null, changed_at = now() where staff_id = ${id}`)
        // ASVS 7.4.3: a changed password ends the other sessions.
        await sessions.endAll(tx, id, call.request.session?.hash)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id)
          values (${id}, ${call.ip}, ${call.requestId}, 'change_password', 'staff', ${id})`)
        return {}
      })
      await sessions.changed(id)
      return {}
    }),
    handle(ownSessions, async (call) => {
      const current = call.request.session?.hash
      const rows = await call.db.query<OwnSession & { hash: string }>(
        sql`select hash, created_at, seen_at, ip, user_agent from session where staff_id = ${call.staff.id}
          and created_at > now() - make_interval(secs => ${ABSOLUTE_SECONDS}) and seen_at > now() - make_interval(secs => ${IDLE_SECONDS}) order by seen_at desc`,
      )
      // The hash itself stays here: its hash names the session to its owner.
      const items = rows.map(({ hash, ...row }) => ({ ...row, id: hashToken(hash), current: hash === current }))
      return { items, total: items.length }
    }),
    handle(endSession, async (call) => {
      const rows = await call.db.query<{ hash: string }>(sql`select hash from session where staff_id = ${call.staff.id}`)
      const found = rows.find((row) => hashToken(row.hash) === call.params['id'])
      if (!found) throw notFound('会话')
      if (found.hash === call.request.session?.hash) throw badRequest('结束当前会话请使用退出登录')
      await sessions.end(found.hash)
      return {}
    }),
  ]
}
