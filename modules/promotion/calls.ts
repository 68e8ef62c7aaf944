import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mobile } from '../../core/field/mobile.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { PublicPage } from '../../core/public-page/page.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { PAY_CHANNELS } from '../order/module.ts'
import { activity, ACTIVITY_RIGHTS } from './activity.ts'
import { flashSale } from './flash.ts'
import type { Good, SharedGood } from './good.ts'
import { activityLink, LINK_RIGHTS } from './link.ts'
import { SHARE_CHANNELS, SHARE_RIGHTS, userShare } from './share.ts'

/** What learners' apps may do here. */
export const PROMOTION_APP = defineAppScope('promotion', '活动、抢购和下单')

/** Goods that can be chosen, with what they cost now, in fen. */
export interface OfferedGood extends Good { group: string; price: number; floor: number }

/** A package as a link sells it. */
export interface OfferedSuite { id: number; name: string; price: number; list: number; gift: string | null; stock: number | null; left: number | null; goods: SharedGood[] }

/** What somebody has ordered at once. */
export interface CheckoutDone { checkout_no: string; amount: number; close_at: number; orders: { order_no: string; amount: number; goods: string }[] }

/** A purchase by a link, for whoever follows it up. */
export interface LinkCheckout { id: number; no: string; at: number; buyer: string | null; mobile: string; suite: string; amount: number; paid: number; refunded: number; state: 'open' | 'paid' | 'over'; kept: number; receiver: string | null; orders: { id: number; order_no: string; line: string; goods: string | null; amount: number; status: string; to: string | null }[] }

/** Everything about a link beside its own fields. */
export interface LinkOverview { path: string; page: PublicPage; problems: string[]; checked_at: number | null; funnel: { visits: number; ordered: number; paid: number; refunded: number }; checkouts: LinkCheckout[] }

const id = (words: string) => z.int(words).check(z.positive(words))
const text = (label: string, max: number) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(max, `${label}最多 ${max} 个字`))
const edit = (grant: number) => [standardId(grant, 'edit')]
const channels = PAY_CHANNELS.flatMap(({ value }) => (['wechat', 'alipay', 'transfer', 'cash', 'offline'].includes(value) ? [value] : []))

const payment = z.object({
  channel: z.enum(channels, '请选择支付方式'),
  amount: z.int('到账金额最多两位小数').check(z.positive('到账金额应大于 0')),
  trade_no: z.optional(z.string('交易单号有误').check(z.trim(), z.maxLength(64, '交易单号最多 64 个字'))),
})

/** Money that came for a purchase. */
export type Payment = z.infer<typeof payment>

export const offeredGoods = defineEndpoint<{ items: OfferedGood[] }>()({
  method: 'GET', path: '/daoyuan/api/end/promotion/goods', summary: '可售商品', grant: [activityLink.grant, flashSale.grant, activity.grant],
  input: z.object({ q: z._default(z.string('关键词有误').check(z.trim(), z.maxLength(40, '关键词最多 40 个字')), ''), keys: z.optional(z.string('商品有误').check(z.maxLength(4000, '商品过多'))) }),
})

/** spec 7: pay link packages. */
export const linkSuites = defineEndpoint<{ suites: OfferedSuite[] }>()({ method: 'GET', path: `${activityLink.api.list}/{id}/suites`, summary: '支付链接的套餐', grant: [activityLink.grant] })
export const linkOverview = defineEndpoint<LinkOverview>()({ method: 'GET', path: `${activityLink.api.item}/{id}/overview`, summary: '支付链接的页面、体检和成交', grant: [activityLink.grant] })
export const checkLink = defineEndpoint<{ problems: string[] }>()({ method: 'POST', path: `${activityLink.api.item}/{id}/check`, summary: '体检支付链接', grant: edit(activityLink.grant) })
export const copyLinks = defineEndpoint<{ items: { id: number; name: string; path: string }[] }>()({
  method: 'POST', path: `${activityLink.api.item}/{id}/copies`, summary: '给多个代理生成支付链接', back: { instead: '生成错了，停用链接即可' }, grant: [LINK_RIGHTS.id('copy')],
  input: z.object({ agent_ids: z.array(id('请选择代理'), '请选择代理').check(z.minLength(1, '请选择代理'), z.maxLength(200, '一次最多 200 个代理')) }),
})
export const payLinkCheckout = defineEndpoint<{ checkout_no: string; paid: number }>()({
  method: 'POST', path: `${activityLink.api.item}/{id}/checkouts/{no}/payments`, summary: '登记支付链接的收款', grant: [LINK_RIGHTS.id('pay')], input: payment,
})

