import type { AnyField } from '../../core/field/any-field.ts'
import { choice, multiChoice, shelf } from '../../core/field/choice.ts'
import { image, images } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { money, number, sortOrder } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type Api, type OpenResource, type RowType } from '../../core/resource/define.ts'
import type { KnownFields } from '../../core/resource/shape.ts'
import { EXAM_REGIONS, INVOKING_PRODUCTS, subject, type ProductLine } from '../reference/module.ts'
import { staff } from '../staff/module.ts'
import { COURSE_DIFFICULTIES, lineBase } from './line.ts'
import type { SeriesResource } from './series.ts'
import type { TextbookResource } from './textbook.ts'

/** States of something that is sold (teaching.md 1.4). 未开售, 售罄 and 已截止 follow from its window and stock. */
export const OFFER_STATE = { draft: 1, waiting: 2, selling: 3, off: 4, archived: 5 } as const

const S = OFFER_STATE

export const OFFER_STATES = [
  { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.selling, label: '在售', tone: 'success' },
  { value: S.off, label: '下架', tone: 'default' }, { value: S.archived, label: '归档', tone: 'default' },
] as const

/** How long what was bought can be used. */
export const VALID_MODE = { days: 1, until: 2 } as const

/** Longest time that is sold at once, in days: ten years. */
const MOST_DAYS = 3650

/** Highest price of one course, in fen: one hundred thousand yuan. */
export const MAX_PRICE = 10_000_000

/** A price below this share of the one before asks a second person (teaching.md 2.3: −50 %). */
export const PRICE_DROP = 0.5

/** What an offer opens beside itself, by kinds (teaching.md 1.3). */
export const OFFER_ITEM = { offer: 'offer' } as const

/** What a line's offers refer to. */
export interface OfferParts {
  readonly textbooks: TextbookResource | undefined
  readonly series: SeriesResource | undefined
  readonly more?: OfferMore | undefined
}

/** What the courses of one line have beside those of every line. */
export interface OfferMore {
  /** What they are called, where the line's name with what it sells would say it twice. */
  readonly label?: string
  /** Last part of the path of their calls; `details` by default. */
  readonly path?: string
  /** Paths of their calls, where the specification has its own for them. */
  readonly api?: Api
  /** Fields of every course that these have no use for: no list, filter or form shows them. */
  readonly lacks?: readonly string[]
  /** Its own fields; one that every course has may stand here with a name of the specification. */
  readonly fields?: Readonly<Record<string, AnyField>>
  /** Those of its fields that the list shows, and by which it is narrowed. */
  readonly columns?: readonly string[]
  readonly filters?: readonly string[]
  /** Those that a person sets, behind what every course asks first. */
  readonly inputs?: readonly string[]
  /** Number and words of the right to pass and shelve them, where the screen has another right of the usual number (teaching.md 1.9). */
  readonly shelve?: readonly [number, string]
}

/** Fields that only some lines' courses have; a line that has not such screens or traits has none of them. */
function ownFields(line: ProductLine, { textbooks, series, more }: OfferParts): Record<string, AnyField> {
  return {
    ...(textbooks && { textbook_id: reference('教材', () => textbooks, { required: true, within: { subject_id: 'subject_id' } }) }),
    ...(series && { series_id: reference('系列', () => series, { within: { subject_id: 'subject_id' } }) }),
    ...(line.difficulty && { difficulty: choice('难度', COURSE_DIFFICULTIES) }),
    ...(line.region && { region_id: choice('中考版本', EXAM_REGIONS.filter(({ kind }) => kind === 'province').map(({ id, name }) => ({ value: id, label: name })), { required: true }) }),
    ...more?.fields,
  }
}

/** Fields of every offer. */
function offerFields(line: ProductLine) {
  return {
    line: choice('产品线', [{ value: line.code, label: line.name }], { required: true, readonly: true }),
    kind: choice('类型', [{ value: 'course', label: '课程' }], { required: true, readonly: true }),
    cover: image('封面'),
    title: text(`${line.noun?.[0] ?? '课程'}名称`, { required: true, max: 80, search: true }),
    subtitle: text('副标题', { max: 60, search: true }),
    subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
    teacher_ids: referenceList('主讲', () => staff),
    price: money('价格', { required: true, max: MAX_PRICE }),
    line_price: money('划线价', { max: MAX_PRICE }),
    floor_price: money('底价', { max: MAX_PRICE, help: '任何优惠之后都不低于此价，不填则不限' }),
    valid_mode: choice('有效期', [{ value: VALID_MODE.days, label: '按天数' }, { value: VALID_MODE.until, label: '到指定时间' }], { required: true, initial: VALID_MODE.days }),
    valid_days: number('有效天数', { min: 1, max: MOST_DAYS, unit: '天' }),
    valid_until: time('有效至'),
    sale_start: time('开售时间'),
    sale_end: time('停售时间'),
    stock: number('库存', { max: 1_000_000, help: '不填则不限' }),
    buy_limit: number('每人限购', { min: 1, max: 99, unit: '份', help: '不填则不限' }),
    trial: number('试听节数', { max: 99, unit: '节', initial: 0 }),
    gift: text('赠品', { max: 60 }),
    banners: images('轮播图'),
    detail_images: images('详情图'),
    invoking_products: multiChoice('调用产品', INVOKING_PRODUCTS),
    sales_base: number('虚拟销量', { max: 1_000_000, initial: 0 }),
    sold: computed('实际销量'),
    learner_cnt: computed('用户数'),
    sale_state: computed('销售', 'text'),
    intro: longText('介绍', { max: 2000 }),
    submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
    sort: sortOrder(),
    state: choice('状态', OFFER_STATES, { readonly: true, initial: S.draft }),
    status: shelf('上架', { state: 'state', on: [S.selling], off: S.off }),
  }
}

