import { sql } from 'drizzle-orm'
import { rangeQuery, type DailyFigure, type FigureAsk, type FigureList } from '../../core/kernel/figure.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { OrderLine } from './line.ts'

interface ListedLine {
  readonly line: OrderLine
  readonly resource: Resource
  readonly path: string
}

const listed: ListedLine[] = []

/** Makes known where the orders of a line are shown. */
export function listLine(one: ListedLine): void {
  if (!listed.some(({ line }) => line.name === one.line.name)) listed.push(one)
}

/** Every line that is served. */
export const listedLines = (): readonly OrderLine[] => listed.map(({ line }) => line)

/** What tells the orders of one line from others, in days that were counted. */
const lineKey = ({ code, selfRun }: Pick<OrderLine, 'code' | 'selfRun'>) => (selfRun === true ? `${code}:self` : code)

const FILTERS = { channel: 'channel_id', agent: 'agent_id' } as const

function ordersOf({ line, resource, path }: ListedLine): FigureList {
  return {
    line: lineKey(line), title: `${line.selfRun === true ? '自营' : ''}${line.label}`, resource, path,
    query(ask: FigureAsk) {
      if (!ask.by) return rangeQuery('paid_at', ask)
      const { dimension, key } = ask.by
      const filter = dimension === 'channel' || dimension === 'agent' ? FILTERS[dimension] : undefined
      return filter !== undefined && key !== '' && resource.list.filters.includes(filter) ? { ...rangeQuery('paid_at', ask), [filter]: key } : undefined
    },
  }
}

const channel = sql`t.channel_id::text`

const orders = {
  table: 'orders', at: 'paid_at', where: sql`t.deleted_at is null`,
  line: sql`t.line || case when t.self_run = 1 then ':self' else '' end`,
  dimensions: {
    channel, agent: sql`t.agent_id::text`, staff: sql`t.created_by::text`,
    province: sql`(select left(u.region_code, 2) from app_user u where u.id = t.user_id)`,
  },
  lists: () => listed.map(ordersOf),
}

/** Days in which somebody who came in can become what the funnel asks for. */
export const FUNNEL_DAYS = 14

const within = sql.raw(`t.register_at + interval '${FUNNEL_DAYS} days'`)
const step = (n: number, name: string, title: string, about: string, where: ReturnType<typeof sql>): DailyFigure => ({
  name: `funnel_${name}`, title, about, as: 'number', table: 'app_user', at: 'register_at', where: sql`t.deleted_at is null and t.merged_into_id is null and ${where}`, step: n, ripens: FUNNEL_DAYS, lists: () => [],
})
const paidWithin = sql`o.user_id = t.id and o.deleted_at is null and o.paid > 0 and o.paid_at >= t.register_at and o.paid_at < ${within}`

/** Orders of all lines by the day on which they were paid, and what becomes of those who come in. */
export const orderFigures: readonly DailyFigure[] = [
  { ...orders, name: 'paid', title: '实收', about: '当天付款的订单的实付金额，之后的退款不从中扣除', as: 'money', value: sql`t.paid` },
  { ...orders, name: 'orders', title: '付款订单', about: '当天付款的订单数', as: 'number' },
  // People and refunds are told apart by nothing else.
  { ...orders, dimensions: { channel }, name: 'payers', title: '付款人数', about: '付款的人，一段时间内一人只算一次', as: 'number', person: sql`coalesce('u' || t.user_id, 'm' || t.buyer_mobile, 'b' || t.buyer_kind || t.buyer_ref_id, 'o' || t.id)` },
  { ...orders, dimensions: { channel }, name: 'refunded', title: '退款', about: '当天付款的订单到现在为止退回的金额', as: 'money', value: sql`t.refunded`, behind: true },
  step(1, 'came', '注册', '当天注册的用户', sql`true`),
  step(2, 'opened', '开通产品', `注册后 ${FUNNEL_DAYS} 天内有了学习权益，含试用和赠送`, sql`exists (select 1 from entitlement e where e.user_id = t.id and e.deleted_at is null and e.created_at >= t.register_at and e.created_at < ${within})`),
  step(3, 'paid', '付款', `注册后 ${FUNNEL_DAYS} 天内付过款`, sql`exists (select 1 from orders o where ${paidWithin})`),
  step(4, 'again', '再次付款', `注册后 ${FUNNEL_DAYS} 天内付过两笔或更多`, sql`(select count(*) from orders o where ${paidWithin}) > 1`),
]
