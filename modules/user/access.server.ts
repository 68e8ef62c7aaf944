import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { defineError, invalid, notFound, tooMany, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { rateLimit } from '../../core/endpoint/rate.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, readOne, type Row } from '../../core/resource/list.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow, nameHolder, updateRow } from '../../core/resource/write.server.ts'
import { hashPassword, randomPassword, verifyPassword } from '../../core/login/password.server.ts'
import { forceUserLogout, learnerLogin, learnerPassword, rebindMobile, resetUserPassword } from './access.ts'
import { USER_COMPUTED } from './user.server.ts'
import { appUser, USER_STATUS } from './user.ts'

/** How long a password that staff made is good, in seconds: a day. */
const ONCE_SECONDS = 86_400
/** Tries for one number in a quarter of an hour. */
const TRIES = 10
const TRIES_WITHIN = 15 * 60_000

const wrongLearner = defineError('wrong_learner', 403, () => '手机号或密码错误')
const usedPassword = defineError('used_password', 403, () => '一次性密码已使用或已过期，请联系客服重新生成')
const notInOrder = defineError('not_in_order', 403, (state: string) => `账号${state}，不能登录，请联系客服`)

const statusLabel = (status: unknown) => choiceLabel(appUser.fields['status']?.kind === 'choice' ? appUser.fields['status'].choices : [], status)

/** Locks a user whose account goes on; @throws wrongState for one that is closed or about to be */
async function lockLiving(tx: Queryable, call: Pick<Call, 'staff'>, action: string): Promise<Row & { status: number | null; mobile: string }> {
  const row = await lockRow(tx, appUser, call.staff, idParam(call as Call))
  if (row.status === USER_STATUS.closing || row.status === USER_STATUS.closed) throw wrongState(action, statusLabel(row.status))
  return row
}

async function show(call: Pick<Call, 'db' | 'staff'>, id: number): Promise<WireRow> {
  const row = await readOne(call.db, appUser, call.staff, id, USER_COMPUTED)
  if (!row) throw notFound(appUser.label)
  return present(appUser, call.staff, row)
}

interface Credential extends Record<string, unknown> {
  id: number
  nickname: string
  status: number
  password_hash: string | null
  once: boolean | null
  expired: boolean
  used: boolean
}

/** The living account of a number with what it logs in by. */
async function credentialOf(db: Queryable, number: string): Promise<Credential | undefined> {
  const [row] = await db.query<Credential>(sql`select u.id, u.nickname, u.status, c.password_hash, c.once, coalesce(c.expires_at <= now(), false) as expired, c.used_at is not null as used
    from app_user u left join user_credential c on c.user_id = u.id where u.mobile = ${number} and u.deleted_at is null`)
  return row
}

/** Checks a number and its password, in the same time whether or not there is such an account. @throws AppError saying what is wrong */
async function checkLearner(db: Queryable, mayTry: (key: string) => boolean, number: string, password: string): Promise<Credential> {
  if (!mayTry(number)) throw tooMany('登录失败次数过多，请 15 分钟后再试')
  const found = await credentialOf(db, number)
  if (!await verifyPassword(found?.password_hash, password) || !found) throw wrongLearner()
  if (found.status !== USER_STATUS.normal) throw notInOrder(statusLabel(found.status))
  if (found.once && found.expired) throw usedPassword()
  return found
}

/** What staff do with a learner's way in, and what learners' apps ask of it. */
export function accessCalls(): Served[] {
  const mayTry = rateLimit(TRIES, TRIES_WITHIN)
  return [
    handle(rebindMobile, async (call) => {
      const { mobile, reason, rev } = call.input
      const id = await call.transaction(async (tx) => {
        const row = await lockLiving(tx, call, '换绑手机')
        await checkRev(tx, row, rev, (stale) => present(appUser, call.staff, stale))
        if (row.mobile === mobile) throw invalid({ mobile: '新手机号与原手机号相同' })
        // Who held the old number must not go on as this person.
        await updateRow(tx, appUser, row.id, { mobile, sessions_ended_at: Math.floor(Date.now() / 1000) }, USER_COMPUTED)
        return row.id
      }, { action: 'rebind_mobile', reason }).catch(async (error: unknown) => {
        // Whose it is already, for a person who may open that record.
        throw await nameHolder(call.db, appUser, call.staff, error, { mobile })
      })
      return show(call, id)
    }),
    handle(resetUserPassword, async (call) => {
      const password = randomPassword()
      const hash = await hashPassword(password)
      // The answer holds a password, so it is not kept for a repetition: each call makes a new one.
      return call.db.transaction({ staff_id: call.staff.id, ip: call.ip, request_id: call.requestId, action: 'reset_password' }, async (tx) => {
        const { id } = await lockLiving(tx, call, '重置密码')
        const [made] = await tx.query<{ expires_at: number }>(sql`insert into user_credential as c (user_id, password_hash, once, expires_at) values (${id}, ${hash}, true, now() + make_interval(secs => ${ONCE_SECONDS}))
          on conflict (user_id) do update set password_hash = excluded.password_hash, once = true, expires_at = excluded.expires_at, used_at = null, changed_at = now()
          returning extract(epoch from c.expires_at)::bigint as expires_at`)
        await touch(tx, appUser, { sessions_ended_at: Math.floor(Date.now() / 1000) }, id)
        return { password, expires_at: Number(made?.expires_at) }
      })
    }),
    handle(forceUserLogout, async (call) => {
      const id = await call.transaction(async (tx) => {
        const row = await lockRow(tx, appUser, call.staff, idParam(call))
        await touch(tx, appUser, { sessions_ended_at: Math.floor(Date.now() / 1000) }, row.id)
        return row.id
      }, { action: 'force_logout', reason: call.input.reason })
      return show(call, id)
    }),
    // Sent again under the same key, both answer what they answered first: the one-time password is used up, the old one changed.
    handle(learnerLogin, (call) => call.transaction(async (tx) => {
      const found = await checkLearner(tx, mayTry, call.input.mobile, call.input.password)
      // Once, however many try at the same time.
      if (found.once) {
        const [first] = await tx.query(sql`update user_credential set used_at = now() where user_id = ${found.id} and used_at is null returning 1`)
        if (!first) throw usedPassword()
      }
      const [row] = await setDerived(tx, appUser, { last_login_at: sql`now()` }, found.id, { returning: ['last_login_at', 'sessions_ended_at'] })
      return { user_id: found.id, nickname: found.nickname, login_at: Math.max(row?.last_login_at ?? 0, (row?.sessions_ended_at ?? 0) + 1), must_change: found.once === true }
    }, { silent: true })),
    handle(learnerPassword, (call) => call.transaction(async (tx) => {
      const { mobile, password, new_password } = call.input
      const { id } = await checkLearner(tx, mayTry, mobile, password)
      if (new_password === password) throw invalid({ new_password: '新密码不能与原密码相同' })
      const hash = await hashPassword(new_password)
      await tx.query(sql`update user_credential set password_hash = ${hash}, once = false, expires_at = null, used_at = null, changed_at = now() where user_id = ${id}`)
      await touch(tx, appUser, { sessions_ended_at: sql`now()` }, id)
      return {}
    }, { action: 'change_password' })),
  ]
}
