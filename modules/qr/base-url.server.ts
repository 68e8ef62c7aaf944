import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Config } from '../../core/config.server.ts'
import { badRequest } from '../../core/error/error.ts'

const KEY = 'qr_base'

/** SQL of the address that codes are printed with; null until something was printed. */
export const LOCKED_BASE = sql`(select value #>> '{}' from installation where key = ${KEY})`

/** The address that codes are printed with: that of the first print, whatever the site is called by now. */
export async function printedBase(db: Queryable, { publicUrl }: Pick<Config, 'publicUrl'>): Promise<string | undefined> {
  const [row] = await db.query<{ base: string | null }>(sql`select ${LOCKED_BASE} as base`)
  return row?.base ?? publicUrl?.origin
}

/**
 * Locks the address that codes are printed with, at the first print.
 * @param base undefined where the site has no address of its own
 * @throws AppError when there is none to print
 */
export async function lockBase(tx: Queryable, base: string | undefined): Promise<void> {
  if (base === undefined) throw badRequest('还没有设置对外网址（PUBLIC_URL），印出的二维码无法扫开，请先联系管理员设置')
  await tx.query(sql`insert into installation (key, value) values (${KEY}, to_jsonb(${base}::text)) on conflict (key) do nothing`)
}
