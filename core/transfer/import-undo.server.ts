import { sql, type SQL } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { AppError } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { JobContext } from '../job/define.server.ts'
import type { Row } from '../resource/list.server.ts'
import { checkChange } from '../resource/refusal.server.ts'
import { scopeCondition } from '../resource/where.server.ts'
import { removalProblems, takeAway } from '../resource/remove.server.ts'
import { touch } from '../resource/touch.server.ts'
import type { Registered, Registry } from '../resource/uses.server.ts'
import type { ImportUndone } from './calls.ts'
import { asRecord, columnKeys } from './import-rows.server.ts'

/** Rows that are taken back in one transaction. */
const BATCH = 500
/** Records that stay and are named with why. */
const NAMED = 200

/** More than any sheet has. */
const MAX_ROW_NUMBER = 2_000_000_000

/** What a job that takes an import back is asked for. */
export interface UndoJob {
  resource: string
  /** The job that staged the rows. */
  rows_of: number
  /** The job that wrote them. */
  written_by: number
}

interface WrittenRow {
  row_number: number
  state: 'new' | 'update'
  record_id: number
  rev: number | null
}

/**
 * Takes an import back: what it created is removed, what it changed gets its old values, unless somebody has changed it
 * since. Batch after batch; what is done stays done when the job is interrupted, and is not done again.
 */
export async function undoImport(context: JobContext<UndoJob>, service: Registered, registry: Registry): Promise<void> {
  const { db, actor, input, signal, progress } = context
  // Rows whose update was not asked for were not written and have no revision.
  const written = sql`job_id = ${input.rows_of} and (state = 'new' or (state = 'update' and rev is not null))`
  const [count] = await db.query<{ n: number }>(sql`select count(*) as n from import_row where ${written}`)
  const total = count?.n ?? 0
  let size = BATCH
  let below = MAX_ROW_NUMBER
  for (let done = 0; ;) {
    signal.throwIfAborted()
    progress(done, total)
    try {
      const handled = await db.transaction({ ...actor, action: 'import_undo' }, async (tx) => {
        // The last rows first: what hangs below another record was written after it.
        const rows = await tx.query<WrittenRow>(sql`select row_number, state, record_id, rev from import_row
          where ${written} and row_number < ${below} order by row_number desc limit ${size} for update`)
        if (rows.length > 0) await undoRows(tx, context, service, registry, rows)
        await context.save(tx, {})
        return rows
      })
      const last = handled.at(-1)
      if (!last) break
      below = last.row_number
      done += handled.length
      size = BATCH
    } catch (error) {
      if (sqlState(error) !== '23505') throw error
      // An old value is taken by another record now: find out whose, row by row.
      if (size === 1) await keepOne(context, written, below)
      size = 1
    }
  }
  await db.transaction(actor, async (tx) => {
    const counts = await tx.query<{ state: string; updated: boolean; n: number }>(
      sql`select state, before is not null as updated, count(*) as n from import_row where job_id = ${input.rows_of} and state in ('undone', 'kept') group by 1, 2`,
    )
    const number = (state: string, updated?: boolean) => counts.filter((row) => row.state === state && (updated ?? row.updated) === row.updated).reduce((sum, row) => sum + row.n, 0)
    const reasons = await tx.query<ImportUndone['reasons'][number]>(
      sql`select row_number, record_id as id, coalesce(reason, '') as reason from import_row where job_id = ${input.rows_of} and state = 'kept' order by row_number limit ${NAMED}`,
    )
    await tx.query(sql`update job set status = 'undone' where id = ${input.written_by} and status = 'done'`)
    const undone: ImportUndone = { removed: number('undone', false), reverted: number('undone', true), kept: number('kept'), reasons }
    await context.finish(tx, undone)
  })
}

async function undoRows(tx: Queryable, { input, staff }: JobContext<UndoJob>, service: Registered, registry: Registry, rows: readonly WrittenRow[]): Promise<void> {
  const { resource } = service
  const table = sql.identifier(resource.table)
  const scope = scopeCondition(resource, staff)
  const ids = rows.map((row) => row.record_id)
  const records = await tx.query<Row>(sql`select * from ${table} where id = any(${sql.param(ids)}::bigint[]) and deleted_at is null${scope ? sql` and ${scope}` : sql``} for update`)
  const byId = new Map(records.map((record) => [record.id, record]))
  const kept = new Map<number, string>()
  for (const row of rows) {
    const record = byId.get(row.record_id)
    const reason = changedSince(row, record) ?? (record && row.state === 'update' ? await guardProblem(tx, service, staff, record) : null)
    if (reason) kept.set(row.record_id, reason)
  }
  let left = rows.flatMap((row) => (row.state === 'new' && !kept.has(row.record_id) ? byId.get(row.record_id) ?? [] : []))
  // Records of one sheet may refer to each other: with those that go, what they needed becomes free.
  for (let free = left; free.length > 0 && left.length > 0;) {
    const problems = await removalProblems(tx, { registry, staff }, service, left)
    free = left.filter(({ id }) => !problems.has(id))
    if (free.length > 0) await takeAway(tx, { registry, staff }, service, free)
    left = left.filter(({ id }) => problems.has(id))
    for (const { id } of left) kept.set(id, problems.get(id)?.message ?? '')
    for (const { id } of free) kept.delete(id)
  }
  const outcomes: { row_number: number; state: 'undone' | 'kept'; reason: string | null }[] = []
  /** Numbers of the rows whose records get their old values. */
  const reverted: number[] = []
  for (const row of rows) {
    const reason = kept.get(row.record_id) ?? null
    outcomes.push({ row_number: row.row_number, state: reason ? 'kept' : 'undone', reason })
    if (reason === null && row.state === 'update') reverted.push(row.row_number)
  }
  if (reverted.length > 0) {
    const sets = Object.fromEntries(columnKeys(resource).map((key) => [key, sql`case when r.before ? ${key} then v.${sql.identifier(key)} else t.${sql.identifier(key)} end`]))
    await touch(tx, resource, sets, sql`r.job_id = ${input.rows_of} and r.row_number = any(${sql.param(reverted)}::int[]) and t.id = r.record_id`, { from: sql`import_row r ${asRecord(resource, sql`r.before`)}` })
  }
  await tx.query(sql`update import_row r set state = n.state, reason = n.reason from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as n (row_number int, state text, reason text)
    where r.job_id = ${input.rows_of} and r.row_number = n.row_number`)
}

function changedSince(row: WrittenRow, record: Row | undefined): string | null {
  if (!record) return '记录已被删除，或不在您的数据范围内'
  return record.rev === (row.state === 'new' ? 1 : row.rev) ? null : '导入后又被修改过'
}

/** Why the person may not take back what the sheet did to a record. */
async function guardProblem(tx: Queryable, { rules }: Registered, staff: Staff, row: Row): Promise<string | null> {
  try {
    await checkChange(rules, { tx, staff }, row)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** Leaves the next row as it is, because its old values are taken. */
async function keepOne({ db, actor, input, save }: JobContext<UndoJob>, written: SQL, below: number): Promise<void> {
  await db.transaction(actor, async (tx) => {
    await tx.query(sql`update import_row set state = 'kept', reason = '原来的值已被其他记录使用' where job_id = ${input.rows_of}
      and row_number = (select max(row_number) from import_row where ${written} and row_number < ${below})`)
    await save(tx, {})
  })
}
