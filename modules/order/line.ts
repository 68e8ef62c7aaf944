import type { AnyField } from '../../core/field/any-field.ts'
import { behind } from '../../core/field/behind.ts'
import { choice, toggle, type Choice } from '../../core/field/choice.ts'
import type { Fields } from '../../core/field/field.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { money } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import type { Rights, RightTable } from '../../core/grant/rights.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { defineResource, type Api, type OpenResource, type Resource, type Transition } from '../../core/resource/define.ts'
import { checkValue } from '../../core/field/check.ts'
import type { KnownFields } from '../../core/resource/shape.ts'
import { agent } from '../agent/module.ts'
import { channel } from '../reference/module.ts'
import { staff } from '../staff/module.ts'
import { appUser } from '../user/module.ts'
import { ACTION_LABELS, BIZ_TYPES, FLOWS, MONEY_CHANNELS, ORDER_RIGHTS, ORDER_STATUS, PAY_CHANNELS, SHIP_STATUS, statusChoices, type Edge, type FlowName, type OrderAction, type PayChannel, type OrderRight } from './flow.ts'

/** What a line sells: a kind of thing, or records of a resource. */
export interface Good {
  /** Stored with every item: `code`, `pad`. */
  readonly kind: string
  readonly label: string
  /** Counted in: 个, 台. */
  readonly unit: string
  /** Records that are sold under this kind; absent where the kind itself is the thing. */
  readonly record?: { readonly label: string; readonly target: () => Target; /** Each says itself what it costs. */ readonly priced?: true }
  readonly ships?: true
  /** Runs for a number of months that is asked for. */
  readonly months?: true
  /** What follows once the order is in force, in words. @param bizType see `BIZ_TYPES` */
  readonly gives?: (qty: number, bizType: number) => string | undefined
}

/** A record that an order names: by its kind and id in the table, by the line's own word over the wire and on the screen. */
export interface OrderParty {
  /** Stored with the order: `partner`, `room`. */
  readonly kind: string
  /** A reference; its `wire` is the line's own word, such as `partner_id`. */
  readonly field: AnyField
}

/** What an order can name, with the columns that hold its kind and its id; the place first, because it narrows who may buy. */
export const PARTIES = {
  place: { kind: 'place_kind', id: 'place_ref_id' },
  buyer: { kind: 'buyer_kind', id: 'buyer_ref_id' },
  sold: { kind: 'goods_kind', id: 'goods_ref_id' },
} as const

/** Whose money an order is: where its payments are booked. The ledger calls the account by the party's kind. */
export interface OrderAccount {
  readonly of: 'buyer' | 'place'
  /** Table of the account's owner that repeats the ledger's sum in its column `balance`; an order can then be paid from it. */
  readonly balanceTable?: string
}

/** How orders are entered: in steps, before or after they are paid, or recorded one by one after they were. */
export type EntryMode = 'steps' | 'recorded'

/** One product line: everything in which its orders differ from others is in this row and in its effects on the server. */
export interface OrderLine {
  /** Value of the column `line`. */
  readonly code: string
  /** Name of the resource, such as `partner_order`. */
  readonly name: string
  readonly label: string
  /** Of two lines with one code, that of our own places rather than of partners'. */
  readonly selfRun?: boolean
  /** Id of the screen that shows it. */
  readonly grant: number
  readonly api: Api
  readonly flow: FlowName
  readonly goods: readonly Good[]
  /** Absent where nobody's account is concerned: the line's days are reconciled from payments and refunds. */
  readonly account?: OrderAccount
  readonly buyer?: OrderParty
  readonly place?: OrderParty
  /** The one thing that an order sells, where its screens show it as a column. */
  readonly sold?: OrderParty
  /** What the line adds to an order, kept in a table of its own; values of its fields are given and worked out as the buyer is. */
  readonly side?: Resource
  /** Those of its fields that the orders show; all unless said otherwise. */
  readonly sideFields?: readonly string[]
  /** Further fields: columns of the table that the line shows, fields behind its references and behind `side_id`. */
  readonly more?: Readonly<Record<string, AnyField>>
  /** Those of the line's fields that a person sets; the effects work out the others. */
  readonly inputFields: readonly string[]
  readonly columns: readonly string[]
  readonly filters: readonly string[]
  readonly scope: Readonly<Partial<Record<ScopeKind, string>>>
  /** Kinds of data scope that what it names leads to and that do not narrow it all the same, each with a sentence why. */
  readonly unscoped?: Readonly<Partial<Record<ScopeKind, string>>>
  readonly entryMode: EntryMode
  /** Columns and key of the sheet by which recorded orders come. */
  readonly sheet?: { readonly columns: readonly string[]; readonly key: readonly string[] }
  /** Asks who recommended us; it does by default. */
  readonly referred?: false
  /** Who buys is somebody who learns: their name is masked for a person who does not work with them. */
  readonly learners?: true
  /** Asks for what stands on the invoice. */
  readonly invoiced?: true
}

