import type { ProductLine } from '../reference/module.ts'

/** What the line is; what follows from it stands in lesson.ts, which is fetched with the first of its screens. */
export const LESSON_LINE: ProductLine = {
  code: 'lesson', name: '课程', path: '/course', screens: { offer: 'list', outline: 'sections/:courseId', learner: 'users' }, noun: ['课程', '门'], textbook: 'none', content: 'outline', difficulty: true,
  more: ['relation', 'comment', 'tag', 'videoManagement/:courseId', 'paper/list', 'paper/index/:type/:id', 'paper/detail/:id', 'paper/addPractice/:id'],
  blocks: ['video', 'micro', 'paper', 'set', 'file', 'audio', 'combination', 'text'],
}