/**
 * What a line sells: its courses (domain 0.4, T-DTL). All of them stand in one table, so that orders, entitlements, links and
 * sales name an offer by one id.
 * @param grant id of the screen that shows them
 */
export function defineOffers(line: ProductLine, grant: number, parts: OfferParts) {
  const own = ownFields(line, parts)
  const has = (key: string) => (key in own ? [key] : [])
  const [noun, measure] = line.noun ?? ['课程', '门']
  const { path = 'details', columns = [], filters = [], inputs = [], lacks = [], shelve = [11, '审核和上下架'] } = parts.more ?? {}
  const shown = (keys: readonly string[]) => keys.filter((key) => !lacks.includes(key))
  return defineResource<Record<string, AnyField>, 'shelve', 'submit' | 'approve' | 'reject' | 'shelve' | 'unshelve' | 'archive', 'open_outline' | 'duplicate' | 'bulk_price'>({
    name: `${line.code}_offer`,
    table: 'offer',
    label: parts.more?.label ?? `${line.name}${noun}`,
    measure,
    title: 'title',
    grant,
    rights: defineRights(grant, { shelve }),
    api: parts.more?.api ?? api(lineBase(line), path, path),
    fields: { ...offerFields(line), ...own },
    list: {
      columns: shown(['cover', 'title', 'subject_id', ...has('series_id'), 'price', 'learner_cnt', 'sold', 'state', 'status', ...columns, ...has('textbook_id'), ...has('difficulty'), ...has('region_id'), 'subtitle', 'sale_state', 'line_price', 'floor_price', 'valid_mode', 'valid_days', 'valid_until', 'sales_base', 'stock', 'teacher_ids', 'sort', 'updated_at']),
      under: ['subtitle'],
      filters: shown(['state', 'subject_id', ...has('series_id'), ...has('textbook_id'), ...has('difficulty'), ...has('region_id'), ...filters, 'teacher_ids', 'price', 'sale_start', 'sale_end', 'status', 'created_at']),
      sort: 'sort',
    },
    form: [
      { title: noun, fields: ['title', 'subtitle', 'subject_id', ...has('textbook_id'), ...has('series_id'), ...has('region_id'), ...has('difficulty'), ...inputs, 'teacher_ids'] },
      { title: '价格和有效期', fields: ['price', 'line_price', 'floor_price', 'valid_mode', 'valid_days', 'valid_until'] },
      { title: '销售', fields: shown(['sale_start', 'sale_end', 'stock', 'buy_limit', 'trial', 'gift', 'sales_base', 'invoking_products', 'sort']) },
      { title: '展示', fields: ['cover', 'banners', 'detail_images', 'intro'] },
    ],
    transitions: [
      { name: 'submit', label: '提交审核', field: 'state', from: [S.draft], to: S.waiting },
      { name: 'approve', label: '审核通过', field: 'state', from: [S.waiting], to: S.selling, right: 'shelve', confirm: '通过后课程立即开始销售，确认通过？', instead: '通过错了，下架即可' },
      { name: 'reject', label: '驳回', field: 'state', from: [S.waiting], to: S.draft, right: 'shelve', reason: true, danger: true },
      { name: 'shelve', label: '上架', field: 'state', from: [S.off], to: S.selling, right: 'shelve' },
      { name: 'unshelve', label: '下架', field: 'state', from: [S.selling], to: S.off, right: 'shelve', confirm: '下架后不再销售，已开通的学员可以继续学习，确认下架？', danger: true },
      { name: 'archive', label: '归档', field: 'state', from: [S.off], to: S.archived, right: 'shelve', confirm: '归档后不能再修改和上架，确认归档？', danger: true, instead: '归档不能撤销，需要时复制一门新课程' },
    ],
    logged: [{ name: 'open_outline', label: '建立目录' }, { name: 'duplicate', label: '复制' }, { name: 'bulk_price', label: '批量改价' }],
    policies: [
      { of: ['approve'], policy: 'another', field: 'submitted_by', why: '提交人不能审核自己提交的课程' },
      { of: ['edit'], policy: 'unless', field: 'state', values: [S.waiting], why: '课程正在审核，请先驳回再修改' },
      { of: ['edit'], policy: 'unless', field: 'state', values: [S.archived], why: '课程已归档，不能修改' },
      { of: ['remove'], policy: 'while', field: 'state', values: [S.draft], why: '只有草稿可以删除，其他课程请下架后归档' },
    ],
    pick: { offered: { state: S.selling } },
    where: { line: line.code, kind: 'course' },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
    indexes: [['line', 'kind', 'state']],
  }) as OfferResource
}

/** The offers of whatever line: what a line adds is known to its row of data only. */
export type OfferResource = OpenResource<KnownFields<ReturnType<typeof offerFields>>>

/** An offer as stored. */
export type OfferRow = RowType<OfferResource>
