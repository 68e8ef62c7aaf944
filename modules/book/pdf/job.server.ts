import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { image } from '../../../core/field/file.ts'
import { fileUrl, fileIdsIn } from '../../../core/file/url.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { defineJob, type JobContext, type JobDefinition } from '../../../core/job/define.server.ts'
import { attachFiles } from '../../../core/resource/attach.server.ts'
import { readCode } from '../../qr/door.server.ts'
import { bookPage } from '../book-page.ts'
import type { Hotspot } from '../hotspot.ts'
import { PDF_STATE, UNREAD } from './calls.ts'
import { carry, PAGE_NOTE, type NewPage, type OldPage } from './carry.ts'
import { proposeSpots, type Line } from './print-page.ts'
import { BrokenPdf, openPdf, type ReadPage } from './read.server.ts'

export const READ_PDF_JOB = 'book_pdf_read'

const FIELDS = { fields: { image: image('页面图片') }, grant: bookPage.grant }

interface PdfRow extends Record<string, unknown> { id: number; book_id: number; url: string; name: string }

/** Code of ours in what a printed code says; null where it is somebody else's. */
const codeIn = (text: string): string | null => readCode(/\/q\/([^/?#]+)$/i.exec(text)?.[1] ?? '') ?? null

async function writePage(tx: Queryable, pdfId: number, no: number, page: ReadPage | undefined, url: string): Promise<void> {
  await tx.query(sql`insert into book_pdf_page (pdf_id, page_no, image, w_mm, h_mm, lines, note) values (${pdfId}, ${no}, ${url}, ${page?.w_mm ?? 0}, ${page?.h_mm ?? 0}, ${JSON.stringify(page?.lines ?? [])}::jsonb, ${page ? PAGE_NOTE.none : UNREAD}) on conflict do nothing`)
  for (const [ord, { text, mm, quiet }] of (page?.codes ?? []).entries()) await tx.query(sql`insert into book_pdf_code (pdf_id, page_no, ord, code, text, mm, quiet) values (${pdfId}, ${no}, ${ord}, ${codeIn(text)}, ${text.slice(0, 500)}, ${mm}, ${quiet}) on conflict do nothing`)
}

/** Pages of now: their places from the pages, their words from the file that they came from. */
async function pagesBefore(tx: Queryable, bookId: number): Promise<OldPage[]> {
  return tx.query<OldPage & Record<string, unknown>>(sql`select p.page_no, p.hotspots as spots, coalesce(o.lines, '[]'::jsonb) as lines, o.w_mm / nullif(o.h_mm, 0) as aspect
    from book_page p left join book_pdf f on f.book_id = p.book_id and f.state = ${PDF_STATE.used} left join book_pdf_page o on o.pdf_id = f.id and o.page_no = p.page_no
    where p.book_id = ${bookId} and p.deleted_at is null order by p.page_no`)
}

/** Carries places over to the pages of a file, and proposes some where a page goes back to none. */
async function carryOver(tx: Queryable, { id, book_id }: PdfRow): Promise<void> {
  const after = await tx.query<NewPage & { note: number } & Record<string, unknown>>(sql`select page_no, lines, w_mm / nullif(h_mm, 0) as aspect, note from book_pdf_page where pdf_id = ${id} order by page_no`)
  const { pages, lost } = carry(await pagesBefore(tx, book_id), after)
  const written = pages.map(({ page_no, spots, from_page, note }, at) => {
    const proposed: Hotspot[] = from_page === null ? proposeSpots((after[at]?.lines ?? []) as Line[]) : []
    return { p: page_no, s: [...spots, ...proposed], f: from_page, n: after[at]?.note === UNREAD ? UNREAD : note }
  })
  await tx.query(sql`update book_pdf_page o set spots = r.s, from_page = r.f, note = r.n from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as r (p integer, s jsonb, f integer, n integer) where o.pdf_id = ${id} and o.page_no = r.p`)
  await tx.query(sql`update book_pdf set state = ${PDF_STATE.ready}, lost = ${JSON.stringify(lost)}::jsonb where id = ${id}`)
}

async function readAll(context: JobContext<{ pdf_id: number }, number>, files: FileStore, row: PdfRow, path: string): Promise<unknown> {
  const { db, actor, staff, signal } = context
  const pdf = await openPdf(path)
  try {
    await db.transaction(actor, (tx) => tx.query(sql`update book_pdf set pages = ${pdf.pages} where id = ${row.id}`))
    for (let no = (context.saved ?? 0) + 1; no <= pdf.pages; no++) {
      signal.throwIfAborted()
      context.progress(no - 1, pdf.pages)
      const page = await pdf.page(no)
      const url = page ? fileUrl((await files.put(Readable.from([Buffer.from(page.image)]), { name: `${row.name}-${no}.jpg`, staffId: staff.id })).id) : ''
      await db.transaction(actor, async (tx) => {
        if (page) await attachFiles(tx, FIELDS, { image: url }, staff.id)
        await writePage(tx, row.id, no, page, url)
        await context.save(tx, no)
      })
    }
    const result = { pages: pdf.pages }
    await db.transaction(actor, async (tx) => {
      await tx.query(sql`select 1 from book where id = ${row.book_id} for share`)
      await carryOver(tx, row)
      await context.finish(tx, result)
    })
    return result
  } finally {
    await pdf.close()
  }
}

/** The kind of job that reads a file for printing, page by page; it goes on where it was interrupted. */
export const readPdfJob = (files: FileStore): JobDefinition => defineJob<{ pdf_id: number }, number>({
  kind: READ_PDF_JOB,
  grants: () => [standardId(bookPage.grant, 'edit')],
  async run(context) {
    const { db, input, actor } = context
    const [row] = await db.query<PdfRow>(sql`select id, book_id, url, name from book_pdf where id = ${input.pdf_id} and state = ${PDF_STATE.reading}`)
    const [fileId] = row ? fileIdsIn(row.url) : []
    if (!row || fileId === undefined) return { pages: 0 }
    try {
      return await files.withPath(fileId, (path) => readAll(context, files, row, path))
    } catch (error) {
      if (!(error instanceof BrokenPdf)) throw error
      const result = { pages: 0, problem: error.message }
      await db.transaction(actor, async (tx) => {
        await tx.query(sql`update book_pdf set state = ${PDF_STATE.failed}, error = ${error.message} where id = ${row.id}`)
        await context.finish(tx, result)
      })
      return result
    }
  },
})
