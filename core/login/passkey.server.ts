import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server'
import { sql } from 'drizzle-orm'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, defineError, notFound } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { logLogin } from './attempt.server.ts'
import { makeChallenge, readChallenge } from './challenge.server.ts'
import { changeFactor } from './factor.server.ts'
import { finishLogin } from './login.server.ts'
import { addPasskey, ownPasskeys, passkeyLogin, passkeyLoginOptions, passkeyOptions, passkeyVerifyOptions, removePasskey, renamePasskey, verifyByPasskey, type Passkey } from '../session/passkey.ts'
import { hashToken } from '../session/session.server.ts'
import { siteOrigin } from './site.server.ts'
import { putStep, takeStep, useOnce } from './step.server.ts'
import { markVerified } from './verify.server.ts'

/** Read when the first passkey is asked for: two hundred files that most starts never need. */
const webauthn = () => import('@simplewebauthn/server')

const SITE_NAME = '道远后台'
/** How long the browser may take, in minutes. */
const STEP_MINUTES = 5
const MAX_PASSKEYS = 20
/** EdDSA, ES256 and RS256, as COSE numbers them: what authenticators have. The library would add what Node calls experimental. */
const ALGORITHMS = [-8, -7, -257]

const notAccepted = defineError('passkey_refused', 400, () => '通行密钥验证失败，请重试或使用其他方式登录')

interface Stored {
  credential_id: string
  public_key: string
  counter: number
  transports: AuthenticatorTransport[]
}

interface StoredOfSomebody extends Stored {
  staff_id: number
  account: string
  working: boolean
}

/** The person as an authenticator knows them: it needs no more than something that stays the same. */
const userHandle = (staffId: number) => Buffer.from(`staff ${staffId}`)

/** The challenge that an answer was signed for. */
function challengeOf(response: { response: { clientDataJSON: string } }): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString('utf8'))
    if (typeof data === 'object' && data !== null && 'challenge' in data) return String(data.challenge)
  } catch {
    // Falls through: what cannot be read was signed for nothing of ours.
  }
  return ''
}

/** Runs the library's check; whatever it objects to is a refusal, and a line of our log. */
async function accept<Result extends { verified: boolean }>(call: Pick<Call, 'request'>, check: () => Promise<Result>): Promise<Result> {
  let result: Result
  try {
    result = await check()
  } catch (error) {
    call.request.log.warn(error, 'passkey refused')
    throw notAccepted()
  }
  if (!result.verified) throw notAccepted()
  return result
}

/** The caller's own passkey that the path names, as its authenticator calls it. */
async function ownPasskey(call: Call): Promise<string> {
  const rows = await call.db.query<{ credential_id: string }>(sql`select credential_id from passkey where staff_id = ${call.staff.id}`)
  const found = rows.find((row) => hashToken(row.credential_id) === call.params['id'])
  if (!found) throw notFound('通行密钥')
  return found.credential_id
}

/** Calls of a person's own passkeys. The id of a passkey is the hash of what the authenticator calls it, which may be long. */
export function passkeyCalls(kernel: Pick<Kernel, 'config' | 'sessions'>): Served[] {
  const { config } = kernel
  return [
    handle(ownPasskeys, async (call) => {
      const rows = await call.db.query<Passkey & { credential_id: string }>(
        sql`select credential_id, name, created_at, used_at from passkey where staff_id = ${call.staff.id} order by created_at`,
      )
      const items = rows.map(({ credential_id, ...row }) => ({ ...row, id: hashToken(credential_id) }))
      return { items, total: items.length }
    }),
    handle(passkeyOptions, async (call) => {
      const known = await call.db.query<Stored>(sql`select credential_id, transports from passkey where staff_id = ${call.staff.id}`)
      if (known.length >= MAX_PASSKEYS) throw badRequest(`最多添加 ${MAX_PASSKEYS} 个通行密钥`)
      const options = await (await webauthn()).generateRegistrationOptions({
        rpName: SITE_NAME,
        rpID: siteOrigin(config, call.request).hostname,
        userName: call.staff.account,
        userDisplayName: call.staff.name,
        userID: userHandle(call.staff.id),
        excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      })
      await putStep(call.db, 'passkey_register', { staffId: call.staff.id }, STEP_MINUTES, options.challenge)
      return options
    }),
    handle(addPasskey, async (call) => {
      const { name, response } = call.input
      const challenge = challengeOf(response)
      const step = await takeStep<{ staffId: number }>(call.db, 'passkey_register', challenge)
      if (step?.staffId !== call.staff.id) throw badRequest('添加已超时，请重试')
      const site = siteOrigin(config, call.request)
      const { registrationInfo } = await accept(call, async () => (await webauthn()).verifyRegistrationResponse({
        response, expectedChallenge: challenge, expectedOrigin: site.origin, expectedRPID: site.hostname, supportedAlgorithmIDs: ALGORITHMS,
      }))
      if (!registrationInfo) throw notAccepted()
      const { id, publicKey, counter, transports } = registrationInfo.credential
      return changeFactor(kernel, call, 'passkey_add', async (tx) => {
        const [row] = await tx.query<Omit<Passkey, 'id'>>(sql`insert into passkey (credential_id, staff_id, public_key, counter, transports, name)
          values (${id}, ${call.staff.id}, ${Buffer.from(publicKey).toString('base64url')}, ${counter}, ${sql.param(transports ?? [])}::text[], ${name})
          on conflict do nothing returning name, created_at, used_at`)
        if (!row) throw badRequest('这个通行密钥已经添加过')
        return { ...row, id: hashToken(id) }
      })
    }),
    handle(renamePasskey, async (call) => {
      await call.db.query(sql`update passkey set name = ${call.input.name} where credential_id = ${await ownPasskey(call)}`)
      return {}
    }),
    handle(removePasskey, async (call) => {
      const id = await ownPasskey(call)
      return changeFactor(kernel, call, 'passkey_remove', async (tx) => {
        await tx.query(sql`delete from passkey where credential_id = ${id}`)
        return {}
      })
    }),
  ]
}

