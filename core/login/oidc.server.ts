import { sql } from 'drizzle-orm'
import {
  allowInsecureRequests, authorizationCodeGrant, customFetch, buildAuthorizationUrl, calculatePKCECodeChallenge, ClientSecretBasic, ClientSecretPost, discovery, fetchUserInfo,
  None, randomNonce, randomPKCECodeVerifier, randomState, type ClientAuth, type Configuration,
} from 'openid-client'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, defineError } from '../error/error.ts'
import { CONSOLE } from '../http/console.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { safeRedirect } from './landing.ts'
import { logLogin } from './attempt.server.ts'
import { afterFirstFactor } from './login.server.ts'
import { oidcFinish, oidcStart } from './oidc.ts'
import { siteOrigin } from './site.server.ts'

type Settings = NonNullable<Config['oidc']>

/** How long somebody may take at the identity provider, in minutes. */
const STEP_MINUTES = 10

const UNREACHABLE = 'temporarily_unavailable'
const failed = defineError('oidc_failed', 400, () => '统一登录失败，请重试或使用账号密码登录')
const stranger = defineError('oidc_stranger', 403, (account: string) => `没有账号为「${account}」的员工，请联系管理员开通`)
const disabled = defineError('oidc_disabled', 403, (account: string) => `员工账号「${account}」已停用，请联系管理员`)
const noAccount = defineError('oidc_no_account', 403, () => '统一登录没有提供您的账号，请联系管理员')

/** What the provider says in the name of the person or of itself (RFC 6749, 4.1.2.1), as far as they can do something about it. */
const refusals: Readonly<Record<string, string>> = {
  access_denied: '您取消了统一登录',
  [UNREACHABLE]: '统一登录服务暂时无法访问，请稍后再试或使用账号密码登录',
}

interface Begun {
  verifier: string
  nonce: string
  redirectUri: string
  redirect: string
  /** Unix seconds after which it is too late to come back. */
  until: number
}

/** Longer addresses to go to afterwards are left out: a cookie has 4 KB. */
const MAX_REDIRECT = 1500

/**
 * A begun login travels in a cookie of the browser that began, sealed: nobody can be made to finish another's login, and
 * a person who only begins leaves nothing behind in the database.
 */
function sealBegun(secrets: Kernel['secrets'], begun: Begun, state: string): string {
  return secrets.encrypt(JSON.stringify(begun), `oidc ${state}`)
}

function openBegun(secrets: Kernel['secrets'], sealed: string | undefined, state: string): Begun | undefined {
  try {
    const begun = JSON.parse(secrets.decrypt(sealed ?? '', `oidc ${state}`)) as Begun
    return begun.until > Date.now() / 1000 ? begun : undefined
  } catch {
    return undefined
  }
}

/** How we show the provider who we are: as it says that it wants it. */
function clientAuth(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}

/** Reads the provider's own description once; after a failure, again. */
function providerOf(settings: Settings, outgoing: Kernel['outgoing']): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined
  return () => {
    known ??= discovery(settings.issuer, settings.clientId, undefined, clientAuth(settings.clientSecret), {
      [customFetch]: (url, init) => outgoing.fetch('oidc', url, init),
      // An issuer without TLS is the administrator's choice, for a network of their own.
      ...(settings.issuer.protocol === 'http:' && { execute: [allowInsecureRequests] }),
    }).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

/** The account that the provider vouches for; undefined when it gives none. */
async function accountFrom(provider: Configuration, settings: Settings, state: string, step: Begun, answer: { code: string; iss?: string | undefined }): Promise<string | undefined> {
  const url = new URL(step.redirectUri)
  url.search = new URLSearchParams({ code: answer.code, state, ...(answer.iss && { iss: answer.iss }) }).toString()
  const tokens = await authorizationCodeGrant(provider, url, {
    pkceCodeVerifier: step.verifier, expectedState: state, expectedNonce: step.nonce, idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) return undefined
  const claim = settings.accountClaim
  // Many providers keep all but the subject out of the ID token.
  const value = claims[claim] ?? (provider.serverMetadata().userinfo_endpoint && (await fetchUserInfo(provider, tokens.access_token, claims.sub))[claim])
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function findStaff(db: Database, account: string) {
  return db.query<{ id: number; status: number }>(sql`select id, status from staff where lower(account) = ${account.toLowerCase()} and deleted_at is null`)
}

/** Calls of logging in by the company's identity provider; none when there is none. */
export function oidcCalls(parts: Pick<Kernel, 'config' | 'sessions' | 'secrets' | 'outgoing'>): Served[] {
  const { config, secrets, outgoing } = parts
  const settings = config.oidc
  if (!settings) return []
  const provider = providerOf(settings, outgoing)
  const secure = config.publicUrl?.protocol === 'https:'
  const cookieName = secure ? '__Host-oidc' : 'oidc'
  const cookie = { path: '/', sameSite: 'lax', httpOnly: true, secure } as const
  const page = (call: Call) => new URL(`${CONSOLE}/auth-redirect`, siteOrigin(config, call.request))
  return [
    handle(oidcStart, async (call) => {
      let target: URL
      try {
        const [verifier, nonce, state] = [randomPKCECodeVerifier(), randomNonce(), randomState()]
        const redirectUri = page(call).href
        target = buildAuthorizationUrl(await provider(), {
          redirect_uri: redirectUri, scope: 'openid profile email', state, nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
        })
        const redirect = safeRedirect(call.input.redirect ?? null)
        const begun: Begun = { verifier, nonce, redirectUri, redirect: redirect.length > MAX_REDIRECT ? '/' : redirect, until: Math.floor(Date.now() / 1000) + STEP_MINUTES * 60 }
        call.reply.setCookie(cookieName, sealBegun(secrets, begun, state), { ...cookie, maxAge: STEP_MINUTES * 60 })
      } catch (error) {
        call.request.log.warn(error, 'identity provider not reachable')
        // The browser came here by a link, so the sentence is shown by the page that it would have come back to.
        target = page(call)
        target.searchParams.set('error', UNREACHABLE)
      }
      return call.reply.redirect(target.href)
    }),
    handle(oidcFinish, async (call) => {
      const { code, state, iss, error } = call.input
      const sealed = call.request.cookies[cookieName]
      call.reply.clearCookie(cookieName, cookie)
      if (error) throw badRequest(refusals[error] ?? failed().message)
      const step = state === undefined ? undefined : openBegun(secrets, sealed, state)
      if (!step || !state || !code) throw badRequest('登录已超时，请重新登录')
      let account: string | undefined
      try {
        account = await accountFrom(await provider(), settings, state, step, { code, iss })
      } catch (reason) {
        call.request.log.warn(reason, 'identity provider refused')
        throw failed()
      }
      if (!account) throw noAccount()
      const [known] = await findStaff(call.db, account)
      const who = { account, staffId: known?.id ?? null, method: 'oidc' } as const
      if (!known) {
        await logLogin(call, who, 'unknown')
        throw stranger(account)
      }
      if (known.status !== 1) {
        await logLogin(call, who, 'disabled')
        throw disabled(account)
      }
      return { ...(await afterFirstFactor(parts, call, { ...who, staffId: known.id })), redirect: step.redirect }
    }),
  ]
}
