import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { EXAM_REGIONS } from '../reference/module.ts'
import type { PaperBody } from './compose/body.ts'
import { writeBody, type PaperRow } from './content.server.ts'
import { orderGroups } from './order-groups.ts'
import { PAPER_STATE, PAPERS } from './paper.ts'

const DAY = 86_400
/** Papers of each subject. */
const COUNTS: Readonly<Record<keyof typeof PAPERS, number>> = { base: 8, micro: 4 }
/** Questions that a group of the order has in a whole paper, and their points. */
const USUAL: Readonly<Record<string, readonly [count: number, score: number]>> = {
  单选题: [8, 5], 多选题: [3, 6], 填空题: [4, 5], 实验题: [2, 10], 解答题: [5, 12], 综合题: [2, 15],
}
const MICRO_QUESTIONS = 8
const EXAMS = ['第一次月考', '期中考试', '第二次月考', '期末考试', '一模', '二模', '单元测试', '周测']

interface Subject {
  id: number
  name: string
  level: number
}

interface Usable {
  id: number
  subject_id: number
  category_id: number
  version_no: number
}

/** Some of a list, in no order. */
const someOf = <Item>(random: Random, list: readonly Item[], count: number): Item[] =>
  list.map((item) => ({ item, place: random.next() })).toSorted((a, b) => a.place - b.place).slice(0, count).map(({ item }) => item)

/** Sections as the order rule has them, filled with questions that no other section took. */
function bodyOf(random: Random, groups: ReturnType<typeof orderGroups>, usable: readonly Usable[], kind: keyof typeof PAPERS): PaperBody {
  const sections = groups.flatMap(({ name, category_ids, group_no }) => {
    const [count, score] = USUAL[name] ?? [4, 5]
    const own = someOf(random, usable.filter(({ category_id }) => category_ids.includes(category_id)), kind === 'micro' ? Math.ceil(count / 3) : count)
    if (own.length === 0) return []
    return [{ key: `g${group_no}`, name, title: '', instruction: '', items: own.map(({ id, version_no }) => ({ practice_id: id, version_no, score, sub_scores: [] })) }]
  })
  if (kind === 'base') return { sections }
  let left = MICRO_QUESTIONS
  return { sections: sections.flatMap((section) => {
    const items = section.items.slice(0, left)
    left -= items.length
    return items.length > 0 ? [{ ...section, items }] : []
  }) }
}

/** Papers of each subject, composed from the official bank, in all states. */
export async function insertPaperDemo(db: Database): Promise<void> {
  const random = seededRandom(620)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const subjects = await tx.query<Subject>(sql`select id, name, level from subject where deleted_at is null and ebook_only = 0 order by id`)
    const usable = await tx.query<Usable>(sql`select id, subject_id, category_id, version_no::int as version_no from practice where pool = 'official' and status = 4 and deleted_at is null and category_id is not null order by id`)
    const categories = await tx.query<{ id: number; subject_id: number; name: string; type: number }>(sql`select id, subject_id, name, type from practice_category where deleted_at is null order by sort, id`)
    for (const subject of subjects) {
      const own = usable.filter(({ subject_id }) => subject_id === subject.id)
      const groups = orderGroups(categories.filter(({ subject_id }) => subject_id === subject.id))
      for (const kind of ['base', 'micro'] as const) {
        const resource = PAPERS[kind][subject.level]
        if (!resource || own.length < MICRO_QUESTIONS) continue
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
        const ids = await insertMany(tx, resource as never, papers as never)
        for (const [index, id] of ids.entries()) {
          const paper = papers[index]
          if (!paper) continue
          const row: PaperRow = { id, name: paper.name, kind, level: subject.level, subject_id: subject.id, subject_name: subject.name, state: paper.state, version_no: 0, duration: paper.duration }
          const body = bodyOf(random, groups, own, kind)
          // What is shelved stays so: this is how it was shelved, not an edit of it.
          await writeBody(tx, null, { ...row, state: PAPER_STATE.draft }, body, [])
          await tx.query(sql`update paper set state = ${paper.state}, version_no = ${paper.state === PAPER_STATE.shelved ? 1 : 0}, rev = 1, updated_at = ${paper.state === PAPER_STATE.waiting ? sql`greatest(created_at, now() - (id % 4) * interval '15 hours')` : sql`created_at`} where id = ${id}`)
          if (paper.state === PAPER_STATE.shelved) await tx.query(sql`insert into paper_version (paper_id, version_no, body) values (${id}, 1, ${JSON.stringify(body)}::jsonb)`)
        }
      }
    }
  })
}
