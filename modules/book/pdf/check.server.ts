import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { PrintCheck } from '../calls.ts'
import { PDF_STATE } from './calls.ts'
import { checkCodes, type ExpectedCode, type PlacedCode } from './code-check.ts'
import { printedNo, type Line } from './print-page.ts'

/** Checks the codes of a book in the file that it is printed from. @param base address that codes are printed with */
export async function fileChecks(db: Queryable, bookId: number, base: string | undefined): Promise<PrintCheck[]> {
  const [pdf] = await db.query<{ id: number; state: number }>(sql`select id, state from book_pdf where book_id = ${bookId} and state in (${sql.raw(`${PDF_STATE.reading}, ${PDF_STATE.ready}, ${PDF_STATE.used}`)}) order by state limit 1`)
  if (!pdf) return [{ label: '印刷文件', ok: false, must: false, detail: '没有上传印刷文件，无法核对二维码的位置和大小' }]
  if (pdf.state !== PDF_STATE.used) return [{ label: '印刷文件', ok: false, must: true, detail: '新的印刷文件还没有采用，请先对版' }]
  const expected = await db.query<ExpectedCode & Record<string, unknown>>(sql`select code, name, case when place in (3, 4) then page_no end as page_no, state < 2 as must from qr_target where book_id = ${bookId} and deleted_at is null order by page_no, id`)
  const placed = await db.query<Omit<PlacedCode, 'printed_no'> & { lines: Line[] } & Record<string, unknown>>(sql`select c.code, c.text, c.page_no, c.mm, c.quiet, o.lines from book_pdf_code c join book_pdf_page o on o.pdf_id = c.pdf_id and o.page_no = c.page_no where c.pdf_id = ${pdf.id} order by c.page_no, c.ord`)
  return checkCodes(expected, placed.map(({ lines, ...place }) => ({ ...place, printed_no: printedNo(lines) ?? null })), base)
}
