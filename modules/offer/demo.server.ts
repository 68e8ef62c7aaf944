import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { EXAM_REGIONS, INVOKING_PRODUCTS, type ProductLine } from '../reference/module.ts'
import type { CourseLine } from './course-line.ts'
import { demoCover, type CoverSubject } from './demo-cover.ts'
import { insertSales } from './demo-sales.server.ts'
import { OFFER_STATE as S, VALID_MODE } from './offer.ts'

const DAY = 86_400
/** Orders of the demo, and where their numbers begin: behind those of study rooms and rooms. */
const ORDERS = 3500
const FIRST_NO = 50_000_001
/** Share of the orders that each line has, in the order of the lines. */
const WEIGHTS = [30, 30, 12, 12, 9, 7]
/** Subjects that are taught most; ids repeat by stage from 100 to 100 (spec 3). */
const MAIN = [1, 2, 3, 4]
/** Provinces that have a review class. */
const REVIEWED = ['江苏', '浙江', '山东', '河南', '广东', '湖北', '四川', '河北']

type Subject = CoverSubject
interface Book extends Subject { subject_id: number; subject: string; version: string }

/** A course of the demo before it has an id. */
interface Course {
  readonly title: string
  readonly subtitle: string
  readonly subject_id: number
  readonly price: number
  readonly difficulty?: 1 | 2 | 3 | 4 | 5
  readonly textbook_id?: number
  readonly series_id?: number
  readonly region_id?: number
}

/** Courses that follow a textbook: the whole of it, and what comes on top where the line has bands of difficulty. */
function followingCourses(line: ProductLine, book: Book & { textbook_id: number; series: readonly number[] }): Course[] {
  const base = { subject_id: book.subject_id, textbook_id: book.textbook_id }
  const inSeries = (nth: number) => (book.series[nth] === undefined ? {} : { series_id: book.series[nth] })
  if (!line.difficulty) return [{ ...base, title: `${book.subject}${book.name}进修课（${book.version}）`, subtitle: '补弱项，跟上学校进度', price: 499_00 }]
  return [
    { ...base, ...inSeries(0), title: `${book.subject}${book.name}同步精讲（${book.version}）`, subtitle: '随校进度，讲透每一节', price: 599_00, difficulty: 4 },
    { ...base, ...inSeries(1), title: `${book.subject}${book.name}培优冲刺（${book.version}）`, subtitle: '压轴题型与方法', price: 899_00, difficulty: 2 },
  ]
}

/** Courses that have their own outline. */
function ownCourses(line: ProductLine, subjects: readonly Subject[]): Course[] {
  if (line.region) {
    return EXAM_REGIONS.filter(({ name }) => REVIEWED.includes(name)).flatMap(({ id, name }) => subjects.filter((one) => MAIN.includes(one.id % 100)).map((one): Course => (
      { title: `${name}中考${one.name}总复习`, subtitle: '考点串讲与真题演练', subject_id: one.id, price: 399_00, region_id: id })))
  }
  if (line.content === 'sets') return subjects.filter((one) => MAIN.includes(one.id % 100)).flatMap((one) => ['基础过关', '期中突破', '期末冲刺'].map((name, index): Course => ({ title: `${one.name}训练营·${name}`, subtitle: '21 天打卡，每天一组', subject_id: one.id, price: 99_00 + index * 30_00 })))
  return subjects.map((one): Course => ({ title: `初升高${one.name}衔接拓展`, subtitle: '用一个暑假打好高中基础', subject_id: one.id, price: 699_00 }))
}

/** State, dates and shop window of a course, most of them on sale. */
function shelved(random: Random, course: Course, index: number, now: number, covers: ReadonlyMap<number, string>, staff: readonly number[]) {
  const state = random.weighted([[S.selling, 76], [S.off, 9], [S.draft, 7], [S.waiting, 5], [S.archived, 3]])
  const created_at = now - random.int(200, 700) * DAY
  const fixed = random.chance(0.25)
  return {
    ...course, kind: 'course', state, cover: covers.get(course.subject_id) ?? null, line_price: Math.round(course.price * 1.4 / 100) * 100, floor_price: Math.round(course.price * 0.6 / 100) * 100, teacher_ids: [random.pick(staff)],
    ...(fixed ? { valid_mode: VALID_MODE.until, valid_until: startOfDay(now + random.int(200, 400) * DAY) } : { valid_mode: VALID_MODE.days, valid_days: random.pick([180, 365, 365, 730]) }),
    invoking_products: INVOKING_PRODUCTS.slice(0, 2).map(({ value }) => value), sales_base: random.int(0, 20) * 50, trial: random.int(0, 3), buy_limit: random.chance(0.2) ? 1 : null,
    submitted_by: state === S.draft ? null : random.pick(staff), sort: (index + 1) * 10, created_at, created_by: random.pick(staff), updated_at: created_at + random.int(1, 90) * DAY,
  }
}

