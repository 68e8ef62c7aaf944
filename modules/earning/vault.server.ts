import type { Secrets } from '../../core/session/secret.server.ts'

let running: Secrets | undefined

/** Keeps the secrets of the installation: one process runs one product. */
export const keepSecrets = (secrets: Secrets): void => { running = secrets }

/** The secrets of the installation. @throws Error before the module was started */
export function heldSecrets(): Secrets {
  if (!running) throw new Error('the module of earnings was not started')
  return running
}