/** Proves by a passkey who is there; the passkey's use is written down. @throws AppError when the answer is not one */
async function provePasskey(config: Kernel['config'], call: Call, known: Stored, response: AuthenticationResponseJSON, challenge: string): Promise<void> {
  const site = siteOrigin(config, call.request)
  const { authenticationInfo } = await accept(call, async () => (await webauthn()).verifyAuthenticationResponse({
    response, expectedChallenge: challenge, expectedOrigin: site.origin, expectedRPID: site.hostname,
    credential: { id: known.credential_id, publicKey: Buffer.from(known.public_key, 'base64url'), counter: known.counter, transports: known.transports },
  }))
  // A counter that does not grow belongs to a copy; authenticators that do not count stay at zero.
  const counter = authenticationInfo.newCounter
  const used = await call.db.query(sql`update passkey set counter = ${counter}, used_at = now()
    where credential_id = ${known.credential_id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning credential_id`)
  if (used.length === 0) throw notAccepted()
}

/** Calls of logging in by a passkey: it shows who somebody is and that they hold and unlocked it, so no second factor is asked. */
export function passkeyLoginCalls(parts: Pick<Kernel, 'config' | 'sessions' | 'secrets'>): Served[] {
  const { config, secrets } = parts
  return [
    handle(passkeyLoginOptions, async (call) => (await webauthn()).generateAuthenticationOptions({
      rpID: siteOrigin(config, call.request).hostname, userVerification: 'required', challenge: makeChallenge(secrets, 'passkey login', STEP_MINUTES),
    })),
    handle(passkeyLogin, async (call) => {
      const { response } = call.input
      const challenge = challengeOf(response)
      const until = readChallenge(secrets, 'passkey login', challenge)
      if (!until) throw badRequest('登录已超时，请重试')
      const [known] = await call.db.query<StoredOfSomebody>(
        sql`select p.credential_id, p.public_key, p.counter, p.transports, p.staff_id, s.account, s.status = 1 and s.deleted_at is null as working
          from passkey p join staff s on s.id = p.staff_id where p.credential_id = ${response.id}`,
      )
      if (!known) throw notAccepted()
      const who = { staffId: known.staff_id, account: known.account, method: 'passkey' } as const
      try {
        await provePasskey(config, call, known, response, challenge)
      } catch (error) {
        await logLogin(call, who, 'wrong')
        throw error
      }
      if (!(await useOnce(call.db, 'passkey_login', challenge, until))) throw badRequest('登录已超时，请重试')
      if (!known.working) {
        await logLogin(call, who, 'disabled')
        throw notAccepted()
      }
      return finishLogin(parts, call, who)
    }),
  ]
}

/** Calls of proving again by a passkey who is there. */
export function passkeyVerifyCalls({ config, sessions, secrets }: Pick<Kernel, 'config' | 'sessions' | 'secrets'>): Served[] {
  const purpose = (call: Pick<Call, 'staff'>) => `passkey verify ${call.staff.id}`
  return [
    handle(passkeyVerifyOptions, async (call) => {
      const known = await call.db.query<Stored>(sql`select credential_id, transports from passkey where staff_id = ${call.staff.id}`)
      if (known.length === 0) throw badRequest('您还没有添加通行密钥')
      return (await webauthn()).generateAuthenticationOptions({
        rpID: siteOrigin(config, call.request).hostname, userVerification: 'required', challenge: makeChallenge(secrets, purpose(call), STEP_MINUTES),
        allowCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
      })
    }),
    handle(verifyByPasskey, async (call) => {
      const { response } = call.input
      const challenge = challengeOf(response)
      const until = readChallenge(secrets, purpose(call), challenge)
      if (!until) throw badRequest('验证已超时，请重试')
      const [known] = await call.db.query<Stored>(
        sql`select credential_id, public_key, counter, transports from passkey where credential_id = ${response.id} and staff_id = ${call.staff.id}`,
      )
      if (!known) throw notAccepted()
      await provePasskey(config, call, known, response, challenge)
      if (!(await useOnce(call.db, 'passkey_login', challenge, until))) throw badRequest('验证已超时，请重试')
      await markVerified(sessions, call)
      return {}
    }),
  ]
}
