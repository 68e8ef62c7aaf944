import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { MOST_CHANGED, VALIDITY_RIGHTS, validityChange } from './validity.ts'

/** People that are looked up at once. */
export const MOST_PEOPLE = 500
/** Longest time that one change gives. */
const MOST_DAYS = 3650

/** Something that a person may use, as a bar on the time axis. Moments in unix seconds. */
export interface ValidityBar {
  id: number
  line: string
  line_name: string
  product: string
  source: string
  /** What opened it, in words, and where that is looked at. */
  cause: string
  to: string | null
  start_at: number
  expire_at: number
  /** 生效中, 未开始, 已过期, 已停用, 已退款. */
  state: string
  /** Why it cannot be given more time; null where it can. */
  fixed: string | null
}

export interface ValidityPerson { id: number; user_no: string; name: string; mobile: string; state: string; grade: number | null; frozen: boolean; bars: ValidityBar[] }

export interface ValidityFound { people: ValidityPerson[]; missing: { row: number; typed: string; why: string }[]; counts: { bars: number; running: number; soon: number; over: number } }

/** What becomes of one entitlement, or of one person. */
export interface ValidityRow { key: string; user: string; product: string; line_name: string; before: number | null; start_at: number; after: number | null; why: string | null }

export interface ValidityPreview { rows: ValidityRow[]; good: number; people: number; second: string | null }

/** A course that can be opened for somebody. */
export interface OpenableOffer { id: number; title: string; line: string; line_name: string; valid: string }

const id = z.int('编号有误').check(z.positive('编号有误'))
const many = (words: string) => z.array(id, words).check(z.minLength(1, words), z.maxLength(MOST_CHANGED, `一次最多 ${MOST_CHANGED} 项`))
/** What is asked for: more time for entitlements, or a course for people. */
export const askSchema = z.union([
  z.object({ kind: z.literal('extend'), ids: many('请选择要延期的权益'), days: z.int('天数应为整数').check(z.gte(1, '至少 1 天'), z.lte(MOST_DAYS, `最多 ${MOST_DAYS} 天`)) }),
  z.object({ kind: z.literal('open'), user_ids: many('请选择用户'), line: z.string('请选择课程').check(z.maxLength(40, '请选择课程')), offer_id: id, gift: z.optional(z.boolean('开通方式有误')) }),
], '内容有误，请检查所选权益、用户和天数')
export type ValidityAsk = z.infer<typeof askSchema>

const at = '/daoyuan/api/end/operate/validity'
const [look, extend] = [[VALIDITY_RIGHTS.screen], [VALIDITY_RIGHTS.id('extend')]]

export const findValidity = defineEndpoint<ValidityFound>()({
  method: 'POST', path: at, summary: '按手机号查询有效期', back: 'reads', grant: look,
  input: z.object({ mobiles: z.array(z.string('手机号应为文字').check(z.maxLength(40, '手机号有误')), '请输入手机号').check(z.minLength(1, '请输入手机号'), z.maxLength(MOST_PEOPLE, `一次最多 ${MOST_PEOPLE} 个手机号`)) }),
})
export const openableOffers = defineEndpoint<{ items: OpenableOffer[] }>()({
  method: 'GET', path: `${at}/offers`, summary: '可以补开的课程', grant: extend, input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.maxLength(60, '关键词最多 60 个字'))) }),
})
export const previewValidity = defineEndpoint<ValidityPreview>()({ method: 'POST', path: `${at}/preview`, summary: '预览延期和补开', grant: extend, input: z.object({ ask: askSchema }) })
export const changeValidity = defineEndpoint<{ id: number; status: number; undo?: number }>()({ method: 'POST', path: `${at}/changes`, summary: '延期或补开', grant: extend, input: z.object({ ask: askSchema, reason: reasonSchema }) })
/** Each entitlement that a change is about. */
export const validityItems = defineEndpoint<{ items: ValidityRow[] }>()({ method: 'GET', path: `${validityChange.api.item}/{id}/items`, summary: '延期单的明细', grant: look })
