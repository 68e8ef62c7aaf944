import { defineModule } from '../../core/module/define.ts'

export { bookLine } from './line.ts'
export { BASE, book } from './book.ts'
export { codesPath, levelCodes } from './ebook.ts'

/** 教辅图书: printed books with their codes and electronic editions. */
export default defineModule({
  name: 'book',
  title: '教辅图书',
  screens: [
    '/practiceBook/content/ebook/senior', '/practiceBook/content/ebook/junior', '/practiceBook/content/ebook/primary',
    '/practiceBook/content/pebManage', '/practiceBook/content/pebDetail',
    '/practiceBook/user', '/practiceBook/order', '/practiceBook/deleteOrders', '/practiceBook/merchandise', '/practiceBook/activeCode', '/practiceBook/activeDetail',
  ],
})
