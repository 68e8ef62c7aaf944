import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { choice, toggle } from '../../../core/field/choice.ts'
import { tags } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { HEALTH_RIGHTS } from '../health.ts'

export const MAIL = 'mail'
export const CHANNEL_KINDS = [{ value: MAIL, label: '邮件' }, { value: 'wecom', label: '企业微信群机器人' }, { value: 'dingtalk', label: '钉钉群机器人' }, { value: 'feishu', label: '飞书群机器人' }] as const

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))

/** A way out of the house. What opens it, a password or the address of a robot, is kept apart and never shown again. */
export const messageChannel = defineResource({
  name: 'message_channel',
  label: '消息通道',
  measure: '个',
  grant: HEALTH_RIGHTS.screen,
  rights: HEALTH_RIGHTS,
  api: api('/daoyuan/api/end', 'message_channels', 'message_channel'),
  fields: {
    name: text('名称', { required: true, max: 30, search: true, unique: true, example: '公司邮箱' }),
    kind: choice('类型', CHANNEL_KINDS, { required: true, createOnly: true, initial: MAIL }),
    host: text('邮件服务器', { max: 120, lower: true, example: 'smtp.example.com' }),
    port: number('端口', { min: 1, max: 65535, initial: 465 }),
    security: choice('加密方式', [{ value: 'tls', label: 'SSL/TLS（465）' }, { value: 'starttls', label: 'STARTTLS（587）' }, { value: 'plain', label: '不加密（仅限内部服务器）' }], { initial: 'tls' }),
    account: text('登录账号', { max: 120 }),
    sender: text('发件邮箱', { max: 120, lower: true }),
    domains: tags('收件域名', { longest: 60, help: '员工只能用这些域名的邮箱接收，如 example.com' }),
    alerts: toggle('告警', { on: '推送', off: '不推送' }, { initial: 0, help: '有新告警时发到这个群，只含数字和链接' }),
    quiet_from: choice('免打扰从', HOURS),
    quiet_to: choice('免打扰到', HOURS, { help: '免打扰时间内的消息在结束后发送' }),
    key_hint: text('密钥', { readonly: true, max: 60 }),
    key_at: time('密钥设置时间', { readonly: true }),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true, initial: 1 }),
    remark: text('备注', { max: 200 }),
  },
  list: { columns: ['name', 'kind', 'status', 'key_hint', 'key_at', 'host', 'domains', 'alerts', 'quiet_from', 'quiet_to', 'remark', 'updated_at'], filters: ['kind', 'status', 'created_at'] },
  form: [{ fields: ['name', 'kind', 'host', 'port', 'security', 'account', 'sender', 'domains', 'alerts', 'quiet_from', 'quiet_to', 'status', 'remark'] }],
  logged: [{ name: 'set_key', label: '设置密钥' }],
  without: ['import', 'export', 'reveal'],
})

const secret = z.optional(z.string().check(z.trim(), z.maxLength(500, '最多 500 个字')))

/** Sets what opens a channel; it is never answered again. */
export const setChannelKey = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${messageChannel.api.item}/{id}/key`, summary: '设置消息通道的密钥', grant: [HEALTH_RIGHTS.id('keys')], fresh: true,
  input: z.object({ password: secret, webhook: secret, sign: secret }),
})

/** Sends something at once, to see whether it arrives. */
export const testChannel = defineEndpoint<{ ok: boolean; words: string }>()({
  method: 'POST', path: `${messageChannel.api.item}/{id}/test`, summary: '发送测试消息', grant: [HEALTH_RIGHTS.id('keys')],
  input: z.object({ to: z.optional(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(120, '邮箱最多 120 个字'))) }),
})
