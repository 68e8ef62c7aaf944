import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { actionId } from '../../../core/grant/grant.ts'
import { screenId } from '../../screens.ts'
import { bodyId, type PracticeCard } from '../bank/calls.ts'
import { EXERCISE_TYPES } from '../content/question.ts'

const SCREEN = screenId('/practice/ebook-catalogue-label')
const PATH = '/daoyuan/api/end/selected_practices'

/** Questions of one set. */
export const MOST_SELECTED = 200

/** A chosen question. */
export interface Selected {
  practice: PracticeCard
  /** Version that was chosen. */
  version_no: number
  /** Other sets of the same book that hold it, by chapter and group. */
  elsewhere: string[]
}

/** The questions that were chosen for a chapter, of one kind of exercise. */
export interface SelectedSet {
  group_key: number
  target_n: number | null
  /** 0 when it was never built. */
  version_no: number
  staff_name: string | null
  at: number | null
  items: Selected[]
}

/** spec 3: selected practices per chapter and group. Every group is answered, built or not. */
export const selectedSets = defineEndpoint<{ sets: SelectedSet[] }>()({
  method: 'GET', path: PATH, summary: '章节的精选题', grant: [SCREEN], input: z.object({ chapter_id: z.string('请选择章节').check(z.regex(/^\d{1,15}$/, '编号有误')) }),
})

const groupKey = z.union([z.literal(EXERCISE_TYPES[0].value), z.literal(EXERCISE_TYPES[1].value), z.literal(EXERCISE_TYPES[2].value)], '请选择习题类型')

/** spec 4: the set is rebuilt as a whole. `version_no` is the one that the person began with. */
export const rebuildSelected = defineEndpoint<{ sets: SelectedSet[] }>()({
  method: 'PUT', path: PATH, summary: '重建章节的精选题', grant: [actionId(SCREEN, 1)],
  input: z.object({
    chapter_id: bodyId, group_key: groupKey, version_no: z.int('版本有误').check(z.gte(0, '版本有误')),
    target_n: z.optional(z.nullable(z.int('目标题数应为整数').check(z.gte(1, '目标题数至少 1'), z.lte(MOST_SELECTED, `目标题数最多 ${MOST_SELECTED}`)))),
    practice_ids: z.array(bodyId, '请选择试题').check(z.maxLength(MOST_SELECTED, `最多 ${MOST_SELECTED} 道题`)),
  }),
})
