import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { VERIFY_GRANTS } from '../verify/state.ts'
import { checkRevision, lockPractice, reachable } from './access.server.ts'
import { assignMany, changeMany, each, takeEdge } from './bulk.server.ts'
import {
  bulkAssign, bulkChange, bulkSubmit, changeBasket, getPractice, movePractice, practiceCategories, practicePeople, practiceVerifiers, readBasket, searchPractices,
} from './calls.ts'
import { readCards } from './card.server.ts'
import { practiceCategory } from './category.ts'
import { readDetail } from './detail.server.ts'
import { searchPage } from './search.server.ts'
import { EDGES, type Edge } from './state.ts'
import { checkBeforeSubmit } from '../verify/machine.server.ts'

/** Questions that one basket holds. */
const MAX_BASKET = 500

/** Everybody who may check questions in at least one round. */
const verifiers = (db: Database) => db.query<{ id: number; name: string; waiting: number }>(sql`select s.id, s.name,
  (select count(*)::int from practice p where p.assignee_id = s.id and p.deleted_at is null and p.status in (1, 2, 3)) as waiting
  from staff s where s.deleted_at is null and s.status = 1 and exists (select 1 from staff_module m where m.staff_id = s.id and m.module_id = any(${sql.param([...VERIFY_GRANTS])}::int[])) order by s.name`)

/** The calls of the banks, answered. */
export function bankCalls(): Served[] {
  const basket = (db: Pick<Database, 'query'>, staff: Staff) => db.query<{ id: number }>(sql`select b.practice_id as id from basket_item b join practice p on p.id = b.practice_id
    where b.staff_id = ${staff.id} and p.deleted_at is null and ${reachable(staff)} order by b.at, b.practice_id`)
  return [
    handle(searchPractices, (call) => searchPage(call.db, call.staff, call.input)),
    handle(getPractice, (call) => readDetail(call.db, call.staff, idParam(call))),
    handle(movePractice, async (call) => {
      const { action, reason, rev } = call.input
      const edge: Edge = EDGES[action]
      if (edge.reason && !reason) throw invalid({ reason: '请填写原因' })
      return call.transaction(async (tx) => {
        const row = await lockPractice(tx, call.staff, idParam(call))
        await checkRevision(tx, call.staff, row, rev)
        if (action === 'submit') await checkBeforeSubmit(tx, row.id)
        await takeEdge(tx, call, row, edge)
        const [card] = await readCards(tx, call.staff, [row.id])
        if (!card) throw notFound('试题')
        return card
      }, { action, ...(reason && { reason }) })
    }),
    handle(practiceCategories, async (call) => {
      const scope = scopeCondition(practiceCategory, call.staff) ?? sql`true`
      const subject = call.input.cat_id === undefined ? sql`` : sql` and subject_id = ${Number(call.input.cat_id)}`
      return {
        practice_category: await call.db.query<{ id: number; cat_id: number; name: string; type: number }>(
          sql`select id, subject_id as cat_id, name, type from practice_category where deleted_at is null and status = 1 and ${scope}${subject} order by subject_id, sort, id`),
      }
    }),
    handle(practicePeople, async ({ db }) => {
      const people = (column: string) => db.query<{ id: number; name: string }>(sql`select s.id, s.name from staff s where exists (select 1 from practice p where p.${sql.identifier(column)} = s.id) order by s.name`)
      const [owners, first, second] = await Promise.all([people('owner_id'), people('verifier1_id'), people('verifier2_id')])
      return { owners, verifiers: [...new Map([...first, ...second].map((one) => [one.id, one])).values()] }
    }),
    handle(readBasket, async (call) => {
      const rows = await basket(call.db, call.staff)
      return { count: rows.length, ids: rows.map(({ id }) => id) }
    }),
    handle(changeBasket, (call) => call.transaction(async (tx) => {
      const { add = [], remove = [], clear } = call.input
      if (clear) await tx.query(sql`delete from basket_item where staff_id = ${call.staff.id}`)
      if (remove.length > 0) await tx.query(sql`delete from basket_item where staff_id = ${call.staff.id} and practice_id = any(${sql.param(remove)}::bigint[])`)
      if (add.length > 0) {
        await tx.query(sql`insert into basket_item (staff_id, practice_id) select ${call.staff.id}, p.id from practice p
          where p.id = any(${sql.param(add)}::bigint[]) and p.deleted_at is null and ${reachable(call.staff)} on conflict do nothing`)
      }
      const rows = await basket(tx, call.staff)
      if (rows.length > MAX_BASKET) throw badRequest(`试题篮最多 ${MAX_BASKET} 道题`)
      return { count: rows.length }
    })),
    handle(bulkChange, (call) => {
      if (Object.keys(call.input.changes).length === 0) throw badRequest('请选择要修改的内容')
      return changeMany(call, call.input.ids, call.input.changes)
    }),
    handle(bulkSubmit, (call) => each(call, call.input.ids, 'submit', async (tx, row) => {
      await checkBeforeSubmit(tx, row.id)
      await takeEdge(tx, call, row, EDGES.submit)
    })),
    handle(bulkAssign, async (call) => {
      const { ids, staff_id } = call.input
      if (staff_id !== null && !(await verifiers(call.db)).some((person) => person.id === staff_id)) throw badRequest('该员工没有校对权限')
      return assignMany(call, ids, staff_id)
    }),
    handle(practiceVerifiers, async ({ db }) => {
      const items = await verifiers(db)
      return { items, total: items.length }
    }),
  ]
}
