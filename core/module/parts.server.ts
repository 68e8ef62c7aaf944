import { sql } from 'drizzle-orm'
import type { Actor, Database } from '../database/database.server.ts'
import { joinedTo } from '../database/joined.server.ts'

/** For data that the product itself makes up: it leaves no trace in the log. */
export const SILENT: Actor = { staff_id: null, silent: true }

/** Names of the parts of the data that are there. */
export async function partsDone(db: Database): Promise<Set<string>> {
  return new Set((await db.query<{ key: string }>(sql`select key from installation`)).map((row) => row.key))
}

/**
 * Makes one part of the data in one transaction that also writes down that it is there: a process that is killed leaves a
 * part whole or not at all, and the next start goes on with it.
 */
export function makePart(db: Database, actor: Actor, key: string, work: (joined: Database) => Promise<void>): Promise<void> {
  return db.transaction(actor, async (tx) => {
    await work(joinedTo(db, tx))
    await tx.query(sql`insert into installation (key, value) values (${key}, 'true') on conflict do nothing`)
  })
}
