import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const measurements = () => import('./measure/measurement.ts').then(({ measurement }) => measurement)
const combos = () => import('./combos/combos.ts').then(({ bookCombination }) => bookCombination)
const materials = () => import('./material/material.ts').then(({ trainMaterial }) => trainMaterial)

export default presentModule(door)({
  '/practiceBook/content/training': () => import('./training/training-screen.tsx'),
  '/practiceBook/trainMaterialEdit/:id': () => import('./material/material-screen.tsx'),
  '/practiceBook/content/excellentPractice': () => import('./excellent/excellent-screen.tsx'),
  '/practiceBook/content/gaokaoPractice': () => import('./gaokao/gaokao-screen.tsx'),
  '/practiceBook/content/combination': resourceScreen(combos, () => import('./combos/combos-view.tsx')),
  '/practiceBook/content/ai-measurement': resourceScreen(measurements, () => import('./measure/measure-view.tsx')),
}, {
  finders: [
    resourceFinder('/practiceBook/content/ai-measurement', '测评', measurements, ['name'], ['book_name']),
    resourceFinder('/practiceBook/content/training', '训练素材', materials, ['name'], ['book_name']),
  ],
})
