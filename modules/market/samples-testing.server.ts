import { sql } from 'drizzle-orm'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { OwnSamples } from '../../core/testing/sample.server.ts'
import { courseLines } from '../course-line/lines.ts'

/** A course that a sheet can name: no other has its name. */
export const samples: OwnSamples = {
  charity_apply: async (app, n) => {
    const [line] = courseLines
    if (!line) throw new Error('no line of courses')
    const [id = 0] = await seedTransaction(app.kernel.db, async (tx) => {
      const [subject] = await tx.query<{ id: number }>(sql`select id from subject where level = 0 order by id limit 1`)
      return insertMany(tx, line.offers, [{ title: `公益课程${n}`, subject_id: subject?.id ?? 0, price: 100_00, valid_mode: 1, valid_days: 30, state: 3 }])
    })
    return { offer_id: id }
  },
}
