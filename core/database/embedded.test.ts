import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Queryable } from './database.server.ts'
import { openTestDatabase } from '../testing/database.server.ts'

test('work that only talks to the database lets the process hear of other things', async (context) => {
  const db = await openTestDatabase()
  let heard = 0
  const listening = setInterval(() => heard++, 0)
  try {
    if (db.kind !== 'embedded') return context.skip('a server works in a process of its own')
    // Until others were heard, or for so long that nobody would wait.
    const began = performance.now()
    while (heard < 3 && performance.now() - began < 10_000) await db.transaction({ staff_id: null }, (tx) => tx.query(sql`select 1 as one`))
    expect(heard).toBeGreaterThanOrEqual(3)
  } finally {
    clearInterval(listening)
    await db.close()
  }
})

test('statements of a transaction run in the order in which they were asked for', async () => {
  const db = await openTestDatabase()
  try {
    await db.script('create table once (n integer unique); insert into once values (1)')
    const insert = (tx: Queryable) => tx.query(sql`insert into once values (1)`)
    // From here on the failing statement is prepared; the other must be, and would come too late behind it.
    await expect(insert(db)).rejects.toThrow(/unique|aborted/)
    const answers: PromiseSettledResult<unknown>[] = []
    await expect(db.transaction({ staff_id: null }, async (tx) => {
      answers.push(...await Promise.allSettled([tx.query(sql`select count(*)::int as never_asked_before from once`), insert(tx)]))
    })).rejects.toThrow(/went on after/)
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  } finally {
    await db.close()
  }
})
