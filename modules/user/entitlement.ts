import { behind } from '../../core/field/behind.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { ENTITLEMENT_LINES } from './lines.ts'
import { appUser, USER_SCREEN } from './user.ts'

/** What has been decided about an entitlement. Whether it has begun and is over follows from its dates (domain 0.4, T-USR). */
export const ENTITLEMENT_STATUS = { active: 1, stopped: 2, refunded: 3 } as const

export const ENTITLEMENT_STATES = [
  { value: ENTITLEMENT_STATUS.active, label: '正常', tone: 'success' },
  { value: ENTITLEMENT_STATUS.stopped, label: '停用', tone: 'default' },
  { value: ENTITLEMENT_STATUS.refunded, label: '已退款', tone: 'error' },
] as const

/** How somebody came by it (domain 0.4, T-USR). */
export const ENTITLEMENT_SOURCE = { paid: 1, code: 2, opened: 3, gift: 4, virtual: 5 } as const

export const ENTITLEMENT_SOURCES = [
  { value: ENTITLEMENT_SOURCE.paid, label: '支付' },
  { value: ENTITLEMENT_SOURCE.code, label: '激活码' },
  { value: ENTITLEMENT_SOURCE.opened, label: '后台开通' },
  { value: ENTITLEMENT_SOURCE.gift, label: '赠送' },
  { value: ENTITLEMENT_SOURCE.virtual, label: '虚拟' },
] as const

/**
 * What a user may use, from when to when (domain 2.6): one row for each thing that opened it, whichever line it belongs to.
 * Orders, codes and staff open and close entitlements through the functions of this module's door.
 */
export const entitlement = defineResource({
  name: 'entitlement',
  label: '权益',
  title: 'product',
  grant: USER_SCREEN,
  api: api('/daoyuan/api/end', 'entitlements', 'entitlement'),
  fields: {
    user_id: reference('用户', () => appUser, { required: true, readonly: true }),
    user_mobile: behind<string>('user_id', 'mobile'),
    user_real_name: behind<string>('user_id', 'real_name', { label: '姓名', search: true }),
    user_school: behind<string>('user_id', 'school', { search: true }),
    user_grade: behind<number>('user_id', 'grade'),
    user_region_code: behind<string>('user_id', 'region_code'),
    user_channel_id: behind<number>('user_id', 'channel_id'),
    user_agent_id: behind<number>('user_id', 'agent_id'),
    line: choice('产品线', ENTITLEMENT_LINES, { required: true, readonly: true }),
    product: text('产品', { required: true, readonly: true, max: 100 }),
    // Id of what is opened, among its line's own records: a unit, a course, a card.
    offer_id: number('产品编号', { required: true, readonly: true }),
    source: choice('开通方式', ENTITLEMENT_SOURCES, { required: true, readonly: true }),
    // Table and id of what opened it, `activation_code 15`: one thing opens one entitlement.
    ref: text('来源记录', { required: true, readonly: true, max: 80 }),
    start_at: time('开始时间', { required: true, readonly: true }),
    expire_at: time('到期时间', { required: true, readonly: true }),
    remark: longText('备注', { max: 200, readonly: true }),
    state: computed('状态', 'text'),
    status: choice('处理', ENTITLEMENT_STATES, { required: true, readonly: true, initial: ENTITLEMENT_STATUS.active }),
  },
  list: {
    columns: ['user_id', 'user_mobile', 'line', 'product', 'source', 'start_at', 'expire_at', 'state', 'user_real_name', 'user_school', 'user_grade', 'created_at'], under: ['user_real_name'],
    filters: ['user_id', 'line', 'source', 'status', 'expire_at', 'user_mobile', 'user_school', 'user_grade', 'user_region_code', 'user_channel_id', 'user_agent_id', 'created_at'],
  },
  unique: [['source', 'ref']],
  scope: { agent: 'user_id.agent_id' },
  indexes: [['line', 'offer_id', 'status', 'expire_at'], ['expire_at']],
  without: ['create', 'update', 'edit', 'remove'],
})
