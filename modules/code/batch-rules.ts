import { startOfDay } from '../../core/field/time.ts'

/** What the rules of a new batch look at; times in unix seconds. */
export interface BatchTerms {
  readonly valid_months?: number | null | undefined
  readonly valid_until?: number | null | undefined
  readonly redeem_before?: number | null | undefined
}

/**
 * Rules over more than one field of a new batch, the same in the browser and on the server (domain 1.19).
 * @returns one sentence for each wrong field
 */
export function batchProblems({ valid_months, valid_until, redeem_before }: BatchTerms, now: number): Record<string, string> {
  const problems: Record<string, string> = {}
  const today = startOfDay(now)
  if (valid_months == null && valid_until == null) problems['valid_months'] = '请填写有效月数，或选择有效至'
  if (valid_months != null && valid_until != null) problems['valid_months'] = '有效月数和有效至只能填一个'
  if (redeem_before != null && startOfDay(redeem_before) <= today) problems['redeem_before'] = '兑换截止应晚于今天'
  if (valid_until != null && redeem_before != null && startOfDay(valid_until) < startOfDay(redeem_before)) problems['valid_until'] = '有效至不能早于兑换截止'
  return problems
}

/** Says how much is left of a quota that is too small (domain 1.19). */
export function quotaProblem(left: number): string {
  return `名额不足，剩余 ${Math.max(0, left).toLocaleString('zh-CN')}`
}
