import type { ProductLine } from '../reference/module.ts'

/** What the line is; what follows from it stands in line.ts, which is fetched with the first of its screens. */
export const EXCELLENT_LINE: ProductLine = {
  code: 'excellent_training', name: '精英训练营', path: '/excellent-training', screens: { offer: 'project', learner: 'user', order: 'order' }, more: ['paper', 'clue'],
  noun: ['项目', '个'], textbook: 'none', content: 'outline', blocks: [],
}
