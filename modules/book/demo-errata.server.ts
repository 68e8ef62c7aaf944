import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { erratum, ERRATUM_STATE } from './errata/erratum.ts'

const S = ERRATUM_STATE

/** Faults as readers and editors find them: what is printed, what is right, how it matters, and how far it is. */
const FAULTS = [
  ['题干：…圆心为 (1，2)、半径为 3 的圆…', '题干：…圆心为 (1，2)、半径为 2 的圆…', 2, S.waiting], ['答案：B', '答案：C', 3, S.waiting], ['详解：…由余弦定理得 c = 7…', '详解：…由余弦定理得 c = √7…', 3, S.confirmed],
  ['题干：…若集合 A 中有且只有一个元索…', '题干：…若集合 A 中有且只有一个元素…', 1, S.confirmed], ['选项D：…x ≥ 1…', '选项D：…x > 1…', 2, S.confirmed], ['题干：…求函数的定议域…', '题干：…求函数的定义域…', 1, S.confirmed],
  ['答案：-2', '答案：2', 3, S.reprinted], ['详解：…两边同乘 2…', '详解：…两边同除以 2…', 2, S.reprinted], ['题干：…下列说法错误的是…', '题干：…下列说法正确的是…', 2, S.refused],
] as const

/** Errata of printed books in every state; those that were confirmed stand behind the codes of their pages. */
export async function insertErrataDemo(tx: Queryable, staff: readonly number[]): Promise<number> {
  const codes = await tx.query<{ book_id: number; page_no: number; print_no: number; subject_id: number }>(sql`select distinct on (q.book_id, q.page_no) q.book_id, q.page_no, b.print_no, b.subject_id from qr_target q join book b on b.id = q.book_id
    where q.state = 1 and q.page_no is not null and q.printed_in = 1 and b.state = 3 order by q.book_id, q.page_no`)
  const maths = codes.filter(({ subject_id }) => subject_id === codes[0]?.subject_id)
  if (maths.length === 0) return 0
  const now = Math.floor(Date.now() / 1000)
  const rows = FAULTS.map(([wrong, right, level, state], at) => {
    const place = maths[(at * 5 + 3) % maths.length] ?? maths[0]!
    // The page of every fifth fault has no code: it stands in the table of errata alone.
    const codeless = at % 5 === 3
    const reprinted = state === S.reprinted && place.print_no > 1
    return {
      book_id: place.book_id, page_no: place.page_no + (codeless ? 1 : 0), print_from: 1, print_to: reprinted ? place.print_no - 1 : null, wrong, right, level, practice_id: null, practice_no: null,
      state: state === S.reprinted && !reprinted ? S.shown : state === S.confirmed && !codeless ? S.shown : state, created_at: now - (40 - at * 4) * 86_400, created_by: staff[at % Math.max(1, staff.length)] ?? null,
    }
  })
  await insertMany(tx, erratum, rows)
  return rows.length
}
