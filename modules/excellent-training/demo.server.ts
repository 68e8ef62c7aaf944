import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { demoCover, insertSales } from '../offer/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { insertPapers } from '../paper/door.server.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { bandOf } from './bands.ts'
import { excellentPaper } from './excellent-paper.ts'
import { excellentLine, PART } from './line.ts'
import { excellentScore } from './score.ts'

const DAY = 86_400
const ORDERS = 90
/** Behind the numbers of 必刷题. */
const FIRST_NO = 61_000_001
const CLASSES = [{ name: '基础班', from: 0, level: 'C', price: 3980_00, target: 90 }, { name: '提高班', from: 60, level: 'B', price: 5980_00, target: 115 }, { name: '冲刺班', from: 85, level: 'A', price: 8980_00, target: 135 }] as const
const TIMES = ['每周六 08:30–11:30', '每周日 14:00–17:00', '每周二、四 19:00–20:30'] as const
const DIMENSIONS = [{ name: '基础知识', full: 40 }, { name: '运算能力', full: 30 }, { name: '综合应用', full: 30 }]

/** Contracts of the dearest orders: the first payment was made, what is left is due some day, or was. */
async function insertContracts(tx: Queryable, random: Random, now: number): Promise<void> {
  const side = excellentLine.orderLine.side
  if (!side) return
  const all = await tx.query<{ id: number }>(sql`select id from orders where line = ${excellentLine.line.code} order by id`)
  const sides = await insertMany(tx, side, all.map((_order, index) => ({ part: index % 3 === 0 ? PART.deposit : PART.whole, part_no: 1, due_at: null })))
  for (const [index, { id }] of all.entries()) {
    await tx.query(sql`update orders set side_id = ${sides[index]}, deal_no = ${index % 3 === 0 ? `JY-2026-${String(index + 1).padStart(4, '0')}` : null} where id = ${id}`)
  }
  const deposits = await tx.query<{ id: number }>(sql`select id from orders where line = ${excellentLine.line.code} and deal_no is not null and status = 1 order by id`)
  for (const { id } of deposits) await tx.query(sql`update excellent_part set part = ${PART.balance}, part_no = 2, due_at = to_timestamp(${now + random.int(-20, 30) * DAY}) where id = (select side_id from orders where id = ${id})`)
}

/** Projects of three subjects by class, tests with their bands, who scored what, and what was sold. */
export async function insertExcellentDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(120), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const subjects = await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from subject where id in (1, 3, 101) order by id`)
  const covers = new Map<number, string>()
  for (const one of subjects) covers.set(one.id, fileUrl((await files.put(Readable.from([Buffer.from(demoCover(one))]), { name: `${one.name}.svg`, staffId: staff[0] ?? 0 })).id))
  await seedTransaction(db, async (tx) => {
    const bands = CLASSES.map(({ from, level, name }) => ({ from, level, class_type: name }))
    const plan = subjects.flatMap((subject) => (['入学测', '第一阶段测', '第二阶段测'] as const).map((name, index) => ({
      subject, state: index === 2 ? PAPER_STATE.draft : PAPER_STATE.shelved,
      values: { name: `精英训练营${subject.name}${name}`, assessment: index === 0 ? 1 : 2, duration: 90, difficulty: 3, dimensions: DIMENSIONS, bands },
    })))
    const papers = await insertPapers(tx, random, excellentPaper, plan)
    const projects = subjects.flatMap((subject, nth) => CLASSES.map(({ name, price, target }, index) => {
      const created_at = now - random.int(250, 600) * DAY
      return {
        line: excellentLine.line.code, kind: 'course', title: `${subject.name}精英训练营·${name}`, subtitle: `小班授课，目标 ${target} 分`, subject_id: subject.id, price, line_price: price + 1000_00, valid_mode: 1, valid_days: 180, stock: 24 + index * 6,
        class_type: name, target_score: target, timetable: TIMES[(nth + index) % TIMES.length], materials: '讲义两册、错题本、阶段测评报告', deposit: 1000_00, instalments: index === 2 ? 6 : 3, teacher_ids: [random.pick(staff)], cover: covers.get(subject.id) ?? null,
        invoking_products: [1], sort: (nth * CLASSES.length + index + 1) * 10, state: nth === 2 && index === 0 ? OFFER_STATE.off : OFFER_STATE.selling, submitted_by: random.pick(staff), created_at, updated_at: created_at,
      }
    }))
    await insertMany(tx, excellentLine.offers, projects as never)
    for (const url of covers.values()) await attachFiles(tx, excellentLine.offers, { cover: url }, staff[0] ?? 0)
    const made = await insertSales(tx, random, [{ parts: excellentLine, count: ORDERS }], { firstNo: FIRST_NO, now, staff })
    await insertContracts(tx, random, now)
    const people = await tx.query<{ id: number; mobile: string; name: string; bought: number }>(sql`select distinct on (u.id) u.id, u.mobile, coalesce(u.real_name, u.nickname) as name, e.id as bought from entitlement e join app_user u on u.id = e.user_id where e.line = ${excellentLine.line.code} order by u.id, e.id`)
    for (const [index, { bought }] of people.entries()) await tx.query(sql`update entitlement set class_name = ${`精英 ${index % 4 + 1} 班`}, mentor_id = ${staff[index % staff.length] ?? null} where id = ${bought}`)
    await insertMany(tx, excellentScore, people.slice(0, 60).map(({ mobile, name }, index) => {
      const score = random.int(30, 98)
      const band = bandOf(bands, score)
      return { paper_id: papers[(index % subjects.length) * 3], student: name, mobile, score, level: band?.level, class_type: band?.class_type, taken_at: now - random.int(20, 300) * DAY }
    }))
    report(`已生成 ${projects.length} 个精英训练营项目、${papers.length} 份测评试卷、${made.orders} 个订单`)
  })
}