/** Largest sum of an order, and of any single entry, in fen: one hundred million yuan. Some 900,000 of them stay below 2^53. */
export const MAX_SUM = 10_000_000_000

/** Largest balance of an account, in fen: below 2^53 whatever is added to it. */
export const MAX_BALANCE = 100_000 * MAX_SUM

/** Whether orders are recorded one by one after they were paid, each with one item. */
export const isRecorded = (line: Pick<OrderLine, 'entryMode'>): boolean => line.entryMode === 'recorded'

/** What a person calls the line's field by: its own word where it has one. */
export const wireName = (key: string, field: Pick<AnyField, 'wire'>): string => field.wire ?? key

/** The line's own fields, by their columns: whom and what its orders name, and further ones. */
export function lineFields(line: OrderLine): Record<string, AnyField> {
  const parties = Object.entries(PARTIES).flatMap(([name, { id }]): [string, AnyField][] => {
    const party = line[name as keyof typeof PARTIES]
    return party ? [[id, party.field]] : []
  })
  return { ...Object.fromEntries(parties), ...line.more }
}

/** Fields that a person sets for a new order, by column. */
export function inputFields(line: OrderLine): Record<string, AnyField> {
  const own = { ...line.side?.fields, ...lineFields(line) }
  return Object.fromEntries(line.inputFields.flatMap((key) => (own[key] ? [[key, own[key]]] : [])))
}

/** Checks what was given for fields, by the names that people know. @returns values by column, and a sentence for each wrong one by its name */
export function checkFields(fields: Readonly<Record<string, AnyField>>, given: Readonly<Record<string, unknown>>): { values: Record<string, unknown>; errors: Record<string, string> } {
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const [key, field] of Object.entries(fields)) {
    const name = wireName(key, field)
    const checked = checkValue(field, name in given ? given[name] : given[key])
    if ('message' in checked) errors[name] = checked.message
    else values[key] = checked.value
  }
  return { values, errors }
}

export const lineShips = (line: Pick<OrderLine, 'goods'>): boolean => line.goods.some((good) => good.ships)

/** Fields by which the keyword finds an order of whatever line: one index serves all. */
export const searchFields = {
  order_no: text('订单号', { required: true, readonly: true, unique: true, max: 24, search: true, scanned: true, pattern: [/^\w{6,24}$/, '应为 6 到 24 位字母或数字'] }),
  goods: text('商品', { readonly: true, max: 200, search: true }),
  buyer_name: text('姓名', { max: 40, search: true }),
}

const fromOutside: ReadonlySet<string> = new Set(MONEY_CHANNELS)

const sum = (label: string) => money(label, { required: true, readonly: true, initial: 0, max: MAX_SUM })

/** What kinds of record the line's orders name: the same of all of them. */
function kindsOf(line: OrderLine): Record<string, AnyField> {
  return Object.fromEntries(Object.entries(PARTIES).flatMap(([name, { kind }]): [string, AnyField][] => {
    const party = line[name as keyof typeof PARTIES]
    return party ? [[kind, choice(`${party.field.label}类型`, [{ value: party.kind, label: party.field.label }], { readonly: true, initial: party.kind })]] : []
  }))
}

