import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { file } from '../../../core/field/file.ts'
import { UPLOAD_KINDS } from '../../../core/file/kinds.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { attachFiles, releaseFiles } from '../../../core/resource/attach.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { describeBlocks } from '../../outline/door.server.ts'
import { book, BOOK_STATE } from '../book.ts'
import { bookPage } from '../book-page.ts'
import { MAX_SPOTS, type Hotspot } from '../hotspot.ts'
import { bookOf, bound, checkSpots } from '../page.server.ts'
import { adopt } from './adopt.server.ts'
import { addPdf, decideLost, dropPdf, PDF_STATE, readCompared, readPdfs, savePdfPage, usePdf, type BookPdf, type ComparedPage } from './calls.ts'
import { PAGE_NOTE, type Lost } from './carry.ts'
import { READ_PDF_JOB } from './job.server.ts'

const FIELDS = { fields: { url: file('印刷文件', UPLOAD_KINDS.print) }, grant: bookPage.grant }

type Stored = BookPdf & { book_id: number; lost: Lost[] } & Record<string, unknown>

const SELECT = sql`select f.id, f.book_id, f.no, f.name, f.url, f.state, f.pages, f.error, f.lost, s.name as staff_name, extract(epoch from f.at)::int as at, (select count(*)::int from book_pdf_page o where o.pdf_id = f.id) as read,
  array(select r.no from book_print r where r.pdf_id = f.id order by r.no) as prints from book_pdf f left join staff s on s.id = f.staff_id`

/** A file of a book that the person may see. @throws AppError when there is none */
async function pdfOf(call: Pick<Call, 'params' | 'staff'>, db: Queryable): Promise<Stored> {
  const [row] = await db.query<Stored>(sql`${SELECT} where f.id = ${idParam(call)}`)
  if (!row) throw notFound('印刷文件')
  await bookOf({ staff: call.staff, db }, row.book_id)
  return row
}

/** The same, locked behind its book until the end of the transaction, while it waits for somebody to look at it. */
async function lockReady(call: Pick<Call, 'params' | 'staff'>, tx: Queryable): Promise<Stored> {
  const { book_id } = await pdfOf(call, tx)
  await lockRow(tx, book, call.staff, book_id)
  const row = await pdfOf(call, tx)
  if (row.state !== PDF_STATE.ready) throw badRequest('这份印刷文件已经处理过，请刷新后查看')
  return row
}

const shown = ({ book_id: _book, lost: _lost, ...pdf }: Stored): BookPdf => pdf

const pagesOf = (db: Queryable, pdfId: number) => db.query<ComparedPage & Record<string, unknown>>(sql`select page_no, image, spots, from_page, note, w_mm, h_mm from book_pdf_page where pdf_id = ${pdfId} order by page_no`)

/** Puts places onto a page of a file. */
async function place(tx: Queryable, pdfId: number, no: number, fresh: readonly Hotspot[]): Promise<void> {
  const [page] = await tx.query<{ spots: Hotspot[] }>(sql`select spots from book_pdf_page where pdf_id = ${pdfId} and page_no = ${no}`)
  if (!page) throw notFound('页面')
  if (page.spots.length + fresh.length > MAX_SPOTS) throw badRequest(`一页最多 ${MAX_SPOTS} 个热区`)
  await tx.query(sql`update book_pdf_page set spots = ${JSON.stringify([...page.spots, ...fresh])}::jsonb, note = greatest(note, ${PAGE_NOTE.byPlace}) where pdf_id = ${pdfId} and page_no = ${no}`)
}

