import type { Challenge } from 'altcha-lib'
import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { Scopes } from '../grant/grant.ts'
import type { PasswordPolicy } from './policy.ts'

/** What has to be done before anything else can be: replacing a first or old password, setting up the second factor. */
export type RequiredStep = 'password' | 'totp'

/** The logged-in person, as the console sees them (spec 3, 7). */
export interface StaffInfo {
  id: number
  account: string
  name: string
  avatar: string | null
  mobile: string
  /** spec 6: teacher, manager, research; further ones are data. */
  role: string
  modules: number[]
  introduction: string | null
  scopes: Scopes
  /** spec 3: ids of the agents that the person is limited to; empty when all of them are within reach. */
  proxy_users: number[]
  /** Until this is done every other call is refused with 403 and `must` in the answer. */
  must: RequiredStep | null
}

/** Logging in takes another step: a code of the second factor, sent with this ticket. */
export interface LoginStep {
  step: 'totp'
  /** Names the attempt in the next call; good for five minutes. */
  ticket: string
}

export interface LoggedIn {
  staff: StaffInfo
}

/** A code of six digits, or one of the recovery codes. Spaces and dashes do not matter. */
export const codeSchema = z.string('请输入验证码').check(z.trim(), z.minLength(1, '请输入验证码'), z.maxLength(40, '验证码不正确'))

/** A password as it is sent for a check: exactly as typed (spec 5). */
export const passwordSchema = z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(200, '密码不正确'))

/**
 * spec 7: POST end_access_token {account, pwd} returns staff. The account is trimmed, the password sent as is (spec 5).
 * After failures it answers 400 with `captcha: true` until a solved challenge comes along.
 */
export const login = defineEndpoint<LoggedIn | LoginStep>()({
  method: 'POST',
  path: '/daoyuan/api/end_access_token',
  summary: '登录',
  grant: 'public',
  input: z.object({
    account: z.string('请输入账号').check(z.trim(), z.minLength(1, '请输入账号'), z.maxLength(64, '账号或密码错误')),
    pwd: z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(200, '账号或密码错误')),
    /** Base64 of `{challenge, solution}` as JSON. */
    captcha: z.optional(z.string().check(z.maxLength(5000))),
  }),
})

export const loginTotp = defineEndpoint<LoggedIn>()({
  method: 'POST',
  path: '/daoyuan/api/end_access_token/totp',
  summary: '登录第二步：两步验证码',
  grant: 'public',
  input: z.object({ ticket: z.string().check(z.maxLength(100)), code: codeSchema }),
})

/** A puzzle for the browser to solve, with altcha-lib. */
export const captchaChallenge = defineEndpoint<Challenge>()({
  method: 'GET', path: '/daoyuan/api/end/captcha', summary: '人机验证题', grant: 'public',
})

export interface LoginOptions {
  password: true
  /** Whether a passkey can work at this address: browsers want https and a name, not a number. */
  passkey: boolean
  oidc: { name: string } | null
  password_policy: PasswordPolicy
}

export const loginOptions = defineEndpoint<LoginOptions>()({
  method: 'GET', path: '/daoyuan/api/end/login_options', summary: '可用的登录方式', grant: 'public',
})

/** spec 7: GET end/staff returns role, account, avatar, mobile, modules. */
export const currentStaff = defineEndpoint<StaffInfo>()({ method: 'GET', path: '/daoyuan/api/end/staff', summary: '当前员工', grant: 'staff' })

export const logout = defineEndpoint<Record<string, never>>()({ method: 'POST', path: '/api/staffLogout', summary: '退出登录', grant: 'staff' })

/** Proves again who is there, by password or by a code of the second factor; asked for before what weighs most. */
export const verify = defineEndpoint<Record<string, never>>()({
  method: 'POST',
  path: '/daoyuan/api/end/verify',
  summary: '再次确认身份',
  grant: 'staff',
  input: z.object({ pwd: z.optional(passwordSchema), code: z.optional(codeSchema) }),
})

export const changePassword = defineEndpoint<Record<string, never>>()({
  method: 'POST',
  path: '/daoyuan/api/end/password',
  summary: '修改自己的密码',
  grant: 'staff',
  input: z.object({
    old_password: z.string('请输入当前密码').check(z.minLength(1, '请输入当前密码'), z.maxLength(200, '当前密码不正确')),
    new_password: z.string('请输入新密码').check(z.minLength(1, '请输入新密码'), z.maxLength(128, '密码最多 128 位')),
  }),
})

export interface OwnSession {
  id: string
  created_at: number
  seen_at: number
  ip: string | null
  user_agent: string | null
  current: boolean
}

export const ownSessions = defineEndpoint<{ items: OwnSession[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/end/sessions', summary: '自己的登录会话', grant: 'staff',
})

export const endSession = defineEndpoint<Record<string, never>>()({
  method: 'DELETE', path: '/daoyuan/api/end/sessions/{id}', summary: '结束自己的一个会话', grant: 'staff',
})
