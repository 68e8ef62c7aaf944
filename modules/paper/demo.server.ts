import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom } from '../../core/setup/random.ts'
import { EXAM_REGIONS } from '../reference/module.ts'
import { insertPapers, SHORT_QUESTIONS } from './demo-papers.server.ts'
import { PAPER_STATE, PAPERS } from './paper.ts'

const DAY = 86_400
/** Papers of each subject. */
const COUNTS: Readonly<Record<keyof typeof PAPERS, number>> = { base: 8, micro: 4 }
const EXAMS = ['第一次月考', '期中考试', '第二次月考', '期末考试', '一模', '二模', '单元测试', '周测']

interface Subject {
  id: number
  name: string
  level: number
}

/** Papers of each subject, composed from the official bank, in all states. */
export async function insertPaperDemo(db: Database): Promise<void> {
  const random = seededRandom(620)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const subjects = await tx.query<Subject>(sql`select id, name, level from subject where deleted_at is null and ebook_only = 0 order by id`)
    const busy = new Set((await tx.query<{ subject_id: number }>(sql`select subject_id from practice where pool = 'official' and status = 4 and deleted_at is null and category_id is not null group by subject_id having count(*) >= ${sql.raw(String(SHORT_QUESTIONS))}`)).map(({ subject_id }) => subject_id))
    for (const subject of subjects) {
      for (const kind of ['base', 'micro'] as const) {
        const resource = PAPERS[kind][subject.level]
        if (!resource || !busy.has(subject.id)) continue
        const papers = Array.from({ length: COUNTS[kind] }, (_, index) => {
          const region = random.pick(EXAM_REGIONS.slice(0, 24))
          const year = 2022 + random.int(0, 4)
          const exam = EXAMS[index % EXAMS.length] ?? '单元测试'
          return {
            name: kind === 'base' ? `${year} 年${region.name}${['高中', '初中', '小学'][subject.level]}${subject.name}${exam}` : `${subject.name}知识点过关 ${index + 1}`,
            subject_id: subject.id,
            exam_region_id: kind === 'base' ? region.id : null,
            source_year: kind === 'base' ? year : null,
            difficulty: random.weighted([[2, 1], [3, 3], [4, 4], [5, 2]]),
            duration: kind === 'base' ? random.pick([90, 100, 120, 150]) : 20,
            attr: random.pick([1, 2]),
            source: kind === 'base' && index % 4 === 0 ? 'college_entrance_exam_paper' as const : 'dou_practice' as const,
            state: random.weighted([[PAPER_STATE.shelved, 6], [PAPER_STATE.draft, 3], [PAPER_STATE.waiting, 1], [PAPER_STATE.off, 1]]),
            created_at: seasonalMoment(random, now - 400 * DAY, now),
          }
        })
        await insertPapers(tx, random, resource, papers.map(({ state, ...values }) => ({ subject, values, state })), kind === 'base' ? 'whole' : 'short')
      }
    }
  })
}
