import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

/** Path of the screen. */
export const INBOX_PATH = '/inbox'

/** Kinds of what waits for a person, in the order of the inbox's tabs. What is to be watched needs no decision yet: it stands on home only. */
export const WAITING_GROUPS = { decide: '审批', act: '要办', mention: '提到我', follow_up: '跟进', returned: '退回', failed: '失败', watch: '留意' } as const

export type WaitingGroup = keyof typeof WAITING_GROUPS

/** How much of one kind waits for this person. Moments are in unix seconds. */
export interface WaitingSum {
  name: string
  title: string
  group: WaitingGroup
  /** What is done with it, on a button: 审核. */
  verb: string
  /** Path and query of the screen that shows the same records. */
  to: string
  /** Capped like the total of a list. */
  count: number
  /** How many should have been done by now, and how many are to be done today. */
  late: number
  today: number
  /** The one that has to be done first. */
  first: WaitingItem | null
}

/** One thing that waits. */
export interface WaitingItem {
  /** Name of its kind. */
  kind: string
  id: number
  title: string
  /** What else tells it from others. */
  note: string | null
  /** In fen. */
  amount: number | null
  since: number
  /** Until when it is to be done; null where nobody said. */
  due: number | null
  /** Path and query of the page on which it is worked on. */
  to: string
  /** Resource whose record it is, to be shown beside; null where it is only opened. */
  resource: string | null
  /** Id of the record. */
  record: number
  /** Actions of the record that agree and refuse. */
  pass: string | null
  refuse: string | null
  /** Path of the call that says that it is done, where it is no action of the record. */
  done: string | null
}

/** Items of one kind, or of all kinds, that one answer holds. */
export const MOST_ITEMS = 200

/** What waits for the caller, what is due first, first. */
export const waitingItems = defineEndpoint<{ items: WaitingItem[] }>()({
  method: 'GET', path: '/daoyuan/api/end/waiting', summary: '待我处理', grant: 'staff',
  input: z.object({ group: z.optional(z.enum(Object.keys(WAITING_GROUPS) as [WaitingGroup, ...WaitingGroup[]], '分组有误')), kind: z.optional(z.string('类别有误').check(z.maxLength(60, '类别有误'))) }),
})

/** What tells one item from all others. */
export const keyOf = ({ kind, id }: Pick<WaitingItem, 'kind' | 'id'>): string => `${kind} ${id}`

/** What stands in the inbox: everything but what is only watched. */
export const inInbox = ({ group }: Pick<WaitingSum, 'group'>): boolean => group !== 'watch'

const NEVER = Number.MAX_SAFE_INTEGER

/** Order in which things are worked on: what is due first, then what waits longest. */
export const byUrgency = (a: Pick<WaitingItem, 'due' | 'since'>, b: Pick<WaitingItem, 'due' | 'since'>): number => (a.due ?? NEVER) - (b.due ?? NEVER) || a.since - b.since
