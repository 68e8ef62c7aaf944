import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { openBlocks } from '../outline/door.server.ts'
import { freshCode, lockBase } from '../qr/door.server.ts'
import { insertErrataDemo } from './demo-errata.server.ts'
import { demoCover } from '../offer/door.server.ts'
import { book, BOOK_STATE as S, type BookRow } from './book.ts'
import { bookPage } from './book-page.ts'
import { printOnce } from './book.server.ts'
import { drawnPage, questionsOf } from './demo-page.ts'
import { bookCodes } from './ebook.ts'
import type { Hotspot } from './hotspot.ts'
import { writeSpotUses } from './page.server.ts'

const DAY = 86_400
/** The address that the demo's codes were printed with, where the site has none of its own. */
const BASE = 'https://q.daoyuan.example'
/** Senior mathematics (spec 3), whose films the library of the demo holds. */
const MATHS = 1
/** Days of scans. */
const SCANNED = 90
/** Pages of each book that have an electronic edition. */
const PAGES = 8

const BOOKS = [
  { subject: 1, name: '高中数学同步练习册 必修第一册', isbn: '9787100000014', version: '人教 A 版', state: S.live, codes: 40, prints: [12_000, 8_000], pages: true },
  { subject: 3, name: '高中物理同步练习册 必修第一册', isbn: '9787100000021', version: '人教版', state: S.live, codes: 28, prints: [9_000], pages: true },
  { subject: 4, name: '高中化学同步练习册 必修第一册', isbn: '9787100000038', version: '人教版', state: S.waiting, codes: 16, prints: [], pages: false },
  { subject: 101, name: '初中数学每日一练 七年级上册', isbn: '9787100000045', version: '人教版', state: S.live, codes: 32, prints: [15_000], pages: true },
  { subject: 103, name: '初中物理实验练习册 八年级', isbn: '9787100000052', version: '人教版', state: S.off, codes: 18, prints: [6_000], pages: false },
  { subject: 2, name: '高中英语语法填空专练（旧版）', isbn: '9787100000083', version: '人教版', state: S.gone, codes: 12, prints: [4_000], pages: false },
  { subject: 202, name: '小学英语听说练习 三年级', isbn: '9787100000069', version: '人教 PEP 三起', state: S.live, codes: 24, prints: [5_000], pages: false },
  { subject: 201, name: '小学数学口算练习 三年级', isbn: '9787100000076', version: '人教版', state: S.draft, codes: 10, prints: [], pages: false },
] as const

interface Piece { kind: string; id: number; name: string; subject_id: number }

/** What codes may lead to: lessons, papers and films of the library. */
async function readPieces(tx: Queryable): Promise<Piece[]> {
  return tx.query<Piece & Record<string, unknown>>(sql`select 'micro' as kind, id, name, subject_id from micro_lesson where state = 2 and deleted_at is null
    union all select 'paper', id, name, subject_id from paper where state = 2 and kind = 'micro' and deleted_at is null
    union all select 'video', id, name, ${MATHS}::bigint from asset where kind = 'video' and state = 1 and deleted_at is null order by 1, 2`)
}

/** The textbook that a book follows: the one that its name speaks of, else the first of its subject. */
async function partworkOf(tx: Queryable, subject: number, name: string): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(sql`select w.id from partwork w where w.subject_id = ${subject} and w.deleted_at is null order by not (${name} like '%' || w.name || '%'), (select count(*) from chapter c where c.partwork_id = w.id) desc, w.id limit 1`)
  return row?.id ?? null
}

