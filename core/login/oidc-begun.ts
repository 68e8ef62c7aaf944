import { oidcStart } from './oidc.ts'

/** Marks a browser tab that has gone to the identity provider and will come back to /auth-redirect. */
export const OIDC_BEGUN = 'daoyuan-oidc'

/** Address that sends the browser to the identity provider; `target` is where to go in the console afterwards. */
export function oidcAddress(target: string): string {
  return `${oidcStart.path}?${new URLSearchParams({ redirect: target })}`
}