/** Sales in a stretch of days. */
export interface CalendarSale { id: number; name: string; good_name: string | null; start_at: number; end_at: number; warm_at: number | null; price: number; stock: number; held: number; sold: number; state: number; clash: string | null }
export const flashCalendar = defineEndpoint<{ items: CalendarSale[] }>()({
  method: 'GET', path: `${flashSale.api.list}/calendar`, summary: '抢购日历', grant: [flashSale.grant],
  input: z.object({ from: z.coerce.number('日期有误').check(z.int('日期有误')), to: z.coerce.number('日期有误').check(z.int('日期有误')) }),
})

/** Who took pieces of a sale. */
export interface FlashOrders { stock: number; held: number; sold: number; list_price: number | null; paid: number; phase: string; orders: { id: number; order_no: string; at: number; buyer: string | null; mobile: string; qty: number; amount: number; state: string; status: string; to: string | null }[] }
export const flashOrders = defineEndpoint<FlashOrders>()({ method: 'GET', path: `${flashSale.api.item}/{id}/orders`, summary: '抢购的库存和订单', grant: [flashSale.grant] })

/** What virtual buyers came to. */
export interface Rehearsal { buyers: number; got: number; pieces: number; out: number; limited: number; left: number; money: number; given_up: number; ms: number }
export const rehearseFlash = defineEndpoint<Rehearsal>()({
  method: 'POST', path: `${flashSale.api.item}/{id}/rehearsal`, summary: '抢购演练', grant: edit(flashSale.grant),
  input: z.object({ buyers: z.int('人数应为整数').check(z.gte(1, '至少 1 人'), z.lte(2000, '最多 2,000 人')), lapse: z._default(z.int('放弃比例应为整数').check(z.gte(0, '放弃比例为 0 到 100'), z.lte(100, '放弃比例为 0 到 100')), 10) }),
})

