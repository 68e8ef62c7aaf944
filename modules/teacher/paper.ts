import { choice, toggle } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { time } from '../../core/field/time.ts'
import { definePapers, type PaperKind } from '../paper/module.ts'
import { REVIEW, REVIEWS } from './states.ts'
import { teacherProfile } from './teacher.ts'

export const PAPER_PATH = '/teacher/paper'

/** Papers that teachers made: of questions of the bank, and of their own, which are read before the bank gets them. */
export const TEACHER_PAPERS: PaperKind = {
  value: 'teacher', label: '教师试卷', noun: '教师试卷',
  screens: [{ screen: PAPER_PATH, detail: '/papers/detail/:id', add: '/papers/addPractice/:id', api: { list: '/daoyuan/api/end/teacher_papers', item: '/daoyuan/api/end/teacher_papers' } }],
  fields: () => ({
    teacher_id: reference('出卷教师', () => teacherProfile, { required: true }),
    shared: toggle('其他教师', { on: '可使用', off: '不可使用' }, { initial: 0 }),
    own_count: number('自编题', { readonly: true, initial: 0, unit: '题' }),
    review: choice('审核入库', REVIEWS, { readonly: true, initial: REVIEW.none }),
    // Since when the questions wait; the paper itself may be edited meanwhile.
    handed_at: time('交卷时间', { readonly: true, audit: false }),
  }),
  imported: ['teacher_id'],
  unscoped: { agent: 'Papers are read by whoever answers for their subject, by whichever agent the account of their teacher came.' },
  logged: [{ name: 'hand_in', label: '提交试卷' }, { name: 'review_question', label: '审核自编题' }, { name: 'place_questions', label: '放入入库的题' }],
  shown: ['teacher_id', 'review', 'own_count', 'shared'],
}

const [papers] = definePapers(TEACHER_PAPERS)
if (!papers) throw new Error('teachers have no papers')
export const teacherPaper = papers
