import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../session/secret.server.ts'

const NONCE = 16
const UNTIL = 4

function sign(secrets: Secrets, purpose: string, body: Buffer): Buffer {
  return createHmac('sha256', secrets.key(`challenge ${purpose}`)).update(body).digest()
}

/**
 * A challenge that knows by itself what it is for and how long it is good: a person who asks for one leaves nothing behind, as
 * anybody may ask.
 * @param minutes how long it is good
 */
export function makeChallenge(secrets: Secrets, purpose: string, minutes: number): Uint8Array<ArrayBuffer> {
  const until = Buffer.alloc(UNTIL)
  until.writeUInt32BE(Math.floor(Date.now() / 1000) + minutes * 60)
  const body = Buffer.concat([randomBytes(NONCE), until])
  return new Uint8Array(Buffer.concat([body, sign(secrets, purpose, body)]))
}

/**
 * Reads a challenge that came back.
 * @param challenge base64url
 * @returns unix seconds until when it is good; undefined when it is not ours, for something else, or over
 */
export function readChallenge(secrets: Secrets, purpose: string, challenge: string): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, NONCE + UNTIL)
  const [given, right] = [bytes.subarray(NONCE + UNTIL), sign(secrets, purpose, body)]
  if (body.length < NONCE + UNTIL || given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const until = body.readUInt32BE(NONCE)
  return until > Date.now() / 1000 ? until : undefined
}
