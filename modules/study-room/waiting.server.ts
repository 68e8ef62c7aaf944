import { startOfDay } from '../../core/field/time.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { listFigure } from '../../core/kernel/figure.server.ts'
import { BATCH_STATUS } from '../code/module.ts'
import { activationCode, activationCodeGroup } from './authorization-code.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

const DAY = 86_400
/** How far ahead contracts and courses are watched, in days: time enough to renew. */
const AHEAD = 30

/** What ends from today on, as filters of a list. Whole days, so that the same question is asked all day long. */
function ending(key: string, now: number): Record<string, string> {
  const today = startOfDay(now)
  return { [`${key}_start`]: String(today), [`${key}_end`]: String(today + (AHEAD + 1) * DAY - 1) }
}

/** Contracts, courses and codes that are about to end. */
export const waiting = [
  listWaiting(partner, {
    name: 'partner_expiring', title: `${AHEAD} 天内到期的合伙人`, group: 'watch', verb: '续约', path: '/new-study-room/partner', due: { at: 'expire_at' },
    query: ({ now }) => ({ status: String(PARTNER_STATUS.signed), ...ending('expire_at', now) }),
  }),
  listWaiting(schoolStudent, {
    name: 'student_expiring', title: `${AHEAD} 天内到期的学生`, group: 'watch', verb: '续期', path: '/new-study-room/school/school-student', due: { at: 'expire_at' },
    query: ({ now }) => ({ status: String(STUDENT_STATUS.studying), ...ending('expire_at', now) }),
  }),
  listWaiting(activationCodeGroup, {
    name: 'code_expiring', title: `${AHEAD} 天内截止的授权码批次`, group: 'watch', verb: '查看', path: '/new-study-room/authorization-code', due: { at: 'redeem_before' },
    query: ({ now }) => ({ status: String(BATCH_STATUS.open), ...ending('redeem_before', now) }),
  }),
]

/** Students who came, and codes that were activated for them. */
export const figures = [
  listFigure(schoolStudent, { name: 'new_student', title: '新增学生', about: '当天建档的学校学生', path: '/new-study-room/school/school-student', at: 'created_at' }),
  listFigure(activationCode, { name: 'code_activated', title: '激活授权码', about: '当天激活、现在仍绑定的授权码', path: '/new-study-room/authorization-detail', at: 'activated_at' }),
]
