import * as z from 'zod/mini'
import { defineAppScope } from '../../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { LONGEST, PURPOSES } from './said.ts'

/** What learners' apps may do here. */
export const COMMENT_APP = defineAppScope('comment', '发表和查看评论')

const BASE = '/daoyuan/api/device'
const id = (words: string) => z.int(words).check(z.positive(words))
const asked = (words: string) => z.coerce.number(words).check(z.int(words), z.positive(words))
const key = z.string('重试标识有误').check(z.minLength(8, '重试标识有误'), z.maxLength(60, '重试标识有误'))
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g
const text = z.string('请输入内容').check(z.overwrite((words) => words.trim()), z.refine((words) => words.replace(INVISIBLE, '').trim() !== '', '请输入内容'), z.maxLength(LONGEST, `最多 ${LONGEST} 字`))
const purpose = z._default(z.union(PURPOSES.map(({ value }) => z.literal(value)), '类型有误'), 1)
const parent_id = z.optional(id('被回复的评论有误'))

/** Why learners complain. */
export const REPORT_CAUSES = [
  { value: 'ad', label: '广告引流' }, { value: 'abuse', label: '辱骂攻击' }, { value: 'porn', label: '低俗' }, { value: 'wrong', label: '误导答案' }, { value: 'other', label: '其他' },
] as const

/** What somebody said, as their app is told: 待审 until a person has looked at it. */
export interface SaidNow { id: number; state: number }
/** What others said. */
export interface ShownComment { id: number; parent_id: number; root_id: number; nickname: string; content: string; official: number; top: number; likes: number; liked: boolean; purpose: number; at_sec: number | null; adopted: boolean; waiting: boolean; at: number }

export const sayOfVideo = defineEndpoint<SaidNow>()({
  method: 'POST', path: `${BASE}/video_comments`, summary: '发表视频评论', grant: 'device', app: COMMENT_APP,
  input: z.object({ user_id: id('用户有误'), video_id: id('视频有误'), course_id: z.optional(id('课程有误')), at_sec: z.int('视频时间应为整秒').check(z.gte(0, '视频时间不能为负')), text, purpose, parent_id, client_key: key }),
})
export const sayOfPractice = defineEndpoint<SaidNow>()({
  method: 'POST', path: `${BASE}/practice_comments`, summary: '发表习题评论', grant: 'device', app: COMMENT_APP,
  input: z.object({ user_id: id('用户有误'), practice_id: id('试题有误'), text, purpose, parent_id, client_key: key }),
})
/** What learners see of one video or question, by its second or the newest first; somebody's own waiting ones stand among them. */
export const readComments = defineEndpoint<{ items: ShownComment[]; total: number }>()({
  method: 'GET', path: `${BASE}/comments`, summary: '查看评论', grant: 'device', app: COMMENT_APP,
  input: z.object({ user_id: asked('用户有误'), target: z.enum(['video', 'practice'], '对象有误'), target_id: asked('对象有误'), page: z.optional(z.coerce.number('页码有误').check(z.int('页码有误'), z.gte(0, '页码有误'))) }),
})
export const likeComment = defineEndpoint<{ likes: number }>()({ method: 'POST', path: `${BASE}/comments/{id}/like`, summary: '点赞评论', grant: 'device', app: COMMENT_APP, input: z.object({ user_id: id('用户有误'), on: z.boolean('点赞有误') }) })
export const reportComment = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${BASE}/comments/{id}/report`, summary: '举报评论', grant: 'device', app: COMMENT_APP,
  input: z.object({ user_id: id('用户有误'), cause: z.enum(REPORT_CAUSES.map(({ value }) => value), '请选择举报原因'), note: z._default(z.string('说明有误').check(z.maxLength(200, '说明最多 200 字')), ''), client_key: key }),
})
/** Whoever asked says that an answer helped. */
export const acceptAnswer = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${BASE}/comments/{id}/accept`, summary: '采纳回答', grant: 'device', app: COMMENT_APP, input: z.object({ user_id: id('用户有误'), answer_id: id('回答有误') }) })
