import type { ProductLine } from '../reference/module.ts'

/** What the line is; what follows from it stands in line.ts, which is fetched with the first of its screens. */
export const VACATION_LINE: ProductLine = {
  code: 'vacation', name: '假期', path: '/vacation', screens: { offer: 'course', learner: 'user', order: 'order' }, more: ['class'], textbook: 'none', content: 'outline', blocks: [],
}
