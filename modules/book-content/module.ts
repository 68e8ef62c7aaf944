import { defineModule } from '../../core/module/define.ts'
import { materialChanged } from './live.ts'

/** What stands in books: training by chapters, the pages that are made of it, exam questions, measurements, combinations. */
export default defineModule({
  name: 'book-content',
  title: '图书内容',
  screens: [
    '/practiceBook/content/training', '/practiceBook/trainMaterialEdit/:id', '/practiceBook/content/excellentPractice', '/practiceBook/content/gaokaoPractice',
    '/practiceBook/content/combination', '/practiceBook/content/ai-measurement',
  ],
  live: [materialChanged],
})
