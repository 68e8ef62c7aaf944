import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { startOfDay } from '../../../core/field/time.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Sweep } from '../../../core/job/sweep.server.ts'
import { present } from '../../../core/resource/list.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { holdTargets, insertRow } from '../../../core/resource/write.server.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { SET_GROUPS } from '../../practice/module.ts'
import { staff as staffMember } from '../../staff/module.ts'
import { findBook } from '../find-book.server.ts'
import { giveOrder, type Hole } from './calls.ts'
import { ORDER_STATE, writingOrder } from './writing-order.ts'

const OPEN = sql.raw(String(ORDER_STATE.open))
const FILLED = sql.raw(String(ORDER_STATE.filled))
/** Days of a person's work that say how fast they write. */
const PACE_DAYS = 28
const DAY = 86_400

/** Questions that stand where an order `o` has its hole. */
const standing = (o: string): SQL => sql.raw(`(case ${o}.kind
  when 'set' then (select count(*) from selected_set x join selected_item i on i.set_id = x.id where x.scope = 'chapter' and x.ref_id = ${o}.chapter_id and x.product_line = 'book:' || ${o}.book_id and x.group_key = ${o}.group_key)
  else (select coalesce(max(p.question_count), 0) from paper p where p.kind = 'base' and p.source = 'college_entrance_exam_paper' and p.subject_id = ${o}.subject_id and p.source_year = ${o}.year and p.exam_region_id = ${o}.region_id and p.deleted_at is null) end)`)

const done = (o: string): SQL => sql`(case when ${sql.raw(o)}.state = ${FILLED} then ${sql.raw(o)}.wanted else least(${sql.raw(o)}.wanted, greatest(0, ${standing(o)} - ${sql.raw(o)}.base_n)) end)`

/** Questions of a subject that the writer brought in, of one chapter where the order is about one. */
const writtenBy = (o: string, since: SQL): SQL => sql`(select count(distinct coalesce(p.origin_id, p.id)) from practice p where p.owner_id = ${sql.raw(o)}.staff_id and p.subject_id = ${sql.raw(o)}.subject_id and p.created_at >= ${since} and p.deleted_at is null)`

const COMPUTED = {
  done: sql`${done('t')}::int`,
  written: sql`(select count(distinct coalesce(p.origin_id, p.id))::int from practice p where p.owner_id = t.staff_id and p.subject_id = t.subject_id and p.created_at >= t.created_at and p.deleted_at is null
    and (t.chapter_id is null or exists (select 1 from practice_chapter pc join chapter c on c.id = pc.chapter_id where pc.practice_id = p.id and (c.id = t.chapter_id or c.path like '%/' || t.chapter_id || '/%'))))`,
  // As fast as the person wrote in the last weeks; nothing is foretold of somebody who wrote nothing.
  forecast: sql`case when t.state = ${OPEN} then now() + (t.wanted - ${done('t')}) * make_interval(secs => ${sql.raw(String(PACE_DAYS * DAY))}) / nullif(${writtenBy('t', sql`now() - make_interval(days => ${sql.raw(String(PACE_DAYS))})`)}, 0) end`,
}

/** A hole as it is asked for, or as an order keeps it. */
type Where = { readonly [K in keyof Hole]?: Hole[K] | null }

/** What is missing at a hole, its name, and where the work of a new order begins. */
interface Measured { name: string; subject_id: number; level: number; base_n: number; missing: number }

/** How many more questions orders that are open at the hole will bring. */
const PROMISED = (where: SQL) => sql`(select coalesce(sum(o.wanted - ${done('o')}), 0)::int from writing_order o where o.state = ${OPEN} and o.deleted_at is null and ${where})`

async function measureSet(tx: Queryable, staff: Staff, { book_id, chapter_id, group_key }: Where): Promise<Measured> {
  if (!book_id) throw invalid({ book_id: '请选择图书' })
  if (!chapter_id) throw invalid({ chapter_id: '请选择章节' })
  if (!group_key) throw invalid({ group_key: '请选择习题类型' })
  const own = await findBook(tx, staff, book_id)
  const [row] = await tx.query<{ name: string; n: number; target_n: number | null; promised: number }>(sql`select c.name, coalesce((select count(*) from selected_item i where i.set_id = x.id), 0)::int as n, x.target_n,
      ${PROMISED(sql`o.kind = 'set' and o.book_id = ${book_id} and o.chapter_id = c.id and o.group_key = ${group_key}`)} as promised
    from chapter c left join selected_set x on x.scope = 'chapter' and x.ref_id = c.id and x.product_line = ${`book:${book_id}`} and x.group_key = ${group_key}
    where c.id = ${chapter_id} and c.partwork_id = ${own.partwork_id} and c.deleted_at is null for key share of c`)
  if (!row) throw invalid({ chapter_id: '章节不属于这本图书的教材册别' })
  return { name: `${own.name} ${row.name} ${choiceLabel(SET_GROUPS, group_key)}`.slice(0, 160), subject_id: own.subject_id, level: own.level, base_n: row.n + row.promised, missing: (row.target_n ?? 0) - row.n - row.promised }
}

