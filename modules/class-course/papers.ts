import { reference } from '../../core/field/reference.ts'
import { definePapers, SENIOR_STAGE, type PaperKind } from '../paper/module.ts'
import { BASE } from './api.ts'
import { seniorCourse } from './course.ts'

/** Papers of senior class courses, each of which may belong to one course. */
export const CLASS_PAPERS: PaperKind = {
  value: 'class', label: '课堂试卷', noun: '课堂试卷',
  screens: [{ stage: SENIOR_STAGE, screen: '/classCourse/seniorPaper', detail: SENIOR_STAGE.detail, add: '/papers/addPractice/:id', api: { list: `${BASE}/papers`, item: `${BASE}/papers` } }],
  fields: () => ({ class_course_id: reference('课程', () => seniorCourse, { within: { subject_id: 'subject_id' } }) }),
  shown: ['class_course_id'],
}

const [papers] = definePapers(CLASS_PAPERS)
if (!papers) throw new Error('课堂课程 has no papers')
export const classPaper = papers
