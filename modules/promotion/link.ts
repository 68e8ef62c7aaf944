import { choice, toggle } from '../../core/field/choice.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { channel } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { activity } from './activity.ts'
import { suitesSchema } from './good.ts'

export const PAYLINK_PATH = '/operate/paylink'

export const LINK_STATE = { off: 0, on: 1 } as const

export const LINK_RIGHTS = defineRights(screenId(PAYLINK_PATH), { pay: [11, '收款登记'], copy: [12, '批量生成'] })

/** domain 1.8: a link by which an agent or a person of the staff sells packages, whose goods may be of several lines. */
export const activityLink = defineResource({
  name: 'activity_link',
  label: '支付链接',
  measure: '条',
  grant: LINK_RIGHTS.screen,
  rights: LINK_RIGHTS,
  api: api('/daoyuan/api/end', 'activity_links', 'activity_link'),
  fields: {
    name: text('链接名称', { required: true, max: 60, search: true, example: '秋季初中同步联报' }),
    activity_id: reference('所属活动', () => activity, { onRemove: 'keep' }),
    suites: json('套餐', suitesSchema, { required: true }),
    suite_words: computed('套餐内容', 'text'),
    agent_id: reference('代理', () => agent, { onRemove: 'keep' }),
    seller_id: reference('销售', () => staff, { onRemove: 'keep' }),
    channel_id: reference('渠道', () => channel, { onRemove: 'keep' }),
    expire_at: time('有效期至'),
    max_uses: number('最多购买次数', { min: 1, max: 1_000_000, unit: '次', help: '不填则不限' }),
    need_receiver: toggle('收货信息', { on: '必填', off: '不需要' }, { required: true, initial: 0 }),
    need_referrer: toggle('推荐人', { on: '必填', off: '选填' }, { required: true, initial: 0 }),
    words: longText('页面说明', { max: 500 }),
    short: text('短链码', { readonly: true, unique: true, max: 22, search: true, audit: false }),
    used: number('购买次数', { readonly: true, initial: 0, audit: false }),
    visits: number('访问', { readonly: true, initial: 0, audit: false }),
    order_cnt: computed('下单'),
    paid_cnt: computed('成交'),
    paid: computed('实付', 'money'),
    problems: text('体检', { readonly: true, max: 400, audit: false }),
    checked_at: time('体检时间', { readonly: true, audit: false }),
    health: segment('健康', [{ value: 'ill', label: '有问题' }, { value: 'well', label: '正常' }]),
    remark: longText('备注', { max: 200 }),
    state: choice('状态', [{ value: LINK_STATE.on, label: '启用', tone: 'success' }, { value: LINK_STATE.off, label: '停用', tone: 'default' }], { readonly: true, initial: LINK_STATE.on }),
  },
  list: {
    columns: ['name', 'state', 'suite_words', 'agent_id', 'visits', 'order_cnt', 'paid_cnt', 'paid', 'problems', 'expire_at', 'seller_id', 'channel_id', 'activity_id', 'used', 'max_uses', 'need_receiver', 'need_referrer', 'short', 'checked_at', 'remark', 'created_by_name', 'created_at'],
    under: ['suite_words'],
    filters: ['state', 'health', 'agent_id', 'seller_id', 'channel_id', 'activity_id', 'expire_at', 'created_at'],
  },
  form: [
    { title: '链接', fields: ['name', 'activity_id', 'words'] },
    { title: '套餐', fields: ['suites'] },
    { title: '谁在卖', fields: ['agent_id', 'seller_id', 'channel_id'] },
    { title: '限制', fields: ['expire_at', 'max_uses', 'need_receiver', 'need_referrer', 'remark'] },
  ],
  transitions: [
    { name: 'stop', label: '停用', field: 'state', from: [LINK_STATE.on], to: LINK_STATE.off, confirm: '停用后打不开也不能下单，已下的订单照常付款，确认停用？', danger: true },
    { name: 'start', label: '启用', field: 'state', from: [LINK_STATE.off], to: LINK_STATE.on },
  ],
  logged: [{ name: 'copy', label: '批量生成' }, { name: 'check', label: '体检' }, { name: 'buy', label: '下单' }, { name: 'pay', label: '收款' }, { name: 'release', label: '释放' }],
  scope: { agent: 'agent_id' },
  indexes: [['state', 'expire_at']],
})
