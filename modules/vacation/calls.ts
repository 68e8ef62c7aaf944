import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { vacationMeeting } from './meeting.ts'
import { vacationMember } from './member.ts'
import { ROLLS } from './state.ts'
import { vacationClass } from './line.ts'

/** Days that a person leaves out of a plan. */
const MOST_SKIPPED = 366
/** Days that a meeting is tried on at once: those of six weeks. */
export const MOST_TRIED = 42

const { api: { item: CLASS }, grant } = vacationClass
const { api: { item: MEETING } } = vacationMeeting
const { api: { item: MEMBER } } = vacationMember
const edit = [standardId(grant, 'edit')]
const moment = z.int('时间有误').check(z.gte(0, '时间有误'), z.lte(7_258_118_400, '时间过晚'))

/** A meeting as the timetable shows it. */
export interface Meeting {
  id: number
  rev: number
  name: string
  start_at: number
  end_at: number
  teacher_name: string | null
  room: string | null
  rolled_at: number | null
  /** Whom or what it takes twice, one sentence each. */
  conflicts: string[]
}

/** A meeting that is not written yet. */
export interface PlannedMeeting {
  start_at: number
  end_at: number
  conflicts: string[]
}

const planSchema = z.object({ skip: z._default(z.array(z.string('日期有误').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, '日期有误'))).check(z.maxLength(MOST_SKIPPED, `最多排除 ${MOST_SKIPPED} 天`)), []) })

export const readSchedule = defineEndpoint<{ meetings: Meeting[] }>()({ method: 'GET', path: `${CLASS}/{id}/schedule`, summary: '班级课表', grant: [grant] })
export const planSchedule = defineEndpoint<{ meetings: PlannedMeeting[] }>()({ method: 'POST', path: `${CLASS}/{id}/schedule/plan`, summary: '预览排课', grant: edit, input: planSchema })
export const writeSchedule = defineEndpoint<{ meetings: Meeting[] }>()({
  method: 'POST', path: `${CLASS}/{id}/schedule`, summary: '排课', grant: edit, input: z.object({ ...planSchema.shape, reason: z.optional(reasonSchema) }),
})
/** Tries a meeting at other times: what it would take twice at each. */
export const tryMeeting = defineEndpoint<{ conflicts: string[][] }>()({
  method: 'POST', path: `${MEETING}/{id}/try`, summary: '试排课次', grant: edit, input: z.object({ starts: z.array(moment, '请选择时间').check(z.minLength(1, '请选择时间'), z.maxLength(MOST_TRIED, `一次最多试 ${MOST_TRIED} 个时间`)) }),
})

/** Somebody on the list of a roll call. */
export interface RollRow {
  member_id: number
  name: string | null
  /** Null until somebody has called the roll. */
  status: number | null
  remark: string | null
}

export const readRoll = defineEndpoint<{ rows: RollRow[] }>()({ method: 'GET', path: `${MEETING}/{id}/roll`, summary: '点名册', grant: [grant] })
export const writeRoll = defineEndpoint<{ rows: RollRow[] }>()({
  method: 'PUT', path: `${MEETING}/{id}/roll`, summary: '点名', grant: [vacationClass.rights.id('roll')],
  input: z.object({ rows: z.array(z.object({
    member_id: z.int('学员有误'), status: z.custom<number>((value) => ROLLS.some((one) => one.value === value), `考勤应为 ${ROLLS.map(({ label }) => label).join('、')} 之一`), remark: z.optional(z.nullable(z.string('备注应为文字').check(z.maxLength(60, '备注最多 60 个字')))),
  }), '请点名').check(z.minLength(1, '请点名'), z.maxLength(500, '最多 500 人')) }),
})

/** A class that somebody could change to. */
export interface OtherClass {
  id: number
  name: string
  teacher_name: string | null
  course: string
  /** Its price less that of the present class, in fen. */
  price_difference: number
  /** Free places; none or fewer means the waiting list. */
  seats: number
  /** Meetings that are over already. */
  missed: number
  start_on: number
  /** Why it cannot be changed to; null when it can. */
  refusal: string | null
}

export const readChanges = defineEndpoint<{ classes: OtherClass[] }>()({ method: 'GET', path: `${MEMBER}/{id}/changes`, summary: '可换的班级', grant: [vacationClass.rights.id('change')] })
export const changeClass = defineEndpoint<{ id: number; state: number }>()({
  method: 'POST', path: `${MEMBER}/{id}/change`, summary: '换班', grant: [vacationClass.rights.id('change')], input: z.object({ class_id: z.int('请选择班级').check(z.positive('请选择班级')), reason: reasonSchema }),
})
