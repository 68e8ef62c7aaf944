import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { BlockTarget } from '../outline/module.ts'
import { screenId } from '../screens.ts'
import { trainingPlan } from './plan.ts'
import { SHOWN_KINDS, type Lesson, type PlanTask } from './tasks.ts'

const BASE = trainingPlan.api.list
const VIEW: readonly number[] = [trainingPlan.grant, screenId('/classCourse/trainingPlan/:id/tasks')]
const EDIT = [standardId(trainingPlan.grant, 'edit')]
const queryId = z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误'))

/** A plan as its board shows it, beside its record. */
export interface PlanContent {
  row: WireRow<typeof trainingPlan>
  /** What the tasks show, and those of the published version. */
  targets: BlockTarget[]
}

/** A room that works through a plan. */
export interface PlanRoom {
  id: number
  name: string
  version_no: number
  /** Days of the plan that have begun. */
  today: number
  learners: number
  /** Learners who have not done something of an earlier day. */
  behind: number
}

/** What publishing would reach: rooms get it from tomorrow on. */
export interface PublishPreview { rooms: PlanRoom[]; added: number; removed: number; changed: number }
export interface PlanVersion { no: number; tasks: PlanTask[]; staff_name: string | null; at: number }
/** A course from which a plan can be generated. */
export interface Source { id: number; name: string; lessons: number }

export const readPlan = defineEndpoint<PlanContent>()({ method: 'GET', path: `${BASE}/{id}/content`, summary: '训练计划的任务', grant: VIEW })
export const findShown = defineEndpoint<{ items: BlockTarget[] }>()({
  method: 'GET', path: `${BASE}/{id}/targets`, summary: '可以放入训练计划的内容', grant: EDIT,
  input: z.object({ kind: z.enum(SHOWN_KINDS, '内容类型不正确'), keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
})
export const planSources = defineEndpoint<{ items: Source[] }>()({ method: 'GET', path: `${BASE}/{id}/sources`, summary: '可以生成任务的课程目录', grant: EDIT })
export const sourceLessons = defineEndpoint<{ lessons: Lesson[]; targets: BlockTarget[] }>()({ method: 'GET', path: `${BASE}/{id}/lessons`, summary: '课程目录的课时', grant: EDIT, input: z.object({ course_id: queryId }) })
export const publishPreview = defineEndpoint<PublishPreview>()({ method: 'GET', path: `${BASE}/{id}/publish/preview`, summary: '发布训练计划的影响', grant: VIEW })
export const planVersions = defineEndpoint<{ items: PlanVersion[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/versions`, summary: '训练计划的版本', grant: VIEW })
export const planRooms = defineEndpoint<{ items: PlanRoom[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/rooms`, summary: '执行训练计划的自习室', grant: VIEW })
