import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'
import { REASONS, type Reason } from './states.ts'

export const OPERATION_PATH = '/teacher/operation'

export const OPERATION_RIGHTS = defineRights(screenId(OPERATION_PATH), { follow: [11, '跟进教师'] })

/** Those who applied in one month, and how many of them came how far within the window. */
export interface Cohort { month: string; ripe: boolean; steps: number[] }

/** Somebody of a cohort. */
export interface CohortPerson { apply_id: number; teacher_id: number | null; name: string; school: string; rep_name: string | null; reached: number; at: (number | null)[] }

/** One who looks after teachers. */
export interface RepLine { rep_id: number | null; name: string; teachers: number; active: number; needy: number; overdue: number; next_follow_at: number | null }

/** A teacher who needs somebody, and why. */
export interface Needy { id: number; name: string; school: string; subject_name: string; rep_id: number | null; rep_name: string | null; reasons: Reason[]; next_follow_at: number | null; last_words: string | null; last_follow_at: number | null }

const BASE = '/daoyuan/api/end/teacher_operation'
const grant = [OPERATION_RIGHTS.screen]
const digits = (words: string) => z.optional(z.string(words).check(z.regex(/^\d{1,15}$/, words)))
const rep_id = digits('业务员有误')
const page = digits('页码有误')

export const teacherFunnel = defineEndpoint<{ cohorts: Cohort[] }>()({ method: 'GET', path: `${BASE}/funnel`, summary: '教师运营漏斗', grant, input: z.object({ rep_id }) })
export const cohortPeople = defineEndpoint<{ items: CohortPerson[]; total: number }>()({
  method: 'GET', path: `${BASE}/people`, summary: '漏斗中的教师', grant,
  input: z.object({ month: z.string('月份有误').check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, '月份有误')), step: z.string('步骤有误').check(z.regex(/^[0-4]$/, '步骤有误')), only: z.enum(['reached', 'stopped'], '范围有误'), rep_id, page }),
})
export const teacherReps = defineEndpoint<{ items: RepLine[] }>()({ method: 'GET', path: `${BASE}/reps`, summary: '按业务员查看教师', grant })
export const needyTeachers = defineEndpoint<{ items: Needy[]; total: number; counts: Record<Reason, number> }>()({
  method: 'GET', path: `${BASE}/needy`, summary: '本周需要关注的教师', grant, input: z.object({ rep_id, reason: z.optional(z.enum(REASONS.map(({ value }) => value), '原因有误')), page }),
})
