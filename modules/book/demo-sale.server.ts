import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom } from '../../core/setup/random.ts'
import { activateCode, issueCodes } from '../code/door.server.ts'
import { DEFAULT_LENGTH } from '../code/module.ts'
import { insertSales } from '../offer/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { bookCodes } from './book-code.server.ts'
import { bookLine } from './line.ts'

const DAY = 86_400
const ORDERS = 180
/** Behind the numbers of the holiday classes. */
const FIRST_NO = 66_000_001
/** How long ago codes were made, in days: before the first of them was activated. */
const MADE = 120
/** Codes of a batch, and how many of them were activated. */
const CODES = 60
const ACTIVATED = 18

interface Sold { id: number; name: string; subject_id: number; cover: string | null; print_no: number }

async function insertOffers(tx: Queryable, staff: readonly number[], now: number): Promise<{ id: number; book: Sold }[]> {
  const books = await tx.query<Sold & Record<string, unknown>>(sql`select id, name, subject_id, cover, coalesce(print_no, 0) as print_no from book where deleted_at is null order by id`)
  const rows = books.map((book, at) => {
    const created_at = now - (300 - at * 20) * DAY
    return {
      line: bookLine.line.code, kind: 'course', title: `${book.name}（配套数字资源）`.slice(0, 80), subtitle: '扫码看讲解，做题有解析', subject_id: book.subject_id, book_ids: [book.id], price: 29_00 + at * 2_00, line_price: 49_00 + at * 2_00, valid_mode: 1, valid_days: 365,
      cover: book.cover, teacher_ids: [], invoking_products: [1], stock: at === 1 ? 500 : null, sort: (at + 1) * 10, state: book.print_no > 0 ? OFFER_STATE.selling : at % 2 === 0 ? OFFER_STATE.draft : OFFER_STATE.waiting,
      submitted_by: book.print_no > 0 ? staff[0] ?? null : staff[1] ?? null, created_at, updated_at: created_at,
    }
  })
  const ids = await insertMany(tx, bookLine.offers, rows as never)
  return books.map((book, at) => ({ id: ids[at] ?? 0, book }))
}

/** Batches of codes for shops, by book and print; some of them are in use. */
async function insertCodes(tx: Queryable, staff: readonly number[], offers: readonly { id: number; book: Sold }[], now: number): Promise<number> {
  const shops = (await tx.query<{ id: number }>(sql`select id from agent where status = 1 and deleted_at is null order by id limit 4`)).map(({ id }) => id)
  const people = await tx.query<{ id: number; mobile: string }>(sql`select id, mobile from app_user where deleted_at is null order by id limit ${ACTIVATED * 12}`)
  let made = 0
  if (shops.length === 0) return made
  for (const [at, { id, book }] of offers.filter((offer) => offer.book.print_no > 0).entries()) {
    for (let print = 1; print <= book.print_no; print++) {
      const batch = await issueCodes(tx, bookCodes.served(), staff[0] ?? null, {
        name: `${book.name}·第 ${print} 次印刷`.slice(0, 40), agent_id: shops[(at + print) % shops.length], offer_id: id, book_id: book.id, print_no: print, count: CODES, code_len: DEFAULT_LENGTH, prefix: 'BK', valid_months: 12, redeem_before: now + (200 + at * 30) * DAY, purpose: 1, price: 6_00,
      })
      made += CODES
      for (const table of ['book_code_group', 'book_code']) await tx.query(sql`update ${sql.identifier(table)} set created_at = to_timestamp(${now - MADE * DAY}) where ${sql.identifier(table === 'book_code' ? 'group_id' : 'id')} = ${batch}`)
      const codes = await tx.query<{ id: number }>(sql`select id from book_code where group_id = ${batch} order by id limit ${ACTIVATED - at * 2}`)
      for (const [nth, code] of codes.entries()) {
        const person = people[(at * ACTIVATED + print * 7 + nth) % people.length]
        if (person) await activateCode(tx, bookCodes.served(), staff[0] ?? null, code.id, { user_id: person.id, mobile: person.mobile, ip: null, fields: {} }, now - (nth + 1) * 3 * DAY)
      }
    }
  }
  return made
}

/** What is sold of the books of the demo, what was ordered, and codes by shop and print. */
export async function insertSaleDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1520), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  await seedTransaction(db, async (tx) => {
    const offers = await insertOffers(tx, staff, now)
    if (offers.length === 0) return
    const made = await insertSales(tx, random, [{ parts: bookLine, count: ORDERS }], { firstNo: FIRST_NO, now, staff })
    // Orders that were never paid, and were deleted since.
    await tx.query(sql`update orders set deleted_at = now() - make_interval(days => (id % 20)::int + 1), updated_by = ${staff[0] ?? null} where line = ${bookLine.line.code} and paid = 0 and status <> 1 and id % 2 = 0`)
    const codes = await insertCodes(tx, staff, offers, now)
    report(`已生成 ${offers.length} 件图书商品、${made.orders} 个图书订单、${codes} 个图书激活码`)
  })
}
