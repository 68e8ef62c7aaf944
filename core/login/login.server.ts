import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { AppError, defineError, invalid, staffMissing, wrongLogin } from '../error/error.ts'
import { maskMobile } from '../field/mobile.ts'
import { sessionCookie } from '../http/server.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { forgive, guarded, logLogin, loginCounters, needsCaptcha, type LoginEntry } from './attempt.server.ts'
import { currentStaff, captchaChallenge, login, loginOptions, loginTotp, logout, type LoggedIn, type LoginStep, type RequiredStep, type StaffInfo } from '../session/calls.ts'
import { openCaptcha } from './captcha.server.ts'
import { knownDevice, rememberDevice } from './known-device.server.ts'
import { verifyPassword } from './password.server.ts'
import { passwordPolicies } from '../session/policy.ts'
import { ABSOLUTE_SECONDS, csrfToken, hashToken, type Sessions } from '../session/session.server.ts'
import { allowsPasskeys, siteOrigin } from './site.server.ts'
import { putStep, readStep, takeStep } from './step.server.ts'
import { spendCode } from './totp-code.server.ts'

type Parts = Pick<Kernel, 'config' | 'sessions' | 'secrets'>
type Counters = ReturnType<typeof loginCounters>

/** How long the second step of a login may take, in minutes. */
const STEP_MINUTES = 5

const passwordUsedUp = defineError('password_used_up', 400, () => '该密码已使用过或已超过 24 小时，请联系管理员重新重置')
const stepOver = defineError('login_step_over', 400, () => '登录已超时，请重新登录')

function captchaMissing(): AppError {
  return new AppError('captcha', 400, '请完成人机验证', { extra: { captcha: true } })
}

/** Somebody who exists and whose first factor was right. */
export interface LoginCandidate extends LoginEntry {
  staffId: number
  /** The password was made by somebody else, and logs in once. */
  lent?: boolean
}

/** What the console knows of the logged-in person. */
async function staffInfo(db: Database, sessions: Sessions, id: number): Promise<StaffInfo> {
  const staff = await sessions.staff(db, id)
  const [row] = await db.query<{ avatar: string | null; mobile: string; introduction: string | null; must: RequiredStep | null }>(
    sql`select s.avatar, s.mobile, s.introduction, ${sessions.mustColumn} from staff s left join credential c on c.staff_id = s.id where s.id = ${id}`,
  )
  if (!staff || !row) throw staffMissing()
  return {
    id: staff.id, account: staff.account, name: staff.name, role: staff.role, scopes: staff.scopes, proxy_users: [...staff.scopes.agent ?? []],
    modules: [...staff.modules].sort((a, b) => a - b),
    ...row,
    mobile: maskMobile(row.mobile),
  }
}

/** Starts a session: a new token at every login, in a cookie that no script can read. The session that the browser had ends. */
async function openSession({ config, sessions }: Parts, call: Call, staffId: number): Promise<void> {
  const token = await sessions.begin(call.db, staffId, { ip: call.ip, userAgent: call.userAgent })
  const old = call.request.cookies[sessionCookie(config)]
  if (old) await sessions.end(hashToken(old))
  // The login log has it; as a change of the record it would bury those that people make.
  await call.db.transaction({ staff_id: staffId, silent: true }, (tx) => tx.query(sql`update staff set last_login_at = now() where id = ${staffId}`))
  const secure = config.publicUrl?.protocol === 'https:'
  const common = { path: '/', sameSite: 'lax', secure, maxAge: ABSOLUTE_SECONDS } as const
  call.reply.setCookie(sessionCookie(config), token, { ...common, httpOnly: true })
  call.reply.setCookie('csrf', csrfToken(token), common)
}

/** Logs in a person who has shown all that is asked of them. */
export async function finishLogin(parts: Parts, call: Call, who: LoginCandidate): Promise<LoggedIn> {
  const staff = await staffInfo(call.db, parts.sessions, who.staffId)
  if (who.lent) {
    // Of two who come with it at the same time only one gets in.
    const used = await call.db.query(sql`update credential set good_until = now() where staff_id = ${who.staffId} and good_until > now() returning 1`)
    if (used.length === 0) throw await usedUp(call, who)
  }
  const device = await knownDevice(parts.config, call, who.staffId)
  await forgive(call.db, [...loginCounters(who.account, call.ip, undefined), ...loginCounters(who.account, call.ip, device)])
  await openSession(parts, call, who.staffId)
  await rememberDevice(parts.config, call, who.staffId)
  await logLogin(call, who, 'ok')
  return { staff }
}

