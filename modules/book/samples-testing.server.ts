import { sql } from 'drizzle-orm'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { OwnSamples } from '../../core/testing/sample.server.ts'
import { book, BOOK_STATE } from './book.ts'

/** A book that was printed often enough for any erratum. */
export const samples: OwnSamples = {
  book_erratum: async (app, n) => {
    const [known] = await app.db.query<{ id: number }>(sql`select id from book where isbn = '9789999999999'`)
    const [id = 0] = known ? [known.id] : await seedTransaction(app.kernel.db, async (tx) => {
      const [subject] = await tx.query<{ id: number; level: 0 | 1 | 2 }>(sql`select id, level from subject order by id limit 1`)
      return insertMany(tx, book, [{ name: '勘误样书', isbn: '9789999999999', level: subject?.level ?? 0, subject_id: subject?.id ?? 0, state: BOOK_STATE.live, print_no: 99 }])
    })
    return { book_id: id, print_from: 1 + (n % 40), print_to: 50 + (n % 40) }
  },
}
