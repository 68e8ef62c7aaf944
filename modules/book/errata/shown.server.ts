import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { forgetCode, type ScanNote } from '../../qr/door.server.ts'
import { printsText } from './calls.ts'
import { erratum, ERRATUM_STATE } from './erratum.ts'

const { confirmed, shown, reprinted } = ERRATUM_STATE
const CONFIRMED = sql.raw(`(${confirmed}, ${shown}, ${reprinted})`)

/** Whether a print `r` is one of those that have the fault `e`. */
const concerned = (e: string): SQL => sql.raw(`r.book_id = ${e}.book_id and r.no >= ${e}.print_from and (${e}.print_to is null or r.no <= ${e}.print_to)`)

/**
 * Whether a code `q` stands on the page of a fault `e` in a print that has it: by the file that was printed, and where there
 * was none, by the page that is written down.
 */
const onPage = (e: string): SQL => sql`q.book_id = ${sql.raw(e)}.book_id and q.deleted_at is null and q.state > 0 and exists (select 1 from book_print r where ${concerned(e)} and q.printed_in <= r.no
  and case when (select f.url from book_pdf f where f.id = r.pdf_id) is null then q.page_no = ${sql.raw(e)}.page_no else exists (select 1 from book_pdf_code c where c.pdf_id = r.pdf_id and c.page_no = ${sql.raw(e)}.page_no and c.code = q.code) end)`

export const ERRATUM_COMPUTED = {
  code_cnt: sql`(select count(*)::int from qr_target q where ${onPage('t')})`,
  copies: sql`(select coalesce(sum(r.copies), 0)::int from book_print r where ${concerned('t')})`,
}

/** Whether the next print would still have the fault, of the bare table. */
export const TO_REPRINT = sql`book_erratum.state in (${sql.raw(`${confirmed}, ${shown}`)}) and book_erratum.deleted_at is null and (book_erratum.print_to is null or book_erratum.print_to >= (select b.print_no from book b where b.id = book_erratum.book_id))`

/** What those who scan a code are told of its page. */
export async function errataOf(db: Queryable, qrId: number): Promise<ScanNote[]> {
  const rows = await db.query<{ page_no: number; print_from: number; print_to: number | null; wrong: string; right: string }>(sql`select e.page_no, e.print_from, e.print_to, e.wrong, e."right"
    from qr_target q join book_erratum e on e.book_id = q.book_id and e.deleted_at is null and e.state in ${CONFIRMED} where q.id = ${qrId} and ${onPage('e')} order by e.page_no, e.id`)
  return rows.map(({ page_no, print_from, print_to, wrong, right }) => ({ title: `勘误 · 第 ${page_no} 页（${printsText(print_from, print_to)}）`, lines: [`误：${wrong}`, `正：${right}`] }))
}

/** Makes every process forget what it shows behind the codes of a fault's page, once the transaction is there. */
export async function showAtOnce(tx: Queryable, id: number): Promise<number> {
  const codes = await tx.query<{ code: string }>(sql`select q.code from book_erratum e join qr_target q on ${onPage('e')} where e.id = ${id}`)
  for (const { code } of codes) await forgetCode(tx, code)
  return codes.length
}

/** After a print: what it does not have any more is closed, and what stands behind its new codes is shown. */
export async function settlePrint(tx: Queryable, bookId: number, no: number, fixed: readonly number[]): Promise<void> {
  const open = sql`t.book_id = ${bookId} and t.deleted_at is null and t.state in (${sql.raw(`${confirmed}, ${shown}`)})`
  if (fixed.length > 0) await touch(tx, erratum, { state: reprinted, print_to: no - 1 }, sql`${open} and t.id = any(${sql.param([...fixed])}::bigint[]) and t.print_from < ${no} and (t.print_to is null or t.print_to >= ${no - 1})`)
  for (const { id } of await tx.query<{ id: number }>(sql`select t.id from book_erratum t where ${open} order by t.id`)) if (await showAtOnce(tx, id) > 0) await touch(tx, erratum, { state: shown }, sql`t.id = ${id} and t.state = ${confirmed}`)
}
