import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import type { Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { hashToken } from '../session/session.server.ts'

/** How long a browser is known after the last login on it, in seconds: half a year. */
const KNOWN_SECONDS = 180 * 86_400

function cookieName({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl?.protocol === 'https:' ? '__Host-device' : 'device'
}

/**
 * The browser that a person has logged in on before, as the hash of its cookie; undefined when it is a new one to them.
 * Knowing the cookie opens nothing: it only keeps the failures of others apart from those on this browser.
 * @param staffId null for an account that does not exist, which takes the same work
 */
export async function knownDevice(config: Pick<Config, 'publicUrl'>, call: Pick<Call, 'db' | 'request'>, staffId: number | null): Promise<string | undefined> {
  const token = call.request.cookies[cookieName(config)]
  if (!token) return undefined
  const hash = hashToken(token)
  const [row] = await call.db.query(sql`select 1 from known_device where hash = ${hash} and staff_id = ${staffId ?? 0} and seen_at > now() - make_interval(secs => ${KNOWN_SECONDS})`)
  return row && hash
}

/** Remembers that a person has logged in on this browser. Several people may be known on one. */
export async function rememberDevice(config: Pick<Config, 'publicUrl'>, call: Pick<Call, 'db' | 'request' | 'reply'>, staffId: number): Promise<void> {
  const name = cookieName(config)
  // A token that somebody else put there is not one that we made: only such a long one is kept.
  const known = call.request.cookies[name]
  const token = known && known.length === 43 ? known : randomBytes(32).toString('base64url')
  await call.db.query(sql`insert into known_device (hash, staff_id) values (${hashToken(token)}, ${staffId}) on conflict (hash, staff_id) do update set seen_at = now()`)
  call.reply.setCookie(name, token, { path: '/', sameSite: 'lax', httpOnly: true, secure: config.publicUrl?.protocol === 'https:', maxAge: KNOWN_SECONDS })
}

/** Makes every browser a new one to a person. */
export async function forgetDevices(db: Queryable, staffId: number): Promise<void> {
  await db.query(sql`delete from known_device where staff_id = ${staffId}`)
}

/** Removes browsers that nobody has logged in on for long. */
export async function sweepDevices(db: Queryable): Promise<void> {
  await db.query(sql`delete from known_device where seen_at < now() - make_interval(secs => ${KNOWN_SECONDS})`)
}
