/** Numbers and headings of a paper (domain 3.6). */
import { isInner, type PaperBody, type PaperItem, type PaperSection } from './body.ts'
import { share } from './points.ts'

const DIGITS = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十']

/** 1 to 99 in Chinese: 十二, 三十. */
export function chineseNumber(n: number): string {
  if (n <= 10) return DIGITS[n] ?? String(n)
  const tens = Math.floor(n / 10)
  const ones = n % 10
  return `${tens === 1 ? '' : DIGITS[tens]}十${ones === 0 ? '' : DIGITS[ones]}`
}

/** A question consumes as many numbers as it has sub-questions of its own number (types 5 and 6). */
export type Numbers = (item: PaperItem) => number

export interface Numbered {
  readonly section: PaperSection
  readonly heading: string
  /** Whether all its numbers have the same points, which the heading then says. */
  readonly even: boolean
  readonly items: readonly { readonly item: PaperItem; /** First and last number of the question. */ readonly from: number; readonly to: number }[]
}

/** Points of each of the numbers that a question takes: as they were given out, evenly where nobody has. */
export const pointsOf = ({ score, sub_scores }: PaperItem, numbers: number): number[] =>
  numbers === 1 ? [score] : sub_scores.length === numbers ? [...sub_scores] : share(score, Array.from({ length: numbers }, () => 1))

/** 本题共8小题，每小题5分，共40分 */
function measure(items: Numbered['items'], points: readonly number[], even: boolean): string {
  return `本题共${points.length}小题${even ? `，每小题${points[0]}分` : ''}，共${items.reduce((sum, { item }) => sum + item.score, 0)}分`
}

/** A heading that somebody wrote says the points of each question as well. */
const EACH = /每(?:小?题|空)\s*\d/

/** Sections with their headings, and questions numbered through the whole paper. */
export function numbered(body: PaperBody, numbers: Numbers): Numbered[] {
  let next = 1
  return body.sections.map((section, index) => {
    const items = section.items.map((item) => {
      const from = next
      next += isInner(section) ? 1 : Math.max(numbers(item), 1)
      return { item, from, to: next - 1 }
    })
    const points = items.flatMap(({ item, from, to }) => pointsOf(item, to - from + 1))
    const even = new Set(points).size === 1
    const heading = section.title || `${chineseNumber(index + 1)}、${section.name}${items.length > 0 ? `（${measure(items, points, even)}）` : ''}`
    return { section, heading, even: even && (!section.title || EACH.test(section.title)), items }
  })
}