/** What came of an activity, beside an equal stretch before it. */
export interface ActivityEffect {
  from: number; to: number
  figures: { key: string; title: string; as: 'number' | 'money'; value: number; before: number | null }[]
  coupons: { id: number; no: string; user_id: number; user: string | null; cause: string; amount: number; threshold: number; status: number; expire_at: number; order_no: string | null; void_reason: string | null }[]
  coupon_sums: { status: number; n: number; amount: number }[]
  groups: { id: number; leader: string; need: number; until: number; state: number; members: { order_id: number; order_no: string; mobile: string; state: number; problem: string | null; to: string | null }[] }[]
  days: { day: number; n: number }[]
  best: { user: string | null; n: number; rewards: number }[]
}
export const activityEffect = defineEndpoint<ActivityEffect>()({ method: 'GET', path: `${activity.api.item}/{id}/effect`, summary: '活动成效', grant: [activity.grant] })
export const issueCoupons = defineEndpoint<{ issued: number; left_alone: { mobile: string; why: string }[] }>()({
  method: 'POST', path: `${activity.api.item}/{id}/coupons`, summary: '发券', back: { instead: '发错了，没有用过的券可以作废' }, grant: [ACTIVITY_RIGHTS.id('issue')],
  input: z.object({ mobiles: z.array(mobile('手机号').schema, '请填写手机号').check(z.minLength(1, '请填写手机号'), z.maxLength(500, '一次最多 500 个手机号')) }),
})
export const voidCouponCall = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${activity.api.item}/{id}/coupons/{coupon_id}/void`, summary: '作废优惠券', grant: [ACTIVITY_RIGHTS.id('issue')], input: z.object({ reason: reasonSchema }) })
export const retryRefund = defineEndpoint<{ problem: string | null }>()({ method: 'POST', path: `${activity.api.item}/{id}/members/{order_id}/refund`, summary: '拼团退款重试', grant: [ACTIVITY_RIGHTS.id('refund')] })

/** Somebody whom a share brought, with what speaks against them. */
export interface Newcomer { user_id: number; name: string | null; mobile: string; at: number; evidence: string[]; amount: number; state: number; coupon_no: string | null; bought: number }
export const shareNewcomers = defineEndpoint<{ items: Newcomer[]; same_device: number; same_net: number }>()({ method: 'GET', path: `${userShare.api.item}/{id}/newcomers`, summary: '分享带来的新用户', grant: [SHARE_RIGHTS.screen] })

const DEVICE = '/daoyuan/api/device/promotion'
const buyer = { mobile: mobile('手机号').schema, name: text('姓名', 20) }

/** An app buys for a learner: by a link, in a sale, or in a group. */
export const buyByApp = defineEndpoint<CheckoutDone>()({
  method: 'POST', path: `${DEVICE}/checkouts`, summary: '学习端：下单', grant: 'device', app: PROMOTION_APP,
  input: z.object({
    ...buyer,
    link: z.optional(z.string('链接有误').check(z.maxLength(22, '链接有误'))), suite_id: z.optional(id('请选择套餐')),
    flash_id: z.optional(id('抢购有误')), qty: z._default(z.int('数量应为整数').check(z.gte(1, '数量至少为 1'), z.lte(99, '数量不能大于 99')), 1),
    activity_id: z.optional(id('活动有误')), group_id: z.optional(id('拼团有误')),
    coupon_no: z.optional(z.string('优惠券有误').check(z.trim(), z.maxLength(20, '优惠券有误'))),
    referrer: z.optional(mobile('推荐人').schema), share: z.optional(z.string('分享码有误').check(z.maxLength(22, '分享码有误'))),
    receiver: z.optional(z.object({ name: text('收货人', 20), mobile: mobile('收货手机号').schema, region: text('收货地区', 40), address: text('详细地址', 100) })),
  }),
})
export const payByApp = defineEndpoint<{ checkout_no: string; paid: number }>()({ method: 'POST', path: `${DEVICE}/checkouts/{no}/payments`, summary: '学习端：报告付款', grant: 'device', app: PROMOTION_APP, input: payment })
export const flashByApp = defineEndpoint<{ items: { id: number; name: string; good_name: string | null; price: number; list_price: number | null; stock: number; left: number; per_user: number; show: number; start_at: number; end_at: number; phase: string }[] }>()({ method: 'GET', path: `${DEVICE}/flash_sales`, summary: '学习端：当前抢购', grant: 'device', app: PROMOTION_APP })
export const joinByApp = defineEndpoint<{ days: number; coupon: { no: string; amount: number } | null }>()({ method: 'POST', path: `${DEVICE}/activities/{id}/join`, summary: '学习端：领券、签到或打卡', grant: 'device', app: PROMOTION_APP, input: z.object(buyer) })
export const couponsByApp = defineEndpoint<{ items: { no: string; amount: number; threshold: number; status: number; expire_at: number }[] }>()({ method: 'GET', path: `${DEVICE}/coupons`, summary: '学习端：我的优惠券', grant: 'device', app: PROMOTION_APP, input: z.object({ mobile: buyer.mobile }) })
export const shareByApp = defineEndpoint<{ token: string }>()({
  method: 'POST', path: `${DEVICE}/shares`, summary: '学习端：发起分享', grant: 'device', app: PROMOTION_APP,
  input: z.object({ ...buyer, activity_id: z.optional(id('活动有误')), channel: z.custom<number>((value) => SHARE_CHANNELS.some((one) => one.value === value), '渠道有误'), device: z.optional(z.string('设备有误').check(z.maxLength(80, '设备有误'))) }),
})
const seen = { visitor: z.string('访客有误').check(z.minLength(8, '访客有误'), z.maxLength(80, '访客有误')), device: z.optional(z.string('设备有误').check(z.maxLength(80, '设备有误'))), ip: z.optional(z.string('地址有误').check(z.regex(/^[\d.a-fA-F:]{3,45}$/, '地址有误'))) }
export const shareSeen = defineEndpoint<{ counted: boolean }>()({
  method: 'POST', path: `${DEVICE}/shares/{token}/events`, summary: '学习端：分享被打开或带来注册', grant: 'device', app: PROMOTION_APP,
  input: z.object({ ...seen, kind: z.enum(['visit', 'register'], '类型有误'), mobile: z.optional(buyer.mobile) }),
})

