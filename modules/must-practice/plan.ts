/** Longest plan, in days: a school year. */
export const MOST_DAYS = 365
/** Questions of one day. */
export const MOST_PER_DAY = 500

/** A paper of a pack with the number of its questions. */
export interface PlanPaper {
  readonly id: number
  readonly name: string
  readonly count: number
}

/** What of a paper stands on a day: questions by their place in the paper, counted from 1. */
export interface PlanPart {
  readonly paper_id: number
  readonly name: string
  readonly from: number
  readonly to: number
}

/** So many questions over so many days, as even as whole questions allow; the first days take what is left over. */
export function evenDays(total: number, days: number): number[] {
  const each = Math.floor(total / days)
  return Array.from({ length: days }, (_, day) => each + (day < total - each * days ? 1 : 0))
}

/**
 * What stands on each day: the papers one behind the other, cut where a day has its number.
 * @param counts questions of each day; what the papers have beyond their sum stands on no day
 */
export function daysOf(papers: readonly PlanPaper[], counts: readonly number[]): PlanPart[][] {
  let [paper, done] = [0, 0]
  return counts.map((count) => {
    const parts: PlanPart[] = []
    for (let left = count; left > 0 && paper < papers.length;) {
      const { id, name, count: all } = papers[paper] as PlanPaper
      const taken = Math.min(left, all - done)
      if (taken > 0) parts.push({ paper_id: id, name, from: done + 1, to: done + taken })
      left -= taken
      done += taken
      if (done >= all) [paper, done] = [paper + 1, 0]
    }
    return parts
  })
}

/** Moves a day's number to another value; the days behind it share what is left, so that the sum stays. */
export function setDay(counts: readonly number[], day: number, count: number): number[] {
  const total = counts.reduce((sum, one) => sum + one, 0)
  const before = counts.slice(0, day)
  const most = total - before.reduce((sum, one) => sum + one, 0)
  const behind = counts.length - day - 1
  const own = behind === 0 ? most : Math.min(Math.max(0, count), most)
  return [...before, own, ...(behind > 0 ? evenDays(most - own, behind) : [])]
}
