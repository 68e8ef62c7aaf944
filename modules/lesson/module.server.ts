import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import type { ResourceService } from '../../core/resource/serve.server.ts'
import { serveComments, waitingComments } from '../comment/door.server.ts'
import { findOwners, offerCalls, planOpening, serveOffers, waitingOffers } from '../offer/door.server.ts'
import { LESSON_COMPLETE } from '../offer/module.ts'
import { addOutlineOwner, outlineHealth, usedByBlocks } from '../outline/door.server.ts'
import { waitingPapers } from '../paper/door.server.ts'
import { serveLearners } from '../user/door.server.ts'
import { COURSE_PAPERS, coursePaper } from './course-paper.ts'
import { insertLessonDemo, insertSpecialTags } from './demo.server.ts'
import { evaluation } from './evaluation.ts'
import { evaluationCalls } from './evaluation.server.ts'
import { LESSON_COMPUTED, lessonCalls } from './lesson.server.ts'
import { lesson, lessonLearnerLine, lessonLearners, matrixRights, OUTLINE_KIND, sectionRights, videoRights } from './lesson.ts'
import door from './module.ts'
import { matrixCalls, serveCoursePapers } from './paper.server.ts'
import { relationRights } from './relation.ts'
import { relationCalls, relations } from './relation.server.ts'
import { LESSON_LINE } from './row.ts'
import { sectionCalls } from './section.server.ts'
import { checkTags, requireJoint, tags } from './tag-rules.server.ts'
import { videoCalls } from './video.server.ts'

const SECTIONS = '/course/sections/:courseId'
const outline = { states: (db: Parameters<typeof outlineHealth>[0], ids: readonly number[]) => outlineHealth(db, OUTLINE_KIND, ids) }

addOutlineOwner({
  kind: OUTLINE_KIND, label: '课程章节', blocks: LESSON_LINE.blocks, complete: LESSON_COMPLETE, find: findOwners(lesson),
  grants: { view: sectionRights.screen, edit: sectionRights.id('edit'), publish: sectionRights.id('publish') },
  path: (id) => SECTIONS.replace(':courseId', String(id)),
})

/** Courses: what every line's do, with what their tags ask. */
function serveLessons(): ResourceService {
  const own = serveOffers(LESSON_LINE, lesson, outline, async ({ tx, values, row }) => {
    const now = { ...row, ...values }
    if ('tag_ids' in values || 'exam_year' in values || !row) await checkTags(tx, { tag_ids: (now['tag_ids'] ?? []) as number[], exam_year: now['exam_year'] })
  }, LESSON_COMPUTED)
  const { submit, approve, shelve } = own.rules.effects ?? {}
  const asJoint = (effect: typeof submit): NonNullable<typeof submit> => async (change) => {
    await requireJoint(change.tx, change.row.id, true)
    await effect?.(change)
  }
  return {
    ...own,
    rules: {
      ...own.rules,
      effects: { ...own.rules.effects, submit: asJoint(submit), approve: asJoint(approve), shelve: asJoint(shelve) },
      // A price or a tag may make a course that is sold one that could not be.
      after: ({ tx, saved }) => requireJoint(tx, saved.id),
    },
  }
}

const learners = serveLearners(lessonLearnerLine, lessonLearners, { plan: (tx, _staff, offerId) => planOpening(tx, LESSON_LINE.code, offerId), origins: {} })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'paper', 'asset', 'offer', 'outline', 'comment', 'course-line', 'vacation'],
  services: [tags, serveLessons(), relations, serveComments(evaluation), serveCoursePapers(), ...learners.services],
  uses: [
    { target: lesson, table: 'offer_item', when: sql`r.kind = 'offer' and r.ref_id = u.id`, label: '套装', measure: '个' },
    ...usedByBlocks('paper', coursePaper),
  ],
  calls: (kernel) => [...lessonCalls(kernel), ...offerCalls(kernel, LESSON_LINE, lesson, outline, LESSON_COMPUTED), ...sectionCalls(), ...videoCalls(), ...relationCalls, ...matrixCalls(), ...evaluationCalls, ...learners.calls(kernel)],
  jobs: () => [...learners.jobs],
  waiting: [waitingOffers({ offers: lesson, offerPath: '/course/list' }), waitingComments(evaluation, '/course/comment'), ...waitingPapers(COURSE_PAPERS)],
  rights: [relationRights, sectionRights, videoRights, matrixRights],
  base: insertSpecialTags,
  demo: insertLessonDemo,
})
