import type { Served } from '../endpoint/serve.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { loginCalls } from './login.server.ts'
import { oidcCalls } from './oidc.server.ts'
import { ownCalls } from './own.server.ts'
import { passkeyCalls, passkeyLoginCalls, passkeyVerifyCalls } from './passkey.server.ts'
import { totpCalls } from './totp.server.ts'
import { verifyCalls } from './verify.server.ts'

/** All calls of logging in and out, and of what is a person's own about it. */
export function signInCalls(kernel: Pick<Kernel, 'config' | 'sessions' | 'secrets' | 'outgoing'>): Served[] {
  return [
    ...loginCalls(kernel), ...passkeyLoginCalls(kernel), ...oidcCalls(kernel),
    ...ownCalls(kernel), ...verifyCalls(kernel), ...passkeyVerifyCalls(kernel), ...totpCalls(kernel), ...passkeyCalls(kernel),
  ]
}
