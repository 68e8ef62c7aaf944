/**
 * Writes the migration that leads from the last snapshot to the definitions of today.
 * Usage: npm run migration -- <name> [--fill <table>.<column>="<SQL>" …]
 *          --fill says what rows that are there already get in a column that is required from now on; without it they get
 *          what a new record starts with
 *        npm run migration -- <name> --contract   drops what went from the definitions before this release: until then it stays, so
 *                                          that the release before can run beside this one
 *        npm run migration -- --snapshot   after two branches that both wrote migrations were merged: keeps every migration
 *                                          and writes the one snapshot that they lead to together
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { findAppendOnly, findResources, findTables } from '../core/module/schema.server.ts'
import type { Resource } from '../core/resource/define.ts'
import { indexesOfEqualNulls } from '../core/resource/table.server.ts'
import { contract, contractLater, type Retired } from './contract.ts'
import { fillBefore, startOf } from './fill.ts'
import { keepByMonth } from './monthly.ts'

const folder = join(import.meta.dirname, '../migrations')
const snapshotFile = join(folder, 'snapshot.json')
const RELEASE = (JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }).version
const NO_ID = '00000000-0000-0000-0000-000000000000'

type Drizzle = ReturnType<typeof generateDrizzleJson>

/** What a schema has beside what drizzle knows of it. */
export interface Beside {
  /** Columns that the log leaves out, of each table whose changes are logged. */
  audited: Readonly<Record<string, readonly string[]>>
  /** Columns that never change, of each table that keeps what was written. */
  kept: Readonly<Record<string, readonly string[]>>
  /** Unique indexes in which empty values are equal, with their tables. */
  equalNulls: Readonly<Record<string, string>>
  /** Moments by whose month tables are kept; absent where no table is. */
  monthly?: Readonly<Record<string, string>>
}

/** A snapshot: what drizzle knows, and what stands beside it. */
type Snapshot = Drizzle & Partial<Beside> & { retired?: Retired }

const EVENTS = [['insert', 'new table as new_rows'], ['update', 'old table as old_rows new table as new_rows'], ['delete', 'old table as old_rows']] as const

/** Tables of records whose every change is logged: the triggers that do it. `leftOut` are columns that they leave out. */
function auditTriggers(table: string, leftOut: readonly string[]): string[] {
  const columns = leftOut.map((column) => `'${column}'`).join(', ')
  return EVENTS.map(([event, tables]) =>
    `create trigger audit_${event} after ${event} on "${table}" referencing ${tables} for each statement execute function audit(${columns});`)
}

/** The trigger that keeps what was written into a table as it was written. */
function keepTrigger(table: string, columns: readonly string[]): string {
  return `create trigger keep before delete or update of ${columns.map((column) => `"${column}"`).join(', ')} on "${table}" for each statement execute function refuse_change();`
}

const sorted = <Value>(entries: Iterable<readonly [string, Value]>) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** What definitions say beside what drizzle knows. */
export function besideOf(resources: readonly Resource[], kept: Readonly<Record<string, readonly string[]>>): Beside {
  const tables = [...Map.groupBy(resources, (resource) => resource.table)]
  return {
    audited: sorted(tables.flatMap(([table, sharing]) => (sharing.every(({ audit }) => !audit) ? [] : [[table, [...new Set(
      sharing.filter(({ audit }) => audit).flatMap((resource) => Object.entries(resource.fields).flatMap(([key, field]) => (field.audit === false ? [key] : []))))].sort()] as const]))),
    kept: sorted(Object.entries(kept)),
    ...(resources.some(({ monthly }) => monthly !== undefined) && { monthly: sorted(resources.flatMap(({ table, monthly }) => (monthly === undefined ? [] : [[table, monthly] as const]))) }),
    equalNulls: sorted(tables.flatMap(([table, sharing]) => indexesOfEqualNulls(table, sharing).map((index) => [index, table] as const))),
  }
}

