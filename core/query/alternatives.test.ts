import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAlternatives, writeAlternatives } from './alternatives.ts'

test('what is written is read again, without what asks nothing', () => {
  const values = fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 })
  const alternative = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), values, { maxKeys: 4, noNullPrototype: true })
  fc.assert(fc.property(fc.array(alternative, { maxLength: 5 }), (list) => {
    const kept = list.map((one) => Object.fromEntries(Object.entries(one).map(([key, texts]) => [key, texts.filter(Boolean)] as const).filter(([, texts]) => texts.length > 0))).filter((one) => Object.keys(one).length > 0)
    const text = writeAlternatives(list)
    expect(text === '' ? [] : readAlternatives(text)).toEqual(kept)
  }))
})

test.each(['', 'x', 'null', '{}', '[]', '[{}]', '[1]', '[[]]', '[{"a":"1"}]', '[{"a":[]}]', '[{"a":[1]}]', '[{"a":[""]}]', JSON.stringify(Array.from({ length: 9 }, () => ({ a: ['1'] }))), JSON.stringify([{ a: ['x'.repeat(201)] }]), `[{"a":["1"]}${' '.repeat(3000)}]`])('%s is none', (text) => {
  expect(readAlternatives(text)).toBeUndefined()
})