/** How long a paper of an exam is nobody knows who does not have it: one order is open at a time. */
async function measureGaokao(tx: Queryable, { subject_id, year, region_id }: Where, n: number): Promise<Measured> {
  if (!subject_id) throw invalid({ subject_id: '请选择学科' })
  if (!year) throw invalid({ year: '请填写年份' })
  if (!region_id) throw invalid({ region_id: '请选择卷区' })
  const [row] = await tx.query<{ name: string; level: number; n: number; promised: number }>(sql`select s.name, s.level, coalesce((select max(p.question_count) from paper p where p.kind = 'base' and p.source = 'college_entrance_exam_paper' and p.subject_id = s.id and p.source_year = ${year} and p.exam_region_id = ${region_id} and p.deleted_at is null), 0)::int as n,
      ${PROMISED(sql`o.kind = 'gaokao' and o.subject_id = s.id and o.year = ${year} and o.region_id = ${region_id}`)} as promised from subject s where s.id = ${subject_id}`)
  if (!row) throw notFound('学科')
  return { name: `${year} 年 ${EXAM_REGIONS.find(({ id }) => id === region_id)?.name ?? ''} ${row.name}真题`, subject_id, level: row.level, base_n: row.n, missing: row.promised > 0 ? 0 : n }
}

const measure = (tx: Queryable, staff: Staff, hole: Where, n: number) => (hole.kind === 'set' ? measureSet(tx, staff, hole) : measureGaokao(tx, hole, n))

/** How many more the hole of an order could take; nobody knows where the book follows another textbook by now. */
async function roomOf(tx: Queryable, staff: Staff, row: Where & { readonly wanted: number }): Promise<number> {
  try {
    return (await measure(tx, staff, row, row.wanted)).missing
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return Number.POSITIVE_INFINITY
  }
}

/** @throws AppError when the day is over */
function checkDue(due: number): void {
  if (due < startOfDay(Date.now() / 1000)) throw invalid({ due_at: '截止日期已经过去' })
}

/** Orders to write what is missing. */
export const orderService = serve(writingOrder)({
  computed: COMPUTED,
  segments: {
    pace: {
      late: sql`writing_order.state = ${OPEN} and writing_order.due_at < now() - interval '1 day'`,
      soon: sql`writing_order.state = ${OPEN} and writing_order.due_at >= now() - interval '1 day' and writing_order.due_at < now() + interval '3 days'`,
    },
  },
  async before({ tx, staff, values, row }) {
    if (values.due_at !== undefined && values.due_at !== row?.due_at) checkDue(values.due_at)
    const more = row && values.wanted !== undefined ? values.wanted - row.wanted : 0
    if (!row || more <= 0 || row.kind !== 'set' || row.state !== ORDER_STATE.open) return
    const room = Math.max(0, await roomOf(tx, staff, row))
    if (more > room) throw invalid({ wanted: `这里只缺 ${room} 道，最多改到 ${row.wanted + room} 道` })
  },
  effects: {
    async reopen({ tx, staff, row }) {
      const room = await roomOf(tx, staff, row)
      if (room <= 0) throw badRequest(`「${row.name}」已经不缺题，不用恢复`)
      if (room < row.wanted) await touch(tx, writingOrder, { wanted: room }, row.id)
    },
  },
})

/** The call that gives orders, answered. Two that are given at once for one hole do not ask for more than it lacks. */
export const orderCalls = (): Served[] => [
  handle(giveOrder, (call) => call.transaction(async (tx) => {
    const { staff_id, wanted, due_at, note, ...hole } = call.input
    checkDue(due_at)
    await holdTargets(tx, staffMember, [staff_id])
    // Orders of one hole are counted one after the other.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`writing_order ${JSON.stringify([hole.kind, hole.book_id, hole.chapter_id, hole.group_key, hole.subject_id, hole.year, hole.region_id])}`}))`)
    const { missing, ...found } = await measure(tx, call.staff, hole, wanted)
    if (missing <= 0) throw badRequest(`「${found.name}」不缺题，或缺的题已经派出`)
    if (wanted > missing) throw invalid({ wanted: `这里还缺 ${missing} 道，不能派 ${wanted} 道` })
    const row = await insertRow(tx, writingOrder, call.staff.id, { ...hole, ...found, staff_id, wanted, due_at, note: note ?? null }, COMPUTED)
    return present(writingOrder, call.staff, row)
  }, { action: 'give_order' })),
]

const CLOSED = { state: sql`${FILLED}`, closed_at: sql`now()` } as const

/** Closes the orders of a hole that has what they asked for. */
export async function closeFilled(tx: Queryable, { book_id, chapter_id, group_key }: { book_id: number; chapter_id: number; group_key: number }): Promise<void> {
  await touch(tx, writingOrder, CLOSED, sql`t.kind = 'set' and t.book_id = ${book_id} and t.chapter_id = ${chapter_id} and t.group_key = ${group_key} and t.state = ${OPEN} and t.deleted_at is null and ${done('t')} >= t.wanted`)
}

/** Papers of exams are made elsewhere: their orders are looked at from time to time. */
export const orderSweep = (db: Database): Sweep => ({
  name: 'writing_order', every: 300,
  run: async () => {
    await db.transaction({ staff_id: null, action: 'check' }, (tx) => touch(tx, writingOrder, CLOSED, sql`t.state = ${OPEN} and t.deleted_at is null and ${done('t')} >= t.wanted`))
  },
})