/** Statements by which the triggers come to be those of today. Tables that go take theirs with them. */
export function triggerChanges(before: Partial<Beside>, after: Beside, dropped: ReadonlySet<string> = new Set()): string[] {
  const changed = (was: Beside['audited'] = {}, is: Beside['audited']) => [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
    .filter((table) => !dropped.has(table) && JSON.stringify(was[table]) !== JSON.stringify(is[table])).map((table) => ({ table, was: was[table], is: is[table] }))
  return [
    ...changed(before.audited, after.audited).flatMap(({ table, was, is }) => [
      ...(was ? EVENTS.map(([event]) => `drop trigger audit_${event} on "${table}";`) : []), ...(is ? auditTriggers(table, is) : []),
    ]),
    ...changed(before.kept, after.kept).flatMap(({ table, was, is }) => [...(was ? [`drop trigger keep on "${table}";`] : []), ...(is ? [keepTrigger(table, is)] : [])]),
  ]
}

/** The snapshot without indexes that are to be made again: drizzle sees no difference in how they take empty values. */
function withoutIndexes(snapshot: Drizzle, indexes: ReadonlyMap<string, string>): Drizzle {
  const tables = structuredClone(snapshot.tables)
  for (const [index, table] of indexes) delete tables[`public.${table}`]?.indexes[index]
  return { ...snapshot, tables }
}

/** SQL from the last snapshot to today's definitions, today's snapshot, and columns for which nobody says what old rows get. */
export async function pendingMigration(told: Readonly<Record<string, string>> = {}, ending = false): Promise<{ statements: string[]; missing: string[]; snapshot: string }> {
  const [tables, resources] = [await findTables(), await findResources()]
  const { audited = {}, kept = {}, equalNulls = {}, monthly, retired: gone = {}, ...before } = JSON.parse(await readFile(snapshotFile, 'utf8').catch(() => JSON.stringify(generateDrizzleJson({})))) as Snapshot
  const beside = besideOf(resources, await findAppendOnly())
  const after = generateDrizzleJson(tables, before.id)
  const anew = new Map<string, string>(Object.entries<string>({ ...equalNulls, ...beside.equalNulls }).filter(([index, table]) => index in equalNulls !== index in beside.equalNulls
    && before.tables[`public.${table}`]?.indexes[index] && after.tables[`public.${table}`]?.indexes[index]))
  const generated = await generateMigration(withoutIndexes(before, anew), after)
  const later = contractLater(keepByMonth(generated, beside.monthly ?? {}, monthly), gone, RELEASE)
  const ended = ending ? contract(later.retired, RELEASE) : { statements: [], retired: later.retired }
  const filled = fillBefore(later.statements, told, (table, column) => startOf(resources, table, column))
  const dropped = new Set(generated.flatMap((statement) => /^DROP TABLE "(\w+)"/.exec(statement)?.[1] ?? []))
  return {
    statements: [
      ...[...anew.keys()].map((index) => `DROP INDEX "${index}";`),
      ...filled.statements.map((statement) => {
        const index = /^CREATE UNIQUE INDEX "(\w+)"/.exec(statement)?.[1]
        return index !== undefined && index in beside.equalNulls ? statement.replace(' WHERE ', ' NULLS NOT DISTINCT WHERE ') : statement
      }),
      ...triggerChanges({ audited, kept }, beside, dropped),
      ...ended.statements,
    ],
    missing: filled.missing,
    // drizzle-kit numbers each snapshot at random; nothing reads the numbers, and two equal snapshots should be equal files.
    snapshot: `${JSON.stringify({ ...after, ...beside, ...(Object.keys(ended.retired).length > 0 && { retired: ended.retired }), id: NO_ID, prevId: NO_ID }, null, 1)}\n`,
  }
}

/** Migrations are named by the second in which they were written, so that two branches never take the same number. */
export const migrationName = (name: string, at: Date): string => `${at.toISOString().replace(/\D/g, '').slice(0, 14)}_${name}.sql`

if (import.meta.main) {
  const { values, positionals: [name = 'change'] } = parseArgs({ allowPositionals: true, options: { snapshot: { type: 'boolean' }, contract: { type: 'boolean' }, fill: { type: 'string', multiple: true } } })
  const told = Object.fromEntries((values.fill ?? []).map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const { statements, missing, snapshot } = await pendingMigration(told, values.contract)
  // A table that goes is only retired: nothing is done to the database, and the snapshot says so.
  if (values.snapshot || (statements.length === 0 && snapshot !== await readFile(snapshotFile, 'utf8'))) {
    await writeFile(snapshotFile, snapshot)
    console.log('migrations/snapshot.json')
  } else if (missing.length > 0) {
    console.error(`${missing.join(', ')}: required from now on, but rows that are there already have nothing in it. Give the field an initial value, or say what they get: npm run migration -- ${name} ${missing.map((column) => `--fill ${column}="<SQL>"`).join(' ')}`)
    process.exitCode = 1
  } else if (statements.length === 0) {
    console.log('nothing to migrate')
  } else {
    const file = migrationName(name, new Date())
    await writeFile(join(folder, file), `${statements.join('\n')}\n`)
    await writeFile(snapshotFile, snapshot)
    console.log(`migrations/${file}`)
  }
}
