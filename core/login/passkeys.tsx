import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import type { LoggedIn } from '../session/calls.ts'
import { addPasskey, passkeyLogin, passkeyLoginOptions, passkeyOptions, passkeyVerifyOptions, verifyByPasskey, type Passkey } from '../session/passkey.ts'

/** Whether this browser knows passkeys at all. */
export function supportsPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

/** Logs in by a passkey that the browser offers; nobody has to type an account. */
export async function loginByPasskey(): Promise<LoggedIn> {
  const [optionsJSON, { startAuthentication }] = await Promise.all([call(passkeyLoginOptions, undefined, { quiet: true }), import('@simplewebauthn/browser')])
  return call(passkeyLogin, { response: await startAuthentication({ optionsJSON }) }, { quiet: true })
}

/** Proves by one of the person's own passkeys who is there. */
export async function verifyPasskey(): Promise<void> {
  const [optionsJSON, { startAuthentication }] = await Promise.all([call(passkeyVerifyOptions, undefined, { quiet: true }), import('@simplewebauthn/browser')])
  await call(verifyByPasskey, { response: await startAuthentication({ optionsJSON }) }, { quiet: true })
}

/** Makes a passkey in this browser or on a device beside it. */
export async function makePasskey(name: string): Promise<Passkey> {
  const [optionsJSON, { startRegistration }] = await Promise.all([call(passkeyOptions, undefined, { quiet: true }), import('@simplewebauthn/browser')])
  return call(addPasskey, { name, response: await startRegistration({ optionsJSON }) }, { quiet: true })
}

/** What the browser's own refusals mean. */
const REFUSALS: Readonly<Record<string, string>> = {
  NotAllowedError: '操作已取消或超时',
  AbortError: '操作已取消',
  InvalidStateError: '这台设备上已有本账号的通行密钥',
  NotSupportedError: '这台设备不支持通行密钥',
  SecurityError: '当前网址不能使用通行密钥',
}

/** One sentence for a passkey that did not work. */
export function passkeyWords(error: unknown): string {
  if (error instanceof CallError) return error.message
  return (error instanceof Error && REFUSALS[error.name]) || '通行密钥操作失败，请重试'
}
