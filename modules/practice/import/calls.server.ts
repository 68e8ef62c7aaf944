import { sql, type SQL } from 'drizzle-orm'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { holdFiles } from '../../../core/resource/attach.server.ts'
import { receiveFile } from '../../../core/file/receive.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { practice, STATUS } from '../bank/practice.ts'
import { claimContent } from '../bank/write.server.ts'
import { picturesOf } from '../content/fingerprint.ts'
import { questionSchema } from '../content/question.ts'
import { hashPictures } from '../picture/hash.server.ts'
import {
  acceptSuggestions, commitImport, decideImportLabels, getImport, ITEMS_PAGE, listImportItems, listImportLabels, listImports, mendImportItem, parseAgain, setImportFacts, skipImportItem, skipImportItems, startImport, undoImport, uploadImport, type ImportBatch, type ImportItem,
} from './calls.ts'
import type { FactsInput } from './facts.server.ts'
import type { CommitInput, ParseInput } from './jobs.server.ts'
import { checkImportLabels, checkUndo, mayImport } from './handover.server.ts'
import { decideLabels, readImportLabels } from './labels.server.ts'
import { acceptSuggested } from './suggested.server.ts'
import { rememberLayout } from './layout.server.ts'
import { MAX_BYTES } from './read-file.server.ts'
import { judge, subjectsOf } from './stage.server.ts'

