import { choice } from '../../../core/field/choice.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { HEALTH_RIGHTS } from '../health.ts'
import { staff } from '../../staff/module.ts'
import { messageChannel } from './channel.ts'

export const DELIVERY = { waiting: 1, sending: 2, sent: 3, failed: 4, dropped: 5 } as const
const D = DELIVERY

export const DELIVERY_KINDS = [{ value: 'view', label: '订阅视图' }, { value: 'inbox', label: '待办汇总' }, { value: 'alert', label: '告警' }, { value: 'test', label: '测试' }, { value: 'code', label: '验证码' }] as const

/** One message that leaves the house. What it says is made when it is sent and kept nowhere. */
export const messageDelivery = defineResource({
  name: 'message_delivery',
  label: '发送记录',
  measure: '条',
  title: 'title',
  grant: HEALTH_RIGHTS.screen,
  rights: HEALTH_RIGHTS,
  api: api('/daoyuan/api/end', 'message_deliveries', 'message_delivery'),
  fields: {
    title: text('内容', { required: true, readonly: true, max: 120, search: true }),
    kind: choice('类别', DELIVERY_KINDS, { required: true, readonly: true }),
    channel_id: reference('消息通道', () => messageChannel, { required: true, readonly: true, onRemove: 'keep' }),
    staff_id: reference('接收人', () => staff, { readonly: true, onRemove: 'keep' }),
    target: text('发往', { readonly: true, max: 120 }),
    error: text('结果说明', { readonly: true, max: 300, audit: false }),
    attempts: number('已尝试', { readonly: true, audit: false, initial: 0, unit: '次' }),
    next_at: time('下次发送', { readonly: true, audit: false }),
    sent_at: time('送达时间', { readonly: true, audit: false }),
    subscription_id: number('订阅编号', { readonly: true }),
    link: text('链接', { readonly: true, max: 300 }),
    once_key: text('防重编号', { required: true, readonly: true, max: 120, unique: true }),
    state: choice('状态', [
      { value: D.waiting, label: '等待发送', tone: 'idle' }, { value: D.sending, label: '发送中', tone: 'processing' }, { value: D.sent, label: '已发送', tone: 'success' }, { value: D.failed, label: '失败', tone: 'error' }, { value: D.dropped, label: '未发送', tone: 'default' },
    ], { required: true, readonly: true, initial: D.waiting }),
  },
  list: {
    columns: ['title', 'state', 'kind', 'channel_id', 'staff_id', 'target', 'error', 'attempts', 'next_at', 'sent_at', 'created_at'],
    filters: ['state', 'kind', 'channel_id', 'staff_id', 'sent_at', 'created_at'],
  },
  transitions: [{ name: 'resend', label: '重发', field: 'state', from: [D.failed, D.dropped], to: D.waiting, right: 'resend', instead: '已发出的收不回，只能另发一条说明' }],
  logged: [{ name: 'test', label: '发送测试' }, { name: 'code', label: '发送验证码' }],
  indexes: [['state', 'next_at'], ['channel_id', 'sent_at'], ['subscription_id', 'id']],
  without: ['create', 'update', 'edit', 'remove', 'import', 'export', 'reveal'],
})
