import { createChallenge, randomInt, verifySolution, type Challenge, type Payload } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import type { Database } from '../database/database.server.ts'
import type { Secrets } from '../session/secret.server.ts'
import { useOnce } from './step.server.ts'

/** Rounds of one try, and how many tries it takes: about a second of a browser's time, half a millisecond of ours. */
const COST = 2000
const TRIES = { min: 200, max: 600 }
/** How long a challenge may be solved, in seconds. */
const LIFETIME = 300

const payloadSchema = z.object({
  challenge: z.object({ parameters: z.looseObject({ nonce: z.string(), expiresAt: z.number() }), signature: z.string() }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

function readPayload(text: string): Payload | undefined {
  try {
    const result = z.safeParse(payloadSchema, JSON.parse(Buffer.from(text, 'base64').toString('utf8')))
    // The library checks the parameters by their signature.
    return result.success ? (result.data as unknown as Payload) : undefined
  } catch {
    return undefined
  }
}

/** Proof-of-work puzzles: nothing to type, nobody else asked, and guessing passwords costs a machine's time. */
export interface Captcha {
  create(): Promise<Challenge>
  /**
   * Whether a puzzle of ours was solved in time and never used before; it is used with that.
   * @param solution base64 of `{challenge, solution}` as JSON, the way ALTCHA's own clients send it
   */
  spend(db: Database, solution: string): Promise<boolean>
}

/** Puzzles signed with the installation's own key. */
export function openCaptcha(secrets: Secrets): Captcha {
  const keys = {
    hmacSignatureSecret: secrets.key('captcha').toString('hex'),
    hmacKeySignatureSecret: secrets.key('captcha solution').toString('hex'),
  }
  return {
    create: () => createChallenge({
      ...keys, algorithm: 'PBKDF2/SHA-256', cost: COST, counter: randomInt(TRIES.max, TRIES.min), deriveKey, expiresAt: Math.floor(Date.now() / 1000) + LIFETIME,
    }),
    async spend(db, text) {
      const payload = readPayload(text)
      if (!payload) return false
      const { verified } = await verifySolution({ ...keys, ...payload, deriveKey })
      const { nonce, expiresAt } = payload.challenge.parameters
      return verified && useOnce(db, 'captcha', nonce, expiresAt ?? 0)
    },
  }
}
