import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { addAssetUser } from '../asset/door.server.ts'
import { combination } from '../combination/module.ts'
import { addCombinationUser } from '../combination/door.server.ts'
import { ALL_PAPERS, LESSONS } from '../paper/module.ts'
import { servePaper, waitingPapers } from '../paper/door.server.ts'
import { DIRECTORY_RIGHTS } from './api.ts'
import { courseCalls, courseServices } from './course.server.ts'
import { insertClassCourseDemo } from './demo.server.ts'
import { grantCalls } from './grant-calls.server.ts'
import { GRANT_RIGHTS, GRANT_STATE, roomCourse, roomPlan } from './grant.ts'
import { grantServices } from './grant.server.ts'
import door from './module.ts'
import { addCourseOutlines, outlineCalls } from './outline.server.ts'
import { CLASS_PAPERS, classPaper } from './papers.ts'
import { accountOverview } from './overview.server.ts'
import { planCalls, planService } from './plan.server.ts'
import { usedByPlans, usesByPlans, videoUses } from './plan-uses.server.ts'
import { runCalls } from './run.server.ts'

const DAY = 86_400
/** Days before the end of what a room may use in which somebody speaks with it. */
const SOON = 30

addCourseOutlines()
addAssetUser(videoUses)
addCombinationUser(usesByPlans('combination'))

/** What rooms may use, and soon may not any more. */
const ending = (resource: typeof roomCourse | typeof roomPlan, title: string, show: string) => listWaiting(resource, {
  name: `${resource.name}_ending`, title, group: 'act', verb: '续期', path: `/classCourse/studyRoom?show=${show}`,
  query: ({ now }) => ({ state: [GRANT_STATE.active, GRANT_STATE.paused].map(String), valid_until_end: String(now + SOON * DAY) }), grant: GRANT_RIGHTS.id('open'), due: { at: 'valid_until' }, since: sql`created_at`, notes: ['subject_id'],
})

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'study-room', 'room', 'practice', 'paper', 'asset', 'outline', 'combination'],
  services: [...courseServices, ...grantServices, planService, servePaper(classPaper)],
  uses: [
    ...ALL_PAPERS.map((paper) => usedByPlans('paper', paper)), usedByPlans('paper', classPaper),
    ...LESSONS.map((lesson) => usedByPlans('micro', lesson)),
    usedByPlans('combination', combination),
  ],
  calls: (kernel) => [...courseCalls(), ...outlineCalls(), ...grantCalls(kernel), ...planCalls(), ...runCalls()],
  waiting: [...waitingPapers(CLASS_PAPERS), ending(roomCourse, '即将到期的自习室课程', 'course'), ending(roomPlan, '即将到期的自习室计划', 'plan')],
  overview: [accountOverview],
  rights: [DIRECTORY_RIGHTS],
  demo: insertClassCourseDemo,
})
