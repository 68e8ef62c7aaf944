import { defineModule } from '../../core/module/define.ts'

export { batchProblems } from './batch-rules.ts'
export { CODE_STATUS, CODE_STATUSES } from './code-state.ts'
export { codeProblem, normaliseCode } from './code-text.ts'
export { BATCH_ACTIONS, codeFamily } from './family.ts'

/** Codes of all kinds: made in batches, activated once, with one state machine. A product line brings a row of data. */
export default defineModule({
  name: 'code',
  title: '激活码',
  screens: [],
})
