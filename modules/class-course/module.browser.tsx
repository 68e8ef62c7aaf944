import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const junior = () => import('./course.ts').then(({ juniorCourse }) => juniorCourse)
const senior = () => import('./course.ts').then(({ seniorCourse }) => seniorCourse)
const plans = () => import('./plan.ts').then(({ trainingPlan }) => trainingPlan)
const papers = () => import('./papers.ts').then(({ classPaper }) => classPaper)
const look = (load: typeof junior | typeof senior) => async () => {
  const [{ presentCourses }, resource] = await Promise.all([import('./course-view.tsx'), load()])
  return { default: presentCourses(resource as Awaited<ReturnType<typeof junior>>) }
}

export default presentModule(door)({
  '/classCourse/courseDirectories': () => import('./directories-screen.tsx'),
  '/classCourse/juniorSpecialUse': resourceScreen(junior, look(junior)),
  '/classCourse/seniorSpecialUse': resourceScreen(senior, look(senior)),
  '/classCourse/seniorPaper': resourceScreen(papers, async () => {
    const [{ presentPapers }, resource] = await Promise.all([import('../paper/door.tsx'), papers()])
    return { default: presentPapers(resource) }
  }),
  '/classCourse/trainingPlan': resourceScreen(plans, () => import('./plan-view.tsx')),
  '/classCourse/trainingPlan/:id/tasks': () => import('./board/board-screen.tsx'),
  '/classCourse/studyRoom': () => import('./study-room-screen.tsx'),
}, {
  finders: [
    resourceFinder('/classCourse/seniorSpecialUse', '高中课堂课程', senior, ['name'], ['subject_name']),
    resourceFinder('/classCourse/juniorSpecialUse', '初中课堂课程', junior, ['name'], ['subject_name']),
    resourceFinder('/classCourse/trainingPlan', '训练计划', plans, ['name'], ['subject_name']),
    resourceFinder('/classCourse/seniorPaper', '课堂试卷', papers, ['name'], ['subject_name']),
  ],
})
