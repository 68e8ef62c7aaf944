import { defineModule } from '../../core/module/define.ts'

/** 课堂课程: courses that rooms are given with a number of places, the papers of senior ones, training plans by days. */
export default defineModule({
  name: 'class-course',
  title: '课堂课程',
  screens: [
    '/classCourse/courseDirectories', '/classCourse/juniorSpecialUse', '/classCourse/seniorSpecialUse', '/classCourse/seniorPaper', '/classCourse/trainingPlan', '/classCourse/trainingPlan/:id/tasks', '/classCourse/studyRoom',
  ],
})
