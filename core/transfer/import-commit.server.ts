import { sql, type SQL } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { badRequest, defineError, type AppError } from '../error/error.ts'
import { attachFiles } from '../resource/attach.server.ts'
import type { JobContext } from '../job/define.server.ts'
import { recordsWritten, type Row } from '../resource/list.server.ts'
import { touch } from '../resource/touch.server.ts'
import type { Resource } from '../resource/define.ts'
import type { CommitInput, ImportChecked, ImportWritten } from './calls.ts'
import { BELOW_ITSELF, circular, lockTree, treeKeys } from '../resource/tree.server.ts'
import { asRecord, columnKeys, countRows, firstProblems, newDefaults, stagedRows, toWire } from './import-rows.server.ts'
import { verifyRows, type ImportContext } from './import-verify.server.ts'

export const alreadyWritten = defineError('already_written', 409, () => '这个文件已经导入过，不能重复写入')

type Choice = Omit<CommitInput, 'job_id'>

/** Rows that one statement writes; between two of them a job can be cancelled and shows how far it is. */
const BATCH = 5000
/** How often an import tries again when somebody took one of its unique values at the same moment. */
const TRIES = 3
/** Wrong rows that a result names. */
const NAMED = 50

/**
 * Writes the good rows of a checked file in one transaction, together with the end of the job: a job that is run again
 * after that has nothing left to do.
 * @param judged rows that were staged by the job `judged.jobId`
 * @param checked what this same job found while it checked the file; absent when another job did
 */
export async function commitRows(context: JobContext, judged: ImportContext, choice: Choice, checked?: ImportChecked): Promise<void> {
  const { db, actor, signal } = context
  for (let tries = 1; ; tries++) {
    try {
      await db.transaction({ ...actor, action: 'import' }, (tx) => write(tx, context, judged, choice, checked))
      break
    } catch (error) {
      signal.throwIfAborted()
      if (sqlState(error) !== '23505') throw error
      // Verifying again finds the row whose value was taken meanwhile.
      if (tries === TRIES) throw badRequest('有行与他人刚刚保存的记录重复，没有写入任何数据，请重新上传检查')
    }
  }
}

async function write(tx: Queryable, context: JobContext, judged: ImportContext, { bad, existing }: Choice, checked: ImportChecked | undefined): Promise<void> {
  const { jobId, service: { resource } } = judged
  // One that checked the file itself holds its claim; locking its row would keep its own heartbeat waiting.
  if (!checked) await claimCheck(tx, jobId)
  // Before the records: a transaction that moves one of them by hand waits here, and not for us.
  if (treeKeys(resource).some((key) => resource.import?.columns.includes(key))) await lockTree(tx, resource.table)
  const known = await badRows(tx, jobId)
  await verifyRows(tx, judged)
  const counts = await countRows(tx, jobId)
  const updated = existing === 'update' ? counts.update : 0
  const skipped = counts.bad + counts.update - updated
  if (bad === 'refuse' && skipped > 0) throw await refusal(tx, jobId, counts, existing)
  context.progress(0, counts.new + updated)
  await insertNew(tx, context, judged)
  const overwritten = updated > 0 ? await updateExisting(tx, context, judged, counts.new) : new Map<number, Row>()
  if (updated > 0) await refuseCircles(tx, judged)
  await afterwards(tx, judged, updated > 0, overwritten)
  const changed = await changedRows(tx, jobId)
  const late = counts.bad > known.length ? (await badRows(tx, jobId)).filter((row) => !known.some((other) => other.row_number === row.row_number)) : []
  const written: ImportWritten = { created: counts.new, updated: changed, unchanged: updated - changed, skipped, late: late.slice(0, NAMED), undo: `${resource.api.list}/import_undo` }
  const mark = { written_by: context.id }
  if (!checked) await tx.query(sql`update job set result = result || ${JSON.stringify(mark)}::jsonb where id = ${jobId}`)
  await context.finish(tx, { ...checked, ...written, ...(checked && mark) })
}

/**
 * Waits for a transaction that writes or mends the same check, and refuses once it was written.
 * @throws AppError
 */
export async function claimCheck(tx: Queryable, jobId: number): Promise<void> {
  const [job] = await tx.query<{ result: { written_by?: number } | null }>(sql`select result from job where id = ${jobId} for no key update`)
  if (!job) throw badRequest('检查结果已过期，请重新上传文件')
  if (job.result?.written_by !== undefined) throw alreadyWritten()
}

