import type { RightTable } from '../../core/grant/rights.ts'
import type { Choice } from '../../core/field/choice.ts'

/** States of a card that somebody holds (domain 1.18). */
export const CARD_STATUS = { unused: 0, active: 1, frozen: 2, used_up: 3, expired: 4, refunded: 5 } as const

export type CardStatus = (typeof CARD_STATUS)[keyof typeof CARD_STATUS]

export const CARD_STATUSES = [
  { value: CARD_STATUS.unused, label: '未激活', tone: 'idle' },
  { value: CARD_STATUS.active, label: '使用中', tone: 'success' },
  { value: CARD_STATUS.frozen, label: '冻结', tone: 'warning' },
  { value: CARD_STATUS.used_up, label: '已用完', tone: 'default' },
  { value: CARD_STATUS.expired, label: '已到期', tone: 'default' },
  { value: CARD_STATUS.refunded, label: '已退卡', tone: 'error' },
] as const satisfies readonly Choice<CardStatus>[]

const S = CARD_STATUS

/** States in which a card can still be used, or come to be. */
export const IN_FORCE: readonly CardStatus[] = [S.unused, S.active, S.frozen]

/** Everything that happens to a card, as its ledger names it. */
export const CARD_ACTIONS = {
  open: { label: '开卡', from: [] },
  activate: { label: '激活', from: [S.unused] },
  use: { label: '消费', from: [S.active] },
  renew: { label: '续卡', from: [S.unused, S.active, S.used_up, S.expired] },
  undo_renew: { label: '退续卡', from: [S.unused, S.active, S.frozen, S.used_up, S.expired] },
  freeze: { label: '冻结', from: [S.active] },
  unfreeze: { label: '解冻', from: [S.frozen] },
  transfer: { label: '转卡', from: [S.unused, S.active] },
  deduct: { label: '扣减', from: [S.active, S.unused] },
  supplement: { label: '补录', from: [S.unused, S.active, S.used_up, S.expired] },
  use_up: { label: '用完', from: [S.active] },
  expire: { label: '到期', from: [S.active] },
  refund: { label: '退卡', from: [S.unused, S.active, S.frozen, S.used_up, S.expired] },
} as const satisfies Readonly<Record<string, { label: string; from: readonly CardStatus[] }>>

export type CardAction = keyof typeof CARD_ACTIONS

export const CARD_ACTION_CHOICES = Object.entries(CARD_ACTIONS).map(([value, { label }]) => ({ value: value as CardAction, label }))

/** Whether an action is possible from a state. */
export function canAct(action: CardAction, status: CardStatus): boolean {
  const from: readonly CardStatus[] = CARD_ACTIONS[action].from
  return from.includes(status)
}

/** Rights of a screen of members beside the standard ones. */
export const MEMBER_RIGHTS = {
  visit: [11, '签到和签退'],
  sell: [12, '开卡和续卡'],
  freeze: [13, '冻结和解冻'],
  transfer: [14, '转卡'],
  adjust: [15, '扣减和补录'],
  refund: [16, '退卡'],
} as const satisfies RightTable

export type MemberRight = keyof typeof MEMBER_RIGHTS
