import { choice } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { goodSchema, MAX_PRICE } from './good.ts'

export const ACTIVITY_PATH = '/operate/activity'

export const ACTIVITY_STATE = { draft: 1, on: 2, paused: 3, ended: 4 } as const
export const ACTIVITY_TYPE = { coupon: 1, group: 2, flash: 3, signin: 4, invite: 5, checkin: 6 } as const

const S = ACTIVITY_STATE
const T = ACTIVITY_TYPE

export const ACTIVITY_TYPES = [
  { value: T.coupon, label: '优惠券' }, { value: T.group, label: '拼团' }, { value: T.flash, label: '秒杀' }, { value: T.signin, label: '签到' }, { value: T.invite, label: '邀请' }, { value: T.checkin, label: '打卡' },
] as const

/** The rules that a kind of activity has. */
export const RULE_FIELDS = ['amount', 'threshold', 'valid_days', 'total', 'per_user', 'need', 'hours', 'good', 'price'] as const

export type RuleField = (typeof RULE_FIELDS)[number]

/** What an activity of a kind asks, and what its numbers mean: a row of data for each. */
export interface TypeRow {
  readonly asks: readonly RuleField[]
  /** Those without which it cannot begin. */
  readonly must: readonly RuleField[]
  /** What `need` counts. */
  readonly need?: string
  readonly words: string
}

const COUPON: readonly RuleField[] = ['amount', 'threshold', 'valid_days', 'total', 'per_user']

export const TYPE_ROWS: Readonly<Record<number, TypeRow>> = {
  [T.coupon]: { asks: COUPON, must: ['amount', 'threshold', 'valid_days'], words: '用户领取或由运营发放的满减券，下单时抵扣' },
  [T.group]: { asks: ['good', 'price', 'need', 'hours'], must: ['good', 'price', 'need', 'hours'], need: '成团人数', words: '规定时间内凑够人数，都按拼团价；凑不够自动退款' },
  [T.flash]: { asks: [], must: [], words: '把多场限时抢购归到一次活动里，共用预算和数据' },
  [T.signin]: { asks: [...COUPON, 'need'], must: ['amount', 'threshold', 'valid_days', 'need'], need: '连续天数', words: '每天签到，连续满天数得一张券' },
  [T.invite]: { asks: COUPON, must: ['amount', 'threshold', 'valid_days'], words: '每带来一个新用户得一张券；一个新用户只奖一次，只奖一级' },
  [T.checkin]: { asks: [...COUPON, 'need'], must: ['amount', 'threshold', 'valid_days', 'need'], need: '累计次数', words: '完成学习后打卡，累计满次数得一张券' },
}

export const ACTIVITY_RIGHTS = defineRights(screenId(ACTIVITY_PATH), { publish: [11, '上线、暂停和结束'], issue: [12, '发券和作废'], refund: [13, '拼团退款重试'] })

