import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { addSetKeeper, fillSets, readProgress, setTargets } from '../../practice/door.server.ts'
import { findBook, type FoundBook as Book } from '../find-book.server.ts'
import { closeFilled } from '../order/order.server.ts'
import { ORDER_STATE } from '../order/writing-order.ts'
import { BOOK_SETS, bookOfLine, bookSets, TRAINING_GROUPS } from '../sets.ts'
import { fillBook, readTraining, setBookTargets, type Double, type OpenOrder, type Training, type TrainingChapter } from './calls.ts'

/** Holes that are filled in one call; the rest is filled by the next. */
const MOST_HOLES = 300

// Sets of a book are of the chapters of its textbook, and its orders are closed by what fills them.
addSetKeeper({
  line: BOOK_SETS,
  async check(db, staff, line, partworkId) {
    const { partwork_id } = await findBook(db, staff, bookOfLine(line))
    if (partwork_id !== partworkId) throw badRequest('章节不属于这本图书的教材册别')
  },
  async built(tx, { ref_id, product_line, group_key }) {
    await closeFilled(tx, { book_id: bookOfLine(product_line), chapter_id: ref_id, group_key })
  },
})

/** Questions that stand in more than one set of the book. */
async function doublesOf(db: Queryable, line: string, chapters: ReadonlyMap<number, string>): Promise<Double[]> {
  const rows = await db.query<{ practice_id: number; no: string; places: { chapter_id: number; group_key: number }[] }>(sql`select i.practice_id, p.no, jsonb_agg(jsonb_build_object('chapter_id', x.ref_id, 'group_key', x.group_key) order by x.ref_id, x.group_key) as places
    from selected_set x join selected_item i on i.set_id = x.id join practice p on p.id = i.practice_id
    where x.scope = 'chapter' and x.product_line = ${line} and x.ref_id = any(${sql.param([...chapters.keys()])}::bigint[]) group by i.practice_id, p.no having count(*) > 1 order by p.no limit 200`)
  return rows.map(({ places, ...row }) => ({ ...row, places: places.map((place) => ({ ...place, name: chapters.get(place.chapter_id) ?? '' })) }))
}

/** What each chapter of a book has and lacks. */
async function trainingOf(db: Queryable, staff: Staff, own: Book): Promise<Training> {
  const line = bookSets(own.id)
  const chapters = own.partwork_id === null ? [] : await readProgress(db, staff, own.partwork_id, line)
  const names = new Map(chapters.map(({ id, name }) => [id, name]))
  const orders = await db.query<OpenOrder & Record<string, unknown>>(sql`select o.id, o.chapter_id, o.group_key, s.name as staff_name, o.wanted::int as wanted, extract(epoch from o.due_at)::int as due_at from writing_order o left join staff s on s.id = o.staff_id
    where o.book_id = ${own.id} and o.kind = 'set' and o.state = ${ORDER_STATE.open} and o.deleted_at is null order by o.id`)
  const materials = await db.query<{ id: number; name: string; state: number; chapter_id: number }>(sql`select id, name, state, chapter_id from train_material where book_id = ${own.id} and chapter_id is not null and deleted_at is null order by id`)
  const made = Map.groupBy(materials, ({ chapter_id }) => chapter_id)
  return {
    book: own, orders, doubles: await doublesOf(db, line, names),
    chapters: chapters.map((chapter): TrainingChapter => ({ ...chapter, materials: (made.get(chapter.id) ?? []).map(({ id, name, state }) => ({ id, name, state })) })),
  }
}

/** Which of a book's chapters are asked for: those that are named, or each that has none below it. @throws AppError when one is another book's */
function chosen(chapters: readonly TrainingChapter[], ids: readonly number[] | undefined): TrainingChapter[] {
  if (ids === undefined) return chapters.filter(({ leaf }) => leaf)
  const wanted = new Set(ids)
  const found = chapters.filter(({ id }) => wanted.has(id))
  if (found.length < wanted.size) throw invalid({ chapter_ids: '有章节不属于这本图书，请刷新后重试' })
  return found
}

/** The book of a call, with a textbook to choose by. */
async function bookWithChapters(tx: Queryable, call: Pick<Call, 'staff' | 'params'>): Promise<Book> {
  const own = await findBook(tx, call.staff, idParam(call))
  if (own.partwork_id === null) throw badRequest('这本图书还没有选教材册别，请先在图书资料里选择')
  return own
}

/** The calls of the training of books, answered. */
export const trainingCalls = (): Served[] => [
  handle(readTraining, async (call) => trainingOf(call.db, call.staff, await findBook(call.db, call.staff, idParam(call)))),
  handle(setBookTargets, (call) => call.transaction(async (tx) => {
    const own = await bookWithChapters(tx, call)
    const { targets, chapter_ids, only_new } = call.input
    const { chapters } = await trainingOf(tx, call.staff, own)
    const wanted = chosen(chapters, chapter_ids).flatMap(({ id, groups }) => targets.flatMap(({ group_key, target_n }) => {
      const now = groups.find((one) => one.group_key === group_key)?.target_n ?? null
      return now === target_n || (only_new && now !== null) ? [] : [{ ref_id: id, group_key, target_n }]
    }))
    await setTargets(tx, call.staff, { scope: 'chapter', product_line: bookSets(own.id) }, wanted)
    return trainingOf(tx, call.staff, own)
  })),
  handle(fillBook, (call) => call.transaction(async (tx) => {
    const own = await bookWithChapters(tx, call)
    const { chapters } = await trainingOf(tx, call.staff, own)
    const asked = call.input.chapter_ids === undefined ? chapters : chosen(chapters, call.input.chapter_ids)
    const holes = asked.flatMap(({ id, groups }) => TRAINING_GROUPS.flatMap(({ value }) => {
      const set = groups.find(({ group_key }) => group_key === value)
      return set && set.target_n !== null && set.n < set.target_n ? [{ ref_id: id, group_key: value }] : []
    }))
    if (holes.length === 0) throw badRequest('没有缺题：先设目标题数，或选择有缺题的章节')
    const done = await fillSets(tx, call, { scope: 'chapter', product_line: bookSets(own.id) }, holes.slice(0, MOST_HOLES))
    return { ...done, training: await trainingOf(tx, call.staff, own) }
  })),
]
