import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { invalid, notFound } from '../error/error.ts'
import type { AnyField } from '../field/any-field.ts'
import type { Resource } from './define.ts'
import { SUPER_ROLE } from '../session/session.server.ts'
import { ALL_STAFF } from '../file/kinds.ts'
import { fileIdsIn } from '../file/url.ts'

/** Files that a value refers to, wherever in it. */
function filesOf(field: AnyField | undefined, value: unknown): string[] {
  if (!field?.files || value === null || value === undefined) return []
  return fileIdsIn(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Whether any of these values refers to a file. */
export function refersToFiles(resource: Pick<Resource, 'fields'>, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(values).some(([key, value]) => filesOf(resource.fields[key], value).length > 0)
}

/**
 * Opens the files that a record refers to for everybody who may see such records. Every way of writing a record calls
 * it, in the same transaction.
 * @param staffId who writes; they can only use files that they may fetch themselves
 * @throws AppError naming the field, when a file is somebody else's, gone or of the wrong kind
 */
export async function attachFiles(
  tx: Queryable, resource: Pick<Resource, 'fields' | 'grant'>, values: Readonly<Record<string, unknown>>, staffId: number,
): Promise<void> {
  const errors: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const field = resource.fields[key]
    const ids = filesOf(field, value)
    if (!field || ids.length === 0) continue
    const rows = await tx.query<{ type: string; bytes: number }>(sql`
      update file set expires_at = null,
        screens = case when ${resource.grant}::int = any(screens) then screens else screens || ${resource.grant}::int end
      where id = any(${sql.param(ids)}::uuid[]) and not of_record and (expires_at is null or expires_at > now()) and (
        staff_id = ${staffId} or grant_id = ${resource.grant} or ${resource.grant}::int = any(screens)
        or ((grant_id is not null or screens <> '{}') and exists (select 1 from staff s where s.id = ${staffId} and (s.role = ${SUPER_ROLE}
          or exists (select 1 from staff_module m where m.staff_id = s.id and (m.module_id = grant_id or m.module_id = any(screens))))))
      ) returning type, bytes`)
    const fits = (row: { type: string; bytes: number }) => !('accept' in field) || (field.accept.includes(row.type) && row.bytes <= field.maxBytes)
    if (rows.length < ids.length) errors[key] = `${field.label}引用的文件不存在或不属于您，请重新上传`
    else if (!rows.every(fits)) errors[key] = `${field.label}的文件类型或大小不符，请重新上传`
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/**
 * Opens the files in a value to all staff: for records that everybody reads, whatever screens they have. In the transaction
 * that writes the record, which has attached them.
 */
export async function openToAllStaff(tx: Queryable, value: unknown): Promise<void> {
  const ids = fileIdsIn(JSON.stringify(value))
  if (ids.length > 0) await tx.query(sql`update file set screens = screens || ${ALL_STAFF}::int where id = any(${sql.param(ids)}::uuid[]) and not ${ALL_STAFF}::int = any(screens)`)
}

/**
 * Keeps files of a person for work that comes back to them without showing them to anybody: a job that may run again, an
 * import that waits to be looked at. In the transaction that writes down that work.
 * @param seconds for how long; absent: for good
 * @throws AppError when one is gone or somebody else's
 */
export async function holdFiles(tx: Queryable, ids: readonly string[], staffId: number, seconds?: number): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  // What is kept for good already stays so.
  const until = seconds === undefined ? sql`null` : sql`case when expires_at is not null then greatest(expires_at, now() + make_interval(secs => ${seconds})) end`
  const held = await tx.query(sql`update file set expires_at = ${until}
    where id = any(${sql.param(wanted)}::uuid[]) and staff_id = ${staffId} and not of_record and (expires_at is null or expires_at > now()) returning id`)
  if (held.length < wanted.length) throw notFound('上传的文件')
}

/** How long a file is kept that no record names any more, in seconds: whoever plays it finishes. */
const RELEASED_SECONDS = 86_400

/**
 * Gives up files that a record named and does not name any more. What records of other screens refer to stays.
 * @param screen id of the screen whose record named them
 */
export async function releaseFiles(tx: Queryable, urls: readonly (string | null)[], screen: number): Promise<void> {
  const ids = urls.flatMap((url) => (url === null ? [] : fileIdsIn(url)))
  if (ids.length === 0) return
  await tx.query(sql`update file set expires_at = now() + make_interval(secs => ${RELEASED_SECONDS})
    where id = any(${sql.param(ids)}::uuid[]) and grant_id is null and screens <@ array[${screen}]::int[] and expires_at is null`)
}
