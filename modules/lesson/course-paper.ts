import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { definePapers, type PaperKind } from '../paper/module.ts'
import { lesson } from './lesson.ts'
import { PAPER_SLOTS } from './slots.ts'

/** Papers of a course: for which section, and what for (spec 9). */
export const COURSE_PAPERS: PaperKind = {
  value: 'course', label: '课程试卷', noun: '课程试卷',
  screens: [{
    screen: '/course/paper/list', detail: '/course/paper/detail/:id', add: '/course/paper/addPractice/:id',
    api: { list: '/daoyuan/api/practice_papers', item: '/daoyuan/api/practice_paper' },
  }],
  fields: () => ({
    lesson_id: reference('课程', () => lesson, { within: { subject_id: 'subject_id' } }),
    slot: choice('课程试卷类型', PAPER_SLOTS),
    // A node of the course's outline; set where the paper is made for a hole, and by nobody who types.
    section_id: number('章节编号', { min: 1 }),
  }),
  shown: ['lesson_id', 'slot'],
}

const [papers] = definePapers(COURSE_PAPERS)
if (!papers) throw new Error('courses have no papers')
export const coursePaper = papers
