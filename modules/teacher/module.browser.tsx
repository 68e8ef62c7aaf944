import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const teachers = () => import('./teacher.ts').then(({ teacherProfile }) => teacherProfile)
const classes = () => import('./class.ts').then(({ teacherClass }) => teacherClass)
const papers = () => import('./paper.ts').then(({ teacherPaper }) => teacherPaper)

export default presentModule(door)({
  '/teacher/teacher': resourceScreen(teachers, () => import('./teacher-view.tsx')),
  '/teacher/class': resourceScreen(classes, () => import('./class-view.tsx')),
  '/teacher/paper': resourceScreen(papers, () => import('./review-view.tsx')),
  '/teacher/operation': () => import('./operation-screen.tsx'),
}, {
  finders: [
    resourceFinder('/teacher/teacher', '教师', teachers, ['mobile', 'name'], ['school']),
    resourceFinder('/teacher/class', '教师班级', classes, ['name', 'account', 'number'], ['school']),
    resourceFinder('/teacher/paper', '教师试卷', papers, ['name'], ['subject_name']),
  ],
})