/** The codes of a book, page after page, most of them with something behind them. */
async function insertCodes(tx: Queryable, random: Random, id: number, own: (typeof BOOKS)[number], level: number, pieces: readonly Piece[], at: number): Promise<void> {
  const [list] = bookCodes.lists
  if (!list) return
  const fit = pieces.filter(({ subject_id }) => subject_id === own.subject)
  const rows = []
  for (let n = 0; n < own.codes; n++) {
    const piece = fit.length === 0 ? undefined : random.pick(fit)
    const url = !piece || n % 9 === 7
    const empty = own.prints.length === 0 && n % 5 === 4
    rows.push({
      level, book_id: id, code: await freshCode(tx), name: n === 0 ? '全书使用说明' : `第 ${n} 节 ${n % 3 === 0 ? '课后检测' : '例题讲解'}`, section: `第${'一二三四五六'.charAt(Math.floor(n / 8) % 6)}章`, page_no: n === 0 ? 1 : 2 + n * 3, place: n === 0 ? 1 : n % 3 === 0 ? 3 : 4,
      target_kind: empty ? null : url ? 'url' : piece.kind, ref_id: empty || url ? null : piece.id, url: url && !empty ? `https://www.daoyuan.example/books/${own.isbn}/${n}` : null, target_name: empty ? null : url ? 'www.daoyuan.example' : piece.name.slice(0, 120), state: 0, created_at: at,
    })
  }
  await insertMany(tx, list, rows as never)
  await openBlocks(tx, rows.flatMap(({ target_kind, ref_id }) => (target_kind !== null && ref_id !== null ? [{ kind: target_kind, ref_id }] : [])), list.grant)
}

/** What became of printed codes: nearly all of them are well, some lead to lessons that were taken off the shelf, one was stopped. */
async function ageCodes(tx: Queryable, id: number): Promise<void> {
  await tx.query(sql`update qr_target set checked_at = now() - interval '6 hours', health = 1 where book_id = ${id} and target_kind is not null`)
  await tx.query(sql`update qr_target q set target_kind = 'micro', ref_id = l.id, url = null, target_name = l.name, health = 2, health_note = '微课未上架'
    from (select id, name from micro_lesson where state <> 2 and deleted_at is null order by id limit 1) l where q.book_id = ${id} and q.state = 1 and q.id % 13 = 4`)
  await tx.query(sql`update qr_target set state = 2 where id = (select max(id) from qr_target where book_id = ${id} and state = 1)`)
}

/** Scans of printed codes: on Sundays more than on Mondays, few codes often, one in eleven never. */
async function insertScans(tx: Queryable, random: Random, now: number): Promise<number> {
  const codes = await tx.query<{ id: number }>(sql`select id from qr_target where state > 0 order by id`)
  const today = startOfDay(now)
  const rows: { qr_id: number; day: number; n: number; people: number }[] = []
  for (const [place, { id }] of codes.entries()) {
    if (place % 11 === 5) continue
    for (let back = SCANNED; back > 0; back--) {
      const day = today - back * DAY
      const usual = 60 / (1 + (place % 23)) * (new Date((day + 12 * 3600) * 1000).getUTCDay() === 0 ? 2 : 1)
      const n = Math.round(usual * random.next() * (place % 29 === 3 && back < 2 ? 12 : 1))
      if (n > 0) rows.push({ qr_id: id, day, n, people: Math.max(1, Math.round(n * 0.8)) })
    }
  }
  await tx.query(sql`insert into qr_hit_day (qr_id, day, n, people) select qr_id, to_timestamp(day), n, people from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (qr_id bigint, day float8, n integer, people integer)`)
  return rows.reduce((sum, { n }) => sum + n, 0)
}

