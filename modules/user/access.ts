import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { appUser, USER_RIGHTS } from './user.ts'

/** The way in for learners. */
export const LEARNER_LOGIN = defineAppScope('learner_login', '学习端登录和改密')

const one = `${appUser.api.item}/{id}`
const number = mobile('手机号').schema
const password = z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(64, '密码最多 64 位'))
/** A password that a learner chooses: as long as the console asks of its own people. */
const ownPassword = z.string('请输入新密码').check(z.minLength(8, '密码至少 8 位'), z.maxLength(64, '密码最多 64 位'), z.regex(/\d/, '密码应包含数字'), z.regex(/[A-Za-z]/, '密码应包含字母'))

/** 换绑手机: the account goes on under another number; everything that it owns stays with it. */
export const rebindMobile = defineEndpoint<WireRow>()({
  method: 'POST', path: `${one}/rebind_mobile`, summary: '用户换绑手机', grant: [USER_RIGHTS.id('rebindMobile')],
  input: z.object({ mobile: number, reason: reasonSchema, rev: z.optional(z.int('版本有误')) }),
})

/** 重置密码: a password that is good for one login within a day; `expires_at` in unix seconds. */
export const resetUserPassword = defineEndpoint<{ password: string; expires_at: number }>()({
  method: 'POST', path: `${one}/reset_password`, summary: '重置用户密码', grant: [USER_RIGHTS.id('password')], fresh: true,
})

/** 强制下线: whatever session of the learner began before now is over. */
export const forceUserLogout = defineEndpoint<WireRow>()({
  method: 'POST', path: `${one}/force_logout`, summary: '强制用户下线', grant: [USER_RIGHTS.id('password')], fresh: true, input: z.object({ reason: reasonSchema }),
})

/** What a learners' app is told of a login. */
export interface LearnerLogin {
  user_id: number
  nickname: string
  /** Unix seconds. A session lasts while this is later than the user's `sessions_ended_at` and the account is in order. */
  login_at: number
  /** The password was made by staff: the learner sets their own before anything else. */
  must_change: boolean
}

/** For the servers of learners' apps: whether a number and a password belong together. */
export const learnerLogin = defineEndpoint<LearnerLogin>()({
  method: 'POST', path: `${appUser.api.list}/login`, summary: '学习端登录校验', grant: 'device', app: LEARNER_LOGIN, input: z.object({ mobile: number, password }),
})

/** For the servers of learners' apps: a learner sets a password of their own. */
export const learnerPassword = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${appUser.api.list}/password`, summary: '学习端修改密码', grant: 'device', app: LEARNER_LOGIN,
  input: z.object({ mobile: number, password, new_password: ownPassword }),
})
