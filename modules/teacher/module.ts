import { defineModule } from '../../core/module/define.ts'

/** Teachers of schools who use our app: who they are, their classes, their papers, and who looks after them. */
export default defineModule({ name: 'teacher', title: '教师管理', screens: ['/teacher/teacher', '/teacher/class', '/teacher/paper', '/teacher/operation'] })
