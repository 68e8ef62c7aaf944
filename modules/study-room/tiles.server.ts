import { startOfDay } from '../../core/field/time.ts'
import { listTile } from '../../core/module/dashboard.server.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

const DAY = 86_400
/** How far ahead contracts and courses are watched, in days: time enough to renew. */
const AHEAD = 30

/** What ends from today on, as filters of a list. Whole days, so that the same question is asked all day long. */
function expiring(now: number): { expire_at_start: string; expire_at_end: string } {
  const today = startOfDay(now)
  return { expire_at_start: String(today), expire_at_end: String(today + (AHEAD + 1) * DAY - 1) }
}

/** Contracts and courses that are about to end. */
export const tiles = [
  listTile(partner, {
    name: 'partner_expiring', title: `${AHEAD} 天内到期的合伙人`, tone: 'warning', path: '/new-study-room/partner',
    query: (now) => ({ status: String(PARTNER_STATUS.signed), ...expiring(now) }),
  }),
  listTile(schoolStudent, {
    name: 'student_expiring', title: `${AHEAD} 天内到期的学生`, tone: 'warning', path: '/new-study-room/school/school-student',
    query: (now) => ({ status: String(STUDENT_STATUS.studying), ...expiring(now) }),
  }),
]
