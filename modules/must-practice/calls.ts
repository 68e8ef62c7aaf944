import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mustLine } from './line.ts'
import type { PlanPaper } from './plan.ts'

/** The plan of a pack: its papers in their order, and how many questions each day has. */
export interface PackPlan {
  papers: PlanPaper[]
  counts: number[]
  /** Somebody set it, but the papers have another number of questions by now. */
  stale: boolean
}

const { api: { item }, grant } = mustLine.offers

export const packPlan = defineEndpoint<PackPlan>()({ method: 'GET', path: `${item}/{id}/plan`, summary: '题包的日计划', grant: [grant] })
