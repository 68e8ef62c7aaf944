import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { lockBase, printCodes, printedBase } from '../qr/door.server.ts'
import { book, BOOK_STATE, type BookRow } from './book.ts'
import { printBook, readPrints, type BookPrint, type PrintCheck } from './calls.ts'
import { bookCodes } from './ebook.ts'
import { fileChecks } from './pdf/check.server.ts'
import { settlePrint, TO_REPRINT } from './errata/shown.server.ts'

const pages = (id: string) => sql.raw(`book_page p where p.book_id = ${id} and p.deleted_at is null`)
const codes = (id: string) => sql.raw(`qr_target q where q.book_id = ${id} and q.deleted_at is null`)

const COMPUTED = {
  page_cnt: sql`select count(*)::int from ${pages('t.id')}`,
  code_cnt: sql`select count(*)::int from ${codes('t.id')}`,
  unbound_cnt: sql`select coalesce(sum((select count(*) from jsonb_array_elements(p.hotspots) e where e->>'ref_id' is null)), 0)::int from ${pages('t.id')}`,
}

/** Books: who submits one does not pass it. */
export const bookService = serve(book)({
  computed: COMPUTED,
  segments: {
    needs: {
      codes: sql`not exists (select 1 from ${codes('book.id')})`,
      pages: sql`not exists (select 1 from ${pages('book.id')})`,
      targets: sql`exists (select 1 from ${codes('book.id')} and q.target_kind is null)`,
    },
  },
  async before({ tx, values, row }) {
    if (row) return
    const [own] = await tx.query<{ level: number }>(sql`select level from subject where id = ${values.subject_id}`)
    Object.assign(values, { level: own?.level })
  },
  effects: {
    async submit({ tx, staff, row }) {
      const [{ n } = { n: 0 }] = await tx.query<{ n: number }>(sql`select count(*)::int as n from ${codes(String(row.id))}`)
      if (n === 0 && !(await hasPages(tx, row.id))) throw badRequest('还没有二维码，也没有电子页面，不能提交审核')
      await touch(tx, book, { submitted_by: staff.id }, row.id)
    },
  },
})

async function hasPages(tx: Queryable, id: number): Promise<boolean> {
  return (await tx.query(sql`select 1 from ${pages(String(id))} limit 1`)).length > 0
}

async function rowOf(call: Pick<Call, 'params' | 'staff' | 'db'>): Promise<BookRow> {
  const row = await readOne(call.db, book, call.staff, idParam(call), COMPUTED)
  if (!row) throw notFound(book.label)
  return row
}

interface Counted { all: number; fresh: number; empty: number; broken: number; beyond: number; twice: number; faults: number }

/** What is wrong with a book before it is printed; afterwards the paper says it for ever. */
async function checksOf(db: Queryable, row: BookRow, base: string | undefined): Promise<PrintCheck[]> {
  const [found] = await db.query<Counted & Record<string, unknown>>(sql`select count(*)::int as all, count(*) filter (where state = 0)::int as fresh, count(*) filter (where target_kind is null)::int as empty,
      count(*) filter (where health = 2)::int as broken, count(*) filter (where place in (3, 4) and page_no is null)::int as beyond,
      (select count(*) from (select 1 from ${codes(String(row.id))} and q.page_no is not null and q.target_kind is not null group by page_no, target_kind, ref_id, url having count(*) > 1) x)::int as twice,
      (select count(*) from book_erratum where book_id = ${row.id} and ${TO_REPRINT})::int as faults
    from ${codes(String(row.id))}`)
  const { all = 0, empty = 0, broken = 0, beyond = 0, twice = 0, faults = 0 } = found ?? {}
  const must = (label: string, wrong: number, detail: string): PrintCheck => ({ label, ok: wrong === 0, must: true, detail: wrong === 0 ? null : detail })
  return [
    { label: '状态', ok: row.state === BOOK_STATE.live, must: true, detail: row.state === BOOK_STATE.live ? null : '图书审核通过并启用后才能付印' },
    { label: '二维码', ok: all > 0, must: true, detail: all > 0 ? null : '还没有二维码' },
    must('指向', empty, `${empty} 个二维码还没有设指向，扫码只会显示「内容准备中」`),
    must('体检', broken, `${broken} 个二维码的指向异常`),
    must('页码', beyond, `${beyond} 个页上的二维码没有填页码`),
    { label: '同页重复', ok: twice === 0, must: false, detail: twice === 0 ? null : `${twice} 组二维码在同一页指向相同内容，请核对` },
    ...await fileChecks(db, row.id, base),
    { label: '勘误', ok: faults === 0, must: false, detail: faults === 0 ? null : `${faults} 条已核定的勘误还没有改正，付印时请勾选本次已改的` },
    { label: '未印', ok: (found?.fresh ?? 0) > 0 || row.print_no === 0, must: false, detail: (found?.fresh ?? 0) > 0 || row.print_no === 0 ? null : '没有新的二维码，本次为原样重印' },
  ]
}

/** The calls of prints. */
export function printCalls(kernel: Pick<Kernel, 'config'>): Served[] {
  return [
    handle(readPrints, async (call) => {
      const row = await rowOf(call)
      const prints = await call.db.query<BookPrint & Record<string, unknown>>(sql`select p.no, p.copies, p.fresh, p.note, s.name as staff_name, extract(epoch from p.at)::int as at from book_print p left join staff s on s.id = p.staff_id
        where p.book_id = ${row.id} order by p.no desc`)
      const base = await printedBase(call.db, kernel.config)
      return { prints, checks: await checksOf(call.db, row, base), base: base ?? null }
    }),
    handle(printBook, (call) => call.transaction(async (tx) => {
      const { copies, note, rev, fixed = [] } = call.input
      const row = await lockRow(tx, book, call.staff, idParam(call))
      await checkRev(tx, row, rev, (stale) => present(book, call.staff, stale))
      const base = await printedBase(tx, kernel.config)
      await lockBase(tx, base)
      await printOnce(tx, { staffId: call.staff.id, row, copies, note: note ?? null, fixed, base })
      return present(book, call.staff, await rowOf({ ...call, db: tx as typeof call.db }))
    }, { action: 'print' })),
  ]
}

/**
 * Writes down that a book went to the printer's, and locks its codes.
 * @throws AppError that says what is wrong with the book
 */
export async function printOnce(tx: Queryable, { staffId, row, copies, note, at, fixed = [], base }: { staffId: number | null; row: BookRow; copies: number; note: string | null; at?: number; fixed?: readonly number[]; base?: string | undefined }): Promise<void> {
  const wrong = (await checksOf(tx, row, base)).flatMap(({ ok, must, detail }) => (!ok && must && detail !== null ? [detail] : []))
  if (wrong.length > 0) throw badRequest(`还不能付印：${wrong.join('；')}`)
  const no = (row.print_no ?? 0) + 1
  const moment = at === undefined ? sql`now()` : sql`to_timestamp(${at})`
  const fresh = await printCodes(tx, bookCodes, row.id, no)
  await tx.query(sql`insert into book_print (book_id, no, copies, fresh, note, staff_id, at, pdf_id) values (${row.id}, ${no}, ${copies}, ${fresh}, ${note}, ${staffId}, ${moment}, (select id from book_pdf where book_id = ${row.id} and state = 3))`)
  await touch(tx, book, { print_no: no, printed_at: moment, copies: (row.copies ?? 0) + copies }, row.id)
  await settlePrint(tx, row.id, no, fixed)
}
