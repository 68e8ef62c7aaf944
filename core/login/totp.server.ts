import { sql } from 'drizzle-orm'
import { generateURI } from 'otplib'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { badRequest, defineError, invalid } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { guardedPerson } from './attempt.server.ts'
import { changeFactor } from './factor.server.ts'
import { newRecoveryCodes, newTotpSecret, spendCode, stepOf } from './totp-code.server.ts'
import { beginTotp, confirmTotp, disableTotp, renewRecoveryCodes, totpStatus } from '../session/totp.ts'
import { isOwnPassword } from './verify.server.ts'

const ISSUER = '道远后台'

const alreadyOn = defineError('totp_on', 409, () => '两步验证已经开启')
const notOn = defineError('totp_off', 409, () => '两步验证没有开启')

/** Calls of a person's own second factor. */
export function totpCalls(kernel: Pick<Kernel, 'sessions' | 'secrets'>): Served[] {
  const { secrets, sessions } = kernel
  return [
    handle(totpStatus, async (call) => {
      const [row] = await call.db.query<{ enabled: boolean; forced: boolean; recovery_codes: number }>(
        sql`select coalesce(c.totp_confirmed, false) as enabled, ${sessions.factorAsked} as forced, coalesce(cardinality(c.recovery_hashes), 0) as recovery_codes
          from staff s left join credential c on c.staff_id = s.id where s.id = ${call.staff.id}`,
      )
      return row ?? { enabled: false, forced: false, recovery_codes: 0 }
    }),
    handle(beginTotp, async (call) => {
      const { secret, sealed } = newTotpSecret(secrets, call.staff.id)
      const begun = await call.db.query(sql`insert into credential as c (staff_id, totp_secret) values (${call.staff.id}, ${sealed})
        on conflict (staff_id) do update set totp_secret = ${sealed} where not c.totp_confirmed returning staff_id`)
      if (begun.length === 0) throw alreadyOn()
      return { secret, uri: generateURI({ issuer: ISSUER, label: call.staff.account, secret }) }
    }),
    handle(confirmTotp, async (call) => {
      const { id } = call.staff
      const [row] = await call.db.query<{ totp_secret: string | null; totp_confirmed: boolean }>(
        sql`select totp_secret, totp_confirmed from credential where staff_id = ${id}`,
      )
      if (row?.totp_confirmed) throw alreadyOn()
      const sealed = row?.totp_secret
      if (!sealed) throw badRequest('请先获取两步验证的密钥')
      const code = call.input.code.replace(/\s/g, '')
      let step: number | undefined
      const right = await guardedPerson(call, async () => {
        step = /^\d{6}$/.test(code) ? await stepOf(secrets, id, sealed, code) : undefined
        return step !== undefined
      })
      if (!right) throw invalid({ code: '验证码不正确，请检查手机时间是否准确' })
      const { codes, hashes } = newRecoveryCodes(id)
      return changeFactor(kernel, call, 'totp_on', async (tx) => {
        const on = await tx.query(sql`update credential set totp_confirmed = true, totp_step = ${step}, recovery_hashes = ${sql.param(hashes)}::text[]
          where staff_id = ${id} and not totp_confirmed and totp_secret = ${sealed} returning staff_id`)
        if (on.length === 0) throw alreadyOn()
        return { recovery_codes: codes }
      })
    }),
    handle(renewRecoveryCodes, async (call) => {
      const { codes, hashes } = newRecoveryCodes(call.staff.id)
      return changeFactor(kernel, call, 'recovery_codes', async (tx) => {
        const renewed = await tx.query(sql`update credential set recovery_hashes = ${sql.param(hashes)}::text[] where staff_id = ${call.staff.id} and totp_confirmed returning staff_id`)
        if (renewed.length === 0) throw notOn()
        return { recovery_codes: codes }
      })
    }),
    handle(disableTotp, async (call) => {
      const { id } = call.staff
      const { pwd, code } = call.input
      const wrong: Record<string, string> = {}
      await guardedPerson(call, async () => {
        // The code is used only when the password is right.
        if (!(await isOwnPassword(call, pwd))) wrong['pwd'] = '密码不正确'
        else if (!(await spendCode(call.db, secrets, id, code))) wrong['code'] = '验证码不正确'
        return Object.keys(wrong).length === 0
      })
      if (Object.keys(wrong).length > 0) throw invalid(wrong)
      return changeFactor(kernel, call, 'totp_off', async (tx) => {
        await tx.query(sql`update credential set totp_secret = null, totp_confirmed = false, recovery_hashes = '{}' where staff_id = ${id}`)
        return {}
      })
    }),
  ]
}
