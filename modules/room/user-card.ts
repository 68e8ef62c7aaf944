import { choice, multiChoice, toggle } from '../../core/field/choice.ts'
import { money, number } from '../../core/field/number.ts'
import { reference, referenceList, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { SELF_RUN } from '../study-room/module.ts'
import { CARD_KINDS } from './card-kind.ts'
import { CARD_ACTION_CHOICES, CARD_ACTIONS, CARD_STATUS, CARD_STATUSES, IN_FORCE } from './card-state.ts'
import { memberCard, selfMemberCard } from './card.ts'
import { roomMember, selfMember } from './member.ts'
import { SEAT_KINDS } from './price-rule.ts'
import { selfRoom, studyRoom } from './room.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'

interface Targets {
  members: () => Target
  cards: () => Target
  rooms: () => Target
}

const LARGEST = 99_999_999

/** What the log calls that which happens to cards: the words of their own ledger, and of the calls that do it. */
const CARD_LOGGED = [
  { name: 'open_card', label: CARD_ACTIONS.open.label }, { name: 'adjust', label: '扣减和补录' }, { name: 'settle', label: '到期结算' }, { name: 'check_in', label: '签到' }, { name: 'check_out', label: '签退' },
  ...Object.entries(CARD_ACTIONS).map(([name, { label }]) => ({ name, label })),
]

/**
 * Cards that members hold. What was promised when it was sold is kept with it: a kind of card that changes later changes
 * nothing for those who bought it before. Written by the calls of a card alone.
 */
function userCardsOf(side: Side, { members, cards, rooms }: Targets) {
  return defineResource({
    name: `${side.prefix}user_card`,
    table: 'user_card',
    label: '会员的卡',
    measure: '张',
    title: 'card_no',
    grant: side.screens.member,
    api: api(side.base, 'user_cards', 'user_card'),
    where: { self_run: side.self_run },
    fields: {
      card_no: text('卡号', { required: true, readonly: true, unique: true, max: 24, search: true, scanned: true, pattern: [/^\w+$/, '只能用字母和数字'] }),
      member_id: reference('会员', members, { required: true, readonly: true, neededWhile: { status: IN_FORCE } }),
      card_id: reference('卡名', cards, { required: true, readonly: true, neededWhile: { status: IN_FORCE } }),
      school_id: reference('学校', side.schools, { required: true, readonly: true, onRemove: 'keep' }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      kind: choice('卡种', CARD_KINDS, { required: true, readonly: true }),
      quota: number('累计额度', { required: true, readonly: true, max: LARGEST, initial: 0 }),
      remaining: number('余额', { required: true, readonly: true, max: LARGEST, initial: 0, audit: false }),
      valid_days: number('有效天数', { required: true, readonly: true, unit: '天' }),
      paid: money('实付', { required: true, readonly: true, max: LARGEST, initial: 0 }),
      refunded: money('已退', { required: true, readonly: true, max: LARGEST, initial: 0 }),
      order_no: text('订单号', { readonly: true, max: 24 }),
      activated_at: time('激活时间', { readonly: true }),
      expire_at: time('到期时间', { readonly: true }),
      frozen_at: time('冻结时间', { readonly: true }),
      frozen_until: time('冻结至', { readonly: true }),
      freeze_cnt: number('已冻结次数', { required: true, readonly: true, initial: 0, unit: '次' }),
      frozen_days: number('已冻结天数', { required: true, readonly: true, initial: 0, unit: '天' }),
      freeze_times: number('可冻结次数', { readonly: true, unit: '次' }),
      freeze_days: number('累计冻结天数', { readonly: true, unit: '天' }),
      transferable: toggle('转让', { on: '可转', off: '不可转' }, { readonly: true }),
      room_ids: referenceList('适用自习室', rooms, { readonly: true, onRemove: 'keep' }),
      seat_kinds: multiChoice('可坐座位', SEAT_KINDS, { readonly: true }),
      pad: toggle('平板', { on: '含平板', off: '不含' }, { readonly: true }),
      status: choice('状态', CARD_STATUSES, { required: true, readonly: true, initial: CARD_STATUS.unused }),
    },
    list: {
      columns: ['card_no', 'status', 'member_id', 'card_id', 'kind', 'remaining', 'expire_at', 'paid', 'created_at', 'frozen_until'], under: ['card_id'],
      filters: ['member_id', 'school_id', 'card_id', 'kind', 'status', 'expire_at', 'created_at'],
      summary: ['paid', 'refunded'],
    },
    logged: CARD_LOGGED,
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    indexes: [['status', 'expire_at'], ['status', 'frozen_until']],
    without: ['create', 'update', 'edit', 'remove'],
  })
}

/** Everything that happened to the cards: append-only, and the balance of each is the sum of its entries. */
function cardLogsOf(side: Side, members: () => Target, userCards: () => Target) {
  return defineResource({
    name: `${side.prefix}card_log`,
    table: 'card_log',
    label: '卡流水',
    title: 'action',
    grant: side.screens.member,
    api: api(side.base, 'card_logs', 'card_log'),
    where: { self_run: side.self_run },
    fields: {
      user_card_id: reference('卡号', userCards, { required: true, readonly: true, onRemove: 'keep' }),
      member_id: reference('会员', members, { required: true, readonly: true, onRemove: 'keep' }),
      school_id: reference('学校', side.schools, { required: true, readonly: true, onRemove: 'keep' }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      kind: choice('卡种', CARD_KINDS, { required: true, readonly: true }),
      action: choice('类型', CARD_ACTION_CHOICES, { required: true, readonly: true }),
      delta: number('变动', { required: true, readonly: true, min: -LARGEST, max: LARGEST }),
      remaining: number('余额', { required: true, readonly: true, max: LARGEST }),
      days: number('有效期变动', { required: true, readonly: true, min: -100_000, max: 100_000, unit: '天' }),
      paid: money('收款', { required: true, readonly: true, min: -LARGEST, max: LARGEST }),
      visit_id: number('到店编号', { readonly: true }),
      order_no: text('订单号', { readonly: true, max: 24 }),
      reason: text('说明', { readonly: true, max: 200 }),
    },
    list: {
      columns: ['created_at', 'user_card_id', 'member_id', 'action', 'delta', 'remaining', 'days', 'paid', 'reason', 'created_by_name'],
      filters: ['user_card_id', 'member_id', 'school_id', 'action', 'order_no', 'created_at'],
      summary: ['paid'],
    },
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    indexes: [['order_no']],
    audit: false,
    without: ['create', 'update', 'edit', 'remove'],
  })
}

export const userCard = userCardsOf(PARTNER_SIDE, { members: () => roomMember, cards: () => memberCard, rooms: () => studyRoom })
export const selfUserCard = userCardsOf(OWN_SIDE, { members: () => selfMember, cards: () => selfMemberCard, rooms: () => selfRoom })

export const cardLog = cardLogsOf(PARTNER_SIDE, () => roomMember, () => userCard)
export const selfCardLog = cardLogsOf(OWN_SIDE, () => selfMember, () => selfUserCard)
