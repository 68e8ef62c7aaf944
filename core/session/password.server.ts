import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

// Argon2id with the parameters that OWASP's password storage page gives as a minimum: 19 MiB, 2 passes, 1 lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hash of a password, with salt and parameters in it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS)
}

let dummy: Promise<string> | undefined

/**
 * Whether a password belongs to a hash. Without a hash it takes the same time and says no,
 * so that an unknown account cannot be told from a wrong password by the clock.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword('no such account')
  const matches = await verify(stored ?? await dummy, password)
  return matches && stored !== null && stored !== undefined
}

/** Letters and digits that cannot be mistaken for one another when read aloud or copied from paper. */
const READABLE = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random password that has letters and digits, for first and reset passwords. */
export function randomPassword(length = 12): string {
  for (;;) {
    const password = Array.from({ length }, () => READABLE[randomInt(READABLE.length)]).join('')
    if (/\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password)) return password
  }
}
