import { sql } from 'drizzle-orm'
import type { Call, Served } from '../endpoint/serve.server.ts'
import { handle } from '../endpoint/serve.server.ts'
import { badRequest, badToken, invalid } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { guardedPerson } from './attempt.server.ts'
import { verify } from '../session/calls.ts'
import { verifyPassword } from './password.server.ts'
import { spendCode } from './totp-code.server.ts'

/** Whether a password is the person's own. */
export async function isOwnPassword(call: Pick<Call, 'db' | 'staff'>, password: string): Promise<boolean> {
  const [row] = await call.db.query<{ password_hash: string | null }>(sql`select password_hash from credential where staff_id = ${call.staff.id}`)
  return verifyPassword(row?.password_hash, password)
}

/** Writes down that the person has just proved who they are. */
export async function markVerified(sessions: Kernel['sessions'], call: Pick<Call, 'db' | 'staff' | 'request'>): Promise<void> {
  const hash = call.request.session?.hash
  if (!hash) throw badToken()
  await call.db.query(sql`update session set verified_at = now() where hash = ${hash}`)
  await sessions.changed(call.staff.id)
}

/** The call that proves again who is there. */
export function verifyCalls({ sessions, secrets }: Pick<Kernel, 'sessions' | 'secrets'>): Served[] {
  return [
    handle(verify, async (call) => {
      const { pwd, code } = call.input
      if (pwd === undefined && code === undefined) throw badRequest('请输入密码或验证码')
      const right = await guardedPerson(call, () =>
        pwd === undefined ? spendCode(call.db, secrets, call.staff.id, code ?? '') : isOwnPassword(call, pwd))
      if (!right) throw invalid(pwd === undefined ? { code: '验证码不正确' } : { pwd: '密码不正确' })
      await markVerified(sessions, call)
      return {}
    }),
  ]
}
