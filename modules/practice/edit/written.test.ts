import { expect, test } from 'vitest'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { canonical } from '../../../core/rich-text/canonical.ts'
import { changedParts, changeType, nextBlankId, nextOptionId, PARTS, partOf, startContent, startWritten, syncBlanks, syncHoles, withPart } from './written.ts'

test('a question that becomes another type keeps what the other has a place for', () => {
  const one = { ...startContent(1), stem: inlineDoc(['题']), answer: { k: 'one' as const, ok: 'o2' } }
  const many = changeType(one, 2)
  expect(many.answer).toEqual({ k: 'many', ok: ['o2'], rule: 'gaokao' })
  expect(many.stem).toEqual(one.stem)
  expect(changeType(many, 1).answer).toEqual({ k: 'one', ok: 'o2' })
  expect(changeType(one, 4)).toMatchObject({ options: [], answer: { k: 'free' } })
  expect(changeType(one, 6).children).toHaveLength(1)
})

test('answers stand where their blanks stand', () => {
  const filled = syncBlanks({ ...startContent(3), stem: inlineDoc([{ t: 'blank', id: 'b1' }, '和', { t: 'blank', id: 'b2' }]) })
  if (filled.answer.k !== 'blanks') throw new Error('no blanks')
  const [first, second] = filled.answer.b
  expect([first?.id, second?.id]).toEqual(['b1', 'b2'])
  const typed = { ...filled, answer: { k: 'blanks' as const, b: [{ ...first!, accept: [inlineDoc(['甲'])!] }, second!] } }
  const swapped = syncBlanks({ ...typed, stem: inlineDoc([{ t: 'blank', id: 'b2' }, { t: 'blank', id: 'b1' }, { t: 'blank', id: 'b3' }]) })
  expect(swapped.answer.k === 'blanks' && swapped.answer.b.map(({ id, accept }) => [id, accept.length])).toEqual([['b2', 0], ['b1', 1], ['b3', 0]])
  expect(nextBlankId(swapped)).toBe('b4')
  expect(nextOptionId([{ id: 'o1', doc: null }, { id: 'o5', doc: null }])).toBe('o6')
})

test('every hole of a text has its question, and taking a hole out loses none', () => {
  const text = syncHoles({ ...startContent(5), stem: inlineDoc([{ t: 'subref', n: 1 }, { t: 'subref', n: 2 }]) })
  expect(text.children).toHaveLength(2)
  expect(syncHoles({ ...text, stem: inlineDoc([{ t: 'subref', n: 1 }]) }).children).toHaveLength(2)
})

test('two people\'s changes are told apart part by part, whatever the order of keys', () => {
  const base = startWritten(1)
  const mine = { ...base, content: { ...base.content, stem: inlineDoc(['我的']) }, facts: { ...base.facts, difficulty: 2 } }
  const theirs = { ...base, labels: [{ id: 9, main: true }], facts: { ...base.facts, difficulty: 4 } }
  expect(changedParts(base, mine)).toEqual(['stem', 'difficulty'])
  expect(changedParts(base, theirs)).toEqual(['labels', 'difficulty'])
  const merged = withPart(theirs, 'stem', mine)
  expect(changedParts(merged, theirs)).toEqual(['stem'])
  expect(changedParts(merged, mine)).toEqual(['labels', 'difficulty'])
  expect(canonical({ a: 1, b: [{ d: undefined, c: 2 }] })).toBe(canonical({ b: [{ c: 2 }], a: 1 }))
  for (const name of Object.keys(PARTS) as (keyof typeof PARTS)[]) expect(canonical(partOf(withPart(base, name, mine), name))).toBe(canonical(partOf(mine, name)))
})
