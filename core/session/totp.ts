import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import { codeSchema, passwordSchema } from './calls.ts'

const BASE = '/daoyuan/api/end/totp'

export interface TotpStatus {
  enabled: boolean
  /** An administrator asks for it: without it nothing else can be done. */
  forced: boolean
  /** Recovery codes that are left. */
  recovery_codes: number
}

export const totpStatus = defineEndpoint<TotpStatus>()({ method: 'GET', path: BASE, summary: '自己的两步验证', grant: 'staff' })

/** Begins to set up the second factor; it counts after `confirmTotp`. */
export const beginTotp = defineEndpoint<{
  /** For typing into an authenticator app. */
  secret: string
  /** The same as an `otpauth:` address, for a QR code. */
  uri: string
}>()({ method: 'POST', path: BASE, summary: '开始设置两步验证', grant: 'staff', fresh: true })

export interface RecoveryCodes {
  /** Shown once: only their hashes are kept. */
  recovery_codes: string[]
}

export const confirmTotp = defineEndpoint<RecoveryCodes>()({
  method: 'POST', path: `${BASE}/confirm`, summary: '开启两步验证', grant: 'staff', input: z.object({ code: codeSchema }),
})

export const renewRecoveryCodes = defineEndpoint<RecoveryCodes>()({
  method: 'POST', path: `${BASE}/recovery_codes`, summary: '重新生成恢复码', grant: 'staff', fresh: true,
})

export const disableTotp = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${BASE}/disable`, summary: '关闭两步验证', grant: 'staff', fresh: true, input: z.object({ pwd: passwordSchema, code: codeSchema }),
})
