import { expect, test } from 'vitest'
import { linesOfText } from '../../core/field/rich-text.ts'
import type { PackItem } from './pack-item.ts'
import { difference, readTerms, speakersOf, termsSchema, usersOf, withPasted, type PackTerm } from './pack-term.ts'

const term = (key: string, word: string, more: Partial<PackTerm> = {}): PackTerm => ({ key: `term-${key}`, kind: 'word', word, ...more })
const item = (key: string, body: string, terms?: string[]): PackItem => ({ key: `item-${key}`, term: '第 1 课', kind: 'article', title: `内容${key}`, body, asset_id: null, paper_id: null, minutes: null, ...(terms && { terms }) })

test('columns of a sheet become terms: new ones, changed ones, and lines that say why they do not', () => {
  const known = [term('a', '全等形', { explain: linesOfText('旧的解释') }), term('b', 'ＳＳＳ')]
  const lines = readTerms('词条\t释义\t例句\n全等形\t能够重合的图形\nsss\n对应顶点\t重合的顶点\t点 A 和点 D\n\n对应顶点\t又一次\n\t没有名字\n角平分线：到两边距离相等的线', known)
  expect(lines.map(({ line, word, becomes, problem }) => [line, word, becomes, problem])).toEqual([
    [2, '全等形', 'changed', undefined], [3, 'sss', 'same', undefined], [4, '对应顶点', 'new', undefined], [6, '对应顶点', 'wrong', '与第 4 行相同'], [7, '', 'wrong', '没有词条'], [8, '角平分线', 'new', undefined],
  ])
  let n = 0
  const after = withPasted(known, lines, 'point', () => `fresh-${++n}`)
  expect(after.map(({ key, kind, word, explain, example }) => [key, kind, word, explain?.words, example])).toEqual([
    ['term-a', 'word', '全等形', '能够重合的图形', undefined], ['term-b', 'word', 'ＳＳＳ', undefined, undefined], ['fresh-1', 'point', '对应顶点', '重合的顶点', '点 A 和点 D'], ['fresh-2', 'point', '角平分线', '到两边距离相等的线', undefined],
  ])
  // What was pasted once changes nothing the second time.
  expect(readTerms('全等形\t能够重合的图形\n对应顶点\t重合的顶点', after).every(({ becomes }) => becomes === 'same')).toBe(true)
})

test('items use a term because somebody said so; those that only speak of it are offered', () => {
  const one = term('a', 'SSS')
  const items = [item('1', '用 sss 判定', []), item('2', '没有提到'), item('3', '', ['term-a'])]
  expect(usersOf(one, items).map(({ key }) => key)).toEqual(['item-3'])
  expect(speakersOf(one, items).map(({ key }) => key)).toEqual(['item-1'])
  expect(speakersOf(term('b', '线'), [item('1', '直线')])).toEqual([])
})

test('the same term twice, keys twice and nothing to read are refused in one sentence each', () => {
  const refusal = (terms: unknown) => termsSchema.safeParse(terms).error?.issues[0]?.message
  expect(refusal([term('a', 'clue'), term('b', ' Clue ')])).toBe('词条「Clue」出现了两次')
  expect(refusal([term('a', 'clue'), term('a', 'hint')])).toBe('词条编号重复，请刷新后重试')
  expect(refusal([term('a', '   ')])).toBe('请填写词条')
  expect(refusal([term('a', 'clue', { explain: { t: 'doc', v: 1, c: [{ t: 'script' }] } as never })])).toMatch(/不支持/)
  expect(termsSchema.parse([term('a', 'clue', { explain: linesOfText('线索') })])).toMatchObject([{ word: 'clue', explain: { words: '线索' } }])
})

test('two states are compared by key: what is new, other and gone', () => {
  expect(difference([term('a', 'one'), term('b', 'two')], [term('b', 'zwei'), term('c', 'three')], ({ word }) => word)).toEqual({ added: ['three'], changed: ['zwei'], removed: ['one'] })
  expect(difference([term('a', 'one'), term('b', 'two')], [term('b', 'two'), term('a', 'one')], ({ word }) => word)).toEqual({ added: [], changed: [], removed: [] })
})
