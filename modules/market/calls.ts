import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mobile } from '../../core/field/mobile.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { charityApply, EVIDENCE, MOST_PLACES } from './charity-apply.ts'
import { marketApply, MOST_DAYS, PURPOSES } from './market-apply.ts'
import { charityUser, marketUser } from './opening.ts'
import { MARKET_USER_RIGHTS, marketQuota, MONTH, MOST_QUOTA } from './quota.ts'
import { virtualOrder } from './virtual-order.ts'

/** Lines of a pasted list. */
export const MOST_LINES = 100
/** Openings that are taken back at once. */
const MOST_RECALLED = 200

const id = (words: string) => z.int(words).check(z.positive(words))
const ids = (words: string, most: number) => z.array(id(words), words).check(z.minLength(1, words), z.maxLength(most, `一次最多 ${most} 个`))
const words = (label: string, max: number) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(max, `${label}最多 ${max} 个字`))
/** As they were pasted: what is no number is told line by line. */
const lines = z.array(z.string('名单应为文字').check(z.maxLength(80, '名单每行最多 80 个字')), '请填写名单').check(z.minLength(1, '请填写名单'), z.maxLength(MOST_LINES, `名单一次最多 ${MOST_LINES} 行`))
const rev = z.optional(z.int('版本有误'))

/**
 * What becomes of one line of a list: an account is made, or is there; it has what is to be opened already or soon; the number
 * stands in the list before; nothing can be opened.
 */
export type ListState = 'new' | 'known' | 'there' | 'twice' | 'bad'

export interface ListRow {
  /** Counted from 1, as pasted. */
  row: number
  mobile: string
  name: string | null
  state: ListState
  why: string | null
}

/** What a quota has. */
export interface QuotaStand { month: string; staff_name: string; quota: number; used: number }

/** A list that was looked at, with the quota that it would be taken from; null where there is none. */
export interface ListCheck {
  rows: ListRow[]
  counts: Record<ListState, number>
  quota: QuotaStand | null
}

const edit = [standardId(marketApply.grant, 'edit')]

/** Shows what becomes of a list for what is to be opened, and what is left of one's own quota. */
export const previewList = defineEndpoint<ListCheck>()({ method: 'POST', path: `${marketApply.api.list}/list`, summary: '核对市场开通名单', back: 'reads', grant: edit, input: z.object({ offer_id: id('请选择开通商品'), lines }) })
/** Asks for openings: what the request says, and who is to have them. */
export const requestOpenings = defineEndpoint<{ id: number; named: number; left_out: ListRow[] }>()({
  method: 'POST', path: `${marketApply.api.list}/request`, summary: '申请市场开通', back: { instead: '申请错了，由审核人驳回' }, grant: edit,
  input: z.object({
    org: words('客户单位', 60), applicant: words('联系人', 20), mobile: mobile('联系电话').schema, region_code: z.string('请选择所在地区').check(z.regex(/^\d{2}(\d{2}){0,2}$/, '请选择所在地区')),
    offer_id: id('请选择开通商品'), purpose: z.custom<1 | 2 | 3>((value) => PURPOSES.some((one) => one.value === value), '请选择用途'),
    days: z.int('请填写使用天数').check(z.gte(1, '使用天数至少 1 天'), z.lte(MOST_DAYS, `使用天数最多 ${MOST_DAYS} 天`)),
    reason: z.optional(z.string('说明有误').check(z.trim(), z.maxLength(500, '说明最多 500 个字'))), licence: z._default(z.array(z.string('请重新上传附件')).check(z.maxLength(6, '最多 6 张')), []), lines,
  }),
})
/** The list of a request as it stands now, for whoever decides. */
export const readList = defineEndpoint<ListCheck & { problems: string[] }>()({ method: 'GET', path: `${marketApply.api.item}/{id}/list`, summary: '市场开通申请的名单', grant: [marketApply.grant] })
/** Another list in the place of the one that is there. */
export const replaceList = defineEndpoint<{ named: number; left_out: ListRow[] }>()({ method: 'PUT', path: `${marketApply.api.item}/{id}/list`, summary: '修改市场开通名单', grant: edit, input: z.object({ lines, rev }) })

