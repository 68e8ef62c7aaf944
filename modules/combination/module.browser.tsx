import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./combination.ts').then((file) => file.combination)

export default presentModule(door)({
  '/material/combination': resourceScreen(load, () => import('./combination-view.tsx')),
  '/material/combination/detail/:id': () => import('./editor/combination-screen.tsx'),
}, { finders: [resourceFinder('/material/combination', '素材组合', load, ['name'], ['subject_name'])] })
