import type { DivertedPart } from './diversion.ts'

/** What was counted of the codes of a batch that were activated in one other province. */
export interface DivertedNumbers {
  /** Activated there, and of the whole batch. */
  away: number
  used: number
  /** Most of them within one hour. */
  burst: number
  /** Fen for each code, and the median of other partners' batches of the same unit; null where it is not known. */
  price: number | null
  usual: number | null
  /** Holders of whom study sessions are known, and those of them who studied mostly there. */
  seen: number
  there: number
}

/** Fewer activations elsewhere than this may be a student who moved. */
export const LEAST_AWAY = 5
/** From here on a person is asked. Elsewhere alone reaches it only where a quarter of the batch went there. */
export const DIVERSION_LINE = 20
/** So many within one hour begin to be a burst. */
const LEAST_BURST = 5

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 100))
const full = (share: number, at: number, most: number) => Math.round(most * Math.min(1, Math.max(0, share) / at))

/** How much looks as if codes were sold on to where they do not belong: four parts, none of which is a proof. */
export function divertedScore({ away, used, burst, price, usual, seen, there }: DivertedNumbers): { score: number; parts: DivertedPart[] } {
  const cheaper = price !== null && usual !== null && usual > 0 ? 1 - price / usual : null
  const parts: DivertedPart[] = [
    { key: 'away', most: 40, points: full(away / Math.max(1, used), 0.5, 40), why: `同批已激活 ${used} 个，其中 ${away} 个在该省（${percent(away, used)}%），达到一半为满分` },
    { key: 'burst', most: 20, points: burst < LEAST_BURST ? 0 : full(burst / Math.max(1, away), 0.5, 20), why: burst < LEAST_BURST ? '没有一小时内集中激活' : `一小时内最多激活 ${burst} 个，占 ${percent(burst, away)}%` },
    { key: 'price', most: 20, points: cheaper === null ? 0 : full(cheaper, 0.3, 20), why: cheaper === null ? '没有可比的结算价' : cheaper > 0 ? `结算价比同套餐中位数低 ${Math.round(cheaper * 100)}%` : '结算价不低于同套餐中位数' },
    { key: 'study', most: 20, points: seen === 0 ? 0 : full(there / seen, 1, 20), why: seen === 0 ? '没有这些学员的学习会话' : `${seen} 名有学习会话的学员中，${there} 名主要在该省学习` },
  ]
  return { parts, score: parts.reduce((sum, { points }) => sum + points, 0) }
}
