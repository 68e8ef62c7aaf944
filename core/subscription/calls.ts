import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

const BASE = '/daoyuan/api/end/message'

/** What somebody can be sent by itself. */
export const SUBSCRIPTION_KINDS = { view: '视图', inbox: '待办汇总', alert: '告警' } as const
export type SubscriptionKind = keyof typeof SUBSCRIPTION_KINDS

/** How a view is sent: its first rows and its number, a workbook, or a picture of its first rows or of what it counts. */
export const FORMATS = { summary: '摘要和链接', xlsx: 'Excel 附件', picture: '图片' } as const
export type SubscriptionFormat = keyof typeof FORMATS

/** Days of the week from Monday, as 1 to 7. */
export const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'] as const

/** A way out of the house that a person may use. */
export interface ChannelChoice {
  id: number
  name: string
  /** Whether it reaches a group: numbers and links only. */
  group: boolean
  /** Whether it takes pictures; robots of some vendors do not. */
  pictures: boolean
}

/** Where somebody is reached, and when not. */
export interface Contact {
  email: string | null
  /** Whether the person has shown that mail to this address reaches them. */
  confirmed: boolean
  quiet_from: number | null
  quiet_to: number | null
}

/** What somebody gets by itself. Moments are in unix seconds. */
export interface Subscription {
  id: number
  kind: SubscriptionKind
  /** Name of the view, or what the kind is called. */
  title: string
  view_id: number | null
  channel_id: number
  channel_name: string | null
  format: SubscriptionFormat
  hour: number
  weekdays: number[]
  next_at: number | null
  /** What came of the last time, in words; null before it. */
  last: { at: number; ok: boolean; words: string } | null
}

const hour = z.int('请选择时间').check(z.gte(0, '请选择时间'), z.lte(23, '请选择时间'))
const weekdays = z.array(z.int().check(z.gte(1), z.lte(7)), '请选择日期').check(z.minLength(1, '请至少选择一天'), z.maxLength(7), z.overwrite((days) => [...new Set(days)].sort((a, b) => a - b)))

/** What a person may choose among; `draws` tells whether the server has what pictures need. */
export const messageOptions = defineEndpoint<{ channels: ChannelChoice[]; contact: Contact; draws: boolean }>()({ method: 'GET', path: `${BASE}/options`, summary: '可用的消息通道和自己的接收设置', grant: 'staff' })

export const listSubscriptions = defineEndpoint<{ items: Subscription[]; total: number }>()({ method: 'GET', path: `${BASE}/subscriptions`, summary: '自己的订阅', grant: 'staff' })

export const subscribe = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${BASE}/subscriptions`, summary: '订阅', grant: 'staff',
  input: z.object({
    kind: z.enum(['view', 'inbox', 'alert'], '请选择订阅内容'), view_id: z.optional(z.int()), channel_id: z.int('请选择发送方式'),
    format: z._default(z.enum(['summary', 'xlsx', 'picture']), 'summary'), hour: z._default(hour, 9), weekdays: z._default(weekdays, [1, 2, 3, 4, 5, 6, 7]),
    /** Screen on which the view stands, for the link. */
    path: z.optional(z.string().check(z.regex(/^\/[\w/-]{0,200}$/, '页面地址有误'))),
  }),
})

export const unsubscribe = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${BASE}/subscriptions/{id}`, summary: '取消订阅', grant: 'staff' })

/** Sets where a person is reached; a new address is sent a code. */
export const setContact = defineEndpoint<Contact>()({
  method: 'PUT', path: `${BASE}/contact`, summary: '设置接收消息的邮箱', grant: 'staff',
  input: z.object({ email: z.string('请填写邮箱').check(z.trim(), z.toLowerCase(), z.maxLength(120, '邮箱最多 120 个字'), z.regex(/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/, '邮箱格式不正确')) }),
})

export const confirmContact = defineEndpoint<Contact>()({
  method: 'POST', path: `${BASE}/contact/confirm`, summary: '用验证码确认邮箱', grant: 'staff',
  input: z.object({ code: z.string('请填写验证码').check(z.trim(), z.regex(/^\d{6}$/, '验证码为 6 位数字')) }),
})

export const setQuiet = defineEndpoint<Contact>()({
  method: 'PUT', path: `${BASE}/contact/quiet`, summary: '设置免打扰时间', grant: 'staff',
  input: z.object({ quiet_from: z.nullable(hour), quiet_to: z.nullable(hour) }),
})