/** domain 1.8: something that learners take part in, with its rules, its budget, and what came of it. */
export const activity = defineResource({
  name: 'activity',
  label: '活动',
  grant: ACTIVITY_RIGHTS.screen,
  rights: ACTIVITY_RIGHTS,
  api: api('/daoyuan/api/end', 'activities', 'activity'),
  fields: {
    name: text('活动名称', { required: true, max: 40, search: true, example: '开学季满减' }),
    type: choice('类型', ACTIVITY_TYPES, { required: true, createOnly: true, initial: T.coupon }),
    start_at: time('开始时间', { required: true }),
    end_at: time('结束时间', { required: true }),
    budget: money('预算', { min: 1, max: 10_000_000_000, help: '用满后自动停止，不填则不限' }),
    spent: money('已用预算', { readonly: true, initial: 0, audit: false }),
    used_share: computed('预算使用', 'text'),
    amount: money('券面额', { min: 1, max: MAX_PRICE }),
    threshold: money('使用门槛', { min: 1, max: MAX_PRICE, help: '订单满多少元可用' }),
    valid_days: number('券有效天数', { min: 1, max: 365, unit: '天' }),
    total: number('发放总量', { min: 1, max: 1_000_000, unit: '张', help: '不填则不限' }),
    per_user: number('每人最多', { min: 1, max: 999, unit: '张', initial: 1 }),
    need: number('达成数', { min: 2, max: 366 }),
    hours: number('成团时限', { min: 1, max: 168, unit: '小时' }),
    good: json('拼团商品', goodSchema),
    price: money('拼团价', { min: 1, max: MAX_PRICE }),
    banner: image('头图'),
    title: text('页面标题', { max: 30 }),
    words: longText('活动规则', { max: 1000 }),
    phase: segment('进度', [{ value: 'before', label: '未开始' }, { value: 'running', label: '进行中' }, { value: 'spent', label: '预算用完' }, { value: 'over', label: '已到期' }]),
    phase_now: computed('当前', 'text'),
    people: computed('参与人数'),
    paid: computed('带来实付', 'money'),
    state: choice('状态', [
      { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.on, label: '已上线', tone: 'success' }, { value: S.paused, label: '已暂停', tone: 'warning' }, { value: S.ended, label: '已结束', tone: 'default' },
    ], { readonly: true, initial: S.draft }),
  },
  list: {
    columns: ['name', 'state', 'type', 'phase_now', 'used_share', 'people', 'paid', 'start_at', 'end_at', 'budget', 'spent', 'amount', 'threshold', 'total', 'per_user', 'need', 'price', 'created_by_name', 'created_at'],
    filters: ['state', 'type', 'phase', 'start_at', 'end_at', 'created_at'],
    summary: ['budget', 'spent'],
  },
  form: [
    { title: '活动', fields: ['name', 'type', 'start_at', 'end_at', 'budget'] },
    { title: '规则', fields: [...RULE_FIELDS] },
    { title: '页面', fields: ['title', 'banner', 'words'] },
  ],
  transitions: [
    { name: 'publish', label: '上线', field: 'state', from: [S.draft], to: S.on, right: 'publish', confirm: '上线后用户立即可见，规则不能再改，确认上线？', instead: '上线错了，先暂停再结束' },
    { name: 'pause', label: '暂停', field: 'state', from: [S.on], to: S.paused, right: 'publish', reason: true },
    { name: 'resume', label: '继续', field: 'state', from: [S.paused], to: S.on, right: 'publish' },
    { name: 'end', label: '结束', field: 'state', from: [S.on, S.paused], to: S.ended, right: 'publish', reason: true, danger: true, instead: '结束不能撤销，需要时新建活动' },
  ],
  logged: [{ name: 'issue', label: '发券' }, { name: 'void_coupon', label: '作废券' }, { name: 'join', label: '参与' }, { name: 'expire', label: '过期' }, { name: 'group_back', label: '拼团退款' }, { name: 'buy', label: '下单' }, { name: 'pay', label: '收款' }, { name: 'release', label: '释放' }],
  policies: [{ of: ['remove'], policy: 'while', field: 'state', values: [S.draft], why: '活动已上线过，不能删除，可以结束' }],
  indexes: [['state', 'end_at']],
})

/** States of somebody's coupon. */
export const COUPON_STATE = { free: 1, locked: 2, used: 3, over: 4, void: 5 } as const

export const COUPON_STATES = [
  { value: COUPON_STATE.free, label: '未用', tone: 'idle' }, { value: COUPON_STATE.locked, label: '锁定', tone: 'warning' }, { value: COUPON_STATE.used, label: '已用', tone: 'success' },
  { value: COUPON_STATE.over, label: '已过期', tone: 'default' }, { value: COUPON_STATE.void, label: '已作废', tone: 'error' },
] as const

/** How people came by a coupon. */
export const COUPON_CAUSES: Readonly<Record<string, string>> = { claim: '领取', issue: '运营发放', signin: '签到', checkin: '打卡', invite: '邀请' }

/** States of a group. */
export const GROUP_STATE = { open: 1, done: 2, failed: 3 } as const

export const GROUP_STATES = [
  { value: GROUP_STATE.open, label: '拼团中', tone: 'processing' }, { value: GROUP_STATE.done, label: '已成团', tone: 'success' }, { value: GROUP_STATE.failed, label: '未成团', tone: 'default' },
] as const

/** States of somebody in a group. */
export const MEMBER_STATE = { waiting: 1, paid: 2, left: 3, back: 4, stuck: 5 } as const

export const MEMBER_STATES = [
  { value: MEMBER_STATE.waiting, label: '待付款', tone: 'warning' }, { value: MEMBER_STATE.paid, label: '已付款', tone: 'success' }, { value: MEMBER_STATE.left, label: '未付款退出', tone: 'default' },
  { value: MEMBER_STATE.back, label: '已退款', tone: 'default' }, { value: MEMBER_STATE.stuck, label: '退款待处理', tone: 'error' },
] as const
