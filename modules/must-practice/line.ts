import { group } from '../../core/field/group.ts'
import { number } from '../../core/field/number.ts'
import { referenceList } from '../../core/field/reference.ts'
import type { Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { mustPaper } from './must-paper.ts'
import { MOST_DAYS, MOST_PER_DAY } from './plan.ts'
import { MUST_LINE, PACKS_AT } from './row.ts'

/** The line with what follows from its row: packs, their orders and the accounts that have them. */
export const mustLine = defineCourseLine(MUST_LINE, (path) => screenId(screenPath(path)), {
  offersAt: PACKS_AT,
  offer: {
    path: 'packs',
    // The papers of the same screen have 11 and 12.
    shelve: [13, '审核和上下架题包'],
    fields: {
      paper_ids: referenceList('试卷', () => mustPaper, { within: { subject_id: 'subject_id' } }),
      plan_days: number('刷完天数', { min: 1, max: MOST_DAYS, unit: '天' }),
      // Questions of each day; made even from papers and days until somebody says otherwise.
      day_plan: group('日计划', { count: number('题数', { required: true, max: MOST_PER_DAY, unit: '题' }) }, { max: MOST_DAYS, readonly: true }),
    },
    columns: ['plan_days'],
    inputs: ['paper_ids', 'plan_days'],
  },
  learner: { path: 'accounts' },
})

/** Its kinds of records. @public tables are made from what files export */
export const mustResources: readonly Resource[] = lineResources(mustLine)
