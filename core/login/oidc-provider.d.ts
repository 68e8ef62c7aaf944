/** What the tests use of the identity provider, which brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export interface Account {
    accountId: string
    claims(): Promise<{ sub: string } & Record<string, unknown>>
  }

  export class Provider {
    constructor(issuer: string, configuration: {
      clients: readonly Record<string, unknown>[]
      claims: Readonly<Record<string, readonly string[]>>
      findAccount: (context: unknown, id: string) => Promise<Account>
      cookies: { keys: readonly string[] }
      pkce: { required: () => boolean }
    })
    callback(): RequestListener
  }
}
