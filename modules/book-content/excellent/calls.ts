import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { BASE } from '../../book/module.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { EXCELLENT } from '../sets.ts'

/** A label with how far its set for the strongest is. */
export interface ExcellentLabel {
  id: number
  name: string
  depth: number
  /** It has hard questions, and nothing below it has. */
  lowest: boolean
  /** Official questions of it and of what is below it that are hard enough. */
  offered: number
  n: number
  target_n: number | null
  /** Chosen questions that have nothing to practise the same with. */
  alone: number
}

const EDIT = [standardId(EXCELLENT, 'edit')]
const catId = z.int('请选择学科').check(z.positive('请选择学科'))
const labelIds = z.optional(z.array(z.int('知识点有误').check(z.positive('知识点有误')), '请选择知识点').check(z.minLength(1, '请选择知识点'), z.maxLength(500, '一次最多 500 个知识点')))

export const readExcellent = defineEndpoint<{ labels: ExcellentLabel[] }>()({
  method: 'GET', path: `${BASE}/excellent`, summary: '各知识点的优选题', grant: [EXCELLENT], input: z.object({ cat_id: z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '请选择学科')) }),
})
/** How many questions the sets should have: of the labels named, or of the lowest ones that have hard questions. */
export const setExcellentTargets = defineEndpoint<{ labels: ExcellentLabel[] }>()({
  method: 'PUT', path: `${BASE}/excellent/targets`, summary: '批量设优选题目标', grant: EDIT,
  input: z.object({ cat_id: catId, target_n: z.int('目标题数应为整数').check(z.gte(1, '目标题数至少 1'), z.lte(200, '目标题数最多 200')), label_ids: labelIds, only_new: z._default(z.boolean('参数有误'), false) }),
})
export const fillExcellent = defineEndpoint<{ filled: number; left: number; labels: ExcellentLabel[] }>()({
  method: 'POST', path: `${BASE}/excellent/fill`, summary: '优选题补齐缺题', grant: EDIT, input: z.object({ cat_id: catId, label_ids: labelIds }),
})
/** What is there to practise the same again with (举一反三), for each question of a label's set. */
export const readVariants = defineEndpoint<{ items: { practice_id: number; variants: PracticeCard[] }[] }>()({ method: 'GET', path: `${BASE}/excellent/{id}/variants`, summary: '优选题的举一反三', grant: [EXCELLENT] })
