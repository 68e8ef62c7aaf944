import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { JobInfo } from '../../core/job/calls.ts'
import { RANGES, type RangeName } from './stretch.ts'
import { DATA_RIGHTS } from './rights.ts'

/** Kinds by which a figure can be told apart, with what they are called. */
export const BREAKDOWNS = { line: '产品线', channel: '渠道', agent: '代理', province: '省份', staff: '录入人' } as const
export type Breakdown = keyof typeof BREAKDOWNS

/** A list with the records behind a number. */
export interface Behind { title: string; value: number; to: string | null }

/** One figure of a stretch, beside the stretch before. Money is in fen, a share in hundredths of a percent. */
export interface Tile {
  name: string
  title: string
  about: string
  as: 'number' | 'money' | 'share'
  value: number
  before: number
  /** Day by day; of the last only what had happened by the end of the stretch. */
  values: number[]
  before_values: number[]
  /** Whether more is better. */
  up: 'good' | 'bad'
  /** What it is of, where it is not of the whole stretch: 到昨天, 日均. */
  note: string | null
  /** Days of which people are counted, where those end with yesterday. */
  window?: number
  /** The lists that show its records; together they hold as many. */
  behind: Behind[]
  /** Kinds by which it can be told apart. */
  by: Breakdown[]
}

export interface StretchInfo { from: number; to: number; before_from: number; before_to: number; days: number }
export interface Note { id: number; day: number; body: string; bad: boolean; staff_name: string | null; mine: boolean }
export interface Named { key: string; title: string }

export interface StatAnswer {
  /** Until when everything was counted; 0 where nothing was yet. */
  counted_at: number
  stretch: StretchInfo
  tiles: Tile[]
  notes: Note[]
  lines: Named[]
  channels: Named[]
  /** What the last day will probably come to by its end, by figure; only where it is not over. */
  forecast: Record<string, number>
  /** Figures that the person may not see because of a data scope. */
  narrowed: boolean
}

/** Somebody or something of a breakdown. */
export interface BreakdownRow { key: string; title: string; cells: Record<string, { value: number; before: number; to: string | null }> }
export interface BreakdownAnswer { figures: { name: string; title: string; as: 'number' | 'money'; up: 'good' | 'bad' }[]; rows: BreakdownRow[] }

export interface FunnelAnswer { days: number; steps: { title: string; about: string; value: number; ripe: number }[]; /** First day on which people have not had all days yet; null where all have. */ unripe_from: number | null }

const BASE = '/daoyuan/api/end/monitor/stats'
const look = [DATA_RIGHTS.screen]
const day = z.optional(z.coerce.number('日期有误').check(z.int('日期有误'), z.gte(946_656_000, '日期有误'), z.lte(7_258_118_400, '日期有误')))
const asked = {
  range: z._default(z.enum(Object.keys(RANGES) as [RangeName, ...RangeName[]], '时间范围有误'), 'month'),
  from: day, to: day,
  line: z._default(z.string('产品线有误').check(z.maxLength(60, '产品线有误')), ''),
  channel: z._default(z.string('渠道有误').check(z.regex(/^\d{0,15}$/, '渠道有误')), ''),
}

export const statTiles = defineEndpoint<StatAnswer>()({ method: 'GET', path: BASE, summary: '数据中心的指标', grant: look, input: z.object(asked) })
export const statBreakdown = defineEndpoint<BreakdownAnswer>()({ method: 'GET', path: `${BASE}/by`, summary: '指标按产品线、渠道、代理、省份或录入人', grant: look, input: z.object({ ...asked, by: z.enum(Object.keys(BREAKDOWNS) as [Breakdown, ...Breakdown[]], '分组有误') }) })
export const statFunnel = defineEndpoint<FunnelAnswer>()({ method: 'GET', path: `${BASE}/funnel`, summary: '购买漏斗', grant: look, input: z.object(asked) })

export const addNote = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${BASE}/notes`, summary: '记一笔', grant: [DATA_RIGHTS.id('note')],
  input: z.object({ day: z.int('请选择日期').check(z.gte(946_656_000, '日期有误'), z.lte(7_258_118_400, '日期有误')), body: z.string('请填写内容').check(z.trim(), z.minLength(2, '内容至少 2 个字'), z.maxLength(40, '内容最多 40 个字')), bad: z._default(z.boolean('类型有误'), false) }),
})
export const dropNote = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${BASE}/notes/{id}`, summary: '删除记录', grant: [DATA_RIGHTS.id('note')] })

/** Counts days again from their sources, in the background. */
export const rebuildStats = defineEndpoint<{ job_id: number }>()({
  method: 'POST', path: `${BASE}/rebuild`, summary: '重新计算指标', grant: [DATA_RIGHTS.id('rebuild')],
  input: z.object({ from: z.int('请选择开始日期').check(z.gte(946_656_000, '日期有误'), z.lte(7_258_118_400, '日期有误')), to: z.int('请选择结束日期').check(z.gte(946_656_000, '日期有误'), z.lte(7_258_118_400, '日期有误')) }),
})
export const exportStats = defineEndpoint<JobInfo>()({ method: 'POST', path: `${BASE}/export`, summary: '导出指标', grant: [DATA_RIGHTS.id('take')], input: z.object(asked) })

/** A daily summary in one's inbox, at an hour of China's clock. */
export interface Subscription { hour: number; line: string }
export const readSubscription = defineEndpoint<{ subscription: Subscription | null }>()({ method: 'GET', path: `${BASE}/subscription`, summary: '我的日报订阅', grant: look })
export const keepSubscription = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${BASE}/subscription`, summary: '订阅日报', grant: look,
  input: z.object({ hour: z.int('请选择时间').check(z.gte(0, '请选择时间'), z.lte(23, '请选择时间')), line: asked.line }),
})
export const dropSubscription = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${BASE}/subscription`, summary: '取消日报订阅', grant: look })

/** A summary that the person got. */
export interface Summary { id: number; day: number; at: number; line: string | null; read: boolean; rows: { name: string; title: string; as: Tile['as']; value: number; before: number; up: Tile['up'] }[] }
export const listSummaries = defineEndpoint<{ items: Summary[]; total: number }>()({ method: 'GET', path: `${BASE}/summaries`, summary: '我的日报', grant: look })
export const readSummary = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${BASE}/summaries/{id}/read`, summary: '日报已读', grant: look })
