import { PassThrough, Readable, Writable } from 'node:stream'
import { configure, ZipWriter } from '@zip.js/zip.js'
import { sql } from 'drizzle-orm'
import { choiceLabel } from '../../core/field/choice.ts'
import { FILE_SECONDS, fileName, hideMobiles, storeStream } from '../../core/transfer/export.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import type { JobContext } from '../../core/job/define.server.ts'
import { listCondition, type Query } from '../../core/resource/where.server.ts'
import { writeXlsx, type WriteColumn } from '../../core/sheet/write.server.ts'
import type { JobFile } from '../../core/transfer/calls.ts'
import { CODE_STATUSES } from './code-state.ts'
import type { ServedFamily } from './hooks.server.ts'
import { vaultOf } from './vault.server.ts'

/** Codes that are opened at a time. */
const PART = 2000

/** What an export of whole codes is asked for. */
export interface CodeExportJob {
  query: Query
  /** Encrypted; wiped when the file is there. */
  password?: string
}

/** What the password in a waiting job is bound to. */
export const PASSWORD_USE = 'code export password'

interface Opened {
  id: number
  hash: string
  sealed: string
  batch: string
  owner: string
  product: string
  status: number
  redeem_before: number
}

function columnsOf({ label, owner, product }: ServedFamily['family']): WriteColumn[] {
  return [
    { key: 'no', label: '序号', type: 'number' }, { key: 'code', label, type: 'text', width: 24 }, { key: 'batch', label: '批次', type: 'text' },
    { key: 'owner', label: owner.label, type: 'text' }, { key: 'product', label: product.label, type: 'text' },
    { key: 'redeem_before', label: '兑换截止', type: 'date' }, { key: 'status', label: '状态', type: 'text' },
  ]
}

/** Whole codes of a list, one after the other; what the person may see is that of each moment. */
async function* openedCodes(context: JobContext<CodeExportJob>, { family, secrets }: ServedFamily): AsyncGenerator<Record<string, unknown>> {
  const vault = vaultOf(secrets)
  const { code, batch, owner, product } = family
  const [ownerTarget, productTarget] = [owner.target(), product.target()]
  let [last, no] = [0, 0]
  for (;;) {
    context.signal.throwIfAborted()
    const rows = await context.db.query<Opened>(sql`select t.id, s.hash, s.sealed, b.name as batch, o.${sql.identifier(ownerTarget.title)} as owner, p.${sql.identifier(productTarget.title)} as product, t.status, t.redeem_before
      from (select * from ${sql.identifier(code.table)} where ${listCondition(code, context.staff, context.input.query)} and id > ${last} order by id limit ${PART}) t
      join code_secret s on s.family = ${code.table} and s.code_id = t.id join ${sql.identifier(batch.table)} b on b.id = t.group_id
      left join ${sql.identifier(ownerTarget.table)} o on o.id = t.${sql.identifier(owner.key)} left join ${sql.identifier(productTarget.table)} p on p.id = t.${sql.identifier(product.key)} order by t.id`)
    for (const { hash, sealed, status, ...row } of rows) yield { ...row, no: ++no, code: vault.open(sealed, hash), status: choiceLabel(CODE_STATUSES, status) }
    if (rows.length < PART) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Writes a workbook into an archive that only the password opens (AES-256). */
async function writeArchive(target: Writable, name: string, password: string, write: (sheet: PassThrough) => Promise<number>): Promise<number> {
  // The work is small and the process has threads of its own.
  configure({ useWebWorkers: false })
  const sheet = new PassThrough()
  const archive = new ZipWriter(Writable.toWeb(target) as WritableStream<Uint8Array>, { password, encryptionStrength: 3, level: 0 })
  const [rows] = await Promise.all([
    write(sheet),
    archive.add(name, Readable.toWeb(sheet) as ReadableStream<Uint8Array>).then(() => archive.close()),
  ])
  return rows
}

/** Exports whole codes into a file that is private to the person; the log keeps which were taken out. */
export async function exportCodes(context: JobContext<CodeExportJob>, served: ServedFamily, files: FileStore): Promise<void> {
  const { db, input: { query, password }, signal, progress, staff, actor } = context
  const { family, secrets } = served
  const [counted] = await db.query<{ n: number }>(sql`select count(*) as n from ${sql.identifier(family.code.table)} where ${listCondition(family.code, staff, query)}`)
  const total = counted?.n ?? 0
  progress(0, total)
  const sheetName = fileName(family.label, 'xlsx')
  const write = (target: PassThrough) => writeXlsx(target, {
    columns: columnsOf(family), rows: openedCodes(context, served), sheetName: family.label, signal, onProgress: (done) => progress(done, Math.max(done, total)),
  })
  const meta = { name: password ? fileName(family.label, 'zip') : sheetName, staffId: staff.id, expiresAt: Math.floor(Date.now() / 1000) + FILE_SECONDS }
  const { file, result: rows } = await storeStream(files, meta, (target) => (password ? writeArchive(target, sheetName, secrets.decrypt(password, PASSWORD_USE), write) : write(target)))
  try {
    await db.transaction(actor, async (tx) => {
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, job_id, action, entity, entity_id, after) values (
        ${staff.id}, ${actor.ip ?? null}, ${actor.request_id ?? null}, ${context.id}, 'code_take', ${family.code.table}, 0, ${JSON.stringify({ query: hideMobiles(query), format: password ? 'zip' : 'xlsx', rows })}::jsonb)`)
      await tx.query(sql`update job set input = input - 'password' where id = ${context.id}`)
      const made: JobFile = { file_id: file.id, url: fileUrl(file.id), rows }
      await context.finish(tx, made)
    })
  } catch (error) {
    // Without its job nobody would ever find the file.
    await files.remove(file.id)
    throw error
  }
}
