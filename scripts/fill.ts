import type { ColumnType } from '../core/field/field.ts'
import type { Resource } from '../core/resource/define.ts'
import { startValues } from '../core/resource/write.server.ts'

/** SQL text of a value of a column's type; undefined when there is no value. */
export function literal(type: ColumnType, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = (one: unknown) => `'${String(one).replaceAll("'", "''")}'`
  if (type === 'jsonb') return `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`
  if (Array.isArray(value)) return `array[${value.map((one) => (type === 'text[]' ? text(one) : String(Number(one)))).join(', ')}]::${type}`
  if (type === 'timestamptz') return `to_timestamp(${Number(value)})`
  return type === 'text' || type === 'ordered_text' ? text(value) : String(value)
}

/**
 * What rows that are there already get in a column that a table comes to require: what a new record starts with.
 * Undefined when the definition gives nothing, or resources that share the table start with different values.
 */
export function startOf(resources: readonly Resource[], table: string, column: string): string | undefined {
  const given = resources.filter((resource) => resource.table === table && column in resource.fields)
    .map((resource) => literal(resource.fields[column]?.column ?? 'text', startValues(resource)[column] ?? resource.fields[column]?.initial))
  return given.length > 0 && new Set(given).size === 1 ? given[0] : undefined
}

/** Rows that change by a migration were changed by nobody: the log stays as it is. */
const SILENT = `SELECT set_config('app.actor', '{"silent":true}', true);`

/**
 * Lets a migration fill before it requires: rows that are there get a value first.
 * @param told SQL of what a column's rows get, by `table.column`; it may name other columns
 * @param start what a new record starts with
 * @returns the statements, and the columns for which nobody says what their rows get
 */
export function fillBefore(
  statements: readonly string[], told: Readonly<Record<string, string>>, start: (table: string, column: string) => string | undefined,
): { statements: string[]; missing: string[] } {
  const created = new Set(statements.flatMap((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1] ?? []))
  const missing: string[] = []
  const filled = statements.flatMap((statement) => {
    const added = /^ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" (.+) NOT NULL;$/.exec(statement)
    const required = /^ALTER TABLE "(\w+)" ALTER COLUMN "(\w+)" SET NOT NULL;$/.exec(statement)
    const [, table = '', column = '', type = ''] = added ?? required ?? []
    // A default of its own fills, and so does an empty table.
    if (table === '' || created.has(table) || / DEFAULT | GENERATED /.test(type)) return [statement]
    const [at, name] = [`ALTER TABLE "${table}"`, `"${column}"`]
    const own = told[`${table}.${column}`]
    const value = own ?? start(table, column)
    if (value === undefined) {
      missing.push(`${table}.${column}`)
      return [statement]
    }
    const update = (where: string) => [SILENT, `UPDATE "${table}" SET ${name} = ${value}${where};`, `${at} ALTER COLUMN ${name} SET NOT NULL;`]
    if (required) return update(` WHERE ${name} IS NULL`)
    // A constant is kept once for all rows that are there, however many; what follows from other columns is written into each.
    return own === undefined
      ? [`${at} ADD COLUMN ${name} ${type} DEFAULT ${value} NOT NULL;`, `${at} ALTER COLUMN ${name} DROP DEFAULT;`]
      : [`${at} ADD COLUMN ${name} ${type};`, ...update('')]
  })
  return { statements: filled, missing }
}
