/** Who sat an exam, as it is pasted from a sheet. Pure. */

export interface Candidate {
  readonly number: string
  readonly name: string
  readonly class: string
}

/** More names than an exam of a city district has. */
export const MOST_CANDIDATES = 10_000

/**
 * Reads lines of number, name and class, parted by tabs, commas or spaces.
 * @returns the list, and what is wrong with it in a sentence: nothing of it is taken then
 */
export function readRoster(text: string): { candidates: Candidate[]; problem: string | null } {
  const seen = new Map<string, number>()
  const candidates: Candidate[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [number = '', name = '', group = ''] = line.trim().split(/\s*[\t,，;；]\s*|\s+/)
    if (candidates.length === 0 && /^(考号|准考证号|学号)/.test(number)) continue
    if (!/^[\dA-Za-z-]{1,20}$/.test(number)) return { candidates: [], problem: `名单第 ${at + 1} 行：考号「${number.slice(0, 20)}」应为 1 到 20 位数字或字母` }
    const before = seen.get(number)
    if (before !== undefined) return { candidates: [], problem: `名单第 ${at + 1} 行：考号 ${number} 与第 ${before} 行重复` }
    seen.set(number, at + 1)
    candidates.push({ number, name: name.slice(0, 30), class: group.slice(0, 30) })
  }
  return candidates.length > MOST_CANDIDATES ? { candidates: [], problem: `名单最多 ${MOST_CANDIDATES} 人` } : { candidates, problem: null }
}
