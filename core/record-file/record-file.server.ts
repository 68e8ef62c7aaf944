import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { Resource } from '../resource/define.ts'
import { keepUndo } from '../resource/keep-undo.server.ts'
import type { Row } from '../resource/list.server.ts'
import type { Registry } from '../resource/uses.server.ts'
import { UNDO_HOURS } from '../undo/calls.ts'
import { MOST_FILES, type RecordFile } from './calls.ts'

/** How long the bytes of a removed file stay, in hours: an hour longer than its removal can be taken back. */
const KEPT_HOURS = UNDO_HOURS + 1

/** A record, and who changes what is kept with it. */
export interface FilesOf {
  readonly resource: Resource
  readonly row: Row
  readonly staff: Staff
}

interface Kept extends RecordFile {
  file_id: string
}

const columns = sql`f.id, f.file_id, f.name, f.type, f.bytes, f.created_at as at, (select name from staff where id = f.staff_id) as staff_name`
const ofRecord = ({ table }: Pick<Resource, 'table'>, id: number) => sql`f.entity = ${table} and f.entity_id = ${id}`

/** Writes into the record's log what came or went, in the name of the transaction's actor. */
async function log(tx: Queryable, { resource, row }: FilesOf, action: 'file_add' | 'file_remove', name: string): Promise<void> {
  const value = sql`jsonb_build_object('record_file', ${name}::text)`
  await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, reason, entity, entity_id, before, after)
    select (a->>'staff_id')::bigint, a->>'ip', a->>'request_id', coalesce(a->>'action', ${action}::text), a->>'reason', ${resource.table}, ${row.id},
      ${action === 'file_remove' ? value : sql`null`}, ${action === 'file_add' ? value : sql`null`}
    from (select coalesce(nullif(current_setting('app.actor', true), ''), '{}')::jsonb as a) x`)
}

const keep = (tx: Queryable, { resource, row, staff }: FilesOf, action: 'file_add' | 'file_remove', file: number): Promise<number | undefined> =>
  keepUndo(tx, { resource, staff, action }, [{ record: row, before: undefined, rev: row.rev, back: { by: 'file', file, there: action === 'file_remove' } }])

/** Files of a record, in the order in which they came. */
export async function readFiles(db: Queryable, resource: Pick<Resource, 'table'>, id: number): Promise<RecordFile[]> {
  const found = await db.query<Kept>(sql`select ${columns} from record_file f where ${ofRecord(resource, id)} and f.removed_at is null order by f.id`)
  return found.map(({ file_id: _own, ...shown }) => shown)
}

/** Which stored file one of a record's is. @throws AppError when the record has none of this number */
export async function storedId(db: Queryable, resource: Pick<Resource, 'table' | 'label'>, id: number, file: number): Promise<string> {
  const [found] = await db.query<{ file_id: string }>(sql`select f.file_id from record_file f where ${ofRecord(resource, id)} and f.id = ${file} and f.removed_at is null`)
  if (!found) throw notFound('文件')
  return found.file_id
}

/**
 * Keeps a file with a record that is locked. It has to be one that the person has just sent: what a record has already is
 * opened to others by that record, and a second one would open it to further people.
 * @throws AppError when it is not, or when there are too many
 */
export async function addFile(tx: Queryable, of: FilesOf, fileId: string): Promise<RecordFile & { undo?: number }> {
  const { resource, row, staff } = of
  const [{ n } = { n: 0 }] = await tx.query<{ n: number }>(sql`select count(*)::int as n from record_file f where ${ofRecord(resource, row.id)} and f.removed_at is null`)
  if (n >= MOST_FILES) throw badRequest(`一条${resource.label}最多 ${MOST_FILES} 个文件，请先移除不用的`)
  const [kept] = await tx.query<Kept>(sql`with own as (
      update file set expires_at = null, of_record = true where id = ${fileId} and staff_id = ${staff.id} and expires_at > now() and grant_id is null and not of_record
      returning id, name, type, bytes
    ), f as (
      insert into record_file (entity, entity_id, file_id, name, type, bytes, staff_id) select ${resource.table}, ${row.id}, id, name, type, bytes, ${staff.id} from own returning *
    ) select ${columns} from f`)
  if (!kept) throw badRequest('文件已过期或已用在别处，请重新上传')
  await log(tx, of, 'file_add', kept.name)
  const undo = await keep(tx, of, 'file_add', kept.id)
  const { file_id: _own, ...shown } = kept
  return { ...shown, ...(undo !== undefined && { undo }) }
}

/**
 * Takes a file from a record that is locked, or brings it back while its bytes are there.
 * @param there whether it is to be there
 * @param kept whether it is kept how this is taken back; a step that takes back is not taken back itself
 * @throws AppError when it is as it should be already, or gone
 */
export async function setThere(tx: Queryable, of: FilesOf, file: number, there: boolean, kept = true): Promise<{ undo?: number }> {
  const { resource, row } = of
  const [found] = await tx.query<{ name: string }>(sql`with f as (
      update record_file f set removed_at = ${there ? sql`null` : sql`now()`} where ${ofRecord(resource, row.id)} and f.id = ${file} and f.removed_at is ${there ? sql`not null` : sql`null`}
      returning f.file_id, f.name
    ), bytes as (
      update file b set expires_at = ${there ? sql`null` : sql`now() + make_interval(hours => ${KEPT_HOURS})`} from f where b.id = f.file_id and (b.expires_at is null or b.expires_at > now()) returning b.id
    ) select f.name from f join bytes on bytes.id = f.file_id`)
  if (!found) throw notFound('文件')
  const action = there ? 'file_add' : 'file_remove'
  await log(tx, of, action, found.name)
  const undo = kept ? await keep(tx, of, action, file) : undefined
  return undo === undefined ? {} : { undo }
}

/** Names of the files of several records, for a sheet: each on a line of its own. */
export async function fileNames(db: Queryable, resource: Pick<Resource, 'table'>, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await db.query<{ id: number; names: string }>(sql`select f.entity_id as id, string_agg(f.name, E'\n' order by f.id) as names from record_file f
    where f.entity = ${resource.table} and f.entity_id = any(${sql.param([...ids])}::bigint[]) and f.removed_at is null group by f.entity_id`)
  return new Map(found.map(({ id, names }) => [id, names]))
}

/** Lets the files of a record that goes into another follow it. */
export async function moveFiles(tx: Queryable, resource: Pick<Resource, 'table'>, from: number, into: number): Promise<void> {
  await tx.query(sql`update record_file f set entity_id = ${into} where ${ofRecord(resource, from)}`)
}

/** Files whose records are gone for good, by whatever way, go too. */
export function recordFileSweep(db: Database, registry: Registry): Sweep {
  const tables = [...new Set([...registry.values()].map(({ resource }) => resource.table))]
  return {
    name: 'record_file',
    async run() {
      for (const table of tables) {
        await db.query(sql`with gone as (
            delete from record_file f where f.entity = ${table} and not exists (select 1 from ${sql.identifier(table)} t where t.id = f.entity_id) returning f.file_id
          ) update file set expires_at = now() from gone where id = gone.file_id and (expires_at is null or expires_at > now())`)
      }
    },
  }
}
