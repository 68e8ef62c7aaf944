import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { rateAt, type LessonEntry } from '../companion/door.server.ts'
import { writeLines, type NewLine } from './book.server.ts'
import { lessonWords, monthShare, monthWords } from './formula.ts'
import { ACCOUNT } from './line.ts'

/** Months that are looked at again when fees are settled. */
const MONTHS = 3

/** What was said of the lesson: the task. */
async function titleOf(tx: Queryable, id: number): Promise<string> {
  const [row] = await tx.query<{ note: string | null }>(sql`select note from lesson_entry where id = ${id}`)
  return row?.note ?? '课时'
}

/**
 * Books what a teacher gets for a lesson that was taken, at the rate of that day; what is given back takes back what was
 * booked for it, from whom it was booked for.
 * @param at when the lesson was, where that is not now
 */
export async function bookLesson(tx: Queryable, entry: LessonEntry, at?: number): Promise<void> {
  const line = { account_kind: ACCOUNT.teacher, source_kind: 'lesson', source_id: entry.id, tier: 0, at, due_at: at, title: await titleOf(tx, entry.id) } as const
  if (entry.cause === 'task' && entry.teacher_id !== null) {
    const found = await rateAt(tx, entry.teacher_id, 'lesson', at ?? Math.floor(Date.now() / 1000))
    if (!found || found.rate === 0) return
    const lessons = -entry.delta
    await writeLines(tx, [{ ...line, account_id: entry.teacher_id, cause: `lesson ${entry.id}`, amount: lessons * found.rate, base: lessons, rate: found.rate, rate_id: found.id, words: lessonWords(lessons, found.rate) }])
  }
  if (entry.cause === 'back') {
    const prefix = entry.ref.slice(0, entry.ref.lastIndexOf(':') + 1)
    const booked = await tx.query<{ account_id: number; sum: number; base: number; rate: number; rate_id: number | null }>(sql`select e.account_id, sum(e.amount)::float8 as sum, sum(e.base)::float8 as base, max(e.rate)::float8 as rate, max(e.rate_id) as rate_id
      from earning e join lesson_entry l on l.id = e.source_id where e.source_kind = 'lesson' and l.student_id = ${entry.student_id} and starts_with(l.ref, ${prefix}) group by e.account_id having sum(e.amount) <> 0`)
    await writeLines(tx, booked.map((one): NewLine => ({ ...line, account_id: one.account_id, cause: `back ${entry.id}`, amount: -one.sum, base: -one.base, rate: one.rate, rate_id: one.rate_id, words: `退回重做，冲回 ${lessonWords(one.base, one.rate)}` })))
  }
}

interface Days { teacher_id: number; student_id: number; days: number }

/** The months before a moment: where each begins and ends in Shanghai, and what it is called. */
function monthsBefore(moment: number): { name: string; from: number; to: number; days: number }[] {
  const local = new Date((moment + 8 * 3600) * 1000)
  const begin = (back: number) => startOfDay(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - back, 1) / 1000)
  return Array.from({ length: MONTHS }, (_, index) => {
    const [from, to] = [begin(index + 1), begin(index)]
    return { name: new Date((from + 8 * 3600) * 1000).toISOString().slice(0, 7), from, to, days: Math.round((to - from) / 86_400) }
  })
}

/**
 * Books what teachers get for whole months that learners paid for: by the days on which they looked after them. A day is
 * that of whoever has the learner at its end. What was booked for a month stays.
 */
export async function bookMonths(tx: Queryable, teachers: readonly number[], until: number): Promise<void> {
  for (const month of monthsBefore(until)) {
    const found = await tx.query<Days & Record<string, unknown>>(sql`select a.teacher_id, a.student_id, count(*)::int as days from companion_assign a
      join companion_student s on s.id = a.student_id
      join generate_series(to_timestamp(${month.from}), to_timestamp(${month.to}) - interval '1 day', interval '1 day') as d (at) on a.from_at < d.at + interval '1 day' and (a.to_at is null or a.to_at >= d.at + interval '1 day')
      where a.teacher_id = any(${sql.param([...teachers])}::bigint[]) and (s.start_at is null or s.start_at < d.at + interval '1 day') and s.end_at >= d.at + interval '1 day'
        and exists (select 1 from order_item i where i.kind = 'month' and i.granted_qty > 0 and (i.effect ->> 'student_id')::bigint = s.id)
        and not exists (select 1 from earning e where e.account_kind = ${ACCOUNT.teacher} and e.account_id = a.teacher_id and e.source_kind = 'month' and e.source_id = a.student_id and e.cause = ${`month ${month.name}`})
      group by a.teacher_id, a.student_id order by a.teacher_id, a.student_id`)
    for (const { teacher_id, student_id, days } of found) {
      const rate = await rateAt(tx, teacher_id, 'month', month.to - 1)
      if (!rate || rate.rate === 0) continue
      await writeLines(tx, [{
        account_kind: ACCOUNT.teacher, account_id: teacher_id, source_kind: 'month', source_id: student_id, tier: 0, cause: `month ${month.name}`, title: `包月 ${month.name}`,
        amount: monthShare(rate.rate, days, month.days), base: days, rate: rate.rate, rate_id: rate.id, words: monthWords(month.name, days, month.days, rate.rate, 0), due_at: month.to,
      }])
    }
  }
}
