/** Writing questions into a file, as a job. */
import { sql } from 'drizzle-orm'
import { Readable } from 'node:stream'
import { badRequest } from '../../../core/error/error.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { defineJob, type JobContext, type JobDefinition } from '../../../core/job/define.server.ts'
import { FILE_SECONDS, fileName } from '../../../core/transfer/export.server.ts'
import { bankGrant, POOLS } from '../bank/practice.ts'
import { searchPage } from '../bank/search.server.ts'
import { docsOf, type Question } from '../content/question.ts'
import { loadAssets } from '../formats/assets.server.ts'
import type { ExportInput } from './calls.ts'
import { EXPORT_FORMATS, MAX_EXPORT } from './formats.ts'
import { readForExport } from './read.server.ts'
import { WRITERS } from './write.server.ts'

/** Questions read at a time. */
const CHUNK = 200

/** Ids that the filters leave, in the list's order. */
async function idsOf({ db, staff, input, signal }: JobContext<ExportInput>): Promise<readonly number[]> {
  if (input.ids) return input.ids
  const ids: number[] = []
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await searchPage(db, staff, { ...input.search, pool: input.pool, level: input.level, page_size: CHUNK, ...(cursor ? { cursor } : { cursor: undefined }) })
    ids.push(...page.items.map(({ id }) => id))
    if (ids.length > MAX_EXPORT) throw badRequest(`一次最多导出 ${MAX_EXPORT} 道题，请缩小筛选范围`)
    cursor = page.next
  } while (cursor !== undefined)
  return ids
}

async function run(context: JobContext<ExportInput>, files: FileStore): Promise<void> {
  const { db, input, staff, signal } = context
  const ids = await idsOf(context)
  if (ids.length === 0) throw badRequest('没有可导出的试题')
  const questions: Question[] = []
  for (let at = 0; at < ids.length; at += CHUNK) {
    signal.throwIfAborted()
    questions.push(...(await readForExport(db, staff, input.pool, ids.slice(at, at + CHUNK))))
    context.progress(questions.length, ids.length)
  }
  const assets = await loadAssets(files, questions.flatMap((question) => docsOf(question).map(({ doc }) => doc)))
  signal.throwIfAborted()
  const { bytes, notes } = await WRITERS[input.format](questions, assets)
  const ending = EXPORT_FORMATS.find((one) => one.value === input.format)?.ending ?? 'zip'
  const title = POOLS.find((one) => one.value === input.pool)?.label ?? '试题'
  const file = await files.put(Readable.from([Buffer.from(bytes)]), { name: fileName(title, ending), staffId: staff.id, expiresAt: Math.floor(Date.now() / 1000) + FILE_SECONDS })
  try {
    await db.transaction(context.actor, async (tx) => {
      const what = { pool: input.pool, level: input.level, format: input.format, rows: questions.length, ...(input.ids ? { ids: input.ids.length } : { search: input.search ?? {} }) }
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, job_id, action, entity, entity_id, after) values (
        ${staff.id}, ${context.actor.ip ?? null}, ${context.actor.request_id ?? null}, ${context.id}, 'export', 'practice', 0, ${JSON.stringify(what)}::jsonb)`)
      await context.finish(tx, { file_id: file.id, url: fileUrl(file.id), rows: questions.length, notes: notes.slice(0, 50) })
    })
  } catch (error) {
    // Without its job nobody would ever find the file.
    await files.remove(file.id)
    throw error
  }
}

/** Kinds of jobs of the export. */
export function exportJobs({ files }: { files: FileStore }): JobDefinition[] {
  return [defineJob<ExportInput>({ kind: 'practice_export', grants: ({ pool, level }) => [bankGrant(pool, level, 'export')], run: (context) => run(context, files) })]
}
