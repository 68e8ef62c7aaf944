import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { lockPractice, reachable } from '../bank/access.server.ts'
import { readCards } from '../bank/card.server.ts'
import { checkAction } from '../bank/held.server.ts'
import { addOneToThree, listOneToThree, removeOneToThree } from './calls.ts'

/** Questions that stand below one. */
const MOST = 50

async function count(tx: Queryable, id: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select count(*)::int as n from practice_similar where practice_id = ${id} and kind = 'one2three'`)
  return row?.n ?? 0
}

async function lockParent(tx: Queryable, call: Call<{ practice_id: number }>) {
  const row = await lockPractice(tx, call.staff, call.input.practice_id)
  checkAction(call.staff, row, 'similar', '维护举一反三')
  return row
}

/** The calls of 举一反三, answered. */
export function similarCalls(): Served[] {
  return [
    handle(addOneToThree, (call) => call.transaction(async (tx) => {
      const row = await lockParent(tx, call)
      const ids = [...new Set(call.input.child_ids)]
      if (ids.includes(row.id)) throw badRequest('不能把试题加为自己的举一反三')
      const found = await tx.query<{ id: number; subject_id: number }>(sql`select p.id, p.subject_id from practice p where p.id = any(${sql.param(ids)}::bigint[]) and p.deleted_at is null and ${reachable(call.staff)}`)
      if (found.length < ids.length) throw notFound('要添加的试题')
      if (found.some((child) => child.subject_id !== row.subject_id)) throw badRequest('举一反三应为同一学科的试题')
      const before = await count(tx, row.id)
      await tx.query(sql`insert into practice_similar (practice_id, other_id, kind, staff_id, ord) select ${row.id}, u.id, 'one2three', ${call.staff.id}, ${before} + u.place
        from unnest(${sql.param(ids)}::bigint[]) with ordinality u(id, place) on conflict do nothing`)
      const now = await count(tx, row.id)
      if (now > MOST) throw badRequest(`每道题最多 ${MOST} 道举一反三`)
      return { count: now }
    })),
    handle(removeOneToThree, (call) => call.transaction(async (tx) => {
      const row = await lockParent(tx, call)
      await tx.query(sql`delete from practice_similar where practice_id = ${row.id} and kind = 'one2three' and other_id = any(${sql.param(call.input.child_ids)}::bigint[])`)
      return { count: await count(tx, row.id) }
    })),
    handle(listOneToThree, async (call) => {
      const id = idParam(call)
      const [seen] = await call.db.query(sql`select 1 from practice p where p.id = ${id} and p.deleted_at is null and ${reachable(call.staff)}`)
      if (!seen) throw notFound('试题')
      const rows = await call.db.query<{ id: number; score: number | null; by: string | null; at: number }>(sql`select p.id, x.score, s.name as by, x.at from practice_similar x join practice p on p.id = x.other_id left join staff s on s.id = x.staff_id
        where x.practice_id = ${id} and x.kind = 'one2three' and p.deleted_at is null and ${reachable(call.staff)} order by x.ord, p.id`)
      const cards = await readCards(call.db, call.staff, rows.map((row) => row.id))
      const items = cards.map((practice) => {
        const row = rows.find((one) => one.id === practice.id)
        return { practice, score: row?.score ?? null, by: row?.by ?? null, at: row?.at ?? 0 }
      })
      return { items, total: items.length }
    }),
  ]
}