/** Rows whose record was not yet as they say. */
async function changedRows(tx: Queryable, jobId: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select count(*) as n from import_row where job_id = ${jobId} and before is not null`)
  return row?.n ?? 0
}

/** Wrong rows with their reasons, in the sheet's order. */
function badRows(tx: Queryable, jobId: number): Promise<{ row_number: number; reason: string }[]> {
  return tx.query(sql`select row_number, reason from import_row where job_id = ${jobId} and state = 'bad' order by row_number`)
}

/** Why nothing is written, with the first row that stands in the way. */
async function refusal(tx: Queryable, jobId: number, counts: { bad: number; update: number }, existing: CommitInput['existing']): Promise<AppError> {
  const [problem] = await firstProblems(tx, jobId, 1)
  if (problem) return badRequest(`第 ${problem.row_number} 行：${problem.reason}（共 ${counts.bad} 行有误，没有写入任何数据）`)
  return badRequest(existing === 'refuse' ? `有 ${counts.update} 行的记录已存在，没有写入任何数据` : '没有可以写入的行')
}

/** Runs a statement for one span of the sheet after another. */
async function inSpans(tx: Queryable, context: JobContext, jobId: number, state: 'new' | 'update', offset: number, statement: (span: SQL) => Promise<void>): Promise<void> {
  let after = 0
  let done = offset
  for (;;) {
    context.signal.throwIfAborted()
    const [span] = await tx.query<{ last: number | null; n: number }>(sql`select max(row_number) as last, count(*) as n from (
      select row_number from import_row where job_id = ${jobId} and state = ${state} and row_number > ${after} order by row_number limit ${BATCH}) x`)
    if (!span?.last) return
    await statement(sql`r.job_id = ${jobId} and r.state = ${state} and r.row_number > ${after} and r.row_number <= ${span.last}`)
    after = span.last
    done += span.n
    context.progress(done)
  }
}

async function insertNew(tx: Queryable, context: JobContext, { jobId, service: { resource } }: ImportContext): Promise<void> {
  const keys = columnKeys(resource)
  const names = sql.join(keys.map((key) => sql.identifier(key)), sql`, `)
  const values = sql.join(keys.map((key) => sql`v.${sql.identifier(key)}`), sql`, `)
  const defaults = JSON.stringify(newDefaults(resource))
  await inSpans(tx, context, jobId, 'new', 0, async (span) => {
    await tx.query(sql`insert into ${sql.identifier(resource.table)} (id, created_by, updated_by, ${names})
      select r.record_id, ${context.staff.id}::bigint, ${context.staff.id}::bigint, ${values}
      from import_row r ${asRecord(resource, sql`${defaults}::jsonb || r.values`)} where ${span} order by r.row_number`)
  })
  recordsWritten(tx, resource.table)
}

/** Fields that an update may change; what a row leaves empty stays. */
function updatableKeys(resource: Resource): string[] {
  return columnKeys(resource).filter((key) => !resource.fields[key]?.createOnly)
}

/** @returns the records as they were, by id; only where a rule asks for them */
async function updateExisting(tx: Queryable, context: JobContext, { jobId, service: { resource, rules } }: ImportContext, offset: number): Promise<Map<number, Row>> {
  const overwritten = new Map<number, Row>()
  const table = sql.identifier(resource.table)
  const keys = updatableKeys(resource)
  const sets = Object.fromEntries(keys.map((key) => [key, sql`case when r.values ? ${key} then v.${sql.identifier(key)} else t.${sql.identifier(key)} end`]))
  await inSpans(tx, context, jobId, 'update', offset, async (span) => {
    // Locked first, so that what is kept for taking it back is what is overwritten.
    const locked = await tx.query<Row>(sql`select ${rules.after ? sql`t.*` : sql`t.id`} from import_row r join ${table} t on t.id = r.record_id where ${span} order by t.id for no key update of t`)
    if (rules.after) for (const row of locked) overwritten.set(row.id, row)
    // A record that is as the row says is left alone: nothing to log, nothing to take back.
    await tx.query(sql`update import_row r set rev = d.rev, before = d.before from (
        select r.row_number, t.rev + 1 as rev, (select jsonb_object_agg(key, o.old -> key) from jsonb_object_keys(r.values) key
          where key = any(${sql.param(keys)}::text[]) and o.old -> key is distinct from o.new -> key) as before
        from import_row r join ${table} t on t.id = r.record_id ${asRecord(resource)}
        cross join lateral (select to_jsonb(t) as old, to_jsonb(v) as new) o where ${span}
      ) d where r.job_id = ${jobId} and r.row_number = d.row_number and d.before is not null`)
    await touch(tx, resource, sets, sql`t.id = r.record_id and r.before is not null and ${span}`, { from: sql`import_row r ${asRecord(resource)}` })
  })
  return overwritten
}

/**
 * Refuses a sheet that hangs records below themselves, by one row or by several together.
 * @throws AppError that names the first such row
 */
async function refuseCircles(tx: Queryable, { jobId, service: { resource } }: ImportContext): Promise<void> {
  for (const key of treeKeys(resource)) {
    const rows = await tx.query<{ row_number: number; record_id: number }>(sql`select row_number, record_id from import_row where job_id = ${jobId} and state = 'update' and values ? ${key} order by row_number`)
    const wrong = await circular(tx, resource, key, rows.map(({ record_id }) => record_id))
    const first = rows.find(({ record_id }) => wrong.includes(record_id))
    if (first) throw badRequest(`第 ${first.row_number} 行：${BELOW_ITSELF}（没有写入任何数据）`)
  }
}

/** What a single save does around its write, for the records that need it. */
async function afterwards(tx: Queryable, { jobId, service: { resource, rules }, staff }: ImportContext, updated: boolean, overwritten: ReadonlyMap<number, Row>): Promise<void> {
  const holdsFiles = Object.entries(resource.fields).some(([key, field]) => field.files && resource.import?.columns.includes(key))
  if (!rules.after && !holdsFiles) return
  for await (const rows of stagedRows(tx, { jobId }, updated ? ['new', 'update'] : ['new'], BATCH)) {
    const saved = await tx.query<Row>(sql`select * from ${sql.identifier(resource.table)} where id = any(${sql.param(rows.map((row) => row.record_id))}::bigint[])`)
    const byId = new Map(saved.map((row) => [row.id, row]))
    for (const row of rows) {
      const values = toWire(resource, row.values)
      const record = byId.get(row.record_id)
      if (!record) continue
      if (holdsFiles) await attachFiles(tx, resource, values, staff.id)
      await rules.after?.({ tx, staff, values, row: overwritten.get(row.record_id), saved: record })
    }
  }
}
