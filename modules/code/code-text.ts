import { foldText } from '../../core/field/field.ts'

/**
 * Characters of a code: digits and capitals without 0 1 I L O, which are taken for one another on paper. There are 31 of
 * them, a prime number, which is what makes the check character below catch what it promises.
 */
export const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const BASE = ALPHABET.length

/** domain 0.4, T-CODE: at most four characters in front, then eight to sixteen, the last of which is the check character. */
export const MAX_PREFIX = 4
export const MIN_LENGTH = 8
export const MAX_LENGTH = 16
export const DEFAULT_LENGTH = 12

const places = new Map([...ALPHABET].map((char, index) => [char, index]))

/**
 * Check character of what stands before it. Each place weighs differently, modulo a prime: every single wrong character
 * and every swap of two characters, next to each other or not, changes the sum.
 * @param body prefix and random characters, all of the alphabet
 */
export function checkCharacter(body: string): string {
  let sum = 0
  // The check character itself weighs 1, what stands before it 2, 3, … from the right; a code is shorter than the alphabet.
  for (let i = 0; i < body.length; i++) sum += (places.get(body.charAt(i)) ?? 0) * (body.length - i + 1)
  return ALPHABET.charAt((BASE - (sum % BASE)) % BASE)
}

/** What somebody typed or scanned, as codes are written: capitals, half width, no spaces, hyphens or dots. */
export function normaliseCode(text: string): string {
  return foldText(text).toUpperCase().replace(/[\s\-_.·—–]/g, '')
}

/**
 * Looks for what is wrong with a code as typed, without asking anybody.
 * @returns one sentence, or undefined when the code may exist
 */
export function codeProblem(text: string): string | undefined {
  const code = normaliseCode(text)
  if (code === '') return '请输入激活码'
  const strange = [...code].find((char) => !places.has(char))
  if (strange !== undefined) return /[01ILO]/.test(strange) ? '激活码中没有数字 0、1 和字母 I、L、O，请核对' : '激活码只有数字和大写字母，请核对'
  if (code.length < MIN_LENGTH || code.length > MAX_PREFIX + MAX_LENGTH) return `激活码应为 ${MIN_LENGTH} 到 ${MAX_PREFIX + MAX_LENGTH} 位，请核对`
  return checkCharacter(code.slice(0, -1)) === code.at(-1) ? undefined : '激活码输入有误，请逐位核对'
}

/** A code in groups of four, as it is printed: `GZAB 7K2M 9QXT`. */
export function groupCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ')
}

/** What lists show of a code: the prefix and the end. A short code shows less, so that no less stays to be guessed. */
export function maskCode(code: string, prefix: string): string {
  const shown = code.length - prefix.length >= DEFAULT_LENGTH ? 4 : 2
  return `${prefix}****${code.slice(-shown)}`
}

/**
 * How many guesses it takes, on the average, to hit one of a batch's codes: everything but the check character is random.
 * @param length characters after the prefix
 */
export function guessesPerHit(length: number, count: number): number {
  return BASE ** (length - 1) / count
}
