import { sql } from 'drizzle-orm'
import type { TestApp } from '../../core/testing/app.server.ts'
import type { OwnSamples } from '../../core/testing/sample.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { courseLines } from '../course-line/lines.ts'
import { ACTIVITY_TYPE } from './activity.ts'
import type { Good } from './good.ts'

const PRICE = 100_00
const HOUR = 3600
const DAY = 24 * HOUR
/** Whatever is mixed of two samples, what comes later comes later. */
const NEXT_DAY = Math.floor(Date.now() / 1000) + DAY

/** A course that is on sale, of its own for each sample: two sales of one at a time are refused. */
async function course(app: TestApp, n: number): Promise<Good> {
  const [line] = courseLines
  if (!line) throw new Error('no line of courses')
  const [id = 0] = await seedTransaction(app.kernel.db, async (tx) => {
    const [subject] = await tx.query<{ id: number }>(sql`select id from subject where level = 0 order by id limit 1`)
    return insertMany(tx, line.offers, [{ title: `活动课程${n}`, subject_id: subject?.id ?? 0, price: PRICE, valid_mode: 1, valid_days: 30, state: 3 }])
  })
  return { line: line.orders.name, kind: 'offer', ref_id: id, name: `活动课程${n}` }
}

/** Goods that cost something, and rules of one kind of activity. */
export const samples: OwnSamples = {
  activity: (_app, n) => {
    return Promise.resolve({ type: ACTIVITY_TYPE.coupon, start_at: NEXT_DAY + (n % 20) * HOUR, end_at: NEXT_DAY + 7 * DAY + (n % 20) * HOUR, budget: 1_000_000_00 + n, amount: 10_00, threshold: 50_00 + n, need: null, hours: null, good: null, price: null })
  },
  activity_link: async (app, n) => ({ suites: [{ id: 1, name: `套餐${n}`, price: 80_00, goods: [{ ...await course(app, n), qty: 1, share: 80_00 }] }], max_uses: 100 + n }),
  flash_sale: async (app, n) => {
    const late = (n % 20) * HOUR
    return { good: await course(app, n), price: 50_00 + (n % 100), stock: 10 + (n % 50), warm_at: NEXT_DAY + late, start_at: NEXT_DAY + 2 * DAY + late, end_at: NEXT_DAY + 4 * DAY + late }
  },
}
