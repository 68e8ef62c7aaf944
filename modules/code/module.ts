import { defineModule } from '../../core/module/define.ts'

export { CODE_ACTIONS, CODE_STATUS, HELD_CODES } from './code-state.ts'
export { ALPHABET, checkCharacter, codeProblem, DEFAULT_LENGTH, normaliseCode } from './code-text.ts'
export { BATCH_STATUS, codeFamily, MAX_BATCH } from './family.ts'
export { endAfterMonths, endOfDay } from './code-time.ts'

/** Codes of all kinds: made in batches, activated once, with one state machine. A product line brings a row of data. */
export default defineModule({
  name: 'code',
  title: '激活码',
  screens: [],
})