const recallInput = z.object({ ids: ids('请选择要收回的用户', MOST_RECALLED), reason: reasonSchema })
export const recallMarket = defineEndpoint<{ recalled: number }>()({ method: 'POST', path: `${marketUser.api.list}/recall`, summary: '收回市场开通', back: { instead: '收回错了，重新申请开通' }, grant: [MARKET_USER_RIGHTS.id('recall')], input: recallInput })
export const recallCharity = defineEndpoint<{ recalled: number }>()({ method: 'POST', path: `${charityUser.api.list}/recall`, summary: '收回公益名额', back: { instead: '收回错了，重新开通即可' }, grant: [charityApply.rights.id('open')], input: recallInput })

const month = z.string('请选择月份').check(z.regex(MONTH, '月份应为 2026-11 的形式'))
const setQuota = [MARKET_USER_RIGHTS.id('quota')]
/** Gives people a number of openings for a month, or another number than before. */
export const setQuotas = defineEndpoint<{ set: number }>()({
  method: 'PUT', path: `${marketQuota.api.list}/set`, summary: '分配市场名额', back: { instead: '分配错了，重新分配即可' }, grant: setQuota,
  input: z.object({ month, staff_ids: ids('请选择市场人员', 100), quota: z.int('名额应为整数').check(z.gte(0, '名额不能小于 0'), z.lte(MOST_QUOTA, `名额最多 ${MOST_QUOTA} 个`)) }),
})
/** Gives everybody who has none for a month what they had the month before. */
export const copyQuotas = defineEndpoint<{ set: number }>()({ method: 'POST', path: `${marketQuota.api.list}/copy`, summary: '沿用上月市场名额', grant: setQuota, input: z.object({ month }) })

/** Why a virtual order is there, and what it opened. */
export interface VirtualStory {
  request: { id: number; org: string; purpose: number; days: number; reason: string | null; staff_name: string | null; auditor_name: string | null; audited_at: number | null } | null
  opened: { product: string; start_at: number; expire_at: number; status: number }[]
  log: { id: number; at: number; staff_name: string | null; action: string; reason: string | null }[]
}
export const readVirtual = defineEndpoint<VirtualStory>()({ method: 'GET', path: `${virtualOrder.api.item}/{id}/story`, summary: '虚拟订单的开通依据', grant: [virtualOrder.grant] })
export const recallVirtual = defineEndpoint<{ recalled: number }>()({ method: 'POST', path: `${virtualOrder.api.list}/recall`, summary: '收回虚拟订单', back: { instead: '收回错了，重新申请开通' }, grant: [virtualOrder.rights.id('recall')], input: recallInput })

const open = [charityApply.rights.id('open')]
export const previewPlaces = defineEndpoint<ListCheck>()({ method: 'POST', path: `${charityApply.api.item}/{id}/places/list`, summary: '核对受助学员名单', grant: open, input: z.object({ lines }) })
/** Gives people of a school free places: all of them who can have one, or nobody. */
export const openPlaces = defineEndpoint<{ opened: number; left_out: ListRow[] }>()({ method: 'POST', path: `${charityApply.api.item}/{id}/places`, summary: '开通受助学员', grant: open, input: z.object({ lines }) })
/** What of the evidence was looked at. */
export const lookAtEvidence = defineEndpoint<WireRow<typeof charityApply>>()({
  method: 'PUT', path: `${charityApply.api.item}/{id}/evidence`, summary: '核对公益证明材料', grant: [charityApply.rights.id('audit')],
  input: z.object({ evidence: z.array(z.enum(EVIDENCE.map(({ value }) => value), '材料有误'), '请勾选已核对的材料').check(z.maxLength(EVIDENCE.length, '材料有误')), rev }),
})
/** Another day of ending, another number of places. */
export const adjustCharity = defineEndpoint<WireRow<typeof charityApply>>()({
  method: 'PUT', path: `${charityApply.api.item}/{id}/adjust`, summary: '续期和调整公益名额', grant: [charityApply.rights.id('audit')],
  input: z.object({ quota: z.int('名额应为整数').check(z.gte(1, '名额至少 1 个'), z.lte(MOST_PLACES, `名额最多 ${MOST_PLACES} 个`)), due_at: z.int('请选择到期日').check(z.gte(0, '请选择到期日'), z.lte(4_102_416_000, '到期日过晚')), reason: reasonSchema, rev }),
})
