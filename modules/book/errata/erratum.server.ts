import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../../core/error/error.ts'
import { readOne } from '../../../core/resource/list.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { book } from '../book.ts'
import { bookService } from '../book.server.ts'
import { readErrata, type ErrataSheet, type SheetLine } from './calls.ts'
import { erratum, ERRATUM_STATE, type ErratumRow } from './erratum.ts'
import { ERRATUM_COMPUTED, showAtOnce, TO_REPRINT } from './shown.server.ts'

/** @throws AppError where the prints are none of the book's */
async function checkPrints(tx: Queryable, { book_id, print_from, print_to }: Pick<ErratumRow, 'book_id' | 'print_from' | 'print_to'>): Promise<void> {
  const [row] = await tx.query<{ print_no: number }>(sql`select coalesce(print_no, 0) as print_no from book where id = ${book_id} for share`)
  const no = row?.print_no ?? 0
  if (no === 0) throw invalid({ book_id: '这本书还没有印过，直接修改即可' })
  if (print_from > no) throw invalid({ print_from: `这本书只印过 ${no} 次` })
  if (print_to !== null && print_to < print_from) throw invalid({ print_to: '不能早于「自第几次印刷」' })
  if (print_to !== null && print_to > no) throw invalid({ print_to: `这本书只印过 ${no} 次` })
}

const hide = ({ tx, row }: { tx: Queryable; row: ErratumRow }) => showAtOnce(tx, row.id).then(() => undefined)

/** Errata: what is confirmed stands behind the codes of its page at once. */
export const erratumService = serve(erratum)({
  computed: ERRATUM_COMPUTED,
  segments: { needs: { reprint: TO_REPRINT } },
  async before({ tx, values, row }) {
    await checkPrints(tx, { book_id: Number(values.book_id ?? row?.book_id), print_from: Number(values.print_from ?? row?.print_from), print_to: values.print_to === undefined ? row?.print_to ?? null : values.print_to })
  },
  effects: {
    async confirm({ tx, row }) {
      if (await showAtOnce(tx, row.id) > 0) await touch(tx, erratum, { state: ERRATUM_STATE.shown }, row.id)
    },
    recall: hide,
  },
})

/** The calls of errata beside those of every record. */
export const erratumCalls = (): Served[] => [
  handle(readErrata, async (call) => {
    const row = await readOne(call.db, book, call.staff, idParam(call), bookService.rules.computed ?? {})
    if (!row) throw notFound(book.label)
    const prints = await call.db.query<ErrataSheet['prints'][number] & Record<string, unknown>>(sql`select no, copies, extract(epoch from at)::int as at from book_print where book_id = ${row.id} order by no`)
    const lines = await call.db.query<SheetLine & Record<string, unknown>>(sql`select id, page_no, print_from, print_to, wrong, "right", level, state from book_erratum
      where book_id = ${row.id} and deleted_at is null and state in (${sql.raw([ERRATUM_STATE.confirmed, ERRATUM_STATE.shown, ERRATUM_STATE.reprinted].join(', '))}) order by page_no, id`)
    return { name: row.name, isbn: row.isbn, edition: row.edition, prints, lines }
  }),
]
