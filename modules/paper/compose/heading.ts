/** Numbers and headings of a paper (domain 3.6). */
import type { PaperBody, PaperItem, PaperSection } from './body.ts'

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
  readonly items: readonly { readonly item: PaperItem; /** First and last number of the question. */ readonly from: number; readonly to: number }[]
}

/** 本题共8小题，每小题5分，共40分 */
function measure(section: PaperSection, count: number): string {
  const total = section.items.reduce((sum, { score }) => sum + score, 0)
  const each = new Set(section.items.map(({ score }) => score))
  const even = each.size === 1 && count === section.items.length
  return `本题共${count}小题${even ? `，每小题${[...each][0]}分` : ''}，共${total}分`
}

/** Sections with their headings, and questions numbered through the whole paper. */
export function numbered(body: PaperBody, numbers: Numbers): Numbered[] {
  let next = 1
  return body.sections.map((section, index) => {
    const items = section.items.map((item) => {
      const from = next
      next += Math.max(numbers(item), 1)
      return { item, from, to: next - 1 }
    })
    const count = items.reduce((sum, { from, to }) => sum + to - from + 1, 0)
    const heading = section.title || `${chineseNumber(index + 1)}、${section.name}${count > 0 ? `（${measure(section, count)}）` : ''}`
    return { section, heading, items }
  })
}
