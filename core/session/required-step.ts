import type { Endpoint } from '../endpoint/define.ts'
import { changePassword, currentStaff, logout, verify, type RequiredStep } from './calls.ts'
import { passkeyVerifyOptions, verifyByPasskey } from './passkey.ts'
import { beginTotp, confirmTotp, totpStatus } from './totp.ts'

type Named = Pick<Endpoint, 'method' | 'path'>

const nameOf = ({ method, path }: Named) => `${method} ${path}`

/** Calls that stay open while something has to be done first. */
const open: Readonly<Record<RequiredStep, ReadonlySet<string>>> = {
  password: new Set([currentStaff, logout, changePassword].map(nameOf)),
  totp: new Set([currentStaff, logout, verify, passkeyVerifyOptions, verifyByPasskey, totpStatus, beginTotp, confirmTotp].map(nameOf)),
}

/** What the refusal says. */
export const MUST_WORDS: Readonly<Record<RequiredStep, string>> = { password: '请先修改初始密码', totp: '请先设置两步验证' }

/** Whether a call may be made by somebody who has something to do first. */
export function isOpenDuring(must: RequiredStep, endpoint: Named): boolean {
  return open[must].has(nameOf(endpoint))
}
