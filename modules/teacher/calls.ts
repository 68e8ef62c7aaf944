import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { CLASS_RIGHTS, teacherClass } from './class.ts'
import { OPERATION_RIGHTS } from './operation.ts'
import { TEACHER_RIGHTS, teacherProfile } from './teacher.ts'

export const WAYS = [{ value: 'call', label: '电话' }, { value: 'wechat', label: '微信' }, { value: 'visit', label: '到校' }, { value: 'other', label: '其他' }] as const

/** What was spoken with a teacher, what they were told, and their classes. */
export interface TeacherStory {
  follows: { id: number; at: number; staff_name: string | null; way: string; body: string }[]
  news: { id: number; at: number; body: string; read_at: number | null }[]
  classes: { id: number; name: string; code: string; status: number; members: number; max_members: number; homework: number }[]
}

/** Who is in a class, what they were set, and who led it. */
export interface ClassStory {
  members: { user_id: number; name: string; joined_at: number; done: number }[]
  gone: number
  homework: { id: number; title: string; at: number; due_at: number; members: number; done: number; score: number | null; teacher_name: string }[]
  leads: { id: number; teacher_id: number; name: string; from_at: number; to_at: number | null; note: string | null }[]
}

/** Another school year begins: what would graduate, and what stays as it is and why. */
export interface Graduation {
  classes: { id: number; name: string; teacher: string; school: string; grade: number; members: number; open_homework: number }[]
  members: number
}

const id = (words: string) => z.int(words).check(z.positive(words))
const teacherItem = teacherProfile.api.item
const classItem = teacherClass.api.item

export const teacherStory = defineEndpoint<TeacherStory>()({ method: 'GET', path: `${teacherItem}/{id}/story`, summary: '教师的班级、跟进和通知', grant: [TEACHER_RIGHTS.screen, OPERATION_RIGHTS.screen] })
export const stopTeacher = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${teacherItem}/{id}/stop`, summary: '停用教师', grant: [TEACHER_RIGHTS.id('stop')], input: z.object({ reason: reasonSchema }) })
export const resumeTeacher = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${teacherItem}/{id}/resume`, summary: '恢复教师', grant: [TEACHER_RIGHTS.id('stop')], input: z.object({ reason: reasonSchema }) })
export const leaveTeacher = defineEndpoint<{ classes: number }>()({ method: 'POST', path: `${teacherItem}/{id}/leave`, summary: '教师离开并交接班级', grant: [TEACHER_RIGHTS.id('leave')], input: z.object({ reason: reasonSchema, to_id: z.optional(id('请选择接手的教师')) }) })
export const extendTeacher = defineEndpoint<{ cert_until: number }>()({ method: 'POST', path: `${teacherItem}/{id}/extend`, summary: '延长教师权益', grant: [TEACHER_RIGHTS.id('extend')], input: z.object({ reason: reasonSchema, until: id('请选择日期') }) })
export const followTeacher = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${teacherItem}/{id}/follows`, summary: '跟进教师', grant: [OPERATION_RIGHTS.id('follow'), standardId(TEACHER_RIGHTS.screen, 'edit')],
  input: z.object({ way: z.enum(WAYS.map(({ value }) => value), '请选择方式'), body: z.string('请填写跟进内容').check(z.trim(), z.minLength(5, '跟进内容至少 5 个字'), z.maxLength(500, '跟进内容最多 500 个字')), next_follow_at: z.optional(id('时间有误')) }),
})

export const classStory = defineEndpoint<ClassStory>()({ method: 'GET', path: `${classItem}/{id}/story`, summary: '班级的学生和作业', grant: [CLASS_RIGHTS.screen] })
export const recodeClass = defineEndpoint<{ code: string }>()({ method: 'POST', path: `${classItem}/{id}/code`, summary: '更换班级码', grant: [standardId(CLASS_RIGHTS.screen, 'edit')] })
export const transferClasses = defineEndpoint<{ moved: number; undo?: number }>()({
  method: 'POST', path: `${teacherClass.api.list}/transfer`, summary: '转让班级', back: 'undo', grant: [CLASS_RIGHTS.id('transfer')],
  input: z.object({ ids: z.array(id('请选择班级'), '请选择班级').check(z.minLength(1, '请选择班级'), z.maxLength(200, '一次最多 200 个班级')), teacher_id: id('请选择教师'), reason: reasonSchema }),
})
export const expelMember = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${classItem}/{id}/expel`, summary: '移出班级学生', grant: [CLASS_RIGHTS.id('members')], input: z.object({ user_id: id('请选择学生'), reason: reasonSchema }) })

const graduation = { school_year: id('请选择学年'), grades: z.array(z.int('请选择年级').check(z.gte(1, '请选择年级'), z.lte(12, '请选择年级')), '请选择年级').check(z.minLength(1, '请选择年级'), z.maxLength(12, '年级有误')) }
export const previewGraduation = defineEndpoint<Graduation>()({ method: 'POST', path: `${teacherClass.api.list}/graduation/preview`, summary: '预览学年毕业', grant: [CLASS_RIGHTS.id('graduate')], input: z.object(graduation) })
/** The ids are those of the preview: what somebody changed since stays as it is. */
export const graduateClasses = defineEndpoint<{ graduated: number; undo?: number }>()({
  method: 'POST', path: `${teacherClass.api.list}/graduation`, summary: '学年毕业', back: 'undo', grant: [CLASS_RIGHTS.id('graduate')],
  input: z.object({ ids: z.array(id('请选择班级'), '请选择班级').check(z.minLength(1, '没有可毕业的班级'), z.maxLength(500, '一次最多 500 个班级')) }),
})
