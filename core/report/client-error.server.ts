import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'

/** An error that a browser reported. */
export interface ClientError {
  message: string
  stack: string | null
  url: string | null
  release: string | null
}

/** Errors that are kept; the oldest make room. */
const MAX_KEPT = 5000

/** What makes two errors equal: the message whatever numbers it holds, the place in the code and the release. */
export function fingerprintOf(error: ClientError): string {
  const place = error.stack?.split('\n').find((line) => /^\s*at |@/.test(line))?.trim() ?? ''
  return createHash('sha256').update([error.message.replace(/\d+/g, '0'), place, error.release ?? ''].join('\n')).digest('base64url')
}

/** Writes an error down, or counts it when it is known. */
export async function recordClientError(db: Queryable, error: ClientError, from: { staffId: number; userAgent: string }): Promise<void> {
  await db.query(sql`insert into client_error (fingerprint, staff_id, message, stack, url, release, user_agent)
    values (${fingerprintOf(error)}, ${from.staffId}, ${error.message}, ${error.stack}, ${error.url}, ${error.release}, ${from.userAgent.slice(0, 300)})
    on conflict (fingerprint) do update set times = client_error.times + 1, at = now(),
      staff_id = excluded.staff_id, url = excluded.url, user_agent = excluded.user_agent, message = excluded.message`)
}

/** Forgets the errors that have not happened for longest, beyond what is kept; run from time to time. */
export async function sweepClientErrors(db: Queryable): Promise<void> {
  await db.query(sql`delete from client_error where id in (select id from client_error order by at desc offset ${sql.raw(String(MAX_KEPT))})`)
}
