import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { AnyField } from '../field/any-field.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import { pickableCondition } from '../resource/where.server.ts'
import { writeTemplate, type TemplateColumn } from '../sheet/template.server.ts'
import { importKeys } from './columns.ts'

/** Names that a drop-down offers; a longer list is of no help and makes the file heavy. */
const MAX_CHOICES = 500

/** Names that a reference can be given, when there are not too many; those within the fixed values only. */
async function namesOf(
  db: Queryable, field: AnyField, targets: ReadonlyMap<string, Resource>, staff: Staff, fixed: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  if (!('target' in field) || field.refers !== 'one') return []
  const target = targets.get(field.target().name)
  if (!target) return []
  const within = Object.entries(field.within).flatMap(([own, other]) => (fixed[own] === undefined ? [] : [sql` and ${sql.identifier(other)} = ${fixed[own]}`]))
  const title = sql.identifier(target.title)
  const rows = await db.query<{ name: string }>(sql`select distinct ${title} as name from ${sql.identifier(target.table)}
    where ${pickableCondition(target, staff)}${sql.join(within, sql``)} order by 1 limit ${MAX_CHOICES + 1}`)
  return rows.length > MAX_CHOICES ? [] : rows.map((row) => row.name)
}

/**
 * The workbook that people fill in for an import.
 * @param fixed values that all rows share; they get no column
 * @returns its bytes, while they are being written
 */
export async function importTemplate(
  db: Queryable, resource: Resource, targets: ReadonlyMap<string, Resource>, staff: Staff, fixed: Readonly<Record<string, unknown>>,
): Promise<Readable> {
  const columns: TemplateColumn[] = []
  for (const key of importKeys(resource, fixed)) {
    const field = resource.fields[key]
    if (!field) continue
    const names = await namesOf(db, field, targets, staff, { ...resource.where, ...fixed })
    const { type, example, choices = names, note } = field.sheet
    columns.push({
      key, label: field.label, required: field.required, type, example: example === '' ? choices[0] ?? '' : example, choices, ...(note && { note }),
    })
  }
  const target = new PassThrough()
  // A failure destroys the target, which breaks the answer off.
  writeTemplate(target, { sheetName: resource.label, columns }).catch(() => {})
  return target
}
