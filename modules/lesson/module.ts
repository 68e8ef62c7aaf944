import { defineModule } from '../../core/module/define.ts'

export { lesson } from './lesson.ts'

/** 课程: courses with sections, videos and papers, what goes with what, what learners say of them, and who may use them. */
export default defineModule({
  name: 'lesson',
  title: '课程管理',
  screens: [
    '/course/list', '/course/relation', '/course/comment', '/course/tag', '/course/videoManagement/:courseId', '/course/sections/:courseId',
    '/course/paper/list', '/course/paper/index/:type/:id', '/course/paper/detail/:id', '/course/paper/addPractice/:id', '/course/users',
  ],
})
