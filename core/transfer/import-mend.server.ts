import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import type { ImportMended } from './calls.ts'
import { claimCheck } from './import-commit.server.ts'
import { judgedRows, PREVIEW } from './import-report.server.ts'
import { countRows, firstProblems, stageRows } from './import-rows.server.ts'
import { readCells } from './import-sheet.server.ts'
import { RowChecker } from './import-values.server.ts'
import { refuseRepeatedRow, verifyRows, type ImportContext } from './import-verify.server.ts'

/** What the check of a sheet began with and found, as far as a row is judged by it. */
export interface SheetFacts {
  mapping: Readonly<Record<string, number>>
  fixed: Readonly<Record<string, unknown>>
}

/**
 * Puts new texts into cells of a checked row, as if they stood in the file, and judges that row again: its values, the other
 * rows, the records, the resource's rules.
 * @param tx the transaction that keeps it; what rules write while they judge is given up
 * @param cells texts by field; the other cells stay
 * @throws AppError when there is no such row or field, or the sheet was written
 */
export async function mendRow(tx: Queryable, judged: ImportContext & { row: number }, { mapping, fixed }: SheetFacts, cells: Readonly<Record<string, string>>): Promise<ImportMended> {
  const { service: { resource }, targets, staff, jobId, row } = judged
  await claimCheck(tx, jobId)
  const keys = Object.keys(mapping)
  if (Object.keys(cells).some((key) => !keys.includes(key))) throw badRequest('要修改的列不在这个文件里，请重新上传检查')
  const [stored] = await tx.query<{ cells: Record<string, string> | null }>(sql`delete from import_row where job_id = ${jobId} and row_number = ${row} and state in ('new', 'update', 'bad') returning cells`)
  if (!stored) throw notFound('这一行')
  const texts = { ...stored.cells, ...cells }
  const given = Object.fromEntries(Object.entries(readCells(resource, keys, texts)).filter(([, value]) => value !== undefined))
  const [checked] = await new RowChecker(resource, targets, staff, keys, fixed).check(tx, [{ rowNumber: row, given, cells: [] }])
  const { values = {}, reasons = [] } = checked ?? {}
  await stageRows(tx, resource, jobId, [{ row_number: row, state: reasons.length > 0 ? 'bad' : 'new', values, cells: texts, reason: reasons.length > 0 ? reasons.join('；') : null }])
  await refuseRepeatedRow(tx, resource, jobId, row)
  await verifyRows(tx, judged, async (work) => {
    await tx.query(sql`savepoint rehearsal`)
    await work(tx).finally(() => tx.query(sql`rollback to savepoint rehearsal`))
  })
  const { new: created, update, bad } = await countRows(tx, jobId)
  const counts = { good: created + update, bad, new: created, update }
  const problems = await firstProblems(tx, jobId, PREVIEW)
  // What is written later asks the job what was found.
  await tx.query(sql`update job set result = result || ${JSON.stringify({ counts, problems })}::jsonb where id = ${jobId}`)
  const [mended] = await judgedRows(tx, resource, jobId, { row })
  if (!mended) throw notFound('这一行')
  return { row: mended, counts, problems }
}
