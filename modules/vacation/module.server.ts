import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { serveCourseLines } from '../offer/door.server.ts'
import { classes } from './class.server.ts'
import { insertVacationDemo } from './demo.server.ts'
import { enrolEffects } from './enrol.server.ts'
import { vacationClass, vacationEnrolment, vacationLine } from './line.ts'
import { vacationMeeting } from './meeting.ts'
import { attendanceOf, memberCalls, members } from './member.server.ts'
import door from './module.ts'
import { meetings, scheduleCalls } from './schedule.server.ts'

/** What of a learner's classes of the same course stands beside their time; `t` is the entitlement. */
const mine = sql`select m.id, c.name from vacation_member m join vacation_class c on c.id = m.class_id where m.user_id = t.user_id and c.offer_id = t.offer_id and m.deleted_at is null`

const line = serveCourseLines([vacationLine], { [vacationLine.line.code]: {
  effects: enrolEffects,
  offers: { class_cnt: sql`(select count(*)::int from vacation_class c where c.offer_id = t.id and c.deleted_at is null)` },
  learners: {
    class_names: sql`(select string_agg(x.name, '、' order by x.id) from (${mine} and m.state in (1, 2, 5)) x)`,
    attendance: attendanceOf(sql`r.member_id in (select x.id from (${mine}) x)`),
  },
} })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'offer', 'course-line', 'excellent-training'],
  ...line,
  services: [...line.services ?? [], classes, meetings, members, serve(vacationEnrolment)()],
  calls: (kernel) => [...line.calls?.(kernel) ?? [], ...scheduleCalls, ...memberCalls],
  waiting: [
    ...line.waiting ?? [],
    listWaiting(vacationMeeting, {
      name: 'vacation_roll', title: '没有点名的课次', group: 'act', verb: '点名', path: '/vacation/class', query: ({ now }) => ({ rolled_at_is: 'empty', start_at_end: String(now) }), grant: vacationClass.rights.id('roll'), due: { at: 'end_at' }, since: sql`start_at`, heads: ['class_id'], notes: ['name'],
    }),
  ],
  demo: insertVacationDemo,
})
