import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Secrets } from '../../core/session/secret.server.ts'
import { ALPHABET, checkCharacter, maskCode } from './code-text.ts'

/** Bytes of the hash that are kept: 128 bits, so that no two codes of any batch ever meet. */
const HASH_BYTES = 16

/** Keeps codes secret at rest with the installation's own key. */
export interface Vault {
  /** A code is found by this and by nothing else. */
  hash(code: string): string
  seal(code: string, hash: string): string
  /** @throws Error when the text was changed or belongs to another code */
  open(sealed: string, hash: string): string
}

/** Opens the vault of this installation. */
export function vaultOf(secrets: Secrets): Vault {
  const key = createSecretKey(secrets.key('activation code'))
  const about = (hash: string) => `activation code ${hash}`
  return {
    hash: (code) => createHmac('sha256', key).update(code).digest().subarray(0, HASH_BYTES).toString('base64url'),
    seal: (code, hash) => secrets.encrypt(code, about(hash)),
    open: (sealed, hash) => secrets.decrypt(sealed, about(hash)),
  }
}

/** Bytes from here on would make some characters more frequent than others. */
const EVEN = Math.floor(256 / ALPHABET.length) * ALPHABET.length

/** Random characters of the alphabet, each as likely as any other. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(2 * (length - text.length))) {
      if (byte < EVEN && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return text
}

/**
 * Makes codes that differ from each other: a prefix, random characters of the system's cryptographic source, and the
 * check character.
 * @param length characters after the prefix, the check character among them
 */
export function makeCodes(count: number, prefix: string, length: number): string[] {
  const made = new Set<string>()
  while (made.size < count) {
    const need = count - made.size
    const random = randomText(need * (length - 1))
    for (let i = 0; i < need; i++) {
      const body = prefix + random.slice(i * (length - 1), (i + 1) * (length - 1))
      made.add(body + checkCharacter(body))
    }
  }
  return [...made]
}

/** A new code as it is stored: what finds it, what opens it, and what lists show. */
export interface SealedCode {
  readonly hash: string
  readonly sealed: string
  readonly mask: string
}

/** Makes codes ready to be stored. @param length characters after the prefix */
export function sealedCodes(secrets: Secrets, count: number, prefix: string, length: number): SealedCode[] {
  const vault = vaultOf(secrets)
  return makeCodes(count, prefix, length).map((code) => {
    const hash = vault.hash(code)
    return { hash, sealed: vault.seal(code, hash), mask: maskCode(code, prefix) }
  })
}
