import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sqlState } from '../database/database.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database.server.ts'
import { auditState, checkAudit, sealAudit } from './seal.server.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())
beforeEach(() => db.script("truncate audit_log, audit_seal restart identity; delete from installation where key in ('audit_mark', 'audit_check')"))

/** Writes rows into the log as modules do. */
const write = (count: number, reason = '测试') => db.query(sql`insert into audit_log (staff_id, ip, action, reason, entity, entity_id, before, after)
  select 1, '10.0.0.1', 'update', ${reason}, 'partner', n, '{"name": "甲"}', jsonb_build_object('name', '乙', 'n', n) from generate_series(1, ${count}) n`)

/** Runs some steps of sealing. */
async function sealSteps(): Promise<number> {
  let sealed = 0
  for (let step = 0; step < 6; step++) sealed += (await sealAudit(db)).length
  return sealed
}

/** Seals all that waits. Transactions of other databases on the same server hold it up, as long as they run. */
async function seal(): Promise<number> {
  let sealed = await sealSteps()
  while ((await auditState(db)).waiting > 0) {
    await setTimeout(20)
    sealed += await sealSteps()
  }
  return sealed
}

async function check(): Promise<{ what: string; from_id: number; to_id: number }[]> {
  let state = await checkAudit(db, true)
  while (state.more) state = await checkAudit(db)
  return state.broken.map(({ what, from_id, to_id }) => ({ what, from_id, to_id }))
}

/** Does something behind the back of the triggers, as only the owner of the tables can. */
async function behindTriggers(table: 'audit_log' | 'audit_seal', work: () => Promise<unknown>): Promise<void> {
  await db.script(`alter table ${table} disable trigger keep`)
  await work()
  await db.script(`alter table ${table} enable trigger keep`)
}

test.each([
  ['a row of the log is changed', sql`update audit_log set reason = 'x'`],
  ['a row of the log is deleted', sql`delete from audit_log`],
  ['a seal is changed', sql`update audit_seal set hash = 'x'`],
  ['a seal is deleted', sql`delete from audit_seal`],
])('the database refuses when %s', async (_what, statement) => {
  await write(3)
  await seal()
  const state = await db.query(statement).then(() => 'done', (error: unknown) => sqlState(error))
  expect(state).toBe('23001')
  expect(await check()).toEqual([])
})

test('pieces follow each other without a gap, and what is written is found as it was written', async () => {
  await write(30)
  expect(await seal()).toBe(1)
  await write(12)
  expect((await auditState(db)).waiting).toBe(12)
  expect(await seal()).toBe(1)
  expect(await seal()).toBe(0)
  const seals = await db.query<{ from_id: number; to_id: number; count: number; hash: string }>(sql`select from_id, to_id, count, hash from audit_seal order by id`)
  expect(seals.map(({ from_id, to_id, count }) => [from_id, to_id, count])).toEqual([[1, 30, 30], [31, 42, 12]])
  expect(new Set(seals.map(({ hash }) => hash)).size).toBe(2)
  expect(await check()).toEqual([])
  expect(await auditState(db)).toMatchObject({ sealed_to: 42, waiting: 0, check: { to_id: 42, broken: [] } })
})

test.each([
  ['changed', sql`update audit_log set reason = '别的' where id = 5`, '日志或封存记录的内容被改动'],
  ['given to somebody else', sql`update audit_log set staff_id = 2 where id = 5`, '日志或封存记录的内容被改动'],
  ['moved in time', sql`update audit_log set at = at - interval '1 microsecond' where id = 5`, '日志或封存记录的内容被改动'],
  ['taken out', sql`delete from audit_log where id in (5, 6)`, '少了 2 条日志'],
])('a row that is %s is found', async (_what, tampering, sentence) => {
  await write(10)
  await seal()
  await write(10)
  await seal()
  expect(await check()).toEqual([])
  await behindTriggers('audit_log', () => db.query(tampering))
  expect(await check()).toEqual([{ from_id: 1, to_id: 10, what: sentence }])
})

test('a row that is put in among others is found', async () => {
  await db.query(sql`select setval('audit_log_id_seq', 10)`)
  await write(5)
  await seal()
  await db.query(sql`insert into audit_log (id, action, entity, entity_id) overriding system value values (3, 'update', 'partner', 1)`)
  expect(await check()).toEqual([{ from_id: 1, to_id: 15, what: '多了 1 条日志' }])
})

test('a seal that is made to fit is given away by the next, and the end of the chain by what was checked before', async () => {
  for (let n = 0; n < 3; n++) {
    await write(4)
    await seal()
  }
  expect(await check()).toEqual([])
  await behindTriggers('audit_log', () => db.query(sql`update audit_log set reason = '别的' where id = 2`))
  await behindTriggers('audit_seal', () => db.query(sql`update audit_seal s set hash = d.hash from audit_digest(1, 4, '') d where s.from_id = 1`))
  expect((await check()).map(({ from_id }) => from_id)).toEqual([5])
  // An intruder who takes the whole end off can have it sealed again.
  await behindTriggers('audit_seal', () => db.query(sql`delete from audit_seal where from_id >= 5`))
  await seal()
  expect((await check()).map(({ what }) => what)).toContain('已核验的封存记录被删除或改动')
  expect((await check()).map(({ what }) => what)).toContain('已核验的封存记录被删除或改动')
})

test('a long log is sealed and checked bit by bit', async () => {
  await write(12_000)
  expect(await seal()).toBe(3)
  expect(await check()).toEqual([])
  await checkAudit(db, true)
  expect((await auditState(db)).check).toMatchObject({ to_id: 5000 })
  await behindTriggers('audit_log', () => db.query(sql`delete from audit_log where id = 11000`))
  expect(await check()).toEqual([{ from_id: 10_001, to_id: 12_000, what: '少了 1 条日志' }])
})

test('what the embedded and the other database make of a row is the same', async () => {
  await db.query(sql`insert into audit_log (id, at, staff_id, action, entity, entity_id, after) overriding system value
    values (1, '2026-01-02 03:04:05.678901+08', 7, 'update', 'partner', 3, '{"b": 1.50, "a": "中\\u00e9"}')`)
  await db.script("set time zone 'Asia/Shanghai'; set datestyle = 'German'")
  const [row] = await db.query<{ hash: string }>(sql`select hash from audit_digest(1, 1, '')`)
  expect(row?.hash).toBe('77e2157dfdff62a2edb87dffaefd6416a806e177fa488bd02f0422d6b1786247')
  await db.script('set time zone utc; reset datestyle')
})

test.skipIf(!process.env['TEST_DATABASE_URL'])('a row of a transaction that is still open is not left out', async () => {
  const other = await openPostgres(db.url ?? '')
  let go = () => {}
  const open = new Promise<void>((resolve) => (go = resolve))
  let begun = () => {}
  const written = new Promise<void>((resolve) => (begun = resolve))
  const slow = other.transaction({ staff_id: null }, async (tx) => {
    await tx.query(sql`insert into audit_log (action, entity, entity_id) values ('update', 'partner', 1)`)
    begun()
    await open
  })
  await written
  await write(2)
  expect(await sealSteps()).toBe(0)
  go()
  await slow
  await other.close()
  expect(await seal()).toBe(1)
  expect(await db.query(sql`select from_id, to_id, count from audit_seal`)).toEqual([{ from_id: 1, to_id: 3, count: 3 }])
  expect(await check()).toEqual([])
})
