import { itemsTotal } from '../../core/resource/define.ts'
import { defineComments } from '../comment/module.ts'
import { screenId } from '../screens.ts'
import { lesson } from './lesson.ts'

/** What comments of this kind say they are about. */
export const LESSON_TARGET = 'lesson'

/** 课程评价: what learners say of courses, with what staff added themselves, which is marked and never counts (spec 7). */
export const evaluation = defineComments({
  target: LESSON_TARGET, name: 'cat_evaluation', label: '课程评价', grant: screenId('/course/comment'),
  api: { list: '/daoyuan/api/end/cat_evaluations', item: '/daoyuan/api/cat_evaluations', reply: itemsTotal },
  about: { label: '课程', wire: 'lesson_id', target: () => lesson },
})
