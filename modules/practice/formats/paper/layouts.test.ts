import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, type QuestionContent } from '../../content/question.ts'
import { problemsOf } from '../../content/question-rules.ts'
import { plainText } from '../../../../core/rich-text/rich-doc.ts'
import type { ParsedItem } from '../item.ts'
import { flat } from '../text/flow.ts'
import { paperItems } from './items.ts'
import { isDefinite, paperOf, someLayout, someSections, type Known } from './testing.ts'

const squeeze = (text: string) => text.replace(/\s+/g, '')

/** What was read as the answer, in the words of the paper. */
function keyOf(question: QuestionContent): string {
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
  // Words that found no place are shown with what says so.
  if (!item?.question) return items.some((one) => isFlagged(one) && JSON.stringify(one.warnings).includes(known.word)) ? null : `${known.stem}: lost`
  if (holding.some(isFlagged)) return null
  if (holding.length > 1) return `${known.stem}: read ${holding.length} times`
  const question = item.question.children.length > 0 ? item.question.children.find((child) => JSON.stringify(child).includes(known.word)) : item.question
  if (!question) return `${known.stem}: not among its sub-questions`
  if (known.about && !JSON.stringify(item.question.stem).includes(item.question.children.length > 0 ? '人们常来这里散步' : known.word)) return `${known.stem}: without its text`
  const options = question.options.map((option) => plainText(option.doc))
  if (known.options.length > 0 && options.join() !== known.options.join()) return `${known.stem}: options ${options.join()}`
  const key = keyOf(question)
  if (squeeze(key) !== squeeze(known.key)) return `${known.stem}: ${known.key} read as ${key}`
  const stem = squeeze(plainText(question.stem))
  return known.about && item.question.children.length === 0 ? null : stem.length <= squeeze(known.stem).length + 4 ? null : `${known.stem}: stem ${stem}`
}

/** Most of what a paper of clear layout says for certain that may be shown to a person all the same. */
const MOST_FLAGGED = 0.02

test('papers of known questions in every layout: each question is right or says that it is not', () => {
  const clear = { questions: 0, flagged: 0 }
  fc.assert(fc.property(someSections, someLayout, (sections, layout) => {
    const flow = paperOf(sections, layout)
    const items = paperItems(flow)
    const all = sections.flatMap((section) => section.questions)
    expect(all.flatMap((known) => silentError(known, items) ?? []), flat(flow)).toEqual([])
    if (!isDefinite(sections, layout) || layout.lead || sections.some((section) => section.kind === 'read')) return
    clear.questions += all.length
    clear.flagged += items.filter(isFlagged).length
    if (!items.some(isFlagged)) expect(items.flatMap<unknown>((item) => (item.question?.children.length ? item.question.children : [item])), flat(flow)).toHaveLength(all.length)
  }), { numRuns: 2000 })
  expect(clear.flagged / clear.questions, `${clear.flagged} of ${clear.questions} are flagged`).toBeLessThanOrEqual(MOST_FLAGGED)
})
