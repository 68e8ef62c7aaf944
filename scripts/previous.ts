/**
 * Makes migrations/previous.sql.gz: a small piece of the demo as a release left it, which the tests migrate to today's schema.
 * Renewed with each release: node scripts/previous.ts [<tag or commit, HEAD by default>]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'
import { ownReferences } from '../core/resource/behind.ts'
import type { Resource } from '../core/resource/define.ts'

const root = join(import.meta.dirname, '..')
const FILE = join(root, 'migrations/previous.sql.gz')
/** As much as a repository should carry for it, in bytes. */
const LIMIT = 500_000
/** Rows of a kind that are kept on their own account: the first, and some that were deleted. What they refer to comes along. */
const [FIRST, DELETED] = [12, 3]
/** Rows of tables that hang on others. */
const HANGING = 60

/** Tables that columns of tables without a definition name, where it is not the column's own name. */
const NAMED: Readonly<Record<string, string>> = {
  order: 'orders', member: 'room_member', room: 'study_room', lesson: 'micro_lesson', set: 'selected_set', code: 'activation_code', user: 'app_user', import: 'practice_import', other: 'practice', left: 'practice', right: 'practice',
}

type Ids = Map<string, Set<number>>

interface Link {
  table: string
  column: string
  target: string
  isList: boolean
}

/** Months of a table are parts of it: their rows are its rows. */
const MONTHS = sql`(select inhrelid::regclass::text from pg_inherits)`

/** Which columns name rows of which tables. */
async function linksOf(db: Database, resources: readonly Resource[]): Promise<Link[]> {
  const columns = await db.query<{ table: string; column: string }>(sql`select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public' and table_name not in ${MONTHS}`)
  const tables = new Set(columns.map(({ table }) => table))
  const told = resources.flatMap((resource) => ownReferences(resource).map(([column, field]): Link =>
    ({ table: resource.table, column, target: field.target().table, isList: field.kind === 'reference_list' })))
  const known = new Set(told.map(({ table, column }) => `${table}.${column}`))
  const guessed = columns.flatMap(({ table, column }): Link[] => {
    const name = /^(\w+)_id$/.exec(column)?.[1]
    const target = name && (NAMED[name] ?? name)
    return target && tables.has(target) && !known.has(`${table}.${column}`) ? [{ table, column, target, isList: false }] : []
  })
  return [...new Map([...told, ...guessed].map((link) => [`${link.table}.${link.column}.${link.target}`, link])).values()]
}

/** Decides which rows stay: some of each kind, some of what hangs on them, and all that these name. */
async function choose(db: Database, links: readonly Link[]): Promise<Ids> {
  const withId = (await db.query<{ name: string; deleted: boolean }>(sql`select table_name as name, bool_or(column_name = 'deleted_at') as deleted from information_schema.columns
    where table_schema = 'public' and table_name not in ${MONTHS} group by 1 having bool_or(column_name = 'id' and data_type = 'bigint')`))
  const chosen: Ids = new Map(withId.map(({ name }) => [name, new Set()]))
  const pending: [string, number][] = []
  const add = (table: string, id: number | null) => {
    const ids = chosen.get(table)
    if (!ids || id === null || ids.has(id)) return
    ids.add(id)
    pending.push([table, id])
  }
  const follow = async () => {
    while (pending.length > 0) {
      const batch = Map.groupBy(pending.splice(0), ([table]) => table)
      for (const [table, rows] of batch) {
        for (const { column, target, isList } of links.filter((link) => link.table === table)) {
          const name = sql.identifier(column)
          const found = await db.query<{ id: number | null }>(sql`select distinct ${isList ? sql`unnest(${name})` : name} as id from ${sql.identifier(table)} where id = any(${sql.param(rows.map(([, id]) => id))}::bigint[])`)
          for (const { id } of found) add(target, id)
        }
      }
    }
  }
  for (const { name, deleted } of withId) {
    const table = sql.identifier(name)
    for (const { id } of await db.query<{ id: number }>(sql`select id from ${table} order by id limit ${FIRST}`)) add(name, id)
    if (deleted) for (const { id } of await db.query<{ id: number }>(sql`select id from ${table} where deleted_at is not null order by id limit ${DELETED}`)) add(name, id)
  }
  await follow()
  // Tables without an id of their own stay with what they name: some rows of each bring it along.
  const tables = (await db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not in ${MONTHS}`)).map(({ name }) => name).filter((name) => !chosen.has(name))
  for (const name of tables) {
    const own = links.filter((link) => link.table === name && !link.isList)
    if (own.length === 0) continue
    const columns = sql.join(own.map(({ column }) => sql.identifier(column)), sql`, `)
    for (const row of await db.query<Record<string, number | null>>(sql`select ${columns} from ${sql.identifier(name)} limit 3`)) for (const { column, target } of own) add(target, row[column] ?? null)
  }
  await follow()
  return chosen
}

/** Takes everything away but the chosen rows and what hangs on them. */
async function trim(db: Database, links: readonly Link[], chosen: Ids): Promise<void> {
  const tables = (await db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration' and tablename not in ${MONTHS}`)).map(({ name }) => name)
  for (const name of tables) {
    const table = sql.identifier(name)
    const ids = chosen.get(name)
    if (ids) await db.query(sql`delete from ${table} where not id = any(${sql.param([...ids])}::bigint[])`)
    else {
      const named = links.filter((link) => link.table === name && !link.isList && chosen.has(link.target)).map(({ column, target }) =>
        sql`(${sql.identifier(column)} is null or ${sql.identifier(column)} = any(${sql.param([...chosen.get(target) ?? []])}::bigint[]) or not exists (select 1 from ${sql.identifier(target)} g where g.id = ${sql.identifier(column)}))`)
      const kept = named.length > 0 ? sql.join(named, sql` and `) : sql`true`
      const whole = name === 'installation' || name === 'staff_module'
      await db.query(sql`delete from ${table} where not ctid = any(array(select ctid from ${table} where ${kept} limit ${whole ? 100_000 : HANGING}))`)
    }
  }
}

