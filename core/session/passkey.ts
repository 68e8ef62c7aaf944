import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { LoggedIn } from './calls.ts'

const BASE = '/daoyuan/api/end/passkeys'

export interface Passkey {
  id: string
  name: string
  created_at: number
  used_at: number | null
}

const nameSchema = z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(30, '名称最多 30 个字'))

/** What a browser made of the options; the library looks at all of it. */
function responseSchema<Response>() {
  return z.custom<Response>((value) => typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'response' in value, '通行密钥数据有误')
}

export const ownPasskeys = defineEndpoint<{ items: Passkey[]; total: number }>()({ method: 'GET', path: BASE, summary: '自己的通行密钥', grant: 'staff' })

/** What the browser needs to make a passkey; good for five minutes. */
export const passkeyOptions = defineEndpoint<PublicKeyCredentialCreationOptionsJSON>()({
  method: 'POST', path: `${BASE}/options`, summary: '开始添加通行密钥', grant: 'staff', fresh: true,
})

export const addPasskey = defineEndpoint<Passkey>()({
  method: 'POST', path: BASE, summary: '添加通行密钥', grant: 'staff', fresh: true,
  input: z.object({ name: nameSchema, response: responseSchema<RegistrationResponseJSON>() }),
})

export const renamePasskey = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${BASE}/{id}`, summary: '重命名通行密钥', grant: 'staff', input: z.object({ name: nameSchema }),
})

export const removePasskey = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${BASE}/{id}`, summary: '删除通行密钥', grant: 'staff', fresh: true })

/** What the browser needs to log in by a passkey without an account name; good for five minutes. */
export const passkeyLoginOptions = defineEndpoint<PublicKeyCredentialRequestOptionsJSON>()({
  method: 'POST', path: '/daoyuan/api/end_access_token/passkey_options', summary: '开始通行密钥登录', grant: 'public',
})

export const passkeyLogin = defineEndpoint<LoggedIn>()({
  method: 'POST', path: '/daoyuan/api/end_access_token/passkey', summary: '通行密钥登录', grant: 'public',
  input: z.object({ response: responseSchema<AuthenticationResponseJSON>() }),
})

/** What the browser needs to prove by one of the person's own passkeys who is there; good for five minutes. */
export const passkeyVerifyOptions = defineEndpoint<PublicKeyCredentialRequestOptionsJSON>()({
  method: 'POST', path: '/daoyuan/api/end/verify/passkey_options', summary: '开始用通行密钥确认身份', grant: 'staff',
})

export const verifyByPasskey = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: '/daoyuan/api/end/verify/passkey', summary: '用通行密钥再次确认身份', grant: 'staff',
  input: z.object({ response: responseSchema<AuthenticationResponseJSON>() }),
})
