import { defineModule } from '../../core/module/define.ts'

export type { PaperKind } from './kind.ts'
export { ALL_PAPERS, definePapers, PAPER_STATE } from './paper.ts'
export type { SmartRule } from './smart/rule.ts'
export { smartPaper } from './smart/smart-paper.ts'
export { LESSONS } from './lesson/lesson.ts'
export { SENIOR_STAGE } from './stage.ts'

/** Papers: composed from the question bank, balanced, printed. */
export default defineModule({
  name: 'paper',
  title: '基础资源',
  screens: [
    '/papers/senior/base-paper', '/papers/junior/base-paper', '/papers/primary/base-paper',
    '/papers/senior/micro-paper', '/papers/junior/micro-paper', '/papers/primary/micro-paper',
    '/papers/senior/micro-course', '/papers/junior/micro-course', '/papers/primary/micro-course',
    '/papers/detail/:id', '/papers/juniorDetail/:id', '/papers/primaryDetail/:id', '/papers/addPractice/:id', '/papers/smart-test-paper', '/papers/skeleton',
  ],
})
