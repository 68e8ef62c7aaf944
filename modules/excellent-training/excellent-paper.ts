import { choice } from '../../core/field/choice.ts'
import { group } from '../../core/field/group.ts'
import { number } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { definePapers, type PaperKind } from '../paper/module.ts'

/** Highest score of a test. */
export const MOST_POINTS = 1000

const ASSESSMENTS = [{ value: 1, label: '入学测' }, { value: 2, label: '阶段测' }] as const

/** Tests of 精英训练营: what they measure, and which class a score leads to (domain 1.7). */
export const EXCELLENT_PAPERS: PaperKind = {
  value: 'excellent', label: '精英训练营试卷', noun: '测评试卷',
  screens: [{
    screen: '/excellent-training/paper', detail: '/papers/detail/:id', add: '/papers/addPractice/:id',
    api: { list: '/daoyuan/api/end/excellent_training/papers', item: '/daoyuan/api/end/excellent_training/papers' },
  }],
  fields: () => ({
    assessment: choice('测评类型', ASSESSMENTS),
    dimensions: group('测评维度', { name: text('维度', { required: true, max: 20, example: '逻辑推理' }), full: number('满分', { required: true, min: 1, max: MOST_POINTS }) }, { max: 12 }),
    bands: group('分数段', {
      from: number('起始分', { required: true, max: MOST_POINTS }), level: text('测评等级', { required: true, max: 10, example: 'A' }), class_type: text('班型', { required: true, max: 20, example: '冲刺班' }),
    }, { max: 12 }),
  }),
  shown: ['assessment'],
  typed: ['dimensions', 'bands'],
}

const [papers] = definePapers(EXCELLENT_PAPERS)
if (!papers) throw new Error('精英训练营 has no papers')
export const excellentPaper = papers
