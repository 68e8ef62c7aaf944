import * as z from 'zod/mini'
import type { Choice } from '../../core/field/choice.ts'
import type { RightTable } from '../../core/grant/rights.ts'

/** spec 2.6 and domain appendix A: states of a code as they travel. */
export const CODE_STATUS = { unused: 0, used: 1, cancelled: 2, expired: 3, frozen: 4 } as const
export type CodeStatus = (typeof CODE_STATUS)[keyof typeof CODE_STATUS]

export const CODE_STATUSES = [
  { value: CODE_STATUS.unused, label: '未使用', tone: 'idle' },
  { value: CODE_STATUS.used, label: '已激活', tone: 'success' },
  { value: CODE_STATUS.cancelled, label: '已作废', tone: 'default' },
  { value: CODE_STATUS.expired, label: '已过期', tone: 'error' },
  { value: CODE_STATUS.frozen, label: '已冻结', tone: 'error' },
] as const satisfies readonly Choice<CodeStatus>[]

/** States in which a code opens something for somebody, or may again. */
export const HELD_CODES: readonly CodeStatus[] = [CODE_STATUS.used, CODE_STATUS.frozen]

/** domain 0.4, T-CODED: a code is set free at most twice. */
export const MAX_UNBINDS = 2

/** What decides about a code; times in unix seconds. */
export interface CodeState {
  readonly status: CodeStatus
  /** Until when it can be activated. */
  readonly redeem_before: number
  /** Null until it is activated. */
  readonly activated_at: number | null
  /** Until when it opens what it opens; null until it is activated. */
  readonly expire_at: number | null
  readonly unbind_count: number
}

const codeState = z.object({
  status: z.enum(CODE_STATUS), redeem_before: z.number(), activated_at: z.nullable(z.number()), expire_at: z.nullable(z.number()), unbind_count: z.number(),
})

/**
 * What decides about a code, read from a row of its list: they are columns of every family.
 * @throws Error when the row is not that of a code
 */
export const readCodeState = (row: unknown): CodeState => codeState.parse(row)

/**
 * The state at a moment: what has run out is expired, whether or not the hourly sweep has written it down.
 * What is cancelled stays so, and what is frozen waits.
 */
export function stateAt({ status, redeem_before, expire_at }: CodeState, now: number): CodeStatus {
  if (status === CODE_STATUS.unused && redeem_before < now) return CODE_STATUS.expired
  if (status === CODE_STATUS.used && expire_at !== null && expire_at < now) return CODE_STATUS.expired
  return status
}

/** What a code is once nothing holds it up: in use when it was activated, else unused; expired when its time is over. */
export function restingState(code: CodeState, now: number): CodeStatus {
  return stateAt({ ...code, status: code.activated_at === null ? CODE_STATUS.unused : CODE_STATUS.used }, now)
}

/** What one action of the table does to codes. */
/** Rights of the screen of codes beside the standard ones. */
export const CODE_RIGHTS = { cancel: [11, '作废'], unbind: [12, '解绑'], freeze: [13, '冻结和解冻'], extend: [14, '延期'], transfer: [15, '转移归属'] } as const satisfies RightTable

type CodeRight = keyof typeof CODE_RIGHTS

export interface CodeAction {
  readonly name: 'cancel' | 'unbind' | 'freeze' | 'unfreeze' | 'extend' | 'transfer'
  readonly label: string
  readonly from: readonly CodeStatus[]
  /** Right on the screen of codes that it takes; several actions may share one. */
  readonly right: CodeRight
  readonly danger?: true
  /** What is done about a mistake where there is no way back. */
  readonly instead?: string
  /** Beside the state: says in one sentence why a code cannot be acted on; undefined where it can. */
  refuse?(code: CodeState): string | undefined
}

const { unused, used, expired, frozen } = CODE_STATUS

/**
 * The state machine (domain 1.18): action, from, right. Each asks for a reason of 2 to 200 characters. To which state an
 * action leads, and what it does beside, stands in change.server.ts. A frozen code may be cancelled as it is: codes are
 * frozen on suspicion, and a suspicion that is confirmed should not set them free first.
 */
export const CODE_ACTIONS: readonly CodeAction[] = [
  { name: 'cancel', label: '作废', from: [unused, used, frozen], right: 'cancel', danger: true, instead: '作废不能撤销，需要时追加新码' },
  { name: 'unbind', label: '解绑', from: [used], right: 'unbind', danger: true, instead: '解绑不能撤销，由用户重新激活', refuse: ({ unbind_count }) => (unbind_count >= MAX_UNBINDS ? `已解绑 ${MAX_UNBINDS} 次，不能再解绑` : undefined) },
  { name: 'freeze', label: '冻结', from: [unused, used], right: 'freeze', danger: true },
  { name: 'unfreeze', label: '解冻', from: [frozen], right: 'freeze' },
  { name: 'extend', label: '延期', from: [unused, used, expired], right: 'extend' },
  { name: 'transfer', label: '转移归属', from: [unused], right: 'transfer', danger: true },
]

export type CodeActionName = CodeAction['name']

/** Whether an action can be done to a code at a moment; the console draws by it, the server decides by it. */
export function canAct(action: CodeAction, code: CodeState, now: number): boolean {
  return action.from.includes(stateAt(code, now)) && action.refuse?.(code) === undefined
}
