import { expect, test } from 'vitest'
import { fingerprintOf, likeness } from './fingerprint.ts'
import { emptyContent, type QuestionContent } from './question.ts'
import { inlineDoc, plainDoc, type Inline } from './rich-doc.ts'

const question = (stem: Inline[], ...options: string[]): QuestionContent => ({ ...emptyContent(1), stem: inlineDoc(stem), options: options.map((text, index) => ({ id: `o${index}`, doc: plainDoc(text) })) })
const LONG = '某农场有一块长方形的地，准备用篱笆围成一个面积最大的菜园，篱笆总长为 60 米，其中一边靠墙，墙长 18 米，求菜园的最大面积以及此时与墙垂直的一边的长度'

test('spaces, punctuation, width, spelling of formulas and order of options do not count', () => {
  const one = question(['设集合 ', { t: 'tex', tex: '\\left\\{x\\mid x\\leqslant \\dfrac{1}{2}\\right\\}' }, '，则（　　）'], '甲', '乙')
  const other = question(['设集合', { t: 'tex', tex: '\\{x \\mid x \\le \\frac12\\}' }, ', 则', { t: 'paren' }], '乙', '甲')
  expect(fingerprintOf(one)).toEqual(fingerprintOf(other))
  expect(likeness(one, other)).toEqual({ kind: 'same', score: 1 })
})

test('other numbers make a variant, in a short and in a long text', () => {
  const short = [question(['计算 3+5 的值'], '8', '9'), question(['计算 13+25 的值'], '38', '39')] as const
  expect(likeness(...short).kind).toBe('variant')
  const long = [question([LONG]), question([LONG.replace('60', '80')])] as const
  expect(likeness(...long).kind).toBe('variant')
  expect(fingerprintOf(long[0]).content_hash).not.toBe(fingerprintOf(long[1]).content_hash)
  expect(fingerprintOf(long[0]).bands).toEqual(fingerprintOf(long[1]).bands)
})

test('a signs stays a sign', () => {
  expect(likeness(question(['求 3-5 的值是多少呢']), question(['求 3+5 的值是多少呢'])).kind).not.toBe('same')
})

test('a word changed is suspected and meets in a band; another question is none', () => {
  const near = [question([LONG]), question([LONG.replace('某农场', '小明家的农场').replace('准备', '打算')])] as const
  expect(likeness(...near).kind).toBe('suspected')
  const bands = near.map((one) => fingerprintOf(one).bands)
  expect(bands[0]?.some((key, index) => key === bands[1]?.[index])).toBe(true)
  expect(likeness(question([LONG]), question(['下列词语中加点字的读音完全正确的一项是'])).kind).toBeNull()
})

test('the hash is a number that the database can keep', () => {
  for (let n = 0; n < 50; n++) {
    const { simhash, bands } = fingerprintOf(question([`第${String.fromCodePoint(0x4e00 + n)}题：${LONG.slice(n)}`]))
    expect(BigInt.asIntN(64, simhash)).toBe(simhash)
    expect(bands).toHaveLength(8)
    expect(bands.every((key) => (key | 0) === key)).toBe(true)
  }
})