/** The calls of files for printing. */
export const pdfCalls = (kernel: Pick<Kernel, 'jobs'>): Served[] => [
  handle(readPdfs, async (call) => {
    const row = await bookOf(call, idParam(call))
    return { items: (await call.db.query<Stored>(sql`${SELECT} where f.book_id = ${row.id} order by f.no desc`)).map(shown) }
  }),
  handle(addPdf, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, book, call.staff, idParam(call))
    if (row.state === BOOK_STATE.gone) throw badRequest('图书已绝版，不能再上传印刷文件')
    const [open] = await tx.query(sql`select 1 from book_pdf where book_id = ${row.id} and state in (${sql.raw(`${PDF_STATE.reading}, ${PDF_STATE.ready}`)}) limit 1`)
    if (open) throw badRequest('还有一份印刷文件没有处理完，请先采用或放弃它')
    await attachFiles(tx, FIELDS, { url: call.input.url }, call.staff.id)
    const [made] = await tx.query<{ id: number }>(sql`insert into book_pdf (book_id, no, name, url, state, staff_id) values (${row.id}, (select coalesce(max(no), 0) + 1 from book_pdf where book_id = ${row.id}), ${call.input.name}, ${call.input.url}, ${PDF_STATE.reading}, ${call.staff.id}) returning id`)
    const id = made?.id ?? 0
    return { id, job_id: await kernel.jobs.add(tx, call, { kind: READ_PDF_JOB, title: `读取印刷文件：${row.name}`.slice(0, 100), input: { pdf_id: id } }) }
  }, { action: 'add_pdf' })),
  handle(dropPdf, (call) => call.transaction(async (tx) => {
    const { book_id } = await pdfOf(call, tx)
    await lockRow(tx, book, call.staff, book_id)
    const row = await pdfOf(call, tx)
    if (row.state === PDF_STATE.used || row.state === PDF_STATE.replaced) throw badRequest('采用过的印刷文件是付印的依据，不能删除')
    const pictures = await tx.query<{ image: string }>(sql`select image from book_pdf_page where pdf_id = ${row.id}`)
    await releaseFiles(tx, [row.url, ...pictures.map(({ image }) => image)], bookPage.grant)
    await tx.query(sql`delete from book_pdf_code where pdf_id = ${row.id}`)
    await tx.query(sql`delete from book_pdf_page where pdf_id = ${row.id}`)
    await tx.query(sql`delete from book_pdf where id = ${row.id}`)
    return { id: row.id }
  }, { action: 'drop_pdf' })),
  handle(readCompared, async (call) => {
    const row = await pdfOf(call, call.db)
    const [pages, before] = await Promise.all([pagesOf(call.db, row.id), call.db.query<{ page_no: number; image: string; spots: Hotspot[] } & Record<string, unknown>>(sql`select page_no, image, hotspots as spots from book_page where book_id = ${row.book_id} and deleted_at is null order by page_no`)])
    const spots = [...pages.flatMap((page) => page.spots), ...row.lost.map(({ spot }) => spot)]
    const uses = [...new Map(bound(spots).map((use) => [`${use.kind} ${use.ref_id}`, use])).values()]
    return { pdf: shown(row), pages, before, lost: row.lost, targets: await describeBlocks(call.db, uses) }
  }),
  handle(savePdfPage, (call) => call.transaction(async (tx) => {
    const row = await lockReady(call, tx)
    const no = idParam(call, 'no')
    const [page] = await tx.query<{ spots: Hotspot[] }>(sql`select spots from book_pdf_page where pdf_id = ${row.id} and page_no = ${no}`)
    if (!page) throw notFound('页面')
    await checkSpots(tx, call.input.spots, page.spots)
    await tx.query(sql`update book_pdf_page set spots = ${JSON.stringify(call.input.spots)}::jsonb where pdf_id = ${row.id} and page_no = ${no}`)
    return { page_no: no }
  }, { action: 'compare_pdf' })),
  handle(decideLost, (call) => call.transaction(async (tx) => {
    const row = await lockReady(call, tx)
    const { keys, page_no } = call.input
    const wanted = new Set(keys)
    const chosen = row.lost.filter(({ spot, done }) => wanted.has(spot.key) && done === null)
    if (chosen.length < wanted.size) throw badRequest('有热区已经处理过，请刷新后查看')
    if (page_no !== undefined) await place(tx, row.id, page_no, chosen.map(({ spot }) => spot))
    const lost = row.lost.map((one): Lost => (chosen.includes(one) ? { ...one, done: page_no === undefined ? 2 : 1 } : one))
    await tx.query(sql`update book_pdf set lost = ${JSON.stringify(lost)}::jsonb where id = ${row.id}`)
    return { lost }
  }, { action: 'compare_pdf' })),
  handle(usePdf, (call) => call.transaction(async (tx) => {
    const row = await lockReady(call, tx)
    return { pages: await adopt(tx, call.staff, row, await pagesOf(tx, row.id)) }
  }, { action: 'use_pdf' })),
]
