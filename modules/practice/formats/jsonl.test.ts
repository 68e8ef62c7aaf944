import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapDocs } from '../content/question.ts'
import { withAssets } from '../../../core/rich-text/rich-doc.ts'
import { PNG } from './docx/testing.ts'
import { readJsonl, writeJsonl } from './jsonl.ts'
import { PICTURES, someQuestion } from './testing.ts'

const assets = new Map(PICTURES.map((address, index) => [address as string, { name: `p${index}.png`, bytes: PNG, type: 'image/png' }]))

test('what was written is read again as it was', () => {
  fc.assert(fc.property(fc.array(someQuestion(), { minLength: 1, maxLength: 4 }), (questions) => {
    expect(readJsonl(writeJsonl(questions, assets))?.items.map((item) => item.question && mapDocs(item.question, (doc) => withAssets(doc, (address) => PICTURES[Number(/p(\d)/.exec(address)?.[1])] ?? address)))).toEqual(questions)
  }), { numRuns: 60 })
})

test('a line that is wrong is named, and the others are read', () => {
  const [line = ''] = writeJsonl([fc.sample(someQuestion({ types: [1] }), 1)[0] ?? ({} as never)], assets).split('\n')
  const items = readJsonl(`${line}\n${line.replace('"type":1', '"type":9')}\n${line.slice(0, 60)}`)?.items ?? []
  expect(items.map((item) => item.question !== null)).toEqual([true, false, false])
  expect(items[1]?.warnings[0]?.message).toContain('题型不正确')
  expect(items[2]?.place).toBe('第 3 行')
})
