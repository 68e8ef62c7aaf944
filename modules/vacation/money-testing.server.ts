import { sql } from 'drizzle-orm'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { courseMoney } from '../offer/door.server.ts'
import { vacationClass, vacationLine } from './line.ts'
import { CLASS_STATE } from './state.ts'

/** Few enough that some wait. */
const PLACES = 2

export default courseMoney({
  name: 'vacation',
  lines: [vacationLine],
  stock: ['vacation_class'],
  async begin(tx, offerId) {
    const [teacher] = await tx.query<{ id: number }>(sql`select id from staff order by id limit 1`)
    const [class_id] = await insertMany(tx, vacationClass, [{ name: `流水班${offerId}`, offer_id: offerId, term: 2, year: 2026, teacher_id: teacher?.id ?? 0, capacity: PLACES, start_on: Math.floor(Date.now() / 1000), meeting_count: 10, state: CLASS_STATE.open }])
    return { class_id, may_wait: 1 }
  },
})
