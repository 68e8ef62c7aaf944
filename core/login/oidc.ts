import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { LoggedIn, LoginStep } from '../session/calls.ts'

/** Sends the browser to the identity provider; to be opened as a page, not fetched. `redirect` is where to go in the console afterwards. */
export const oidcStart = defineEndpoint<unknown>()({
  method: 'GET', path: '/daoyuan/api/end/oidc/start', summary: '开始统一登录', grant: 'public', stream: true,
  input: z.object({ redirect: z.optional(z.string().check(z.maxLength(2000))) }),
})

const part = z.optional(z.string().check(z.maxLength(4000)))

/** What the page /auth-redirect sends: the provider's answer from its query, as it came. */
export const oidcFinish = defineEndpoint<(LoggedIn | LoginStep) & {
  /** Where to go in the console, checked. */
  redirect: string
}>()({
  method: 'POST', path: '/daoyuan/api/end/oidc/finish', summary: '完成统一登录', grant: 'public',
  input: z.object({ code: part, state: part, iss: part, error: part }),
})
