import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import type { Pool } from './bank/practice.ts'
import door from './module.ts'

/** A bank of one stage: six screens are one implementation with a row of parameters. */
const bank = (pool: Pool, level: 0 | 1 | 2): ScreenLoader => async () => {
  const { BankScreen } = await import('./ui/bank-screen.tsx')
  return { default: () => <BankScreen pool={pool} level={level} /> }
}

/** The editor of one stage. */
const editor = (level: 0 | 1 | 2): ScreenLoader => async () => {
  const { EditorScreen } = await import('./edit/editor-screen.tsx')
  return { default: () => <EditorScreen level={level} /> }
}

export default presentModule(door)({
  '/practice/back': bank('back', 0),
  '/practice/official': bank('official', 0),
  '/practice/backJunior': bank('back', 1),
  '/practice/officialJunior': bank('official', 1),
  '/practice/backPrimary': bank('back', 2),
  '/practice/officialPrimary': bank('official', 2),
  '/practice/practiceVerify': () => import('./verify/verify-screen.tsx'),
  '/practice/:type/:id': editor(0),
  '/practice/junior/:type/:id': editor(1),
  '/practice/primary/:type/:id': editor(2),
})