/** What question files are made of, as their content shows it. */
const ACCEPTED = [
  'application/json', 'text/plain', 'text/csv', 'application/xml', 'text/xml', 'application/zip', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

/** Batches of a person, counted. */
function batches(db: Queryable, condition: SQL, limit: number): Promise<ImportBatch[]> {
  return db.query<ImportBatch>(sql`select b.id, b.level, b.subject_id, b.file_name, b.state, b.head is not null as whole, b.job_id, b.mapping, b.fields, b.mapping_kept, b.notes, extract(epoch from b.created_at)::bigint as created_at,
    (select jsonb_build_object('all', count(*), 'good', count(*) filter (where state = 'good'), 'hint', count(*) filter (where state = 'hint'), 'problem', count(*) filter (where state = 'problem'),
      'alike', count(*) filter (where like_kind is not null), 'sure', count(*) filter (where (suggested->>'sure')::boolean and practice_id is null and not skip), 'skipped', count(*) filter (where skip), 'written', count(practice_id)) from practice_import_item i where i.import_id = b.id) as counts
    from practice_import b where ${condition} order by b.id desc limit ${sql.raw(String(limit))}`)
}

async function oneBatch(db: Queryable, staff: Staff, id: number): Promise<ImportBatch> {
  const [batch] = await batches(db, sql`b.id = ${id} and b.staff_id = ${staff.id}`, 1)
  if (!batch) throw notFound('导入')
  return batch
}

/** A person may import into the stages whose bank they may import into. */
function checkLevel(staff: Staff, level: number): void {
  if (!mayImport(staff, level)) throw notGranted('导入')
}

async function checkSubject(db: Queryable, staff: Staff, level: number, subjectId: number | null | undefined): Promise<void> {
  if (subjectId === null || subjectId === undefined) return
  const [subject] = await db.query<{ level: number }>(sql`select level from subject where id = ${subjectId} and deleted_at is null`)
  if (subject?.level !== level || !(staff.scopes.subject?.includes(subjectId) ?? true)) throw badRequest('请选择本学段的学科')
}

const CONDITIONS: Readonly<Record<string, SQL>> = {
  good: sql`i.state = 'good'`, hint: sql`i.state = 'hint'`, problem: sql`i.state = 'problem'`, alike: sql`i.like_kind is not null`, skipped: sql`i.skip`,
}

/** Place of an item in its batch; -1 for what is none. */
function ordParam({ params }: Pick<Call<unknown>, 'params'>): number {
  const ord = Number(params['ord'])
  return Number.isSafeInteger(ord) && Math.abs(ord) < 2_000_000_000 ? ord : -1
}

/** The calls of the import, answered. Everybody sees their own batches only. */
export function importCalls({ jobs, files }: Pick<Kernel, 'jobs' | 'files'>): Served[] {
  const startParse = async (tx: Queryable, call: Call<unknown>, id: number, level: number, name: string): Promise<{ id: number; job_id: number }> => {
    const input: ParseInput = { import_id: id, level }
    const job_id = await jobs.add(tx, call, { kind: 'practice_import_parse', title: `解析试题文件：${name}`, input })
    await tx.query(sql`update practice_import set state = 'parsing', job_id = ${job_id} where id = ${id}`)
    return { id, job_id }
  }
  return [
    handle(uploadImport, async (call) => {
      const { id, name } = await receiveFile(call, files, { accept: ACCEPTED, maxBytes: MAX_BYTES })
      return { id, name }
    }),
    handle(startImport, async (call) => {
      const { file_id, level, subject_id = null } = call.input
      checkLevel(call.staff, level)
      await checkSubject(call.db, call.staff, level, subject_id)
      const file = await files.find(file_id)
      if (!file || file.staffId !== call.staff.id) throw notFound('上传的文件')
      return call.transaction(async (tx) => {
        // It may be parsed again at any time.
        await holdFiles(tx, [file_id], call.staff.id)
        const [row] = await tx.query<{ id: number }>(sql`insert into practice_import (staff_id, level, subject_id, file_id, file_name, state) values (${call.staff.id}, ${level}, ${subject_id}, ${file_id}, ${file.name}, 'parsing') returning id`)
        return startParse(tx, call, row?.id ?? 0, level, file.name)
      })
    }),
    handle(listImports, async (call) => ({ items: await batches(call.db, sql`b.staff_id = ${call.staff.id}`, 20) })),
    handle(getImport, (call) => oneBatch(call.db, call.staff, idParam(call))),
    handle(listImportItems, async (call) => readItems(call.db, (await oneBatch(call.db, call.staff, idParam(call))).id, call.input.page ?? 0, call.input.state)),
    handle(parseAgain, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      checkLevel(call.staff, batch.level)
      await checkSubject(tx, call.staff, batch.level, call.input.subject_id)
      if (batch.counts.written > 0) throw badRequest('已经入库的导入不能重新解析')
      if (batch.state === 'parsing') throw badRequest('文件正在解析，请稍候')
      if (batch.fields) await rememberLayout(tx, call.staff.id, batch.fields, call.input.mapping)
      await tx.query(sql`update practice_import set mapping = ${JSON.stringify(call.input.mapping)}::jsonb, mapping_kept = true, subject_id = ${call.input.subject_id ?? batch.subject_id} where id = ${batch.id}`)
      return startParse(tx, call, batch.id, batch.level, batch.file_name)
    })),
    handle(skipImportItem, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      const [changed] = await tx.query<{ ord: number; skip: boolean }>(sql`update practice_import_item set skip = ${call.input.skip} where import_id = ${batch.id} and ord = ${ordParam(call)} and practice_id is null returning ord, skip`)
      if (!changed) throw notFound('试题')
      return changed
    })),
    handle(skipImportItems, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      const { skip, state } = call.input
      const changed = await tx.query(sql`update practice_import_item i set skip = ${skip} where i.import_id = ${batch.id} and i.practice_id is null and i.question is not null and i.skip <> ${skip}
        ${state ? sql` and ${CONDITIONS[state] ?? sql`true`}` : sql``} returning 1`)
      return { changed: changed.length }
    })),
    handle(mendImportItem, async (call) => {
      const read = questionSchema.safeParse(call.input.question)
      if (!read.success) throw invalid({ question: read.error.issues[0]?.message ?? '内容格式不正确' })
      await hashPictures(call.db, files, picturesOf(read.data))
      return call.transaction(async (tx) => {
        const batch = await oneBatch(tx, call.staff, idParam(call))
        checkLevel(call.staff, batch.level)
        const ord = ordParam(call)
        const [waiting] = await tx.query(sql`select 1 from practice_import_item where import_id = ${batch.id} and ord = ${ord} and practice_id is null for update`)
        if (!waiting) throw notFound('试题')
        // Pictures that were added are looked at now: a commit of many must not fail because of one.
        await claimContent(tx, call.staff, batch.level, read.data)
        const found = await judge(tx, read.data, [], await subjectsOf(tx, batch.level), batch.subject_id)
        await tx.query(sql`update practice_import_item set question = ${JSON.stringify(found.question)}::jsonb, warnings = ${JSON.stringify(found.warnings)}::jsonb, state = ${found.state}, subject_id = ${found.subject_id}, like_id = ${found.like_id}, like_kind = ${found.like_kind}
          where import_id = ${batch.id} and ord = ${ord}`)
        const [item] = await itemRows(tx, sql`i.import_id = ${batch.id} and i.ord = ${ord}`, 0)
        if (!item) throw notFound('试题')
        return item
      })
    }),
    handle(acceptSuggestions, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      checkLevel(call.staff, batch.level)
      if (batch.state === 'parsing') throw badRequest('文件正在解析，请稍候')
      return acceptSuggested(tx, batch.id, call.input.items)
    })),
    handle(commitImport, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      checkLevel(call.staff, batch.level)
      if (batch.state !== 'ready' && batch.state !== 'done') throw badRequest(batch.state === 'parsing' ? '文件还没有解析完，请稍候' : '这次导入已经撤销')
      await checkImportLabels(tx, batch.id)
      const input: CommitInput = { import_id: batch.id, level: batch.level, ...call.input }
      const job_id = await jobs.add(tx, call, { kind: 'practice_import_commit', title: `试题入库：${batch.file_name}`, input })
      await tx.query(sql`update practice_import set job_id = ${job_id} where id = ${batch.id}`)
      return { id: batch.id, job_id }
    })),
    handle(listImportLabels, async (call) => ({ items: await readImportLabels(call.db, (await oneBatch(call.db, call.staff, idParam(call))).id) })),
    handle(decideImportLabels, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      checkLevel(call.staff, batch.level)
      if (batch.state === 'parsing') throw badRequest('文件正在解析，请稍候')
      await decideLabels(tx, call.staff, batch.id, call.input.decisions)
      return { items: await readImportLabels(tx, batch.id) }
    })),
    handle(setImportFacts, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      const { level = batch.level, ...facts } = call.input
      checkLevel(call.staff, batch.level)
      checkLevel(call.staff, level)
      await checkSubject(tx, call.staff, level, facts.subject_id)
      if (batch.state !== 'ready' && batch.state !== 'done') throw badRequest(batch.state === 'parsing' ? '文件正在解析，请稍候' : '这次导入已经撤销')
      if (level !== batch.level && batch.counts.written > 0) throw badRequest('已经入库的导入不能改学段')
      const input: FactsInput = { import_id: batch.id, level, facts }
      const job_id = await jobs.add(tx, call, { kind: 'practice_import_facts', title: `统一设置待导入试题：${batch.file_name}`, input })
      await tx.query(sql`update practice_import set job_id = ${job_id} where id = ${batch.id}`)
      return { id: batch.id, job_id }
    })),
    handle(undoImport, (call) => call.transaction(async (tx) => {
      const batch = await oneBatch(tx, call.staff, idParam(call))
      checkLevel(call.staff, batch.level)
      if (batch.counts.written === 0) throw badRequest('这次导入没有写入试题，不能撤销')
      await checkUndo(tx, batch.id)
      // A question that somebody has saved, handed in or published since is theirs.
      const removed = await touch(tx, practice, { deleted_at: sql`now()` },
        sql`i.import_id = ${batch.id} and t.id = i.practice_id and t.deleted_at is null and t.status = ${STATUS.draft} and t.version_no = 1`, { from: sql`practice_import_item i` })
      const ids = sql`${sql.param(removed.map(({ id }) => id))}::bigint[]`
      await tx.query(sql`delete from practice_band where practice_id = any(${ids})`)
      await tx.query(sql`update practice_import_item set practice_id = null where import_id = ${batch.id} and practice_id = any(${ids})`)
      await tx.query(sql`update practice_import set state = 'undone' where id = ${batch.id}`)
      return { removed: removed.length, kept: batch.counts.written - removed.length }
    })),
  ]
}

async function readItems(db: Database, id: number, page: number, state: string | undefined): Promise<{ items: ImportItem[]; total: number }> {
  const condition = sql`i.import_id = ${id}${state ? sql` and ${CONDITIONS[state] ?? sql`true`}` : sql``}`
  const [count] = await db.query<{ n: number }>(sql`select count(*)::int as n from practice_import_item i where ${condition}`)
  const items = await itemRows(db, condition, page)
  return { items, total: count?.n ?? 0 }
}

const itemRows = (db: Queryable, condition: SQL, page: number) => db.query<ImportItem>(sql`select i.ord, i.place, i.question, i.warnings, i.state, i.skip, i.like_id, p.no as like_no, i.like_kind, i.practice_id, i.suggested
    from practice_import_item i left join practice p on p.id = i.like_id where ${condition} order by i.ord limit ${sql.raw(String(ITEMS_PAGE))} offset ${page * ITEMS_PAGE}`)
