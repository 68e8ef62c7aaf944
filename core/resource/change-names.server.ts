import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { regionName } from '../field/region.server.ts'
import { isRegionField, regionNameKey } from '../field/region.ts'
import { maskName } from '../field/person-name.ts'
import { displayKey } from '../field/reference.ts'
import type { Resource } from './define.ts'

type Values = Record<string, unknown>

/** Both sides of a change, with the fields of its record. */
interface Sides {
  fields: Resource['fields']
  before: Values | null
  after: Values | null
}

const idsIn = (value: unknown) => [value].flat().filter((id): id is number => typeof id === 'number')

/**
 * Adds to logged values, which know ids and codes only, the names behind them as rows carry them: `partner_id` gets
 * `partner_name`. One statement names everything that a page of changes refers to, deleted records too.
 * @param plain whether names of learners are shown as they are
 * @returns those that are removed or gone for good, each as its table and id: `partner 12`
 */
export async function nameChanges(db: Queryable, changes: readonly Sides[], plain: boolean): Promise<Set<string>> {
  const wanted = new Map<string, { title: string; ids: Set<number> }>()
  const values = changes.flatMap(({ fields, before, after }) => [before, after].flatMap((side) => (side ? [{ fields, side }] : [])))
  for (const { fields, side } of values) {
    for (const [key, value] of Object.entries(side)) {
      const field = fields[key]
      if (!field || !('target' in field)) continue
      const { table, title } = field.target()
      const known = wanted.get(table) ?? { title, ids: new Set<number>() }
      for (const id of idsIn(value)) known.ids.add(id)
      if (known.ids.size > 0) wanted.set(table, known)
    }
  }
  const parts = [...wanted].map(([table, { title, ids }]) => sql`select ${table}::text as t, id, ${sql.identifier(title)}::text as name, deleted_at is not null as removed
    from ${sql.identifier(table)} where id = any(${sql.param([...ids])}::bigint[])`)
  const rows = parts.length > 0 ? await db.query<{ t: string; id: number; name: string; removed: boolean }>(sql.join(parts, sql` union all `)) : []
  const names = new Map(rows.map(({ t, id, name }) => [`${t} ${id}`, name]))
  const living = new Set(rows.flatMap(({ t, id, removed }) => (removed ? [] : [`${t} ${id}`])))
  for (const { fields, side } of values) {
    for (const [key, value] of Object.entries(side)) {
      const field = fields[key]
      if (isRegionField(field) && typeof value === 'string') side[regionNameKey(key)] = regionName(value)
      if (!field || !('target' in field)) continue
      // What is gone for good keeps its number.
      const { table, masksTitle } = field.target()
      const show = (name: string) => (masksTitle && !plain ? maskName(name) : name)
      const named = idsIn(value).map((id) => {
        const name = names.get(`${table} ${id}`)
        return name === undefined ? `#${id}` : show(name)
      })
      if (named.length > 0) side[displayKey(key)] = field.refers === 'many' ? named : named[0]
    }
  }
  return new Set([...wanted].flatMap(([table, { ids }]) => [...ids].map((id) => `${table} ${id}`)).filter((one) => !living.has(one)))
}
