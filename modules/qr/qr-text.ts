import { ALPHABET, checkCharacter } from '../code/module.ts'

/** Characters of a printed code before its check character (teaching.md 2.6): few enough for 25 modules at level M. */
export const BODY_LENGTH = 7

/** A code that begins at a number; each number has its own. Pure, so that chance is the caller's. @param random whole numbers from 0 up to, but not including, its argument */
export function newCode(random: (below: number) => number): string {
  const body = Array.from({ length: BODY_LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join('')
  return body + checkCharacter(body)
}

/** What somebody's camera or fingers made of a code, as it is kept; undefined for what cannot be one. */
export function readCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (code.length !== BODY_LENGTH + 1 || [...code].some((char) => !ALPHABET.includes(char))) return undefined
  return checkCharacter(code.slice(0, -1)) === code.at(-1) ? code : undefined
}

/** Address that is printed. In capitals throughout: a code of digits and capitals alone takes fewer modules. @param base origin of the site */
export const printedUrl = (base: string, code: string): string => `${base.toUpperCase()}/Q/${code}`

/**
 * Looks for what is wrong with an address that a code is to lead to.
 * @returns one sentence, or undefined when it may be led to
 */
export function targetProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return '网址不完整，应以 https:// 开头'
  const { protocol, hostname, pathname, username } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return '网址不允许：只能以 http:// 或 https:// 开头'
  if (username !== '') return '网址不允许：不能带账号'
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname) || !hostname.includes('.') || /\.(local|internal|localhost|lan)$/i.test(hostname)) return '网址不允许：不能指向内网地址'
  if (/^\/q\//i.test(pathname) && readCode(pathname.slice(3)) !== undefined) return '网址不允许：不能指向另一个二维码'
  return undefined
}
