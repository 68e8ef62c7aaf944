import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { insertRow } from '../../../core/resource/write.server.ts'
import { bookPage } from '../book-page.ts'
import { PAGE_COMPUTED, writeSpotUses } from '../page.server.ts'
import { PDF_STATE, UNREAD, type ComparedPage } from './calls.ts'
import type { Lost } from './carry.ts'

/** Keeps the pages of now as what was printed so far: in the file that they came from, or as pictures where there was none. */
async function keepBefore(tx: Queryable, bookId: number): Promise<void> {
  const [used] = await tx.query<{ id: number }>(sql`update book_pdf set state = ${PDF_STATE.replaced} where book_id = ${bookId} and state = ${PDF_STATE.used} returning id`)
  if (used) {
    await tx.query(sql`update book_pdf_page o set spots = coalesce((select p.hotspots from book_page p where p.book_id = ${bookId} and p.page_no = o.page_no and p.deleted_at is null), '[]'::jsonb) where o.pdf_id = ${used.id}`)
    return
  }
  const [{ some } = { some: false }] = await tx.query<{ some: boolean }>(sql`select exists (select 1 from book_page where book_id = ${bookId} and deleted_at is null) or exists (select 1 from book_print where book_id = ${bookId}) as some`)
  if (!some) return
  const [kept] = await tx.query<{ id: number }>(sql`insert into book_pdf (book_id, no, name, state, pages) select ${bookId}, (select coalesce(max(no), 0) + 1 from book_pdf where book_id = ${bookId}), '原有页面图片', ${PDF_STATE.replaced},
    (select count(*) from book_page where book_id = ${bookId} and deleted_at is null) returning id`)
  await tx.query(sql`insert into book_pdf_page (pdf_id, page_no, image, w_mm, h_mm, spots) select ${kept?.id ?? 0}::bigint, page_no, image, 0, 0, hotspots from book_page where book_id = ${bookId} and deleted_at is null`)
  await tx.query(sql`update book_print set pdf_id = ${kept?.id ?? 0} where book_id = ${bookId} and pdf_id is null`)
}

/**
 * Makes the pages of a file those of the book. The book is locked.
 * @returns how many there are
 * @throws AppError that says what is left to be decided
 */
export async function adopt(tx: Queryable, staff: Staff, { id, book_id, lost }: { id: number; book_id: number; lost: readonly Lost[] }, pages: readonly ComparedPage[]): Promise<number> {
  const open = lost.filter(({ done }) => done === null).length
  if (open > 0) throw badRequest(`还有 ${open} 个热区没有对上，请逐个放到新页面或标为不再需要`)
  const unread = pages.filter(({ note }) => note === UNREAD).map(({ page_no }) => page_no)
  if (unread.length > 0) throw badRequest(`第 ${unread.slice(0, 5).join('、')} 页无法读取，请重新导出 PDF 后上传`)
  await keepBefore(tx, book_id)
  const known = new Map((await tx.query<{ id: number; page_no: number }>(sql`select id, page_no from book_page where book_id = ${book_id} and deleted_at is null order by page_no for no key update`)).map((page) => [page.page_no, page.id]))
  for (const { page_no, image, spots } of pages) {
    const there = known.get(page_no)
    known.delete(page_no)
    const pageId = there ?? (await insertRow(tx, bookPage, staff.id, { book_id, page_no, image, hotspots: spots }, PAGE_COMPUTED)).id
    if (there !== undefined) await touch(tx, bookPage, { image, hotspots: spots }, there)
    await writeSpotUses(tx, Number(pageId), spots)
  }
  // What the new file does not have any more.
  for (const gone of known.values()) await touch(tx, bookPage, { deleted_at: sql`now()` }, gone)
  await tx.query(sql`update book_pdf set state = ${PDF_STATE.used}, used_at = now() where id = ${id}`)
  return pages.length
}
