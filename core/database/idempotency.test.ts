import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database.server.ts'
import { transactionOnce } from './idempotency.server.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
  await db.script('create table pair (id int primary key, n int); insert into pair values (1, 0), (2, 0)')
})
afterAll(() => db.close())

test('two transactions that wait for each other both come through', async (context) => {
  if (db.kind === 'embedded') return context.skip('the embedded database has one connection')
  const both = Promise.withResolvers<void>()
  let arrived = 0
  const add = (first: number, second: number) => transactionOnce(db, { staff_id: null }, undefined, async (tx) => {
    await tx.query(sql`update pair set n = n + 1 where id = ${first}`)
    if (++arrived === 2) both.resolve()
    await both.promise
    await tx.query(sql`update pair set n = n + 1 where id = ${second}`)
  })
  await Promise.all([add(1, 2), add(2, 1)])
  expect(await db.query(sql`select n from pair order by id`)).toEqual([{ n: 2 }, { n: 2 }])
})

test('what fails for a reason of its own is not tried again', async () => {
  let runs = 0
  await expect(transactionOnce(db, { staff_id: null }, { key: 'k', fingerprint: 'f' }, async (tx) => {
    runs++
    await tx.query(sql`insert into pair values (1, 0)`)
  })).rejects.toMatchObject({ code: '23505' })
  expect(runs).toBe(1)
})
