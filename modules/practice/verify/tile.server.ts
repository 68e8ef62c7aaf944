import { sql } from 'drizzle-orm'
import type { Tile } from '../../../core/module/serve.server.ts'
import { COUNT_CAP } from '../../../core/resource/list.server.ts'
import { reachable } from '../bank/access.server.ts'
import { ROUNDS, VERIFY_SCREEN } from './state.ts'

/** Questions that wait for one of the rounds that this person checks in: those of their queue. */
export const verifyTile: Tile = {
  name: 'practice_verify',
  title: '待校对的试题',
  grant: VERIFY_SCREEN,
  tone: 'warning',
  to: () => '/practice/practiceVerify',
  async count(db, staff) {
    const held = ROUNDS.filter(({ grant }) => staff.modules.has(grant)).map(({ status }) => status)
    if (held.length === 0) return 0
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from (select 1 from practice p
      where p.pool = 'back' and p.deleted_at is null and p.status = any(${sql.param(held)}::int[]) and ${reachable(staff, 'back')} limit ${sql.raw(String(COUNT_CAP))}) x`)
    return row?.n ?? 0
  },
}
