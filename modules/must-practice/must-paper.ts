import { multiChoice } from '../../core/field/choice.ts'
import { definePapers, type PaperKind } from '../paper/module.ts'

/** How a learner may go through a paper (domain 1.17). */
const MODES = [{ value: 1, label: '顺序' }, { value: 2, label: '随机' }, { value: 3, label: '背题' }, { value: 4, label: '错题' }] as const

/** The papers of 必刷题, those of all stages on one screen. */
export const MUST_PAPERS: PaperKind = {
  value: 'must', label: '必刷试卷', noun: '必刷试卷',
  screens: [{
    screen: '/mustPractice/paper', detail: '/papers/detail/:id', add: '/papers/addPractice/:id',
    api: { list: '/daoyuan/api/end/must_practice/papers', item: '/daoyuan/api/end/must_practice/papers' },
  }],
  fields: () => ({ modes: multiChoice('刷题模式', MODES) }),
  shown: ['modes'],
}

const [papers] = definePapers(MUST_PAPERS)
if (!papers) throw new Error('必刷题 has no papers')
export const mustPaper = papers
