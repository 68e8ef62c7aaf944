import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { OPEN_SOURCES, type LearnerResource } from './learner.ts'

/** teaching.md 3: numbers that are opened at once. */
export const MOST_OPENED = 5000
/** How long an opening can be taken back, in seconds: a day. */
export const UNDO_SECONDS = 86_400
/** Learners that are given more time at once. */
export const MOST_EXTENDED = 500
/** Longest extension, in days: ten years. */
export const MOST_DAYS = 3650

const id = (words: string) => z.int(words).check(z.positive(words))
const days = z.int('天数应为整数').check(z.gte(1, '至少 1 天'), z.lte(MOST_DAYS, `最多 ${MOST_DAYS} 天`))

const openSchema = z.object({
  offer_id: id('请选择课程'),
  /** As they were pasted: what is no number is told line by line. */
  mobiles: z.array(z.string('手机号应为文字').check(z.maxLength(40, '手机号有误')), '请填写手机号').check(z.minLength(1, '请填写手机号'), z.maxLength(MOST_OPENED, `一次最多 ${MOST_OPENED.toLocaleString('zh-CN')} 个手机号`)),
  source: z.custom<number>((value) => OPEN_SOURCES.some((one) => one.value === value), `开通方式应为 ${OPEN_SOURCES.map(({ label }) => label).join('、')} 之一`),
})

/** What becomes of one line of pasted numbers. */
export interface OpenRow {
  /** Counted from 1, as pasted. */
  row: number
  mobile: string
  /** `new`: an account is made; `known`: the account is there; `goes_on`: its time for the product runs and is followed by the new one; `bad`: nothing is opened. */
  state: 'new' | 'known' | 'goes_on' | 'bad'
  /** Name of the account, masked as in lists. */
  name: string | null
  /** Unix seconds; null for a line that is left out. */
  start_at: number | null
  expire_at: number | null
  /** Why it is left out. */
  reason: string | null
}

export interface OpenPreview {
  rows: OpenRow[]
  counts: Record<OpenRow['state'], number>
}

/** What an opening came to; the job's result. */
export interface Opened {
  opened: number
  /** Lines that were left out. */
  left_out: { row: number; mobile: string; reason: string }[]
}

/** An opening of many, for those who may take it back. */
export interface Opening {
  job_id: number
  product: string
  opened: number
  at: number
  staff_name: string | null
  /** Until when it can be taken back, in unix seconds. */
  undo_until: number
  undone: boolean
}

/** Why somebody is entitled to something. */
export interface Origin {
  source: string
  title: string
  /** Screen and record behind it, where there is one to open. */
  path: string | null
  at: number
  staff_name: string | null
}

/** The calls of a line's learners beside the standard ones. */
export function learnerEndpoints({ api: { list, item }, rights, grant, label }: Pick<LearnerResource, 'api' | 'rights' | 'grant' | 'label'>) {
  const [open, takeBack] = [[rights.id('open')], [rights.id('takeBack')]]
  const one = `${item}/{id}`
  return {
    preview: defineEndpoint<OpenPreview>()({ method: 'POST', path: `${list}/open/preview`, summary: `预览批量开通${label}`, grant: open, input: openSchema, back: 'reads' }),
    open: defineEndpoint<{ job_id: number }>()({ method: 'POST', path: `${list}/open`, summary: `批量开通${label}`, grant: open, input: z.object({ ...openSchema.shape, reason: reasonSchema }), back: { instead: '24 小时内在「最近开通」里撤销' } }),
    openings: defineEndpoint<{ items: Opening[] }>()({ method: 'GET', path: `${list}/open`, summary: `最近的${label}批量开通`, grant: open }),
    undo: defineEndpoint<{ closed: number }>()({ method: 'POST', path: `${list}/open/{job_id}/undo`, summary: `撤销批量开通${label}`, grant: open, input: z.object({ reason: reasonSchema }) }),
    extend: defineEndpoint<{ count: number; undo?: number }>()({
      method: 'POST', path: `${list}/extend`, summary: `${label}延期`, grant: open,
      input: z.object({ ids: z.array(id('学员编号有误'), '请选择学员').check(z.minLength(1, '请选择学员'), z.maxLength(MOST_EXTENDED, `一次最多 ${MOST_EXTENDED} 名`)), days, reason: reasonSchema }),
      back: 'undo',
    }),
    rebind: defineEndpoint<{ user_id: number }>()({
      method: 'POST', path: `${one}/rebind`, summary: `${label}换绑`, grant: takeBack, input: z.object({ mobile: mobile('手机号').schema, reason: reasonSchema, rev: z.optional(z.int('版本有误')) }),
    }),
    origin: defineEndpoint<Origin>()({ method: 'GET', path: `${one}/origin`, summary: `${label}的开通来源`, grant: [grant] }),
  }
}
