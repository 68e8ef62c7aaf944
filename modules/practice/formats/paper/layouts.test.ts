import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../../content/question.ts'
import { problemsOf } from '../../content/question-rules.ts'
import { plainText } from '../../../../core/rich-text/rich-doc.ts'
import type { ParsedItem } from '../item.ts'
import { flat } from '../text/flow.ts'
import { paperItems } from './items.ts'
import { isDefinite, paperOf, someLayout, someSections, type Known } from './testing.ts'

const squeeze = (text: string) => text.replace(/\s+/g, '')

/** What was read as the answer, in the words of the paper. */
function keyOf(question: Question): string {
  const { answer } = question
  if (answer.k === 'blanks') return answer.b.map((blank) => blank.accept.map(plainText).join('|')).join(';')
  if (answer.k === 'free') return answer.parts.map((part) => `${part.no > 0 ? `（${part.no}）` : ''}${plainText(part.ref)}`).join('')
  const letters = answerLetters(question)
  return question.category === '判断题' ? (letters === 'A' ? '√' : letters === 'B' ? '×' : '') : letters
}

const isFlagged = (item: ParsedItem) => item.question === null || item.warnings.some((warning) => warning.level === 'problem') || problemsOf(item.question).length > 0

/** What is wrong with a reading although nothing says so. */
function silentError(known: Known, items: readonly ParsedItem[]): string | null {
  const holding = items.filter((item) => item.question && JSON.stringify(item.question).includes(known.word))
  const [item] = holding
  if (!item?.question) return `${known.stem}: lost`
  if (holding.some(isFlagged)) return null
  if (holding.length > 1) return `${known.stem}: read ${holding.length} times`
  const options = item.question.options.map((option) => plainText(option.doc))
  if (known.options.length > 0 && options.join() !== known.options.join()) return `${known.stem}: options ${options.join()}`
  const key = keyOf(item.question)
  if (squeeze(key) !== squeeze(known.key)) return `${known.stem}: ${known.key} read as ${key}`
  const stem = squeeze(plainText(item.question.stem))
  return stem.length <= squeeze(known.stem).length + 4 ? null : `${known.stem}: stem ${stem}`
}

test('papers of known questions in every layout: each question is right or says that it is not', () => {
  fc.assert(fc.property(someSections, someLayout, (sections, layout) => {
    const flow = paperOf(sections, layout)
    const items = paperItems(flow)
    const all = sections.flatMap((section) => section.questions)
    expect(all.flatMap((known) => silentError(known, items) ?? []), flat(flow)).toEqual([])
    if (isDefinite(sections, layout)) expect(items.filter(isFlagged).map((item) => [item.place, ...item.warnings.map((warning) => warning.message)]), flat(flow)).toEqual([])
    if (isDefinite(sections, layout)) expect(items).toHaveLength(all.length)
  }), { numRuns: 1000 })
})
