import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { addImportHandover } from '../practice/module.ts'
import door from './module.ts'

const base = (level: 0 | 1 | 2) => resourceScreen(() => import('./paper.ts').then(({ resourceOf }) => resourceOf({ kind: 'base', level })), () => import('./source/source-dialog.tsx'))
const micro = (level: 0 | 1 | 2) => resourceScreen(() => import('./paper.ts').then(({ resourceOf }) => resourceOf({ kind: 'micro', level })), () => import('./paper-view.tsx'))
const lesson = (level: 0 | 1 | 2) => resourceScreen(() => import('./lesson/lesson.ts').then(({ LESSONS }) => LESSONS[level]), () => import('./lesson/lesson-view.tsx'))
const editor = () => import('./editor/paper-screen.tsx')

addImportHandover(() => import('./from-import/import-paper.tsx'))

export default presentModule(door)({
  '/papers/senior/base-paper': base(0),
  '/papers/junior/base-paper': base(1),
  '/papers/primary/base-paper': base(2),
  '/papers/senior/micro-paper': micro(0),
  '/papers/junior/micro-paper': micro(1),
  '/papers/primary/micro-paper': micro(2),
  '/papers/senior/micro-course': lesson(0),
  '/papers/junior/micro-course': lesson(1),
  '/papers/primary/micro-course': lesson(2),
  '/papers/detail/:id': editor,
  '/papers/juniorDetail/:id': editor,
  '/papers/primaryDetail/:id': editor,
  '/papers/addPractice/:id': () => import('./editor/add-practice-screen.tsx'),
  '/papers/skeleton': resourceScreen(() => import('./skeleton/skeleton.ts').then((file) => file.skeleton), () => import('./skeleton/skeleton-view.tsx')),
  '/papers/smart-test-paper': resourceScreen(() => import('./smart/smart-paper.ts').then((file) => file.smartPaper), () => import('./smart/smart-screen.tsx')),
})