/** Everything that a line sells. @returns ids of its courses */
async function insertCourses(tx: Queryable, random: Random, { line, textbooks, series, offers }: CourseLine, now: number, covers: ReadonlyMap<number, string>, staff: readonly number[]): Promise<number[]> {
  const subjects = await tx.query<Subject & Record<string, unknown>>(sql`select id, name from subject where level = ${line.level} and ebook_only = 0 order by id`)
  const main = subjects.filter(({ id }) => MAIN.includes(id % 100))
  const insert = insertMany as (tx: Queryable, resource: Resource, rows: readonly object[]) => Promise<number[]>
  const seriesIds = series ? await insert(tx, series, main.flatMap(({ id, name }) => ['基础提高', '培优冲刺'].map((band, index) => ({
    line: line.code, name: `${name}${band}`, subject_id: id, difficulty: index === 0 ? 4 : 2, badge: index === 0 ? '热销' : null, intro: `${line.name}${name}，按册成套，可以单册购买。`, sort: (index + 1) * 10, status: 1,
  })))) : []
  let courses = ownCourses(line, subjects)
  if (textbooks) {
    const books = await tx.query<Book & Record<string, unknown>>(sql`select p.id, p.name, p.subject_id, s.name as subject, v.name as version from partwork p join material_version v on v.id = p.version_id
      join subject s on s.id = p.subject_id where p.subject_id = any(${sql.param(main.map(({ id }) => id))}::bigint[]) and exists (select 1 from chapter c where c.partwork_id = p.id) order by p.subject_id, v.sort, p.sort limit 40`)
    const ids = await insert(tx, textbooks, books.map((book, index) => ({
      line: line.code, name: `${book.version} ${book.name}`, partwork_id: book.id, subject_id: book.subject_id, cover: covers.get(book.subject_id) ?? null, sort: (index + 1) * 10, status: index % 12 === 11 ? 0 : 1,
    })))
    courses = books.flatMap((book, index) => {
      const own = main.findIndex(({ id }) => id === book.subject_id)
      return followingCourses(line, { ...book, textbook_id: ids[index] ?? 0, series: series ? seriesIds.slice(own * 2, own * 2 + 2) : [] })
    })
  }
  const rows = courses.map((course, index) => ({ line: line.code, ...shelved(random, course, index, now, covers, staff) })).sort((a, b) => a.created_at - b.created_at)
  const ids = await insert(tx, offers, rows)
  for (const resource of [offers, ...(textbooks ? [textbooks] : [])]) {
    for (const url of covers.values()) await attachFiles(tx, resource, { cover: url }, staff[0] ?? 0)
  }
  return ids
}

/** What the lines have sold for two years: textbooks, series, courses in every state, orders and what they opened. */
export async function insertCourseDemo(db: Database, report: (text: string) => void, files: FileStore, lines: readonly CourseLine[]): Promise<void> {
  const [random, now] = [seededRandom(61), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const levels = [...new Set(lines.map(({ line }) => line.level))]
  const subjects = await db.query<Subject & Record<string, unknown>>(sql`select id, name from subject where level = any(${sql.param(levels)}::integer[]) and ebook_only = 0 order by id`)
  const covers = new Map<number, string>()
  for (const one of subjects) covers.set(one.id, fileUrl((await files.put(Readable.from([Buffer.from(demoCover(one))]), { name: `${one.name}.svg`, staffId: staff[0] ?? 0 })).id))
  await seedTransaction(db, async (tx) => {
    for (const parts of lines) await insertCourses(tx, random, parts, now, covers, staff)
    const made = await insertSales(tx, random, lines.map((parts, index) => ({ parts, count: Math.round(ORDERS * (WEIGHTS[index] ?? 0) / 100) })), { firstNo: FIRST_NO, now, staff })
    report(`已生成 ${made.offers} 门在售课程、${made.orders.toLocaleString('zh-CN')} 个课程订单、${made.opened.toLocaleString('zh-CN')} 条学习权益`)
  })
}
