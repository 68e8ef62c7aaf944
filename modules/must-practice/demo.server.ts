import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom } from '../../core/setup/random.ts'
import { demoCover, insertSales } from '../offer/door.server.ts'
import { insertPapers } from '../paper/door.server.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { mustLine } from './line.ts'
import { mustPaper } from './must-paper.ts'

const DAY = 86_400
const ORDERS = 160
/** Behind the numbers of the lines of courses. */
const FIRST_NO = 60_000_001
const NAMES = ['基础必刷 100 题', '重难点必刷', '压轴题必刷'] as const
/** Subjects that have packs: those of the senior stage (spec 3). */
const SUBJECTS = 6

/** Papers of six subjects in all states, a pack of each subject, and what was sold of them. */
export async function insertMustDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(251), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const subjects = await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from subject where level = 0 and ebook_only = 0 order by id limit ${sql.raw(String(SUBJECTS))}`)
  const covers = new Map<number, string>()
  for (const one of subjects) covers.set(one.id, fileUrl((await files.put(Readable.from([Buffer.from(demoCover(one))]), { name: `${one.name}.svg`, staffId: staff[0] ?? 0 })).id))
  await seedTransaction(db, async (tx) => {
    const plan = subjects.flatMap((subject) => NAMES.map((name, index) => ({
      subject, values: { name: `${subject.name}${name}`, difficulty: [5, 3, 1][index] ?? 3, duration: 60, source: 'senior_must_paper', modes: index === 0 ? [1, 3] : [1, 2, 4], exam_year: new Date().getFullYear() + 1 },
      state: index < 2 ? PAPER_STATE.shelved : random.pick([PAPER_STATE.shelved, PAPER_STATE.draft, PAPER_STATE.waiting, PAPER_STATE.off]),
    })))
    const papers = await insertPapers(tx, random, mustPaper, plan)
    const packs = subjects.flatMap((subject, index) => {
      const paper_ids = papers.flatMap((id, place) => (plan[place]?.subject.id === subject.id && plan[place].state === PAPER_STATE.shelved ? [id] : []))
      const created_at = now - random.int(200, 600) * DAY
      return paper_ids.length === 0 ? [] : [{
        line: mustLine.line.code, kind: 'course', title: `${subject.name}高考必刷包`, subtitle: '按天刷完，错题再刷一遍', subject_id: subject.id, price: 59_00 + index * 10_00, line_price: 99_00 + index * 10_00,
        valid_mode: 1, valid_days: 180, paper_ids, plan_days: 15, cover: covers.get(subject.id) ?? null, invoking_products: [1], teacher_ids: [], sort: (index + 1) * 10, state: index === SUBJECTS - 1 ? 4 : 3, submitted_by: random.pick(staff), created_at, updated_at: created_at,
      }]
    })
    if (packs.length === 0) return
    await insertMany(tx, mustLine.offers, packs as never)
    for (const url of covers.values()) await attachFiles(tx, mustLine.offers, { cover: url }, staff[0] ?? 0)
    const made = await insertSales(tx, random, [{ parts: mustLine, count: ORDERS }], { firstNo: FIRST_NO, now, staff })
    report(`已生成 ${papers.length} 份必刷试卷、${packs.length} 个题包、${made.orders} 个必刷订单`)
  })
}