/** The row that the line adds to each order, and what is in it as fields of the order itself. */
function sideFields({ side, sideFields: shown }: OrderLine): Record<string, AnyField> {
  if (!side) return {}
  const row = reference(side.label, () => side, { readonly: true, onRemove: 'keep' })
  return { side_id: row, ...Object.fromEntries((shown ?? Object.keys(side.fields)).map((key) => [key, behind('side_id', key)])) }
}

/** Fields of an order in the order in which they are shown. */
function orderFields(line: OrderLine) {
  const ships = lineShips(line)
  const recorded = isRecorded(line)
  const given = recorded ? { required: true, createOnly: true } : { readonly: true }
  // What is recorded was paid in money; orders that say 激活码 are from before that was so.
  const channels: readonly Choice<PayChannel>[] = recorded ? [...PAY_CHANNELS.filter(({ value }) => fromOutside.has(value)), { value: 'code', label: '激活码', past: true }] : PAY_CHANNELS
  return {
    order_no: searchFields.order_no,
    line: choice('业务', [{ value: line.code, label: line.label }], { required: true, readonly: true }),
    self_run: toggle('经营方式', { on: '自营', off: '合伙' }, { required: true, readonly: true, initial: Number(line.selfRun ?? false) }),
    goods: searchFields.goods,
    ...kindsOf(line),
    ...Object.fromEntries(Object.entries(lineFields(line)).map(([key, field]) => [key, recorded || field.readonly ? field : { ...field, readonly: true }])),
    ...sideFields(line),
    buyer_name: (line.learners ? personName : text)('姓名', { max: 40, search: true, alias: 'name', ...(recorded ? { createOnly: true } : { readonly: true }) }),
    buyer_mobile: mobile('手机号', { search: true, alias: 'mobile', ...given }),
    user_id: reference('用户', () => appUser, { readonly: true }),
    biz_type: choice('订单类型', BIZ_TYPES, { readonly: true, initial: 1 }),
    total: sum('原价'),
    discount: sum('优惠'),
    amount: recorded ? money('金额', { required: true, createOnly: true, min: 1, max: MAX_SUM }) : sum('应付'),
    paid: sum('实付'),
    refunded: sum('退款'),
    pay_channel: choice('支付方式', channels, given),
    paid_at: time('支付时间', given),
    pay_no: text('交易单号', { readonly: true, max: 64 }),
    referrer_mobile: mobile('推荐人', { readonly: true }),
    agent_id: reference('代理', () => agent, { readonly: true, onRemove: 'keep' }),
    channel_id: reference('渠道', () => channel, { readonly: true, onRemove: 'keep' }),
    virtual: toggle('虚拟单', { on: '是', off: '否' }, { required: true, readonly: true, initial: 0 }),
    ...(ships && {
      ship_status: choice('发货', [
        { value: SHIP_STATUS.none, label: '无需发货' }, { value: SHIP_STATUS.waiting, label: '待发货', tone: 'warning' }, { value: SHIP_STATUS.sent, label: '已发货', tone: 'success' },
      ], { required: true, readonly: true, initial: SHIP_STATUS.none }),
      express: computed('快递单号', 'text'),
    }),
    ...(line.flow === 'audited' && {
      auditor_id: reference('审核人', () => staff, { readonly: true, audit: false }),
      audited_at: time('审核时间', { readonly: true, audit: false }),
    }),
    ...(line.invoiced && { invoice_title: text('发票抬头', { max: 60 }), invoice_tax_no: text('税号', { max: 30, pattern: [/^[0-9A-Z]{15,20}$/, '应为 15 到 20 位数字或大写字母'] }) }),
    remark: longText('备注', { max: 200 }),
    cs_remark: longText('客服备注', { max: 200 }),
    status: choice('状态', statusChoices(line.flow), { required: true, readonly: true, initial: ORDER_STATUS.unpaid }),
  }
}

/** The orders of whatever line: what a line adds is known to its row of data only. */
export type OrderResource = OpenResource<KnownFields<ReturnType<typeof orderFields>>>