/** After a first factor that is not enough by itself: asks for the second one, or logs in those who have none. */
export async function afterFirstFactor(parts: Parts, call: Call, who: LoginCandidate): Promise<LoggedIn | LoginStep> {
  const [row] = await call.db.query<{ totp_confirmed: boolean }>(sql`select totp_confirmed from credential where staff_id = ${who.staffId}`)
  if (!row?.totp_confirmed) return finishLogin(parts, call, who)
  const ticket = await putStep(call.db, 'totp', who, STEP_MINUTES)
  await logLogin(call, who, 'step')
  return { step: 'totp', ticket }
}

/** What a person is told who knows a password that somebody else has made and that does not log in any more. */
async function usedUp(call: Call, who: LoginEntry): Promise<AppError> {
  await logLogin(call, who, 'used_up')
  return passwordUsedUp()
}

/** Judges one factor; earlier failures stay until all of them were right. While it is locked, only writes that down. */
async function judge({ config }: Pick<Parts, 'config'>, call: Call, who: LoginEntry, check: (counters: Counters) => Promise<boolean>): Promise<boolean> {
  const counters = loginCounters(who.account, call.ip, await knownDevice(config, call, who.staffId))
  try {
    return await guarded(call.db, counters, () => check(counters))
  } catch (error) {
    if (error instanceof AppError && error.code === 'locked') await logLogin(call, who, 'locked')
    throw error
  }
}

/** Calls of logging in by password and second factor, and of logging out. */
export function loginCalls(parts: Parts): Served[] {
  const { config, sessions, secrets } = parts
  const policy = passwordPolicies[config.passwordPolicy]
  const captcha = openCaptcha(secrets)
  return [
    handle(login, async (call) => {
      const { account, pwd } = call.input
      const [known] = await call.db.query<{ id: number; status: number; password_hash: string | null; lent: boolean; used_up: boolean }>(
        sql`select s.id, s.status, c.password_hash, c.good_until is not null as lent, coalesce(c.good_until <= now(), false) as used_up from staff s left join credential c on c.staff_id = s.id where lower(s.account) = ${account.toLowerCase()} and s.deleted_at is null`,
      )
      const entry = { account, staffId: known?.id ?? null, method: 'password' } as const
      // A person who does not exist goes the same way as one who does, step by step.
      const right = await judge(parts, call, entry, async (counters) => {
        if (await needsCaptcha(call.db, counters, call.ip) && !(await captcha.spend(call.db, call.input.captcha ?? ''))) throw captchaMissing()
        const matches = await verifyPassword(known?.password_hash, pwd)
        if (known && matches && known.status === 1) return true
        await logLogin(call, entry, !known ? 'unknown' : matches ? 'disabled' : 'wrong')
        return false
      })
      if (!known || !right) throw wrongLogin()
      if (known.used_up) throw await usedUp(call, entry)
      if (policy.maxDays) {
        await call.db.query(sql`update credential set must_change = true where staff_id = ${known.id} and changed_at < now() - make_interval(days => ${policy.maxDays})`)
      }
      return afterFirstFactor(parts, call, { ...entry, staffId: known.id, lent: known.lent })
    }),
    handle(loginTotp, async (call) => {
      const { ticket, code } = call.input
      const first = await readStep<LoginCandidate>(call.db, 'totp', ticket)
      if (!first) throw stepOver()
      const who = { ...first, method: 'totp' } as const
      const right = await judge(parts, call, who, async () => {
        if (await spendCode(call.db, secrets, who.staffId, code)) return true
        await logLogin(call, who, 'wrong')
        return false
      })
      if (!right) throw invalid({ code: '验证码不正确或已使用过' })
      if (!(await takeStep(call.db, 'totp', ticket))) throw stepOver()
      return finishLogin(parts, call, who)
    }),
    handle(captchaChallenge, () => captcha.create()),
    handle(loginOptions, async (call) => ({
      password: true as const,
      passkey: allowsPasskeys(siteOrigin(config, call.request)),
      oidc: config.oidc ? { name: config.oidc.name } : null,
      password_policy: policy,
    })),
    handle(currentStaff, (call) => staffInfo(call.db, sessions, call.staff.id)),
    handle(logout, async (call) => {
      const hash = call.request.session?.hash
      if (hash) await sessions.end(hash)
      call.reply.clearCookie(sessionCookie(config), { path: '/' })
      call.reply.clearCookie('csrf', { path: '/' })
      return {}
    }),
  ]
}
