import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { notFound } from '../error/error.ts'
import type { ActionWords } from './action-words.server.ts'
import { nameChanges } from './change-names.server.ts'
import type { Resource } from './define.ts'
import type { Change } from './endpoints.ts'
import { COUNT_CAP } from './list.server.ts'
import { byOwnNames, writableKeys } from './rules.ts'
import { isEmpty } from '../field/check.ts'
import { first, type Query } from './where.server.ts'

type Values = Record<string, unknown>

/** Audit values in wire form: times as seconds, hidden values masked. @param names whether names of learners are shown as they are */
export function wireValues(resource: Pick<Resource, 'fields'>, values: Values | null, masked: boolean, names = !masked): Values | null {
  if (!values) return null
  return Object.fromEntries(Object.entries(values).map(([key, value]) => {
    const field = resource.fields[key]
    if ((field?.column === 'timestamptz' || key === 'deleted_at' || key === 'created_at') && typeof value === 'string') return [key, Math.floor(Date.parse(value) / 1000)]
    const { hidden } = field ?? {}
    if (hidden && typeof value === 'string' && (hidden.from === 'everybody' ? masked : !names)) return [key, hidden.mask(value)]
    return [key, value]
  }))
}

/**
 * Changes of one record, newest first, fifty at a time.
 * @param words for the actions
 * @param names whether the person sees the names of learners in it
 */
export async function readHistory(db: Queryable, words: ActionWords, resource: Resource, id: number, query: Query, names: boolean): Promise<{ items: Change[]; total: number }> {
  const asked = Number(first(query, 'page'))
  const page = Number.isSafeInteger(asked) ? Math.min(Math.max(0, asked), 1_000_000) : 0
  const [items, [counted]] = await Promise.all([
    db.query<Omit<Change, 'action_name'>>(sql`select a.id, a.at, s.name as staff_name, a.ip, a.action, a.reason, a.before, a.after
      from audit_log a left join staff s on s.id = a.staff_id
      where a.entity = ${resource.table} and a.entity_id = ${id} order by a.id desc limit 50 offset ${sql.raw(String(page * 50))}`),
    db.query<{ n: number }>(sql`select count(*) as n from (select 1 from audit_log where entity = ${resource.table} and entity_id = ${id} limit ${sql.raw(String(COUNT_CAP))}) x`),
  ])
  // What was logged under a further name of a field, as before columns were shared, is named by its own.
  const shown = (values: Values | null) => wireValues(resource, values && { ...byOwnNames(resource, values) }, true, names)
  const changes = items.map((item) => ({ ...item, action_name: words.say(resource.table, item.action), before: shown(item.before), after: shown(item.after) }))
  await nameChanges(db, changes.map(({ before, after }) => ({ fields: resource.fields, before, after })), names)
  return {
    items: changes,
    total: counted?.n ?? 0,
  }
}

/**
 * Values that a record had before one of its changes, for the fields that a person may set.
 * @throws notFound when the change is not one of this record's or changed nothing that can be set back
 */
export async function revertValues(db: Queryable, resource: Resource, id: number, changeId: number): Promise<Values> {
  const [change] = await db.query<{ before: Values | null; after: Values | null }>(
    sql`select before, after from audit_log where id = ${changeId} and entity = ${resource.table} and entity_id = ${id}`,
  )
  const before = wireValues(resource, change?.before ?? null, false)
  const keys = writableKeys(resource).filter((key) => before && key in before)
  if (!before || keys.length === 0) throw notFound('可撤回的修改')
  return Object.fromEntries(keys.map((key) => [key, isEmpty(before[key]) ? null : before[key]]))
}