/** Rights that the screen of a line offers. */
function rightsOfLine(line: OrderLine): Rights<OrderRight> {
  const { ship, finish, audit, virtual, ...always } = ORDER_RIGHTS
  const table: Partial<RightTable<OrderRight>> = { ...always, ...(lineShips(line) && { ship }), ...(line.flow === 'audited' ? { audit } : { finish }), ...(!isRecorded(line) && { virtual }) }
  return defineRights(line.grant, table as RightTable<OrderRight>)
}

/** What a person does with a bare click or a reason; what needs more stands in calls of its own. */
const TRANSITIONS: Partial<Record<OrderAction, Pick<Transition<Fields, OrderRight>, 'right' | 'reason' | 'confirm' | 'danger' | 'instead'>>> = {
  reject: { right: 'audit', reason: true, danger: true, instead: '驳回错了，修改后重新提交' },
  finish: { right: 'finish', confirm: '确认订单已经完成？', instead: '完成错了，按退款处理' },
  cancel: { right: 'cancel', reason: true, danger: true, instead: '取消不能撤销，需要时重新下单' },
}

function transitionsOf(flow: FlowName): Transition<Record<string, AnyField>, OrderRight>[] {
  const edges: readonly Edge[] = FLOWS[flow]
  return edges.flatMap(({ action, from, to }) => {
    const how = TRANSITIONS[action]
    return how && typeof to === 'number' ? [{ name: action, label: ACTION_LABELS[action], field: 'status', from, to, ...how }] : []
  })
}

/**
 * The orders of a product line. All lines share one table (domain 2.6) and this definition; they differ by their row.
 * @example export const partnerOrder = defineOrders({ code: 'partner', name: 'partner_order', label: '合伙人订单', … })
 */
export function defineOrders(line: OrderLine): OrderResource {
  const recorded = isRecorded(line)
  const fields = orderFields(line)
  const audited = line.flow === 'audited'
  const ships = lineShips(line)
  return defineResource<Record<string, AnyField>, OrderRight, string, string>({
    name: line.name,
    table: 'orders',
    label: line.label,
    measure: '笔',
    title: 'order_no',
    grant: line.grant,
    rights: rightsOfLine(line),
    api: line.api,
    fields,
    list: {
      columns: [
        // What is looked for first stands where a laptop shows it without scrolling.
        'order_no', 'status', 'goods', 'amount', ...line.columns, 'buyer_name', 'buyer_mobile', ...(ships ? ['ship_status'] : []), 'paid', 'refunded', 'pay_channel', 'paid_at',
        ...(recorded ? [] : ['agent_id', 'channel_id']), ...(audited ? ['auditor_id'] : []), 'created_by_name', 'remark', 'created_at',
      ],
      under: ['goods'],
      filters: [
        'status', ...line.filters, 'buyer_mobile', 'goods', 'pay_channel', 'paid_at', 'amount', ...(recorded ? [] : ['referrer_mobile', 'agent_id', 'channel_id', 'virtual', 'biz_type']),
        ...(ships ? ['ship_status'] : []), 'created_at',
      ],
      summary: ['total', 'amount', 'paid', 'refunded'],
    },
    form: [
      ...(recorded ? [{ title: '订单', fields: [...line.inputFields, 'buyer_name', 'buyer_mobile'] }, { title: '收款', fields: ['amount', 'pay_channel', 'paid_at'] }] : []),
      ...(line.invoiced ? [{ title: '发票', fields: ['invoice_title', 'invoice_tax_no'] }] : []),
      { title: '备注', fields: ['remark', 'cs_remark'] },
    ],
    ...(line.sheet && { import: line.sheet }),
    // As tables.server.ts has them.
    indexes: [['created_at'], ['paid_at']],
    indexesLiving: true,
    transitions: transitionsOf(line.flow),
    logged: Object.entries(ACTION_LABELS).map(([name, label]) => ({ name, label })),
    where: { line: line.code, self_run: Number(line.selfRun ?? false) },
    scope: line.scope,
    ...(line.unscoped && { unscoped: line.unscoped }),
    // What was recorded was paid already: it is refunded, never removed.
    without: recorded ? ['remove'] : ['create'],
  }) as OrderResource
}
