import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { anyGrant, GRANT_RIGHTS, roomCourse, roomPlan } from './grant.ts'
import { MOST_ACCOUNTS, MOST_OPENED } from './quota.ts'

const id = (words: string) => z.int(words).check(z.positive(words))
const ids = (words: string, most: number) => z.array(id(words), words).check(z.minLength(1, words), z.maxLength(most, `一次最多 ${most} 个`))
const moment = (words: string) => z.int(words).check(z.gte(0, words), z.lte(7_258_118_400, '时间过晚'))
const open = [GRANT_RIGHTS.id('open')]
const quota = z.int('名额应为整数').check(z.gte(1, '名额至少 1 个'), z.lte(MOST_ACCOUNTS, `名额最多 ${MOST_ACCOUNTS} 个`))

/** Rooms and courses that are put together at once. */
const MOST_ROOMS = 50
const MOST_COURSES = 20
const MOST_EXTENDED = 200
/** Longest time that is added at once, in days. */
export const MOST_DAYS = 1095

/** A room with a course, as the grid shows it. */
export interface GridCell { id: number; room_id: number; course_id: number; quota: number; used: number; valid_until: number; state: number }
export interface Grid {
  rooms: { id: number; name: string; school: string }[]
  courses: { id: number; name: string; subject: string }[]
  cells: GridCell[]
}

/** What somebody gets of one thing in one room. */
export interface Granted { made: number; left_out: { room: string; what: string; why: string }[] }

export const readGrid = defineEndpoint<Grid>()({
  method: 'GET', path: `${roomCourse.api.list}/grid`, summary: '自习室课程一览', grant: [GRANT_RIGHTS.screen],
  input: z.object({ cat_id: z.optional(z.string('学科有误').check(z.regex(/^\d{1,15}$/, '学科有误'))), school_id: z.optional(z.string('学校有误').check(z.regex(/^\d{1,15}$/, '学校有误'))) }),
})
export const grantMany = defineEndpoint<Granted>()({
  method: 'POST', path: `${roomCourse.api.list}/grant`, summary: '批量授权课程', back: { instead: '授权错了，回收即可' }, grant: open,
  input: z.object({
    room_ids: ids('请选择自习室', MOST_ROOMS), course_ids: ids('请选择课程', MOST_COURSES), quota, valid_until: moment('请选择有效期'),
  }),
})

export const grantPlan = defineEndpoint<Granted>()({
  method: 'POST', path: `${roomPlan.api.list}/grant`, summary: '批量授权训练计划', back: { instead: '授权错了，回收即可' }, grant: open,
  input: z.object({
    room_ids: ids('请选择自习室', MOST_ROOMS), plan_id: id('请选择训练计划'), quota, valid_until: moment('请选择有效期'), start_on: moment('请选择开始日期'),
    rest_days: z._default(z.array(z.int('休息日有误').check(z.gte(1, '休息日有误'), z.lte(7, '休息日有误')), '休息日有误').check(z.maxLength(6, '一周至少有一天不休息')), []),
  }),
})

const extendInput = z.object({ ids: ids('请选择授权', MOST_EXTENDED), days: z.int('天数应为整数').check(z.gte(1, '至少 1 天'), z.lte(MOST_DAYS, `最多 ${MOST_DAYS} 天`)) })
export const extendCourses = defineEndpoint<{ extended: number; undo?: number }>()({ method: 'POST', path: `${roomCourse.api.list}/extend`, summary: '课程授权续期', back: 'undo', grant: open, input: extendInput })
export const extendPlans = defineEndpoint<{ extended: number; undo?: number }>()({ method: 'POST', path: `${roomPlan.api.list}/extend`, summary: '计划授权续期', back: 'undo', grant: open, input: extendInput })

const people = z.array(z.object({
  mobile: z.string('手机号有误').check(z.regex(/^1[3-9]\d{9}$/, '手机号应为 11 位')), name: z.string('请填写姓名').check(z.trim(), z.minLength(1, '请填写姓名'), z.maxLength(20, '姓名最多 20 个字')),
}), '请填写学员').check(z.minLength(1, '请填写学员'), z.maxLength(MOST_OPENED, `一次最多 ${MOST_OPENED} 人`))

/** What giving places would do, or did, person by person. */
export interface Opened {
  rows: { mobile: string; name: string; state: 'new' | 'known' | 'there' }[]
  opened: number
  quota: number
  used: number
}

/** Shows who would be given a place, without doing so. */
export const previewAccounts = defineEndpoint<Opened>()({ method: 'POST', path: `${anyGrant.api.item}/{id}/accounts/preview`, summary: '预览开通学员', back: 'reads', grant: open, input: z.object({ people }) })
export const openAccounts = defineEndpoint<Opened>()({ method: 'POST', path: `${anyGrant.api.item}/{id}/accounts`, summary: '为学员开通', back: { instead: '开通错了，释放名额即可' }, grant: open, input: z.object({ people }) })

/** How one person stands within a plan. */
export interface PlanLearner { account_id: number; name: string; done: number; due: number; behind: number; last_at: number | null }
/** A task of the plan as a room works through it: by the version that held on its day. */
export interface RunTask { key: string; day: number; title: string; kind: string; minutes: number; required: boolean; on: number; done: number[] }
export interface Run {
  /** Days of the plan that are over or begun; 0 before it begins. */
  today: number
  last: number
  learners: PlanLearner[]
  tasks: RunTask[]
}

export const readRun = defineEndpoint<Run>()({ method: 'GET', path: `${roomPlan.api.item}/{id}/run`, summary: '计划的执行进度', grant: [GRANT_RIGHTS.screen] })
/** A supervisor ticks what somebody did away from the screen, or takes the tick back. */
export const tickTask = defineEndpoint<Run>()({
  method: 'PUT', path: `${roomPlan.api.item}/{id}/run`, summary: '登记任务完成', grant: open,
  input: z.object({ account_id: id('学员有误'), task_key: z.string('任务有误').check(z.regex(/^[\w-]{1,24}$/, '任务有误')), done: z.boolean('完成情况有误') }),
})

/** What learners' apps may do here with a key of their own. */
export const PLAN_RECORDS = defineAppScope('plan_records', '上报训练计划任务')
/** What learners did of plans: once for each account and task, whatever is sent again. */
export const takePlanRecords = defineEndpoint<{ received: number; unknown: number }>()({
  method: 'POST', path: '/daoyuan/api/end/lesson_class/plan_records', summary: '上报训练计划任务', grant: 'device', app: PLAN_RECORDS,
  input: z.object({ records: z.array(z.object({ account_id: id('学员有误'), task_key: z.string('任务有误').check(z.regex(/^[\w-]{1,24}$/, '任务有误')), at: moment('时间有误') }), '记录有误').check(z.minLength(1, '没有记录'), z.maxLength(1000, '一次最多 1000 条')) }),
})
