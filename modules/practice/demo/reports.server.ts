import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import type { Random } from '../../../core/setup/random.ts'
import { STATUS } from '../bank/practice.ts'
import { practiceReport, REPORT_STATUS, type ReportKind } from '../report/report.ts'

const SAID: readonly (readonly [ReportKind, string])[] = [
  ['answer', '我算出来和答案不一样，老师也说答案错了'], ['answer', '答案应该选另一个，解析里写的也和答案对不上'], ['stem', '题干少了一个条件，做不出来'], ['stem', '单位写错了，应该是千克'],
  ['analysis', '解析第二步跳得太快，看不懂'], ['analysis', '解析里的数和题目不一样'], ['formula', '公式显示不出来，是一串字母'], ['image', '图看不清，字太小'],
  ['option', '有两个选项一样'], ['beyond', '这个知识点我们教材里没有'], ['other', '标点用错了'], ['option', '选项 C 和 D 都对'],
]
const DAY = 86_400

/** Learners and colleagues report errors; a part of it has been decided, and what was accepted is being mended. */
export async function insertReportDemo(tx: Queryable, random: Random, now: number): Promise<void> {
  const asked = await tx.query<{ id: number; no: string; subject_id: number; level: 0 | 1 | 2; status: number }>(sql`select id, no, subject_id, level, status from practice
    where pool = 'official' and status in (${STATUS.published}, ${STATUS.revising}) order by (status = ${STATUS.revising}) desc, id % 89, id limit 60`)
  const staff = (await tx.query<{ id: number }>(sql`select id from staff where status = 1 and deleted_at is null order by id`)).map(({ id }) => id)
  const rows = asked.flatMap((practice) => Array.from({ length: random.weighted([[1, 8], [2, 2]]) }, (_, nth) => {
    const [kind, content] = SAID[(practice.id + nth * 5) % SAID.length] ?? ['other', '']
    const status = practice.status === STATUS.revising ? REPORT_STATUS.accepted : random.weighted([[REPORT_STATUS.open, 5], [REPORT_STATUS.taken, 2], [REPORT_STATUS.refused, 2], [REPORT_STATUS.accepted, 3]])
    // What nobody has decided about came within the last days.
    const created_at = now - random.int(0, status === REPORT_STATUS.open || status === REPORT_STATUS.taken ? 4 : 40) * DAY - random.int(600, DAY)
    const handled_at = status === REPORT_STATUS.accepted || status === REPORT_STATUS.refused ? Math.min(now, created_at + random.int(1, 60) * 3600) : null
    const learner = random.chance(0.7)
    return {
      practice_no: practice.no, practice_id: practice.id, subject_id: practice.subject_id, level: practice.level, kind, content, source: learner ? 1 as const : 2 as const, user_id: learner ? random.int(1, 400) : null,
      status, handled_at, fixed_at: status === REPORT_STATUS.accepted && practice.status === STATUS.published && handled_at !== null ? Math.min(now, handled_at + random.int(1, 48) * 3600) : null,
      created_at, created_by: random.pick(staff), updated_by: status === REPORT_STATUS.open ? null : random.pick(staff),
    }
  }))
  await insertMany(tx, practiceReport, rows)
  await tx.query(sql`update practice p set urgent = 1 where p.pool = 'back' and p.status in (${STATUS.draft}, ${STATUS.first}, ${STATUS.second}, ${STATUS.final}, ${STATUS.rejected})
    and exists (select 1 from practice_report r where r.practice_id = p.origin_id and r.status = ${REPORT_STATUS.accepted} and r.fixed_at is null)`)
}
