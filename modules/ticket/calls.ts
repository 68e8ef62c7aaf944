import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'
import { ticket, TICKET_KINDS, TICKET_RIGHTS } from './ticket.ts'

/** What learners' apps may do here: write to us, ask again, say how content somebody is. */
export const TICKET_APP = defineAppScope('ticket', '提交和追问反馈')

/** Something that was said in a ticket. */
export interface TicketMessage { id: number; at: number; side: 'user' | 'staff' | 'note' | 'system'; staff_id: number | null; staff_name: string | null; body: string }

/** A ticket as its screen shows it. */
export interface TicketThread {
  row: WireRow<typeof ticket>
  items: TicketMessage[]
  /** Colleagues who look at it now. */
  user: { id: number; user_no: string; name: string; mobile: string; grade: number | null; school: string | null; register_at: number | null; last_login_at: number | null; tickets: { id: number; title: string; state: number; at: number }[] }
  /** Orders that the person who looks may open, the newest first. */
  orders: { id: number; order_no: string; goods: string; amount: number; status: number; at: number; to: string }[]
  practice: { id: number; no: string; to: string | null; words: string } | null
  /** Tickets that were merged into it. */
  merged: { id: number; title: string; user: string }[]
}

/** A ticket in somebody's queue. */
export interface QueueItem { id: number; title: string; state: number; priority: number; kind: number; due_at: number | null; asked: boolean; assignee_name: string | null }

export interface CannedReply { id: number; code: string; body: string; used_n: number }

export const QUEUES = ['mine', 'free', 'soon', 'late'] as const
export type QueueName = (typeof QUEUES)[number]

const { api: { list, item } } = ticket
const DETAIL = screenId('/operate/feedbackDetail')
const look = [DETAIL, TICKET_RIGHTS.screen]
const handles = [TICKET_RIGHTS.id('handle')]
const body = z.string('请输入内容').check(z.overwrite((words) => words.replace(/[\u200b-\u200f\u2060\ufeff]/g, '').trim()), z.minLength(1, '请输入内容'), z.maxLength(500, '最多 500 字'))
const id = (words: string) => z.int(words).check(z.positive(words))

export const ticketThread = defineEndpoint<TicketThread>()({ method: 'GET', path: `${item}/{id}/thread`, summary: '反馈的往来', grant: look })
export const ticketQueues = defineEndpoint<{ counts: Record<QueueName, number> }>()({ method: 'GET', path: `${list}/queues`, summary: '反馈的队列', grant: look })
export const ticketQueue = defineEndpoint<{ items: QueueItem[]; total: number }>()({ method: 'GET', path: `${list}/queue`, summary: '队列里的反馈', grant: look, input: z.object({ queue: z.enum(QUEUES, '队列有误') }) })

/** Answers, or tells colleagues. Refused while something was said that the person has not seen. */
export const replyTicket = defineEndpoint<{ id: number; state: number }>()({
  method: 'POST', path: `${item}/{id}/replies`, summary: '回复反馈', grant: handles,
  input: z.object({ body, note: z._default(z.boolean('类型有误'), false), seen_id: z.int('请刷新后再发送').check(z.gte(0, '请刷新后再发送')), next: z._default(z.enum(['stay', 'wait', 'solve'], '发送后的状态有误'), 'stay'), client_key: z.string('请重新发送').check(z.minLength(8, '请重新发送'), z.maxLength(60, '请重新发送')) }),
})
export const mergeTicket = defineEndpoint<{ into_id: number }>()({ method: 'POST', path: `${item}/{id}/merge`, summary: '合并反馈', grant: [TICKET_RIGHTS.id('merge')], input: z.object({ into_id: id('请选择要合并到的反馈') }) })
/** Says that somebody looks at a ticket, and whether they write. */
export const cannedReplies = defineEndpoint<{ items: CannedReply[]; total: number }>()({ method: 'GET', path: `${list}/canned`, summary: '常用回复', grant: look })
export const keepCanned = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${list}/canned`, summary: '保存常用回复', grant: [TICKET_RIGHTS.id('canned')],
  input: z.object({ code: z.string('请填写快捷码').check(z.trim(), z.regex(/^[\w\u4e00-\u9fff-]{1,20}$/, '快捷码为 1 到 20 个字母、数字或汉字')), body }),
})
export const dropCanned = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${list}/canned/{id}`, summary: '删除常用回复', grant: [TICKET_RIGHTS.id('canned')] })

const BASE = '/daoyuan/api/device/feedbacks'
export const openTicket = defineEndpoint<{ id: number }>()({
  method: 'POST', path: BASE, summary: '提交反馈', grant: 'device', app: TICKET_APP,
  input: z.object({
    user_id: id('用户有误'), kind: z.union(TICKET_KINDS.map(({ value }) => z.literal(value)), '类型有误'), content: z.string('请输入内容').check(z.trim(), z.minLength(1, '请输入内容'), z.maxLength(1000, '最多 1000 字')),
    practice_id: z.optional(id('试题有误')), device: z.optional(z.string('设备有误').check(z.maxLength(60, '设备最多 60 个字'))), app_version: z.optional(z.string('版本有误').check(z.maxLength(20, '版本最多 20 个字'))),
  }),
})
/** What a user reads of their ticket. */
export const userThread = defineEndpoint<{ state: number; items: { id: number; at: number; side: 'user' | 'staff'; body: string }[] }>()({ method: 'GET', path: `${BASE}/{id}`, summary: '查看反馈', grant: 'device', app: TICKET_APP, input: z.object({ user_id: z.coerce.number('用户有误').check(z.int('用户有误'), z.positive('用户有误')) }) })
/** The user says more. After a week it is another ticket, linked with this one. */
export const userSays = defineEndpoint<{ ticket_id: number; message_id: number }>()({ method: 'POST', path: `${BASE}/{id}/messages`, summary: '追问反馈', grant: 'device', app: TICKET_APP, input: z.object({ user_id: id('用户有误'), body, client_key: z.string('重试标识有误').check(z.minLength(8, '重试标识有误'), z.maxLength(60, '重试标识有误')) }) })
export const rateTicket = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${BASE}/{id}/rate`, summary: '评价反馈', grant: 'device', app: TICKET_APP, input: z.object({ user_id: id('用户有误'), stars: z.int('请选择 1 到 5 星').check(z.gte(1, '请选择 1 到 5 星'), z.lte(5, '请选择 1 到 5 星')) }) })
