/**
 * Writes the migration that leads from the last snapshot to the definitions of today.
 * Usage: npm run migration -- <name>
 *        npm run migration -- --snapshot   after two branches that both wrote migrations were merged: keeps every migration
 *                                          and writes the one snapshot that they lead to together
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { findAppendOnly, findResources, findTables } from '../core/database/schema.server.ts'

const folder = join(import.meta.dirname, '../migrations')
const snapshotFile = join(folder, 'snapshot.json')
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Tables of records whose every change is logged: the triggers that do it. `unlogged` are columns that they leave out. */
function auditTriggers(table: string, unlogged: readonly string[]): string {
  const columns = unlogged.map((column) => `'${column}'`).join(', ')
  return [
    ['insert', 'new table as new_rows'],
    ['update', 'old table as old_rows new table as new_rows'],
    ['delete', 'old table as old_rows'],
  ].map(([event, tables]) =>
    `create trigger audit_${event} after ${event} on "${table}" referencing ${tables} for each statement execute function audit(${columns});`,
  ).join('\n')
}

/** The trigger that keeps what was written into a table as it was written. */
function keepTrigger(table: string, columns: readonly string[]): string {
  return `create trigger keep before delete or update of ${columns.map((column) => `"${column}"`).join(', ')} on "${table}" for each statement execute function refuse_change();`
}

/** SQL from the last snapshot to today's definitions, and today's snapshot. */
export async function pendingMigration(): Promise<{ statements: string[]; snapshot: string }> {
  const tables = await findTables()
  const before = JSON.parse(await readFile(snapshotFile, 'utf8').catch(() => JSON.stringify(generateDrizzleJson({})))) as ReturnType<typeof generateDrizzleJson>
  const after = generateDrizzleJson(tables, before.id)
  const statements = await generateMigration(before, after)
  const audited = Map.groupBy((await findResources()).filter((resource) => !resource.unaudited), (resource) => resource.table)
  const kept = await findAppendOnly()
  const created = statements.flatMap((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1] ?? [])
  return {
    statements: [...statements, ...created.flatMap((table) => {
      const sharing = audited.get(table)
      const fields = sharing?.flatMap((resource) => Object.entries(resource.fields)) ?? []
      return sharing ? [auditTriggers(table, [...new Set(fields.filter(([, field]) => field.unlogged).map(([key]) => key))])] : []
    }), ...created.flatMap((table) => (kept[table] ? [keepTrigger(table, kept[table])] : []))],
    // drizzle-kit numbers each snapshot at random; nothing reads the numbers, and two equal snapshots should be equal files.
    snapshot: `${JSON.stringify({ ...after, id: NO_ID, prevId: NO_ID }, null, 1)}\n`,
  }
}

/** Migrations are named by the second in which they were written, so that two branches never take the same number. */
export const migrationName = (name: string, at: Date): string => `${at.toISOString().replace(/\D/g, '').slice(0, 14)}_${name}.sql`

if (import.meta.main) {
  const { statements, snapshot } = await pendingMigration()
  const [name = 'change'] = process.argv.slice(2)
  if (name === '--snapshot') {
    await writeFile(snapshotFile, snapshot)
    console.log('migrations/snapshot.json')
  } else if (statements.length === 0) {
    console.log('nothing to migrate')
  } else {
    const file = migrationName(name, new Date())
    await writeFile(join(folder, file), `${statements.join('\n')}\n`)
    await writeFile(snapshotFile, snapshot)
    console.log(`migrations/${file}`)
  }
}
