import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Registry } from '../../core/resource/calls.server.ts'
import { forgetCounts } from '../../core/resource/list.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { mergeUser, type Moved } from './calls.ts'
import { appUser, USER_STATUS } from './user.ts'

export const mergeConflict = defineError('merge_conflict', 409, (label: string) => `两个账号都有「${label}」且不能重复，请先删除其中一方的再合并`)

interface Reference {
  table: string
  column: string
  /** What its records are called. */
  record: string
  /** What the column is called. */
  field: string
  isList: boolean
}

/** Columns of all resources that name users. Resources that share a table are met once. */
function referencesTo(registry: Registry, name: string): Reference[] {
  const found = new Map<string, Reference>()
  for (const { resource } of registry.values()) {
    for (const [column, field] of Object.entries(resource.fields)) {
      if (!('target' in field) || field.target().name !== name) continue
      const key = `${resource.table}.${column}`
      if (!found.has(key)) found.set(key, { table: resource.table, column, record: resource.label, field: field.label, isList: field.kind === 'reference_list' })
    }
  }
  return [...found.values()]
}

/**
 * Points everything that names one user at another, deleted records too, since they may be restored.
 * @returns how many records of each kind were changed
 * @throws mergeConflict when both have a record of which there can be only one
 */
export async function moveReferences(tx: Queryable, registry: Registry, from: number, into: number, staffId: number): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const { table, column, record, field, isList } of referencesTo(registry, appUser.name)) {
    const name = sql.identifier(column)
    const value = isList
      ? sql`case when ${name} @> array[${into}]::bigint[] then array_remove(${name}, ${from}::bigint) else array_replace(${name}, ${from}::bigint, ${into}::bigint) end`
      : sql`${into}`
    const match = isList ? sql`${name} @> array[${from}]::bigint[]` : sql`${name} = ${from}`
    const [row] = await tx.query<{ n: number }>(sql`with changed as (
        update ${sql.identifier(table)} set ${name} = ${value}, rev = rev + 1, updated_at = now(), updated_by = ${staffId} where ${match} returning 1
      ) select count(*) as n from changed`).catch((error: unknown) => {
      throw sqlState(error) === '23505' ? mergeConflict(record) : error
    })
    if (row && row.n > 0) moved.push({ label: `${record}的${field}`, count: row.n })
    forgetCounts(table)
  }
  return moved
}

/** The call that makes one account of two. */
export function mergeCall(registry: Registry): Served {
  return handle(mergeUser, async (call) => {
    const { into_id, reason } = call.input
    const id = idParam(call)
    if (id === into_id) throw badRequest('不能与自己合并')
    const answer = await call.transaction(async (tx) => {
      // In one order, so that two merges of the same accounts cannot wait for each other.
      for (const one of [id, into_id].sort((a, b) => a - b)) {
        const row = await lockRow(tx, appUser, call.staff, one)
        const status = row['status']
        if (one === into_id && (status === USER_STATUS.closing || status === USER_STATUS.closed)) {
          throw wrongState('并入其他账号', choiceLabel(appUser.fields['status']?.kind === 'choice' ? appUser.fields['status'].choices : [], status))
        }
      }
      const moved = await moveReferences(tx, registry, id, into_id, call.staff.id)
      await tx.query(sql`update app_user set merged_into_id = ${into_id}, deleted_at = now(), rev = rev + 1, updated_at = now(), updated_by = ${call.staff.id} where id = ${id}`)
      return { into_id, moved }
    }, { action: 'merge', reason })
    forgetCounts(appUser.table)
    return answer
  })
}
