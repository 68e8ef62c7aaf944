import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
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