/** Pages of a book with the places of their questions; the last ones are still to be bound. */
async function insertPages(tx: Queryable, random: Random, id: number, subject: number, urls: readonly string[], staff: number): Promise<void> {
  const practices = (await tx.query<{ id: number }>(sql`select id from practice where pool = 'official' and status = 4 and subject_id = ${subject} and deleted_at is null order by id limit 60`)).map((row) => row.id)
  const lessons = (await tx.query<{ id: number }>(sql`select id from micro_lesson where subject_id = ${subject} and state = 2 and deleted_at is null order by id limit 20`)).map((row) => row.id)
  for (const [at, url] of urls.entries()) {
    const hotspots: Hotspot[] = questionsOf(at + 1).map(({ no, ...box }, nth) => {
      const film = nth === 3 && lessons.length > 0
      const open = at === urls.length - 1 || practices.length === 0
      return { key: `demo${at}x${nth}`, ...box, layer: film ? 3 : 1, no, kind: open ? null : film ? 'micro' as const : 'practice' as const, ref_id: open ? null : random.pick(film ? lessons : practices) }
    })
    const [page = 0] = await insertMany(tx, bookPage, [{ book_id: id, page_no: at + 1, image: url, hotspots }])
    await attachFiles(tx, bookPage, { image: url }, staff)
    await writeSpotUses(tx, page, hotspots)
    await openBlocks(tx, hotspots.flatMap(({ kind, ref_id }) => (kind !== null && ref_id !== null ? [{ kind, ref_id }] : [])), bookPage.grant)
  }
}

/** Seven books in every state, their codes with what is behind them, prints, three months of scans, pages with places. */
export async function insertBookDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(1515), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const subjects = new Map((await db.query<{ id: number; name: string; level: 0 | 1 | 2 }>(sql`select id, name, level from subject where id = any(${sql.param(BOOKS.map(({ subject }) => subject))}::bigint[])`)).map((one) => [one.id, one]))
  const put = async (content: string, name: string) => fileUrl((await files.put(Readable.from([Buffer.from(content)]), { name, staffId: staff[0] ?? 0 })).id)
  const drawn = new Map<string, { cover: string; pages: string[] }>()
  for (const own of BOOKS) {
    const subject = subjects.get(own.subject)
    if (!subject) continue
    const pages: string[] = []
    for (let page = 1; own.pages && page <= PAGES; page++) pages.push(await put(drawnPage(own.name, page), `${own.isbn}-${page}.svg`))
    drawn.set(own.isbn, { cover: await put(demoCover(subject), `${own.isbn}.svg`), pages })
  }
  await seedTransaction(db, async (tx) => {
    await lockBase(tx, BASE)
    const pieces = await readPieces(tx)
    let codes = 0
    for (const [at, own] of BOOKS.entries()) {
      const [subject, pictures] = [subjects.get(own.subject), drawn.get(own.isbn)]
      if (!subject || !pictures) continue
      const created_at = now - (500 - at * 40) * DAY
      const begun = own.prints.length > 0 ? S.live : own.state
      const [id = 0] = await insertMany(tx, book, [{
        partwork_id: await partworkOf(tx, own.subject, own.name), name: own.name, isbn: own.isbn, level: subject.level, subject_id: own.subject, version: own.version, press: '道远教育出版社', edition: '2026 年 6 月第 1 版', watermark: '道远教育', cover: pictures.cover, state: begun, submitted_by: begun === S.draft ? null : staff[1] ?? null,
        created_at, created_by: random.pick(staff), updated_at: created_at + 20 * DAY,
      }])
      await attachFiles(tx, book, { cover: pictures.cover }, staff[0] ?? 0)
      await insertCodes(tx, random, id, own, subject.level, pieces, created_at)
      await insertPages(tx, random, id, own.subject, pictures.pages, staff[0] ?? 0)
      for (const [no, copies] of own.prints.entries()) {
        const [row] = await tx.query<BookRow & Record<string, unknown>>(sql`select * from book where id = ${id}`)
        if (row) await printOnce(tx, { staffId: staff[0] ?? null, row, copies, note: no === 0 ? '首印' : '秋季加印', at: now - (300 - at * 10 - no * 120) * DAY })
      }
      await ageCodes(tx, id)
      if (own.state !== begun) await tx.query(sql`update book set state = ${own.state} where id = ${id}`)
      codes += own.codes
    }
    const errata = await insertErrataDemo(tx, staff)
    const scans = await insertScans(tx, random, now)
    report(`已生成 ${BOOKS.length} 本教辅图书、${codes} 个二维码、${scans.toLocaleString('zh-CN')} 次扫码、${errata} 条勘误`)
  })
}