/** The database as SQL that any database runs: schema by the release's own migrations, rows, and where numbers go on. */
async function dump(db: Database, release: string, empty: string[]): Promise<string> {
  const migrations = readdirSync(join(release, 'migrations')).filter((name) => name.endsWith('.sql')).sort()
  const parts = [
    'create table migration (name text primary key, at timestamptz not null default now());', readFileSync(join(release, 'core/database/base.sql'), 'utf8'),
    ...migrations.flatMap((name) => [readFileSync(join(release, 'migrations', name), 'utf8'), `;insert into migration (name) values ('${name}');`]),
    // Rows come as they were: nothing is logged or refused.
    'set session_replication_role = replica;',
  ]
  const tables = await db.query<{ name: string; columns: string }>(sql`select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' and table_name <> 'migration' and table_name not in ${MONTHS} group by 1 order by 1`)
  for (const { name, columns } of tables) {
    const [{ rows } = { rows: null }] = await db.query<{ rows: string | null }>(sql`select jsonb_agg(to_jsonb(t))::text as rows from ${sql.identifier(name)} t`)
    if (rows === null) empty.push(name)
    else parts.push(`insert into "${name}" (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::"${name}", '${rows.replaceAll("'", "''")}'::jsonb);`)
  }
  parts.push('set session_replication_role = origin;', `do $$ declare t text; begin
    for t in select table_name from information_schema.columns where table_schema = 'public' and column_name = 'id' and is_identity = 'YES' and table_name not in (select inhrelid::regclass::text from pg_inherits) loop
      execute format('select setval(pg_get_serial_sequence(%L, ''id''), (select coalesce(max(id), 0) + 1 from %I))', t, t);
    end loop; end $$;`)
  return parts.join('\n')
}

const commit = process.argv[2] ?? 'HEAD'
const release = mkdtempSync(join(tmpdir(), 'release-'))
try {
  execFileSync('git', ['worktree', 'add', '--detach', '--force', release, commit], { cwd: root, stdio: 'inherit' })
  symlinkSync(join(root, 'node_modules'), join(release, 'node_modules'))
  // Everything of that release is that release's own: how it opens a database, what it puts into it.
  const from = (path: string) => import(join(release, path))
  const { openEmbedded } = await from('core/database/embedded.server.ts') as typeof import('../core/database/embedded.server.ts')
  const { migrate } = await from('core/database/migrate.server.ts') as typeof import('../core/database/migrate.server.ts')
  const { assemble } = await from('core/module/assemble.server.ts') as typeof import('../core/module/assemble.server.ts')
  const { seed } = await from('core/module/seed.server.ts') as typeof import('../core/module/seed.server.ts')
  const { readConfig } = await from('core/config.server.ts') as typeof import('../core/config.server.ts')
  const { findResources } = await from('core/module/schema.server.ts') as typeof import('../core/module/schema.server.ts')
  const { screenGroups } = await from('modules/screens.ts') as typeof import('../modules/screens.ts')
  const db = await openEmbedded(undefined)
  await migrate(db)
  const config = readConfig({ DATA_DIR: join(release, 'data'), DEMO: '1', PORT: '0' })
  const app = await assemble(config, db, { groups: screenGroups })
  await seed(config, app.kernel, app.modules, app.kernel.grantTree, (text) => console.log(text))
  const filled = new Set((await db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not in ${MONTHS}`)).map(({ name }) => name))
  for (const name of filled) if ((await db.query(sql`select 1 from ${sql.identifier(name)} limit 1`)).length === 0) filled.delete(name)
  const links = await linksOf(db, await findResources())
  await db.script('set session_replication_role = replica')
  await trim(db, links, await choose(db, links))
  // The key that it was made with is gone: what opens it next brings its own.
  await db.script("delete from installation where key = 'secret_proof'")
  const empty: string[] = []
  const text = await dump(db, release, empty)
  const lost = empty.filter((name) => filled.has(name))
  if (lost.length > 0) throw new Error(`nothing is left of ${lost.join(', ')}`)
  const packed = gzipSync(text, { level: 9 })
  if (packed.length > LIMIT) throw new Error(`${packed.length} bytes are more than ${LIMIT}`)
  writeFileSync(FILE, packed)
  console.log(`migrations/previous.sql.gz: ${packed.length} bytes, ${filled.size} tables with rows`)
  await app.http.close()
  await db.close()
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', release], { cwd: root, stdio: 'inherit' })
  rmSync(release, { recursive: true, force: true })
}
