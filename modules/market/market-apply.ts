import { choice } from '../../core/field/choice.ts'
import { images } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { APPLY_POLICIES, APPLY_STATES, APPLY_STATUS, APPLY_STEPS, applyFields } from '../apply/module.ts'
import { bookLine } from '../book/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { BASE } from './quota.ts'

export const MARKET_PATH = '/practiceBook/marketVirtual'

/** What an opening is for (domain 1.10). */
export const PURPOSES = [{ value: 1, label: '样书' }, { value: 2, label: '试用' }, { value: 3, label: '老师' }] as const

/** Longest time that is opened, in days. */
export const MOST_DAYS = 365

const S = APPLY_STATUS
const OPEN = [S.draft, S.waiting] as const
const { submit, approve, reject, undo } = APPLY_STEPS

/** domain 1.10: somebody of the market asks for openings for a customer. Approved, each on the list has a virtual order. */
export const marketApply = defineResource({
  name: 'market_apply',
  table: 'apply',
  label: '市场开通申请',
  title: 'org',
  measure: '份',
  grant: screenId(MARKET_PATH),
  rights: defineRights(screenId(MARKET_PATH), { audit: [11, '审核'], undo: [12, '整单收回'] }),
  api: api(BASE, 'market_virtuals', 'market_virtual'),
  fields: {
    kind: choice('类型', [{ value: 'market_virtual', label: '市场开通' }], { required: true, readonly: true }),
    org: text('客户单位', { required: true, max: 60, search: true, example: '苏州市第一中学' }),
    applicant: text('联系人', { required: true, max: 20, search: true }),
    mobile: mobile('联系电话', { required: true, search: true }),
    region_code: region('所在地区', { required: true }),
    purpose: choice('用途', PURPOSES, { required: true, initial: 2 }),
    offer_id: reference('开通商品', () => bookLine.offers, { required: true, createOnly: true, neededWhile: { status: [...OPEN] } }),
    days: number('使用天数', { required: true, min: 1, max: MOST_DAYS, initial: 30, unit: '天', help: '自通过之日起' }),
    licence: images('附件', { most: 6, help: '样书申请表、合作意向等' }),
    people_cnt: computed('名单'),
    in_force: computed('在用'),
    due_at: time('到期时间', { readonly: true }),
    ...applyFields,
    /** Whose quota pays for it: whoever asked. */
    staff_id: reference('市场人员', () => staff, { required: true, readonly: true, onRemove: 'keep' }),
    status: choice('状态', APPLY_STATES.map((one) => (one.value === S.undone ? { ...one, label: '已收回' } : one)), { readonly: true, initial: S.draft }),
  },
  list: {
    columns: ['org', 'status', 'staff_id', 'offer_id', 'people_cnt', 'in_force', 'purpose', 'days', 'due_at', 'created_at', 'applicant', 'mobile', 'region_code', 'reason', 'audit_remark', 'auditor_id', 'audited_at', 'updated_at'],
    under: ['region_code'],
    filters: ['status', 'staff_id', 'offer_id', 'purpose', 'region_code', 'auditor_id', 'mobile', 'due_at', 'audited_at', 'created_at'],
  },
  form: [
    { title: '客户', fields: ['org', 'region_code', 'applicant', 'mobile'] },
    { title: '开通', fields: ['offer_id', 'purpose', 'days', 'reason', 'licence'] },
  ],
  transitions: [submit, approve, reject, { ...undo, label: '整单收回', confirm: '收回后名单上的人立即不能使用，名额退回，确认收回？' }],
  policies: [...APPLY_POLICIES, { of: ['edit', 'submit'], policy: 'author', field: 'staff_id', except: 'audit', why: '只能修改自己提出的申请' }],
  logged: [{ name: 'request', label: '申请开通' }, { name: 'set_people', label: '修改名单' }],
  where: { kind: 'market_virtual' },
  scope: { subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
  without: ['remove'],
})
