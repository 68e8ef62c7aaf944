import { retryLazy } from '../../core/ui/retry-lazy.tsx'
import type { RecordFinder } from '../../core/module/find.ts'
import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import type { Pool } from './bank/practice.ts'
import type { LabelKind } from './label/label.ts'
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

/** A bank finds a question by its number, which also says the stage: M1-0203817 is a senior's. */
const finder = (pool: Pool, level: 0 | 1 | 2, screen: string, label: string): RecordFinder => ({
  label,
  screen,
  takes: (words) => new RegExp(`^[A-Z]${level + 1}-\\d{1,12}$`, 'i').test(words),
  find: (words, signal) => import('./bank/find-practice.tsx').then((file) => file.findPractice(pool, level, words, signal)),
})

/** Trees of labels: of questions, or of knowledge and of micro lessons. */
const labels = (...kinds: LabelKind[]): ScreenLoader => async () => {
  const { LabelScreen } = await import('./label/label-screen.tsx')
  return { default: () => <LabelScreen kinds={kinds} /> }
}

const BANKS = ['/practice/back', '/practice/official', '/practice/backJunior', '/practice/officialJunior', '/practice/backPrimary', '/practice/officialPrimary'] as const

export default presentModule(door)({
  '/practice/back': bank('back', 0),
  '/practice/official': bank('official', 0),
  '/practice/backJunior': bank('back', 1),
  '/practice/officialJunior': bank('official', 1),
  '/practice/backPrimary': bank('back', 2),
  '/practice/officialPrimary': bank('official', 2),
  '/practice/practiceVerify': () => import('./verify/verify-screen.tsx'),
  '/practice/compare': () => import('./compare/compare-screen.tsx'),
  '/practice/labels': labels('practice'),
  '/practice/knowledge-label': labels('knowledge', 'micro'),
  '/practice/ebook-catalogue-label': () => import('./textbook/catalogue-screen.tsx'),
  '/practice/labelOrder': () => import('./label/order-screen.tsx'),
  '/practice/:type/:id': editor(0),
  '/practice/junior/:type/:id': editor(1),
  '/practice/primary/:type/:id': editor(2),
}, {
  notices: [{ name: 'practice_report', title: '试题报错', screens: BANKS, load: (signal) => import('./report/report-notices.tsx').then((file) => file.reportNotices(signal)) }],
  cases: { practice: retryLazy(() => import('./verify/question-case.tsx')) },
  records: { practice_report: { resource: () => import('./report/report.ts').then((file) => file.practiceReport) } },
  finders: [
    finder('back', 0, '/practice/back', '高中后台试题'),
    finder('official', 0, '/practice/official', '高中正式试题'),
    finder('back', 1, '/practice/backJunior', '初中后台试题'),
    finder('official', 1, '/practice/officialJunior', '初中正式试题'),
    finder('back', 2, '/practice/backPrimary', '小学后台试题'),
    finder('official', 2, '/practice/officialPrimary', '小学正式试题'),
  ],
})
