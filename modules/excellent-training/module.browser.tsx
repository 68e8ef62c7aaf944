import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { courseLineFinders, courseLineScreens } from '../offer/door.tsx'
import door from './module.ts'
import { EXCELLENT_LINE } from './row.ts'

const line = () => import('./line.ts').then(({ excellentLine }) => excellentLine)
const papers = () => import('./excellent-paper.ts').then(({ excellentPaper }) => excellentPaper)

const screens = courseLineScreens(EXCELLENT_LINE, line, {
  order: () => import('./order-view.tsx').then((file) => file.default),
  learner: () => import('./learner-view.tsx').then((file) => file.default),
})

export default presentModule(door)({
  '/excellent-training/project': screens['/excellent-training/project']!,
  '/excellent-training/user': screens['/excellent-training/user']!,
  '/excellent-training/order': screens['/excellent-training/order']!,
  '/excellent-training/paper': resourceScreen(papers, () => import('./paper-view.tsx')),
}, {
  finders: [...courseLineFinders(EXCELLENT_LINE, line), resourceFinder('/excellent-training/paper', '测评试卷', papers, ['name'], ['subject_name'])],
})
