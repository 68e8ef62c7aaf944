import { choice, type Choice } from '../../core/field/choice.ts'
import type { Fields } from '../../core/field/field.ts'
import { mobile } from '../../core/field/mobile.ts'
import { money, number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { longText, text, type TextField } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import type { RightTable } from '../../core/grant/rights.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type OpenResource, type Resource } from '../../core/resource/define.ts'
import { appUser } from '../user/module.ts'
import { ALPHABET, DEFAULT_LENGTH, MAX_LENGTH, MAX_PREFIX, MIN_LENGTH } from './code-text.ts'
import { CODE_STATUS, CODE_STATUSES, MAX_UNBINDS, CODE_RIGHTS } from './code-state.ts'

/** domain 1.19: codes of a batch, those added later too. */
export const MAX_BATCH = 50_000

export const BATCH_STATUS = { stopped: 0, open: 1 } as const

/** domain 0.4, T-CODE: what codes are made for. */
export const CODE_PURPOSES = [{ value: 1, label: '销售' }, { value: 2, label: '赠送' }, { value: 3, label: '样品' }, { value: 4, label: '内部' }] as const satisfies readonly Choice<number>[]

/** Rights of the screen of batches beside the standard ones. */
export const BATCH_RIGHTS = {
  stop: [11, '停用和启用'],
  append: [12, '追加'],
  take: [13, '导出和打印完整码'],
  exchange: [14, '置换'],
} as const satisfies RightTable

/** One kind of code: what tells partners' authorization codes from activation codes of books. */
export interface CodeFamilySpec {
  /** Singular name of a code: its table and paths. */
  readonly name: string
  /** What staff call it, such as 授权码. */
  readonly label: string
  /** Line of the entitlements that it opens. */
  readonly line: string
  readonly base: string
  /** Ids of the screens of batches and of codes. */
  readonly screens: { readonly batch: number; readonly code: number }
  /** Whose the codes are, and by which columns data scopes narrow batches and codes to their owners. With a quota, batches count against it; its numbers stand in the owner's own record. */
  readonly owner: { readonly key: string; readonly label: string; readonly target: () => Resource; readonly scope: Readonly<Partial<Record<ScopeKind, string>>>; readonly quota?: { readonly total: string; readonly used: string } }
  /** What a code opens; `months` is the call for its record, when that says for how many months it is made. */
  readonly product: { readonly key: string; readonly label: string; readonly target: () => Target; readonly months?: (id: number) => string }
  /** Further fields of a batch, set when it is made. */
  readonly batchFields: Fields
  /** Further fields of a code: who activated it, and where. Emptied when it is set free. */
  readonly holderFields: Fields
  /** Data scopes of codes beside their owner's. */
  readonly scope: Readonly<Partial<Record<ScopeKind, string>>>
  /** What lists show and narrow by of the further fields. */
  readonly columns: { readonly batch: readonly string[]; readonly code: readonly string[] }
  readonly filters: { readonly batch: readonly string[]; readonly code: readonly string[] }
}

/** What the batches of every family have behind their owner and product. */
const batchTerms = {
  count: number('数量', { required: true, createOnly: true, min: 1, max: MAX_BATCH, help: `1 到 ${MAX_BATCH.toLocaleString('zh-CN')} 个` }),
  prefix: text('前缀', { createOnly: true, max: MAX_PREFIX, pattern: [new RegExp(`^[${ALPHABET}]*$`), '只能用数字 2 到 9 和大写字母，不能用 I、L、O'], help: `最多 ${MAX_PREFIX} 位，印在每个码的前面` }),
  code_len: number('码长', { required: true, createOnly: true, min: MIN_LENGTH, max: MAX_LENGTH, initial: DEFAULT_LENGTH, help: '不含前缀，最后一位是校验位' }),
  valid_months: number('有效月数', { createOnly: true, min: 1, max: 120, unit: '个月', help: '从激活当天起算' }),
  valid_until: date('有效至', { createOnly: true, help: '不论何时激活，都到这一天为止' }),
  redeem_before: date('兑换截止', { required: true, createOnly: true, help: '这一天之后不能再激活' }),
  per_user_limit: number('每人限用', { createOnly: true, min: 1, max: 100, unit: '个', help: '同一用户最多激活本批次几个码，不填不限' }),
  purpose: choice('用途', CODE_PURPOSES, { required: true, initial: 1 }),
  price: money('结算价', { help: '每个码' }),
} as const

const batchName = { name: text('批次名称', { required: true, max: 40, search: true }) } as const

/** What is counted follows from the codes, whose log says who did what. */
const batchCounts = {
  total: number('总数', { readonly: true, initial: 0 }),
  used: number('已激活', { readonly: true, audit: false, initial: 0 }),
  left: number('未使用', { readonly: true, audit: false, initial: 0 }),
  cancelled: number('已作废', { readonly: true, audit: false, initial: 0 }),
  expired: number('过期未用', { readonly: true, audit: false, initial: 0 }),
  frozen: number('已冻结', { readonly: true, audit: false, initial: 0 }),
  status: choice('状态', [
    { value: BATCH_STATUS.open, label: '生效', tone: 'success' },
    { value: BATCH_STATUS.stopped, label: '停用', tone: 'default' },
  ], { readonly: true, initial: BATCH_STATUS.open }),
  remark: longText('备注'),
} as const

/** What the codes of every family have, behind their owner and product. */
const codeUser = {
  status: choice('状态', CODE_STATUSES, { required: true, readonly: true, initial: CODE_STATUS.unused }),
  user_id: reference('用户', () => appUser, { readonly: true }),
  mobile: mobile('手机', { readonly: true }),
} as const
const codeTimes = {
  redeem_before: date('兑换截止', { required: true, readonly: true }),
  activated_at: time('激活时间', { readonly: true }),
  expire_at: date('有效期至', { readonly: true }),
  unbind_count: number('解绑次数', { readonly: true, max: MAX_UNBINDS, initial: 0 }),
  ip: text('激活 IP', { readonly: true, max: 45 }),
} as const

/** A batch and a code, whichever family they are of; what a family adds is known to its row of data only. */
export type BatchResource = OpenResource<typeof batchName & typeof batchTerms & typeof batchCounts>
export type CodeResource = OpenResource<{ code: TextField<true> } & typeof codeUser & typeof codeTimes>

/** A kind of code with the two resources that follow from its row. */
export interface CodeFamily extends CodeFamilySpec {
  readonly batch: BatchResource
  readonly code: CodeResource
}

/**
 * Makes the two resources of a kind of code. Batches are made by a call of their own, since making one makes its codes;
 * what a code is can only be changed by the actions of its state machine.
 */
export function codeFamily(spec: CodeFamilySpec): CodeFamily {
  const { name, label, base, screens, owner, product } = spec
  const batchLabel = `${label}批次`
  const batch = defineResource<Fields, keyof typeof BATCH_RIGHTS, string, string>({
    name: `${name}_group`,
    label: batchLabel,
    grant: screens.batch,
    rights: defineRights(screens.batch, BATCH_RIGHTS),
    api: api(base, `${name}_groups`, `${name}_group`),
    fields: {
      ...batchName,
      [owner.key]: reference(owner.label, owner.target, { required: true, createOnly: true }),
      [product.key]: reference(product.label, product.target, { required: true, createOnly: true }),
      ...batchTerms,
      ...spec.batchFields,
      origin_id: reference('置换自', (): Target => batch, { readonly: true, onRemove: 'keep' }),
      ...batchCounts,
    },
    list: {
      columns: ['name', owner.key, product.key, ...spec.columns.batch, 'purpose', 'total', 'used', 'left', 'cancelled', 'redeem_before', 'status', 'created_at'], under: ['purpose'],
      filters: [owner.key, product.key, ...spec.filters.batch, 'status', 'purpose', 'redeem_before', 'created_at'],
      summary: ['total', 'used', 'left', 'cancelled'],
    },
    form: [{ fields: ['name', 'purpose', 'price', 'remark'] }],
    transitions: [
      { name: 'stop', label: '停用', field: 'status', from: [BATCH_STATUS.open], to: BATCH_STATUS.stopped, right: 'stop', reason: true, confirm: '停用后，这批码都不能再激活；已激活的不受影响。', danger: true },
      { name: 'enable', label: '启用', field: 'status', from: [BATCH_STATUS.stopped], to: BATCH_STATUS.open, right: 'stop', reason: true },
    ],
    scope: owner.scope,
    indexes: [['status'], ['redeem_before']],
    without: ['create', 'remove'],
  })

  const code = defineResource<Fields, string, string, string>({
    name,
    label,
    title: 'code',
    grant: screens.code,
    rights: defineRights(screens.code, CODE_RIGHTS),
    api: api(base, `${name}s`, name),
    fields: {
      // Masked. The whole code is kept beside, encrypted, and found by its hash only (tables.server.ts).
      code: text(label, { required: true, readonly: true, max: 30 }),
      group_id: reference('批次', () => batch, { required: true, readonly: true }),
      [owner.key]: reference(owner.label, owner.target, { required: true, readonly: true }),
      [product.key]: reference(product.label, product.target, { required: true, readonly: true }),
      ...codeUser,
      ...spec.holderFields,
      ...codeTimes,
    },
    list: {
      columns: ['code', 'group_id', owner.key, product.key, 'status', ...spec.columns.code, 'mobile', 'activated_at', 'expire_at', 'redeem_before', 'unbind_count'], under: [product.key],
      filters: ['group_id', 'status', owner.key, product.key, ...spec.filters.code, 'mobile', 'activated_at', 'expire_at', 'redeem_before'],
    },
    scope: { ...owner.scope, ...spec.scope },
    // Codes come by the ten thousand, and each index is written with each of them. The state stands behind whatever else is
    // asked for: one index then serves both with it and without, and the sweep of what has run out too.
    indexes: [['group_id', 'id', 'status'], [owner.key, 'id', 'status'], ['status', 'id'], ['activated_at', 'id', 'status'], ['expire_at', 'id', 'status'], ['redeem_before', 'id', 'status']],
    indexesLiving: true,
    without: ['create', 'update', 'edit', 'remove'],
  })

  return { ...spec, batch: batch as BatchResource, code: code as CodeResource }
}
