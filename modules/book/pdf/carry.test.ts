import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSpot, within, type Hotspot } from '../hotspot.ts'
import { carry, PAGE_NOTE, type NewPage, type OldPage } from './carry.ts'
import { printedNo, proposeSpots, type Line } from './print-page.ts'

const WORDS = ['已知集合', '下列函数', '如图所示', '某工厂生产', '设等差数列', '在平面直角坐标系中', '甲乙两人', '若复数满足', '抛物线的焦点', '随机变量服从']
/** Question number n of a book, which no other is like. */
const question = (n: number) => `${WORDS[n % WORDS.length]}第${String.fromCodePoint(0x4e00 + (n * 7919) % 20_000)}${String.fromCodePoint(0x4e00 + (n * 104_729) % 20_000)}${n * 37}与${String.fromCodePoint(0x4e00 + (n * 1_299_709) % 20_000)}的关系是什么并说明理由${n * n}`

/** A page with questions, two lines each. */
function page(page_no: number, questions: readonly number[], down = 0, first = 1): NewPage {
  const lines: Line[] = questions.flatMap((n, at) => {
    const y = 0.1 + at * 0.18 + down
    return [{ t: `${first + at}. ${question(n)}`, x: 0.1, y, w: 0.7, h: 0.02 }, { t: `${String.fromCodePoint(0x5000 + n)}写出过程，结果保留${n}位小数`, x: 0.13, y: y + 0.03, w: 0.6, h: 0.02 }]
  })
  return { page_no, lines, aspect: 0.7 }
}
const spotsOf = (questions: readonly number[]): Hotspot[] => questions.map((n, at) => ({ ...newSpot(within({ x: 0.08, y: 0.09 + at * 0.18, w: 0.75, h: 0.08 })), key: `q${n}`, no: String(at + 1), kind: 'practice', ref_id: n }))
const old = (page_no: number, questions: readonly number[]): OldPage => ({ ...page(page_no, questions), spots: spotsOf(questions) })
const book: OldPage[] = [old(1, [1, 2, 3]), old(2, [4, 5, 6]), old(3, [7, 8, 9]), old(4, [10, 11, 12])]

test('the same pages keep their places', () => {
  const { pages, lost } = carry(book, book)
  expect(lost).toEqual([])
  for (const [at, { spots, from_page, note }] of pages.entries()) expect({ spots, from_page, note }).toEqual({ spots: book[at]?.spots, from_page: at + 1, note: PAGE_NOTE.none })
})

test('a page that was put in, one that was taken out, and text that went down or onto the next page', () => {
  const fresh = [page(1, [1, 2, 3]), page(2, [50, 51]), page(3, [4, 5], 0.1), page(4, [6, 10, 11, 12])]
  const { pages, lost } = carry(book, fresh)
  expect(lost.map(({ spot, from_page }) => [spot.key, from_page])).toEqual([['q7', 3], ['q8', 3], ['q9', 3]])
  expect(pages.map(({ spots }) => spots.map(({ key }) => key))).toEqual([['q1', 'q2', 'q3'], [], ['q4', 'q5'], ['q6', 'q10', 'q11', 'q12']])
  expect(pages.map(({ note }) => note)).toEqual([PAGE_NOTE.none, PAGE_NOTE.fresh, PAGE_NOTE.moved, PAGE_NOTE.moved])
  expect(pages[2]?.spots[0]?.y).toBeCloseTo(0.19, 3)
  // Numbers are those that are printed now.
  expect(pages[3]?.spots.map(({ no }) => no)).toEqual(['1', '2', '3', '4'])
  expect(pages[3]?.spots[1]?.y).toBeCloseTo(0.27, 3)
})

test('a question whose words were mended is found, one that was written anew is not', () => {
  const mended = page(1, [1, 2, 3])
  const lines = mended.lines.map((line, at) => (at === 0 ? { ...line, t: line.t.replace('的关系', '之间的关系') } : at === 2 || at === 3 ? { ...line, t: '2. 本题已更换为全新的题目内容请作答' } : line))
  const { pages, lost } = carry([book[0]!], [{ ...mended, lines }])
  expect(pages[0]?.spots.map(({ key }) => key)).toEqual(['q1', 'q3'])
  expect(lost.map(({ spot }) => spot.key)).toEqual(['q2'])
})

test('pictures without words go on by number and shape, and are said to be looked at', () => {
  const picture = { page_no: 1, lines: [], aspect: 0.7, spots: spotsOf([1]) }
  expect(carry([picture], [{ page_no: 1, lines: [], aspect: 0.7 }]).pages).toMatchObject([{ from_page: 1, note: PAGE_NOTE.byPlace, spots: [{ key: 'q1' }] }])
  expect(carry([picture], [{ page_no: 1, lines: [], aspect: 1.4 }]).lost).toHaveLength(1)
})

test('no place is lost without a word, none comes twice, and all lie within their page, whatever becomes of the pages', () => {
  const layout = fc.array(fc.record({ keep: fc.boolean(), fresh: fc.boolean(), down: fc.double({ min: 0, max: 0.3, noNaN: true }) }), { minLength: 4, maxLength: 4 })
  fc.assert(fc.property(layout, (plan) => {
    let no = 0
    const now = plan.flatMap(({ keep, fresh, down }, at) => [...(fresh ? [page(++no, [80 + at])] : []), ...(keep ? [page(++no, [at * 3 + 1, at * 3 + 2, at * 3 + 3], down)] : [])])
    const { pages, lost } = carry(book, now)
    const keys = [...pages.flatMap(({ spots }) => spots.map(({ key }) => key)), ...lost.map(({ spot }) => spot.key)]
    expect(keys.sort()).toEqual(book.flatMap(({ spots }) => spots.map(({ key }) => key)).sort())
    expect(lost).toHaveLength(plan.filter(({ keep }) => !keep).length * 3)
    for (const { x, y, w, h } of pages.flatMap(({ spots }) => spots)) expect(x >= 0 && y >= 0 && x + w <= 1.00001 && y + h <= 1.00001).toBe(true)
  }))
})

test('questions are proposed by their numbers, in both columns, and the number of the page is read', () => {
  const line = (t: string, x: number, y: number): Line => ({ t, x, y, w: 0.35, h: 0.02 })
  const lines = [line('第一章 集合', 0.1, 0.05), line('1. 甲', 0.1, 0.1), line('甲的第二行', 0.12, 0.13), line('(1) 小问', 0.14, 0.16), line('2、乙', 0.1, 0.3), line('3.14 是圆周率', 0.1, 0.33), line('3．丙', 0.55, 0.1), line('丙的图', 0.58, 0.4), { ...line('· 12 ·', 0.48, 0.96), w: 0.04 }]
  const spots = proposeSpots(lines)
  expect(spots.map(({ no }) => no)).toEqual(['1', '2', '3'])
  const [first, second, third] = spots
  expect(first!.y + first!.h).toBeGreaterThan(0.17)
  expect(first!.y + first!.h).toBeLessThan(second!.y)
  expect(second!.y + second!.h).toBeGreaterThan(0.34)
  expect(third!.x).toBeGreaterThan(0.5)
  expect(third!.y + third!.h).toBeGreaterThan(0.41)
  expect(printedNo(lines)).toBe(12)
})
