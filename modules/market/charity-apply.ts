import { choice, multiChoice } from '../../core/field/choice.ts'
import { images } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { APPLY_POLICIES, APPLY_STATUS, APPLY_STEPS, applyFields } from '../apply/module.ts'
import { OFFER_STATE, OFFER_STATES, VALID_MODE } from '../offer/module.ts'
import { subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { ENTITLEMENT_LINES } from '../user/module.ts'

export const CHARITY_PATH = '/operate/charity/user'
export const CHARITY_BASE = '/daoyuan/api/end/charity'

/** Most people whom one school can have. */
export const MOST_PLACES = 5000

const S = APPLY_STATUS
const OPEN = [S.draft, S.waiting, S.asked] as const

/** What somebody can be given for nothing: courses and books of every line, as far as it matters here. */
export const anyOffer = defineResource({
  name: 'free_offer',
  table: 'offer',
  label: '可赠课程',
  measure: '门',
  title: 'title',
  grant: screenId(CHARITY_PATH),
  api: api(CHARITY_BASE, 'offers', 'offer'),
  fields: {
    kind: choice('类型', [{ value: 'course', label: '课程' }], { required: true, readonly: true }),
    title: text('课程', { required: true, readonly: true, max: 80 }),
    line: choice('产品线', ENTITLEMENT_LINES, { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { required: true, readonly: true }),
    price: money('价格', { required: true, readonly: true }),
    valid_mode: choice('有效期', [{ value: VALID_MODE.days, label: '按天数' }, { value: VALID_MODE.until, label: '到指定时间' }], { required: true, readonly: true }),
    state: choice('状态', OFFER_STATES, { required: true, readonly: true }),
  },
  list: { columns: ['title', 'line', 'subject_id', 'price', 'state'], filters: ['line', 'subject_id', 'state'] },
  where: { kind: 'course' },
  pick: { offered: { state: OFFER_STATE.selling } },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  without: ['create', 'update', 'edit', 'remove', 'import', 'export'],
})

/** What whoever decides has looked at; the hardship is among it, or nothing is approved. */
export const EVIDENCE = [
  { value: 'org', label: '单位证明' }, { value: 'need', label: '困难证明' }, { value: 'roll', label: '学生名册' }, { value: 'visit', label: '电话或到校核实' },
] as const

/** domain 1.18: a school in need asks for free places. Approved, people are admitted until its quota is used or its day is over. */
export const charityApply = defineResource({
  name: 'charity_apply',
  table: 'apply',
  label: '公益申请',
  title: 'org',
  measure: '份',
  grant: screenId(CHARITY_PATH),
  rights: defineRights(screenId(CHARITY_PATH), { audit: [11, '审核和续期'], undo: [12, '撤销通过'], open: [13, '受助学员开通和收回'] }),
  api: api(CHARITY_BASE, 'users', 'user'),
  fields: {
    kind: choice('类型', [{ value: 'charity', label: '公益' }], { required: true, readonly: true }),
    org: text('学校（单位）', { required: true, max: 60, search: true }),
    applicant: text('联系人', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { required: true, search: true }),
    region_code: region('所在地区', { required: true }),
    licence_no: text('单位证件号', { required: true, max: 30, search: true, example: '12520302MB1XXXXX0K' }),
    licence: images('证明材料', { most: 6, help: '单位证明、困难证明、学生名册' }),
    offer_id: reference('公益课程', () => anyOffer, { required: true, createOnly: true, neededWhile: { status: [...OPEN, S.passed] } }),
    quota: number('名额', { required: true, min: 1, max: MOST_PLACES, initial: 50, unit: '个' }),
    used: computed('在用'),
    left: computed('剩余'),
    due_at: date('公益到期', { required: true, help: '到期当天仍可使用' }),
    evidence: multiChoice('已核对', EVIDENCE, { readonly: true }),
    due: segment('到期', [{ value: 'soon', label: '30 天内到期' }, { value: 'full', label: '名额已满' }, { value: 'empty', label: '还没有人使用' }]),
    ...applyFields,
  },
  list: {
    columns: ['org', 'status', 'offer_id', 'used', 'quota', 'left', 'due_at', 'region_code', 'applicant', 'mobile', 'evidence', 'created_at', 'licence_no', 'staff_id', 'audit_remark', 'auditor_id', 'audited_at', 'updated_at'],
    under: ['region_code'],
    filters: ['status', 'due', 'offer_id', 'region_code', 'staff_id', 'auditor_id', 'mobile', 'evidence', 'due_at', 'audited_at', 'created_at'],
    summary: ['quota'],
  },
  form: [
    { title: '学校', fields: ['org', 'licence_no', 'region_code', 'licence'] },
    { title: '联系人', fields: ['applicant', 'mobile', 'reason'] },
    { title: '公益', fields: ['offer_id', 'quota', 'due_at', 'staff_id'] },
  ],
  import: { columns: ['org', 'applicant', 'mobile', 'region_code', 'licence_no', 'offer_id', 'quota', 'due_at', 'reason'], key: ['licence_no'] },
  transitions: [APPLY_STEPS.submit, APPLY_STEPS.approve, APPLY_STEPS.ask, APPLY_STEPS.resubmit, APPLY_STEPS.reject, { ...APPLY_STEPS.undo, confirm: '撤销后该校的受助学员立即停用，不能恢复，确认撤销？' }],
  policies: APPLY_POLICIES,
  logged: [{ name: 'look_at', label: '核对材料' }, { name: 'adjust', label: '续期和调整名额' }, { name: 'open_places', label: '开通受助学员' }],
  where: { kind: 'charity' },
  scope: { subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
  without: ['remove'],
})
