import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, notFound } from '../../core/error/error.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { ownReferences } from '../../core/resource/behind.ts'
import { rowsNaming, type Registry } from '../../core/resource/uses.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { COUNT_CAP, MAX_PAGE_SIZE, PAGE_SIZE, recordsWritten } from '../../core/resource/list.server.ts'
import { seesNames, shownName } from '../../core/resource/names.ts'
import { likeText, listCondition } from '../../core/resource/where.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { purgeRecords, recycleBin, type DeletedRecord } from './recycle.ts'

const purgeSuperOnly = defineError('purge_super_only', 403, () => '只有超级管理员可以彻底删除')
const stillReferred = defineError('still_referred', 409, (label: string, n: number, by: string) => `所选${label}仍被 ${n} 条${by}引用，不能彻底删除`)

/** Position of a record in the order of the bin: time of deletion, resource, id. */
type BinCursor = readonly [number, string, number]

function decodeCursor(text: string): BinCursor {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string' && typeof value[2] === 'number') return [value[0], value[1], value[2]]
  } catch {
    // Falls through: whatever it was, it is not ours.
  }
  throw badRequest('翻页位置有误，请回到第一页')
}

/** Rows of one resource that come after a place: later ones are those deleted earlier. */
function afterCursor(resource: Resource, [at, name, id]: BinCursor): SQL {
  const time = sql`to_timestamp(${at}::float8)`
  if (resource.name === name) return sql` and (deleted_at, id) < (${time}, ${id}::bigint)`
  return resource.name > name ? sql` and deleted_at <= ${time}` : sql` and deleted_at < ${time}`
}

/** Resources whose deleted records a person may bring back. */
function restorable(registry: Registry, staff: Staff): Resource[] {
  return [...registry.values()].map(({ resource }) => resource)
    .filter(({ actions, fields, title }) => actions.remove !== undefined && staff.modules.has(actions.remove) && fields[title]?.column)
}

/** Where a resource's deleted records are, within the person's scope. */
function deletedRows(resource: Resource, staff: Staff, word: string | undefined): SQL {
  const title = sql.identifier(resource.title)
  // A name that is masked is found by the whole of it.
  const whole = resource.masksTitle && !seesNames(resource, staff)
  const match = !word ? sql`` : whole ? sql` and ${title} = ${word}` : sql` and ${title}::text ilike ${`%${likeText(word)}%`}`
  return sql`from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, { deleted: '1' })}${match}`
}

interface StoredRecord {
  resource: string
  id: number
  title: string | null
  deleted_at: number
  deleted_by_name: string | null
}

/** Refuses while any record, deleted or not, still names one of these. */
async function refuseWhileReferred(tx: Queryable, registry: Registry, target: Resource, ids: readonly number[]): Promise<void> {
  for (const { resource } of registry.values()) {
    for (const [key, field] of ownReferences(resource)) {
      if (field.target().table !== target.table) continue
      const column = sql.identifier(key)
      const names = field.column === 'bigint[]' ? sql`${column} && ${sql.param(ids)}::bigint[]` : sql`${column} = any(${sql.param(ids)}::bigint[])`
      // Records that go together may name each other.
      const others = resource.table === target.table ? sql` and id <> all(${sql.param(ids)}::bigint[])` : sql``
      const own = rowsNaming(registry, resource.table, key, target)
      const [row] = await tx.query<{ n: number }>(sql`select count(*) as n from (select 1 from ${sql.identifier(resource.table)} where ${names}${others}${own ? sql` and ${own}` : sql``} limit 1000) x`)
      if (row && row.n > 0) throw stillReferred(target.label, row.n, resource.label)
    }
  }
}

/** The calls of the recycle bin. */
export function recycleCalls(registry: Registry): Served[] {
  return [
    handle(recycleBin, async (call) => {
      const { resource: only, keyword, cursor, page_size } = call.input
      const size = Math.min(MAX_PAGE_SIZE, Number(page_size ?? PAGE_SIZE) || PAGE_SIZE)
      const place = cursor ? decodeCursor(cursor) : undefined
      const own = restorable(registry, call.staff)
      const shown = own.filter((resource) => !only || resource.name === only)
      const resources = own.map(({ name, label }) => ({ name, label }))
      if (shown.length === 0) return { items: [], total: 0, resources }
      const limit = sql.raw(String(size + 1))
      const word = keyword?.trim()
      const parts = shown.map((resource) => sql`(select ${resource.name}::text as resource, id, ${sql.identifier(resource.title)}::text as title, deleted_at, updated_by
        ${deletedRows(resource, call.staff, word)}${place ? afterCursor(resource, place) : sql``} order by deleted_at desc, id desc limit ${limit})`)
      const counts = shown.map((resource) => sql`(select 1 ${deletedRows(resource, call.staff, word)} limit ${sql.raw(String(COUNT_CAP))})`)
      const [rows, counted] = await Promise.all([
        // Names of resources are compared byte by byte, as in the cursor.
        call.db.query<StoredRecord>(sql`select d.resource, d.id, d.title, d.deleted_at, s.name as deleted_by_name
          from (${sql.join(parts, sql` union all `)}) d left join staff s on s.id = d.updated_by
          order by d.deleted_at desc, d.resource collate "C", d.id desc limit ${limit}`),
        place ? [] : call.db.query<{ n: number }>(sql`select count(*) as n from (select 1 from (${sql.join(counts, sql` union all `)}) x limit ${sql.raw(String(COUNT_CAP))}) y`),
      ])
      const items = rows.slice(0, size).map((row): DeletedRecord => {
        const resource = registry.get(row.resource)?.resource
        const title = row.title === null || !resource ? null : (resource.fields[resource.title]?.kind === 'mobile' ? maskMobile(row.title) : shownName(resource, call.staff, row.title))
        return { ...row, title, label: resource?.label ?? row.resource, restore: `${resource?.api.item}/${row.id}/restore` }
      })
      const last = items.at(-1)
      return {
        items,
        ...(counted[0] && { total: counted[0].n }),
        ...(rows.length > size && last && { next: Buffer.from(JSON.stringify([last.deleted_at, last.resource, last.id])).toString('base64url') }),
        resources,
      }
    }),
    handle(purgeRecords, async (call) => {
      if (call.staff.role !== SUPER_ROLE) throw purgeSuperOnly()
      const resource = restorable(registry, call.staff).find(({ name }) => name === call.input.resource)
      if (!resource) throw notFound('记录类型')
      const ids = [...new Set(call.input.ids)]
      const table = sql.identifier(resource.table)
      return call.transaction(async (tx) => {
        const rows = await tx.query(sql`select id from ${table} where ${listCondition(resource, call.staff, { deleted: '1' })} and id = any(${sql.param(ids)}::bigint[]) for update`)
        if (rows.length < ids.length) throw badRequest('所选记录有的不在回收站中，请刷新后重试')
        await refuseWhileReferred(tx, registry, resource, ids)
        // Tables without triggers are logged here; those with them log themselves.
        if (!resource.audit) {
          await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before)
            select ${call.staff.id}, ${call.ip}, ${call.requestId}, 'purge', ${resource.table}, id, jsonb_strip_nulls(to_jsonb(t)) from ${table} t where id = any(${sql.param(ids)}::bigint[])`)
        }
        await tx.query(sql`delete from ${table} where id = any(${sql.param(ids)}::bigint[])`)
        recordsWritten(tx, resource.table)
        return { purged: ids.length }
      })
    }),
  ]
}
