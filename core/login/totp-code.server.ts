import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { generateSecret, verify } from 'otplib'
import type { Queryable } from '../database/database.server.ts'
import { badRequest } from '../error/error.ts'
import type { Secrets } from '../session/secret.server.ts'

/** RFC 6238: a code lasts thirty seconds; one step to either side is forgiven, for clocks that differ. */
const PERIOD = 30
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 8
/** 80 bits each, so that their hashes need no slow function. */
const RECOVERY_BYTES = 10

const about = (staffId: number) => `totp ${staffId}`

/** A new secret of the second factor, plain and as it is stored. */
export function newTotpSecret(secrets: Secrets, staffId: number): { secret: string; sealed: string } {
  const secret = generateSecret({ length: SECRET_BYTES })
  return { secret, sealed: secrets.encrypt(secret, about(staffId)) }
}

/**
 * The time step that a code of six digits stands for, among those that are accepted now.
 * @param sealed the secret as it is stored
 * @returns undefined when it is no code of now
 */
export async function stepOf(secrets: Secrets, staffId: number, sealed: string, code: string): Promise<number | undefined> {
  let secret: string
  try {
    secret = secrets.decrypt(sealed, about(staffId))
  } catch {
    throw badRequest('两步验证已失效，请使用恢复码，或联系管理员清除两步验证')
  }
  const result = await verify({ secret, token: code, period: PERIOD, epochTolerance: PERIOD })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** Recovery codes, plain and as they are stored. */
export function newRecoveryCodes(staffId: number): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_BYTES).toString('hex').replace(/(.{5})(?=.)/g, '$1-'))
  return { codes, hashes: codes.map((code) => recoveryHash(staffId, code)) }
}

function recoveryHash(staffId: number, code: string): string {
  return createHash('sha256').update(`recovery ${staffId} ${code.toLowerCase().replace(/[^0-9a-f]/g, '')}`).digest('base64url')
}

/**
 * Whether somebody gave a code of their second factor, or a recovery code. It is used with that: it works once,
 * also when it comes twice at the same time.
 */
export async function spendCode(db: Queryable, secrets: Secrets, staffId: number, given: string): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) {
    const hash = recoveryHash(staffId, code)
    const spent = await db.query(sql`update credential set recovery_hashes = array_remove(recovery_hashes, ${hash})
      where staff_id = ${staffId} and totp_confirmed and ${hash} = any(recovery_hashes) returning staff_id`)
    return spent.length > 0
  }
  const [row] = await db.query<{ totp_secret: string | null }>(sql`select totp_secret from credential where staff_id = ${staffId} and totp_confirmed`)
  const step = row?.totp_secret ? await stepOf(secrets, staffId, row.totp_secret, code) : undefined
  if (step === undefined) return false
  const spent = await db.query(sql`update credential set totp_step = ${step} where staff_id = ${staffId} and totp_confirmed and totp_step < ${step} returning staff_id`)
  return spent.length > 0
}
