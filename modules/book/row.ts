import type { ProductLine } from '../reference/module.ts'

/** What the line is; what follows from it stands in line.ts, which is fetched with the first of its screens. */
export const BOOK_LINE: ProductLine = {
  code: 'practice_book', name: '教辅图书', path: '/practiceBook', screens: { offer: 'merchandise', learner: 'user', order: 'order' }, noun: ['商品', '件'], textbook: 'none', content: 'outline', blocks: [],
}
