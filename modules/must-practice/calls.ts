import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { mustLine } from './line.ts'
import { MOST_DAYS, MOST_PER_DAY, type PlanPaper } from './plan.ts'

/** The plan of a pack: its papers in their order, and how many questions each day has. */
export interface PackPlan {
  papers: PlanPaper[]
  counts: number[]
  /** Somebody set it, but the papers have another number of questions by now. */
  stale: boolean
}

const { api: { item }, grant } = mustLine.offers

export const packPlan = defineEndpoint<PackPlan>()({ method: 'GET', path: `${item}/{id}/plan`, summary: '题包的日计划', grant: [grant] })

/** Sets how many questions each day has; all of them together are those of the pack. */
export const setPackPlan = defineEndpoint<PackPlan>()({
  method: 'PUT', path: `${item}/{id}/plan`, summary: '修改题包的日计划', grant: [standardId(grant, 'edit')],
  input: z.object({
    counts: z.array(z.int('题数应为整数').check(z.gte(0, '题数不能小于 0'), z.lte(MOST_PER_DAY, `一天最多 ${MOST_PER_DAY} 题`)), '请填写每天的题数').check(z.minLength(1, '至少 1 天'), z.maxLength(MOST_DAYS, `最多 ${MOST_DAYS} 天`)),
    rev: z.optional(z.int('版本有误')),
  }),
})
