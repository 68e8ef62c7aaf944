import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import { maskMobile, MOBILE } from '../field/mobile.ts'
import { formatTime } from '../field/time.ts'
import type { FileMeta, FileStore, StoredFile } from '../file/store.server.ts'
import { fileUrl } from '../file/url.ts'
import type { JobContext } from '../job/define.server.ts'
import { fileNames } from '../record-file/record-file.server.ts'
import type { Resource } from '../resource/define.ts'
import { NOTHING_COMPUTED, readPage, type Row } from '../resource/list.server.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import { writeCsv, writeXlsx } from '../sheet/write.server.ts'
import type { JobFile } from './calls.ts'
import { sheetColumns, type SheetColumn } from './sheet-column.server.ts'

/** Records read at a time: memory stays the same however many there are, and no transaction is held. */
const BATCH = 2000
/** Files that jobs make are kept for a week, in seconds. */
export const FILE_SECONDS = 7 * 86_400

/** What an export job is asked for. */
export interface ExportJob {
  resource: string
  query: Query
  columns: readonly string[]
  format: 'xlsx' | 'csv'
  plain: boolean
}

const writers = { xlsx: writeXlsx, csv: writeCsv }

/** A file name with the minute in it, 学生_20261121_0830.xlsx. */
export function fileName(label: string, ending: string): string {
  return `${label}_${formatTime(Date.now() / 1000).slice(0, 16).replace(' ', '_').replace(/[-:]/g, '')}.${ending}`
}

/**
 * Stores what `write` writes, piece by piece. When either side fails, the other stops and nothing is left.
 * @returns the file and what `write` returned
 */
export async function storeStream<Result>(files: FileStore, meta: FileMeta, write: (target: PassThrough) => Promise<Result>): Promise<{ file: StoredFile; result: Result }> {
  const pipe = new PassThrough()
  const stored = files.put(pipe, meta).catch((error: unknown) => {
    pipe.destroy()
    throw error
  })
  const [file, result] = await Promise.allSettled([stored, write(pipe)])
  // The writer knows why it stopped; the store only sees a stream that broke off.
  if (result.status === 'rejected') {
    if (file.status === 'fulfilled') await files.remove(file.value.id)
    throw file.status === 'rejected' && isBroken(result.reason) ? file.reason : result.reason
  }
  if (file.status === 'rejected') throw file.reason
  return { file: file.value, result: result.value }
}

/** The writer failed only because the store closed the pipe. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'].includes(String(error.code))
}

/**
 * Records of a list from the first to the last, with what of them goes into the file; the person's rights are those of each moment.
 * @param most how many at most, all by default
 */
export async function* records(service: ResourceService, query: Query, columns: readonly SheetColumn[], context: Pick<JobContext, 'db' | 'staff' | 'signal'>, most = Infinity): AsyncGenerator<Record<string, unknown>> {
  const { resource, rules } = service
  let next: string | undefined
  let left = most
  do {
    context.signal.throwIfAborted()
    const page: { rows: Row[]; next: string | undefined } = await readPage(
      context.db, resource, context.staff, { ...query, page: undefined, page_size: String(Math.min(BATCH, left)), cursor: next }, rules.computed ?? NOTHING_COMPUTED, BATCH,
    )
    const files = columns.some(({ key }) => key === 'record_files') ? await fileNames(context.db, resource, page.rows.map(({ id }) => id)) : undefined
    for (const row of page.rows.slice(0, left)) yield Object.fromEntries(columns.map(({ key, read }) => [key, read(files ? { ...row, record_files: files.get(row.id) ?? null } : row)]))
    left -= page.rows.length
    next = page.next
  } while (next !== undefined && left > 0)
}

/** Number of records of a list, all of them. */
async function countAll(context: JobContext, resource: Resource, query: Query): Promise<number> {
  const [row] = await context.db.query<{ n: number }>(
    sql`select count(*) as n from ${sql.identifier(resource.table)} where ${listCondition(resource, context.staff, query)}`,
  )
  return row?.n ?? 0
}

/** The log is read by others than the one who knew the number. */
export function hideMobiles(query: Query): Query {
  const hide = (text: string) => (MOBILE.test(text) ? maskMobile(text) : text)
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, typeof value === 'string' ? hide(value) : value?.map(hide)]))
}

/** Writes a list into a file that is private to the person; the log keeps what was taken out. */
export async function exportList(context: JobContext<ExportJob>, service: ResourceService, files: FileStore): Promise<void> {
  const { db, input, signal, progress } = context
  const { resource } = service
  const columns = sheetColumns(resource, input.columns, input.plain, context.staff)
  const total = await countAll(context, resource, input.query)
  progress(0, total)
  const meta = { name: fileName(resource.label, input.format), staffId: context.staff.id, expiresAt: Math.floor(Date.now() / 1000) + FILE_SECONDS }
  const { file, result: rows } = await storeStream(files, meta, (target) => writers[input.format](target, {
    columns, signal, sheetName: resource.label,
    rows: records(service, input.query, columns, context),
    onProgress: (done) => progress(done, Math.max(done, total)),
  }))
  try {
    await db.transaction(context.actor, async (tx) => {
      const what = { query: hideMobiles(input.query), columns: input.columns, format: input.format, plain: input.plain, rows }
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, job_id, action, entity, entity_id, after) values (
        ${context.staff.id}, ${context.actor.ip ?? null}, ${context.actor.request_id ?? null}, ${context.id}, 'export', ${resource.table}, 0, ${JSON.stringify(what)}::jsonb)`)
      const made: JobFile = { file_id: file.id, url: fileUrl(file.id), rows }
      await context.finish(tx, made)
    })
  } catch (error) {
    // Without its job nobody would ever find the file.
    await files.remove(file.id)
    throw error
  }
}
