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

/** Words of our own that guessers try, and commonplaces of Chinese users that the list does not know. */
const OURS = ['admin1234', 'administrator1', 'daoyuan123', 'woaini1314', 'woaini520', 'a11111111', '88888888a']

let common: Promise<ReadonlySet<string>> | undefined

/** Read when somebody first chooses a password: half a megabyte that a start need not wait for. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([...dictionary['passwords-common'], ...OURS])
}

/**
 * What is wrong with a password that stands in the list of those that leaked most often (ASVS 5.0, 6.2.4 asks for the
 * first 3,000; the list has some 49,000). It is too large for the browser.
 * @returns one Chinese sentence, or undefined when it is not in the list
 */
export async function commonProblem(password: string): Promise<string | undefined> {
  common ??= readCommon()
  return (await common).has(password.normalize('NFKC').toLowerCase()) ? '该密码过于常见，容易被猜到，请换一个' : undefined
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
