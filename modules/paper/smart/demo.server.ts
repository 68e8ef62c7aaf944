import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { orderGroups } from '../order-groups.ts'
import { feasibility } from './candidates.server.ts'
import { composePapers } from './compose.server.ts'
import { ruleSchema, type SmartRule } from './rule.ts'
import { smartPaper } from './smart-paper.ts'

const DAY = 86_400
/** What was asked for, subject by subject. */
const ASKED: readonly { subject: number; name: string; count: number; coef: number; versions: number }[] = [
  { subject: 1, name: '高一数学第一次月考', count: 4, coef: 0.68, versions: 2 },
  { subject: 1, name: '函数与数列过关卷', count: 3, coef: 0.6, versions: 1 },
  { subject: 3, name: '高三物理周测', count: 3, coef: 0.62, versions: 1 },
  { subject: 101, name: '八年级数学期中模拟', count: 3, coef: 0.7, versions: 1 },
]
/** Sections of a demo paper at most, and the points of a question in each. */
const SCORES = [5, 5, 6, 12]

/** Smart papers as the console itself composes them, each with micro lessons and a paper beside it. */
export async function insertSmartDemo(db: Database): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const categories = await tx.query<{ id: number; subject_id: number; name: string; type: number; usable: number }>(sql`select c.id, c.subject_id, c.name, c.type,
      (select count(*)::int from practice p where p.category_id = c.id and p.pool = 'official' and p.status = 4 and p.deleted_at is null) as usable
      from practice_category c where c.deleted_at is null order by c.sort, c.id`)
    for (const [index, { subject, name, count, coef, versions }] of ASKED.entries()) {
      const own = categories.filter(({ subject_id }) => subject_id === subject)
      const groups = orderGroups(own).map((group) => ({ ...group, usable: own.filter(({ id }) => group.category_ids.includes(id)).reduce((sum, one) => sum + one.usable, 0) }))
      const sections = groups.filter(({ usable }) => usable >= count * versions).slice(0, SCORES.length)
      const [level] = await tx.query<{ level: number }>(sql`select level from subject where id = ${subject}`)
      if (sections.length === 0 || !level) continue
      const rule: SmartRule = ruleSchema.parse({
        sections: sections.map((group, at) => ({ name: group.name, category_ids: [...group.category_ids], count, score: SCORES[at] })), coef, versions, recent_papers: 10, seed: 620 + index,
      })
      if ((await feasibility(tx, rule, subject)).length > 0) continue
      const result = await composePapers(tx, rule, subject, 620 + index)
      const created_at = now - (20 - index * 4) * DAY
      const [id] = await insertMany(tx, smartPaper, [{
        name, subject_id: subject, level: level.level, seed: 620 + index, rule, result, version_count: result.length, status: 0, created_at,
        question_count: rule.sections.reduce((sum, section) => sum + section.count, 0), total_score: rule.sections.reduce((sum, section) => sum + section.count * section.score, 0),
      }] as never)
      await tx.query(sql`insert into smart_material (smart_paper_id, kind, ref_id, ord)
        select ${id}, kind, ref_id, row_number() over (order by kind, ref_id) from (
          (select 'lesson' as kind, id as ref_id from micro_lesson where subject_id = ${subject} and deleted_at is null order by id limit 2)
          union all (select 'paper', id from paper where subject_id = ${subject} and kind = 'base' and deleted_at is null order by id limit 1)) m`)
    }
  })
}
