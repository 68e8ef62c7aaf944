import { behind } from '../../core/field/behind.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { bookLine } from '../book/module.ts'
import { staff } from '../staff/module.ts'
import { appUser } from '../user/module.ts'
import { anyOffer, CHARITY_BASE, charityApply } from './charity-apply.ts'
import { marketApply } from './market-apply.ts'
import { BASE, MARKET_USER_RIGHTS, marketQuota } from './quota.ts'

/** How somebody on a list stands: named, opened, taken back, over, or left out. */
export const OPENING = { named: 1, active: 2, recalled: 3, expired: 4, left: 5 } as const

export const OPENING_STATES = [
  { value: OPENING.named, label: '待开通', tone: 'warning' }, { value: OPENING.active, label: '在用', tone: 'success' }, { value: OPENING.recalled, label: '已收回', tone: 'default' },
  { value: OPENING.expired, label: '已到期', tone: 'default' }, { value: OPENING.left, label: '未开通', tone: 'idle' },
] as const

const { active } = OPENING
const active_only = { state: [active] } as const

/** What every opening says, whoever asked for it. */
const shared = {
  name: personName('姓名', { required: true, readonly: true, search: true }),
  mobile: mobile('手机号', { required: true, readonly: true, search: true }),
  user_id: reference('用户', () => appUser, { readonly: true, neededWhile: active_only }),
  user_school: behind<string>('user_id', 'school', { search: true }),
  start_at: time('开通时间', { readonly: true }),
  expire_at: time('到期时间', { readonly: true }),
  due: segment('即将到期', [{ value: '7', label: '7 天内' }, { value: '30', label: '30 天内' }]),
  note: text('说明', { readonly: true, max: 200 }),
  remark: longText('备注', { max: 200 }),
  state: choice('状态', OPENING_STATES, { required: true, readonly: true, initial: OPENING.named }),
} as const

/** Somebody whom market people had opened for, or are about to. */
export const marketUser = defineResource({
  name: 'market_user',
  table: 'market_grant',
  label: '市场用户',
  measure: '名',
  grant: MARKET_USER_RIGHTS.screen,
  rights: MARKET_USER_RIGHTS,
  api: api(BASE, 'market_users', 'market_user'),
  fields: {
    kind: choice('类型', [{ value: 'market', label: '市场' }], { required: true, readonly: true }),
    apply_id: reference('申请', () => marketApply, { required: true, readonly: true, neededWhile: active_only }),
    apply_region_code: behind<string>('apply_id', 'region_code'),
    apply_purpose: behind<number>('apply_id', 'purpose'),
    offer_id: reference('商品', () => bookLine.offers, { required: true, readonly: true, neededWhile: active_only }),
    staff_id: reference('市场人员', () => staff, { required: true, readonly: true, onRemove: 'keep' }),
    quota_id: reference('占用名额', () => marketQuota, { readonly: true, neededWhile: active_only }),
    order_id: reference('虚拟订单', () => bookLine.orders, { readonly: true, onRemove: 'keep' }),
    bought: computed('后续购买', 'money'),
    won: segment('转化', [{ value: 'yes', label: '后来付费购买' }, { value: 'no', label: '没有购买' }]),
    ...shared,
  },
  list: {
    columns: ['name', 'state', 'mobile', 'offer_id', 'apply_id', 'staff_id', 'expire_at', 'bought', 'apply_purpose', 'start_at', 'order_id', 'apply_region_code', 'quota_id', 'user_id', 'user_school', 'note', 'remark', 'created_at'],
    filters: ['state', 'staff_id', 'offer_id', 'due', 'won', 'apply_purpose', 'apply_region_code', 'mobile', 'apply_id', 'quota_id', 'order_id', 'user_id', 'user_school', 'start_at', 'expire_at', 'created_at'],
  },
  form: [{ fields: ['remark'] }],
  logged: [{ name: 'recall', label: '收回' }],
  indexes: [['apply_id', 'state'], ['quota_id', 'state']],
  where: { kind: 'market' },
  scope: { subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
  unscoped: { agent: 'A customer of the market has no agent yet; who opened for whom is known by the request.' },
  without: ['create', 'remove'],
})

/** Somebody who learns for nothing. */
export const charityUser = defineResource({
  name: 'charity_user',
  table: 'market_grant',
  label: '受助学员',
  measure: '名',
  grant: charityApply.grant,
  rights: charityApply.rights,
  api: api(CHARITY_BASE, 'learners', 'learner'),
  fields: {
    kind: choice('类型', [{ value: 'charity', label: '公益' }], { required: true, readonly: true }),
    apply_id: reference('公益申请', () => charityApply, { required: true, readonly: true, neededWhile: active_only }),
    apply_region_code: behind<string>('apply_id', 'region_code'),
    offer_id: reference('公益课程', () => anyOffer, { required: true, readonly: true, neededWhile: active_only }),
    ...shared,
  },
  list: {
    columns: ['name', 'state', 'mobile', 'apply_id', 'offer_id', 'start_at', 'expire_at', 'apply_region_code', 'user_id', 'user_school', 'note', 'remark', 'created_at'],
    filters: ['state', 'apply_id', 'offer_id', 'due', 'apply_region_code', 'mobile', 'user_id', 'user_school', 'start_at', 'expire_at', 'created_at'],
  },
  form: [{ fields: ['remark'] }],
  logged: [{ name: 'recall', label: '收回' }],
  where: { kind: 'charity' },
  scope: { subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
  unscoped: { agent: 'A school in need has no agent; who may open for it is decided by the application.' },
  without: ['create', 'remove'],
})
