import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, duplicate, notFound } from '../error/error.ts'
import {
  createView, listViews, MAX_PREFERENCE, MAX_PREFERENCES, readPreferences, removeView, updateView, writePreference, type SavedView,
} from './calls.ts'

/** Views that one person may keep for one list. */
const MAX_VIEWS = 50

const viewColumns = (staffId: number) => sql`v.id, v.list, v.name, v.query, v.columns, v.shared, v.staff_id, s.name as staff_name, v.staff_id = ${staffId} as own`

async function readView(db: Queryable, staffId: number, id: number): Promise<SavedView> {
  const [view] = await db.query<SavedView>(sql`select ${viewColumns(staffId)} from saved_view v left join staff s on s.id = v.staff_id where v.id = ${id}`)
  if (!view) throw notFound('视图')
  return view
}

/** Refuses a person who does not own the view; a private one does not exist for others. */
async function ownView(tx: Queryable, call: Pick<Call, 'staff' | 'params'>): Promise<number> {
  const id = idParam(call)
  const [view] = await tx.query<{ staff_id: number; shared: boolean }>(sql`select staff_id, shared from saved_view where id = ${id} for update`)
  if (!view || (view.staff_id !== call.staff.id && !view.shared)) throw notFound('视图')
  if (view.staff_id !== call.staff.id) throw badRequest('这是同事共享的视图，只有创建人可以修改')
  return id
}

function nameTaken(error: unknown, name: string | undefined): unknown {
  return sqlState(error) === '23505' ? duplicate('视图名称', name ?? '', 'name') : error
}

/** Calls for what a person chooses about the console: settings and views of lists. */
export function preferenceCalls(): Served[] {
  return [
    handle(readPreferences, async (call) => {
      const rows = await call.db.query<{ key: string; value: unknown }>(sql`select key, value from preference where staff_id = ${call.staff.id}`)
      return { preferences: Object.fromEntries(rows.map((row) => [row.key, row.value])) }
    }),
    handle(writePreference, async (call) => {
      const { key, value } = call.input
      const text = JSON.stringify(value ?? null)
      if (Buffer.byteLength(text) > MAX_PREFERENCE) throw badRequest('设置内容过大')
      return call.transaction(async (tx) => {
        if (value === null || value === undefined) {
          await tx.query(sql`delete from preference where staff_id = ${call.staff.id} and key = ${key}`)
          return {}
        }
        await tx.query(sql`insert into preference (staff_id, key, value) values (${call.staff.id}, ${key}, ${text}::jsonb)
          on conflict (staff_id, key) do update set value = excluded.value, updated_at = now()`)
        const [counted] = await tx.query<{ n: number }>(sql`select count(*) as n from preference where staff_id = ${call.staff.id}`)
        if (counted && counted.n > MAX_PREFERENCES) throw badRequest('保存的设置过多，请先重置部分列表的设置')
        return {}
      })
    }),
    handle(listViews, async (call) => {
      const items = await call.db.query<SavedView>(
        sql`select ${viewColumns(call.staff.id)} from saved_view v left join staff s on s.id = v.staff_id
          where v.list = ${call.input.list} and (v.staff_id = ${call.staff.id} or v.shared) order by v.staff_id <> ${call.staff.id}, v.name, v.id limit 500`,
      )
      return { items, total: items.length }
    }),
    handle(createView, (call) => {
      const { list, name, query, columns = null, shared = false } = call.input
      return call.transaction(async (tx) => {
        const [counted] = await tx.query<{ n: number }>(sql`select count(*) as n from saved_view where staff_id = ${call.staff.id} and list = ${list}`)
        if (counted && counted.n >= MAX_VIEWS) throw badRequest(`每个列表最多保存 ${MAX_VIEWS} 个视图`)
        const [made] = await tx.query<{ id: number }>(sql`insert into saved_view (staff_id, list, name, query, columns, shared)
          values (${call.staff.id}, ${list}, ${name}, ${query}, ${columns === null ? null : JSON.stringify(columns)}::jsonb, ${shared}) returning id`)
        return readView(tx, call.staff.id, made?.id ?? 0)
      }).catch((error: unknown) => {
        throw nameTaken(error, name)
      })
    }),
    handle(updateView, (call) => {
      const { name, query, columns, shared } = call.input
      return call.transaction(async (tx) => {
        const id = await ownView(tx, call)
        await tx.query(sql`update saved_view set name = coalesce(${name ?? null}, name), query = coalesce(${query ?? null}, query), shared = coalesce(${shared ?? null}, shared)
          ${columns === undefined ? sql`` : sql`, columns = ${columns === null ? null : JSON.stringify(columns)}::jsonb`} where id = ${id}`)
        return readView(tx, call.staff.id, id)
      }).catch((error: unknown) => {
        throw nameTaken(error, name)
      })
    }),
    handle(removeView, (call) => call.transaction(async (tx) => {
      const id = await ownView(tx, call)
      await tx.query(sql`delete from saved_view where id = ${id}`)
      return {}
    })),
  ]
}
