import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { MOST } from './states.ts'

/** What the app may do for teachers and for those who learn in their classes. */
export const TEACHER_APP = defineAppScope('teacher_class', '教师班级')

const BASE = '/daoyuan/api/device/teacher'
const id = (words: string) => z.int(words).check(z.positive(words))
const user_id = id('用户有误')
const ofQuery = z.string('用户有误').check(z.regex(/^\d{1,15}$/, '用户有误'))
/** Whatever is sent again under the same key is done once. */
const client_key = z.string('重试标识有误').check(z.minLength(8, '重试标识有误'), z.maxLength(60, '重试标识有误'))
const words = (label: string, most: number) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(most, `${label}最多 ${most} 个字`))
const shared = { grant: 'device', app: TEACHER_APP } as const

/** A class as the app shows it to whoever leads it or learns in it. */
export interface AppClass { id: number; name: string; code: string | null; status: number; teacher: string; members: number }

export const foundClass = defineEndpoint<{ id: number; code: string }>()({
  method: 'POST', path: `${BASE}/classes`, summary: '教师端：建班', ...shared,
  input: z.object({ user_id, client_key, name: words('班级名称', 40), grade: z.int('请选择年级').check(z.gte(1, '请选择年级'), z.lte(12, '请选择年级')), max_members: z._default(z.int('人数上限有误').check(z.gte(1, '人数上限有误'), z.lte(MOST.members, `人数上限最多 ${MOST.members}`)), 60) }),
})
export const ownClasses = defineEndpoint<{ leads: AppClass[]; joined: AppClass[] }>()({ method: 'GET', path: `${BASE}/classes`, summary: '教师端和学生端：我的班级', ...shared, input: z.object({ user_id: ofQuery }) })
export const joinClass = defineEndpoint<{ class_id: number; name: string }>()({ method: 'POST', path: `${BASE}/classes/join`, summary: '学生端：凭班级码加入', ...shared, input: z.object({ user_id, client_key, code: z.string('请填写班级码').check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9]{6}$/, '班级码为 6 位字母和数字')) }) })
export const quitClass = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${BASE}/classes/{id}/quit`, summary: '学生端：退出班级', ...shared, input: z.object({ user_id }) })
export const setHomework = defineEndpoint<{ id: number; members: number }>()({ method: 'POST', path: `${BASE}/classes/{id}/homework`, summary: '教师端：布置作业', ...shared, input: z.object({ user_id, client_key, title: words('作业标题', 60), paper_id: z.optional(id('试卷有误')), due_at: id('截止时间有误') }) })
export const doneHomework = defineEndpoint<{ at: number }>()({ method: 'POST', path: `${BASE}/homework/{id}/done`, summary: '学生端：交作业', ...shared, input: z.object({ user_id, score: z.optional(z.number('得分率有误').check(z.gte(0, '得分率有误'), z.lte(1, '得分率有误'))) }) })

const score = z.number('分值有误').check(z.gte(0.5, '分值至少 0.5'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位'))
/** A paper with questions of the bank and with own ones, which are read before others get them. */
export const handInPaper = defineEndpoint<{ id: number; own_count: number }>()({
  method: 'POST', path: `${BASE}/papers`, summary: '教师端：提交试卷', ...shared,
  input: z.object({
    user_id, client_key, name: words('试卷名称', 100), shared: z._default(z.boolean('共享设置有误'), false),
    items: z.array(z.union([z.object({ practice_id: id('题号有误'), score }), z.object({ content: z.record(z.string(), z.unknown()), score })], '试题有误'), '试题有误').check(z.minLength(1, '试卷没有试题'), z.maxLength(100, '试卷最多 100 题')),
  }),
})
export const ownPapers = defineEndpoint<{ items: { id: number; name: string; review: number; state: number; questions: { ord: number; state: number; reason: string | null }[] }[] }>()({ method: 'GET', path: `${BASE}/papers`, summary: '教师端：我的试卷和审核结果', ...shared, input: z.object({ user_id: ofQuery }) })
/** What a teacher is told; what was fetched counts as read. */
export const ownNews = defineEndpoint<{ items: { id: number; at: number; body: string; paper_id: number | null }[] }>()({ method: 'POST', path: `${BASE}/news`, summary: '教师端：通知', ...shared, input: z.object({ user_id }) })
