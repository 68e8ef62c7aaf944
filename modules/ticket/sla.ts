import { addWorking, workingBetween } from './work-time.ts'

/** domain 1.18: 待处理 → 处理中 → 待用户 → 已解决 → 已关闭. */
export const TICKET_STATE = { waiting: 1, doing: 2, user: 3, solved: 4, closed: 5 } as const

const S = TICKET_STATE

export const TICKET_STATES = [
  { value: S.waiting, label: '待处理', tone: 'warning' }, { value: S.doing, label: '处理中', tone: 'processing' }, { value: S.user, label: '待用户', tone: 'idle' },
  { value: S.solved, label: '已解决', tone: 'success' }, { value: S.closed, label: '已关闭', tone: 'default' },
] as const

/** States in which something is still to be done. */
export const LIVING: readonly number[] = [S.waiting, S.doing, S.user]

export const PRIORITY = { low: 1, normal: 2, high: 3, urgent: 4 } as const

export const PRIORITIES = [
  { value: PRIORITY.low, label: '低', tone: 'default' }, { value: PRIORITY.normal, label: '普通', tone: 'idle' }, { value: PRIORITY.high, label: '高', tone: 'warning' }, { value: PRIORITY.urgent, label: '紧急', tone: 'error' },
] as const

/** Until when somebody answers first, answers again and has solved it, in working minutes, by priority. */
export const SLA: Readonly<Record<number, { readonly first: number; readonly next: number; readonly solve: number }>> = {
  [PRIORITY.low]: { first: 240, next: 450, solve: 2250 }, [PRIORITY.normal]: { first: 120, next: 240, solve: 1350 },
  [PRIORITY.high]: { first: 60, next: 120, solve: 900 }, [PRIORITY.urgent]: { first: 15, next: 30, solve: 240 },
}

/** What the clocks of a ticket follow from. Moments in unix seconds. */
export interface ClockFacts {
  readonly created_at: number
  readonly priority: number
  readonly state: number
  /** When somebody of ours answered first; null where nobody did. */
  readonly first_at: number | null
  /** When the user spoke and nobody has answered since; null where we spoke last. */
  readonly asked_at: number | null
  /** Working minutes in which the user's answer was waited for. */
  readonly paused_min: number
  readonly merged: boolean
}

/** When what is to be done is due; null where no clock runs. */
export interface Clocks {
  readonly first_due_at: number | null
  readonly next_due_at: number | null
  readonly solve_due_at: number | null
  /** The one that runs out first. */
  readonly due_at: number | null
}

/**
 * The clocks of a ticket. The first runs until somebody answers, the next only while the user spoke last; waiting for the user
 * stops the third, and what was waited is added for good, so that another priority does not lose it. What is merged, solved or
 * closed has none.
 */
export function clocksOf({ created_at, priority, state, first_at, asked_at, paused_min, merged }: ClockFacts): Clocks {
  const policy = SLA[priority] ?? SLA[PRIORITY.normal] ?? { first: 0, next: 0, solve: 0 }
  if (merged || !LIVING.includes(state)) return { first_due_at: null, next_due_at: null, solve_due_at: null, due_at: null }
  const first_due_at = first_at === null ? addWorking(created_at, policy.first) : null
  const next_due_at = first_at !== null && asked_at !== null ? addWorking(asked_at, policy.next) : null
  const solve_due_at = state === S.user ? null : addWorking(created_at, policy.solve + paused_min)
  const running = [first_due_at, next_due_at, solve_due_at].filter((at) => at !== null)
  return { first_due_at, next_due_at, solve_due_at, due_at: running.length > 0 ? Math.min(...running) : null }
}

/** Working minutes of a pause, with those of the pauses before. */
export const pausedAfter = (paused_min: number, paused_at: number | null, now: number): number => paused_min + (paused_at === null ? 0 : workingBetween(paused_at, now))
