import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'
import { hashToken } from '../session/session.server.ts'

/** What the steps of a login that takes several are called. */
export type StepKind = 'totp' | 'passkey_login' | 'passkey_register' | 'captcha'

/** The database keeps only a hash of the name, as of every secret that opens something. */
const keyOf = (kind: StepKind, name: string) => `${kind}:${hashToken(name)}`

/**
 * Remembers a half-done login.
 * @param name the secret that the next step shows; made up when absent
 * @returns the name
 */
export async function putStep(db: Database, kind: StepKind, body: object, minutes: number, name = randomBytes(32).toString('base64url')): Promise<string> {
  await db.query(sql`insert into login_step (key, body, expires_at)
    values (${keyOf(kind, name)}, ${JSON.stringify(body)}::jsonb, now() + make_interval(mins => ${minutes}))`)
  return name
}

/** A half-done login, which stays; undefined when it is unknown or over. */
export async function readStep<Body extends object>(db: Database, kind: StepKind, name: string): Promise<Body | undefined> {
  const [row] = await db.query<{ body: Body }>(sql`select body from login_step where key = ${keyOf(kind, name)} and expires_at > now()`)
  return row?.body
}

/** A half-done login, which is gone with that: of two callers only one gets it. */
export async function takeStep<Body extends object>(db: Database, kind: StepKind, name: string): Promise<Body | undefined> {
  const [row] = await db.query<{ body: Body; fresh: boolean }>(
    sql`delete from login_step where key = ${keyOf(kind, name)} returning body, expires_at > now() as fresh`,
  )
  return row?.fresh ? row.body : undefined
}

/**
 * Marks something that may be used once.
 * @param until unix seconds after which it is refused anyway and need not be remembered
 * @returns false when it was used before
 */
export async function useOnce(db: Database, kind: StepKind, name: string, until: number): Promise<boolean> {
  const rows = await db.query(sql`insert into login_step (key, body, expires_at) values (${keyOf(kind, name)}, '{}', to_timestamp(${until}))
    on conflict do nothing returning key`)
  return rows.length > 0
}
