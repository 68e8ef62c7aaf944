import { expect, test } from 'vitest'
import { fileUrl } from '../../../core/file/url.ts'
import { fingerprintOf, likeness } from './fingerprint.ts'
import { emptyContent, type QuestionContent } from './question.ts'
import { inlineDoc, plainDoc, type Inline } from '../../../core/rich-text/rich-doc.ts'

const question = (stem: Inline[], ...options: string[]): QuestionContent => ({ ...emptyContent(1), stem: inlineDoc(stem), options: options.map((text, index) => ({ id: `o${index}`, doc: plainDoc(text) })) })
const LONG = '某农场有一块长方形的地，准备用篱笆围成一个面积最大的菜园，篱笆总长为 60 米，其中一边靠墙，墙长 18 米，求菜园的最大面积以及此时与墙垂直的一边的长度'
const NONE = new Map<string, string>()

test('spaces, punctuation, width, spelling of formulas and order of options do not count', () => {
  const one = question(['设集合 ', { t: 'tex', tex: '\\left\\{x\\mid x\\leqslant \\dfrac{1}{2}\\right\\}' }, '，则（　　）'], '甲', '乙')
  const other = question(['设集合', { t: 'tex', tex: '\\{x \\mid x \\le \\frac12\\}' }, ', 则', { t: 'paren' }], '乙', '甲')
  expect(fingerprintOf(one, NONE)).toEqual(fingerprintOf(other, NONE))
  expect(likeness(one, other)).toEqual({ kind: 'same', score: 1 })
})

test('other numbers make a variant, in a short and in a long text', () => {
  const short = [question(['计算 3+5 的值'], '8', '9'), question(['计算 13+25 的值'], '38', '39')] as const
  expect(likeness(...short).kind).toBe('variant')
  const long = [question([LONG]), question([LONG.replace('60', '80')])] as const
  expect(likeness(...long).kind).toBe('variant')
  expect(fingerprintOf(long[0], NONE).content_hash).not.toBe(fingerprintOf(long[1], NONE).content_hash)
  expect(fingerprintOf(long[0], NONE).bands).toEqual(fingerprintOf(long[1], NONE).bands)
})

test('a signs stays a sign', () => {
  expect(likeness(question(['求 3-5 的值是多少呢']), question(['求 3+5 的值是多少呢'])).kind).not.toBe('same')
})

test('a word changed is suspected and meets in a band; another question is none', () => {
  const near = [question([LONG]), question([LONG.replace('某农场', '小明家的农场').replace('准备', '打算')])] as const
  expect(likeness(...near).kind).toBe('suspected')
  const bands = near.map((one) => fingerprintOf(one, NONE).bands)
  expect(bands[0]?.some((key, index) => key === bands[1]?.[index])).toBe(true)
  expect(likeness(question([LONG]), question(['下列词语中加点字的读音完全正确的一项是'])).kind).toBeNull()
})

test('the hash is a number that the database can keep', () => {
  for (let n = 0; n < 50; n++) {
    const { simhash, bands } = fingerprintOf(question([`第${String.fromCodePoint(0x4e00 + n)}题：${LONG.slice(n)}`]), NONE)
    expect(BigInt.asIntN(64, simhash)).toBe(simhash)
    expect(bands).toHaveLength(8)
    expect(bands.every((key) => (key | 0) === key)).toBe(true)
  }
})

const PICTURES = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const picture = (n: number): Inline => ({ t: 'img', asset: fileUrl(PICTURES[n - 1] ?? '') })
/** 1 and 2 differ in two bits, 3 is another picture, 4 has no hash. */
const HASHES = new Map([[PICTURES[0] ?? '', 'cac22f0f343df234'], [PICTURES[1] ?? '', 'cac22f0f343df237'], [PICTURES[2] ?? '', '290fb83a85956ebc']])

test('the same wording about another picture is a variant, about a copy of the picture the same', () => {
  const [one, copy, other, unknown] = [1, 2, 3, 4].map((n) => question(['如图所示的几何体的主视图是', picture(n)], '甲', '乙')) as [QuestionContent, QuestionContent, QuestionContent, QuestionContent]
  expect(likeness(one, copy, HASHES)).toEqual({ kind: 'same', score: 1 })
  expect(likeness(one, other, HASHES)).toEqual({ kind: 'variant', score: 1 })
  // A picture that nobody has looked at, or none, says nothing.
  expect(likeness(one, unknown, HASHES).kind).toBe('same')
  expect(likeness(one, other).kind).toBe('same')
  expect(likeness(one, question(['如图所示的几何体的主视图是', picture(1), picture(3)], '甲', '乙'), HASHES).kind).not.toBe('variant')
  const near = [question([LONG, picture(1)]), question([LONG.replace('某农场', '小明家的农场').replace('准备', '打算'), picture(3)])] as const
  expect(likeness(...near).kind).toBe('suspected')
  expect(likeness(...near, HASHES).kind).toBeNull()
})

test('few words leave it to the picture, and meet by it', () => {
  const [one, copy, other] = [question(['看图填空', picture(1)]), question(['读下面这幅示意图', picture(2)]), question(['读下面这幅示意图', picture(3)])] as const
  expect(likeness(one, copy, HASHES)).toEqual({ kind: 'suspected', score: 0.8 })
  expect(likeness(one, other, HASHES).kind).toBeNull()
  expect(likeness(one, question([LONG, picture(1)]), HASHES).kind).toBeNull()
  const [first = [], second = [], third = []] = [one, copy, other].map((content) => fingerprintOf(content, HASHES).bands)
  expect(first.filter((key) => second.includes(key))).toHaveLength(3)
  expect(first.filter((key) => third.includes(key))).toEqual([])
  const long = fingerprintOf(question([LONG, picture(1)]), HASHES).bands
  expect(first.filter((key) => long.includes(key))).toEqual([])
})

test('pictures of options and parts count, those of an explanation do not', () => {
  const options = (n: number): QuestionContent => ({ ...question(['下列图形中是轴对称图形的是']), options: [{ id: 'o1', doc: inlineDoc([picture(n)]) }] })
  expect(likeness(options(1), options(3), HASHES).kind).toBe('variant')
  expect(likeness({ ...emptyContent(6), children: [options(1)] }, { ...emptyContent(6), children: [options(3)] }, HASHES).kind).toBe('variant')
  const explained = (n: number): QuestionContent => ({ ...question([LONG]), analysis: { ...emptyContent(1).analysis, solution: inlineDoc([picture(n)]) } })
  expect(likeness(explained(1), explained(3), HASHES).kind).toBe('same')
})
