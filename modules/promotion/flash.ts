import { choice } from '../../core/field/choice.ts'
import { computed, json } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { activity } from './activity.ts'
import { goodSchema, MAX_PRICE } from './good.ts'

export const FLASH_PATH = '/operate/flash-sale'

export const FLASH_STATE = { on: 1, stopped: 2 } as const

/** How a sale stands by its clock and stock. */
export const PHASES = [
  { value: 'before', label: '未开始', tone: 'idle' }, { value: 'warm', label: '预热', tone: 'warning' }, { value: 'running', label: '进行中', tone: 'processing' },
  { value: 'out', label: '售罄', tone: 'success' }, { value: 'over', label: '结束', tone: 'default' }, { value: 'stopped', label: '终止', tone: 'error' },
] as const

export type Phase = (typeof PHASES)[number]['value']

/** The phase of a sale at a moment, in unix seconds: the same on the server's list and in the calendar. */
export function phaseOf(sale: { state: number | null; start_at: number; end_at: number; warm_at: number | null; stock: number; held: number | null; sold: number | null }, now: number): Phase {
  if (sale.state === FLASH_STATE.stopped) return 'stopped'
  if (now >= sale.end_at) return 'over'
  if (now < sale.start_at) return sale.warm_at !== null && now >= sale.warm_at ? 'warm' : 'before'
  return (sale.sold ?? 0) >= sale.stock ? 'out' : 'running'
}

/** Minutes within which a piece that was taken is paid for; then it is sold again. */
export const HOLD_MINUTES = 15

export const FLASH_RIGHTS = defineRights(screenId(FLASH_PATH), { stop: [11, '终止抢购'] })

/** domain 1.8: goods at a lower price for a while, as long as there are some. `held` was ordered and not paid for yet. */
export const flashSale = defineResource({
  name: 'flash_sale',
  label: '限时抢购',
  measure: '场',
  grant: FLASH_RIGHTS.screen,
  rights: FLASH_RIGHTS,
  api: api('/daoyuan/api/end', 'flash_sales', 'flash_sale'),
  fields: {
    name: text('场次名称', { required: true, max: 40, search: true, example: '周六晚八点' }),
    good: json('商品', goodSchema, { required: true }),
    good_name: text('抢购商品', { readonly: true, max: 120, search: true }),
    activity_id: reference('所属活动', () => activity, { onRemove: 'keep' }),
    list_price: money('售价', { readonly: true, max: MAX_PRICE }),
    price: money('抢购价', { required: true, min: 1, max: MAX_PRICE }),
    stock: number('抢购库存', { required: true, min: 1, max: 100_000, unit: '份' }),
    held: number('待付款', { readonly: true, initial: 0, audit: false }),
    sold: number('已售', { readonly: true, initial: 0, audit: false }),
    left: computed('还剩'),
    per_user: number('每人限购', { required: true, min: 1, max: 99, initial: 1, unit: '份' }),
    warm_at: time('预热时间'),
    start_at: time('开始时间', { required: true }),
    end_at: time('结束时间', { required: true }),
    show: choice('展示方式', [{ value: 1, label: '弹窗' }, { value: 2, label: '角标' }], { required: true, initial: 2 }),
    phase: segment('阶段', PHASES),
    phase_now: computed('进度', 'text'),
    paid: computed('实付', 'money'),
    stop_reason: text('终止原因', { readonly: true, max: 200 }),
    state: choice('状态', [{ value: FLASH_STATE.on, label: '有效', tone: 'success' }, { value: FLASH_STATE.stopped, label: '已终止', tone: 'default' }], { readonly: true, initial: FLASH_STATE.on }),
  },
  list: {
    columns: ['name', 'phase_now', 'good_name', 'price', 'sold', 'held', 'left', 'start_at', 'end_at', 'paid', 'list_price', 'stock', 'per_user', 'warm_at', 'show', 'activity_id', 'state', 'stop_reason', 'created_by_name', 'created_at'],
    under: ['good_name'],
    filters: ['phase', 'state', 'activity_id', 'start_at', 'end_at', 'show', 'created_at'],
    sort: '-start_at',
  },
  form: [
    { title: '商品', fields: ['name', 'good', 'price', 'stock', 'per_user'] },
    { title: '时间', fields: ['warm_at', 'start_at', 'end_at'] },
    { title: '展示', fields: ['show', 'activity_id'] },
  ],
  transitions: [{ name: 'stop', label: '终止', field: 'state', from: [FLASH_STATE.on], to: FLASH_STATE.stopped, right: 'stop', reason: true, danger: true, instead: '终止不能撤销，需要时新建一场' }],
  logged: [{ name: 'buy', label: '下单' }, { name: 'pay', label: '收款' }, { name: 'release', label: '释放' }, { name: 'close', label: '超时关闭' }],
  policies: [{ of: ['edit', 'remove'], policy: 'while', field: 'state', values: [FLASH_STATE.on], why: '抢购已终止，不能修改' }],
  indexes: [['start_at']],
})
