import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { book, BOOK_STATE } from '../book/book.ts'
import { appUser } from '../user/module.ts'
import { insertMatterDemo } from './demo.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  for (let n = 0; n < 3; n++) await app.staff([])
})
afterAll(() => app.close())

test('the demo agrees with itself: stock is the sum of the book, in time, and every state is there', async () => {
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(app.kernel.db, async (tx) => {
    await insertMany(tx, appUser as never, [{ mobile: '13655550009', nickname: '小林', role: 1, status: 1, user_no: 'U-DEMO-1', register_at: now - 86_400 }] as never)
    const [id = 0] = await insertMany(tx, book as never, [{ name: '数学练习册', isbn: '9787100000014', level: 0, subject_id: 1, state: BOOK_STATE.live, print_no: 2 }] as never)
    for (const [no, days] of [[1, 200], [2, 40]] as const) await tx.query(sql`insert into book_print (book_id, no, copies, fresh, at) values (${id}, ${no}, 5000, 0, now() - make_interval(days => ${days}))`)
  })
  await insertMatterDemo(app.kernel.db, () => undefined)
  const n = async (statement: ReturnType<typeof sql>) => (await app.db.query<{ n: number }>(sql`select count(*)::int as n from (${statement}) x`))[0]?.n
  expect(await n(sql`select 1 from matter_stock s where s.qty <> (select coalesce(sum(m.qty), 0) from matter_move m where m.matter_id = s.matter_id and m.warehouse_id = s.warehouse_id)`)).toBe(0)
  expect(await n(sql`select 1 from (select balance, sum(qty) over (partition by matter_id, warehouse_id order by id) as run, created_at < lag(created_at) over (order by id) as back from matter_move) x where balance <> run or run < 0 or back`)).toBe(0)
  expect(await n(sql`select distinct state from matter_check`)).toBe(4)
  expect(await n(sql`select distinct kind from matter_move`)).toBe(6)
  expect(await n(sql`select 1 from matter_check c where state = 3 and not exists (select 1 from matter_move m where m.check_no = c.id)`)).toBe(0)
  expect(await n(sql`select 1 from matter where stock <= reorder_at and status = 1`)).toBeGreaterThan(0)
  expect(await n(sql`select 1 from matter where out_on is not null and daily > 0`)).toBeGreaterThan(5)
  // What is on its way of the second print; the first was before the matter was known.
  expect(await n(sql`select 1 from matter_move where print_no = 2 and qty = 3000`)).toBe(1)
})
