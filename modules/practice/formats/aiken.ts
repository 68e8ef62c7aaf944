/** Aiken: a line of text, its options, `ANSWER: B`. Only single choices of one line each can be said in it. */
import { answerLetters, emptyContent, NO_FACTS, optionLetter, type Option, type Question } from '../content/question.ts'
import { fittingLayout } from '../content/question-rules.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { lost, problem, type ParsedItem, type Warning } from './item.ts'
import { flowDoc } from './text/flow.ts'
import { choiceStem } from './text/raw.ts'
import { textFlow } from './text/read-text.ts'

const OPTION = /^\s*([A-Z])[.)．、）]\s*(.*)$/
const ANSWER = /^\s*ANSWER\s*[:：]\s*([A-Z])\s*$/i

/** Whether a text is in this format: an answer line behind lettered lines. */
export const isAiken = (text: string) => /(?:^|\n)\s*[A-Z][.)] .*\r?\n(?:\s*[A-Z][.)] .*\r?\n)+\s*ANSWER\s*:\s*[A-Z]\s*(?:\r?\n|$)/i.test(text)

/** Reads the questions; one that is wrong is named with its line. */
export function readAiken(text: string): ParsedItem[] {
  const items: ParsedItem[] = []
  let stem: string[] = []
  let options: string[] = []
  let start = 1
  const give = (line: number, answer: string | null) => {
    if (stem.length === 0 && options.length === 0) return
    const place = `第 ${start} 行`
    const warnings: Warning[] = []
    if (stem.length === 0) items.push(lost(place, '没有题干'))
    else {
      const list = options.map((one, index): Option => ({ id: `o${index + 1}`, doc: flowDoc(textFlow(one, warnings, { wrapped: false })) }))
      const right = answer === null ? undefined : list[answer.charCodeAt(0) - 65]
      if (answer === null) warnings.push(problem(`第 ${line} 行前没有 ANSWER`))
      else if (!right) warnings.push(problem(`答案 ${answer} 不在选项中`))
      items.push({ place, warnings, question: { ...emptyContent(1), ...NO_FACTS, stem: choiceStem(textFlow(stem.join('\n'), warnings, { wrapped: false })), options: list, option_layout: fittingLayout(list), category: '单选题', answer: { k: 'one', ok: right?.id ?? null } } })
    }
    stem = []
    options = []
  }
  const lines = text.split(/\r\n?|\n/)
  for (const [index, line] of lines.entries()) {
    const answer = ANSWER.exec(line)?.[1]?.toUpperCase()
    const option = OPTION.exec(line)
    if (answer) give(index + 1, answer)
    else if (option && stem.length > 0 && option[1] === optionLetter(options.length)) options.push(option[2] ?? '')
    else if (line.trim() !== '') {
      // A question begins although the one before it was not answered.
      if (options.length > 0) give(index + 1, null)
      if (stem.length === 0) start = index + 1
      stem.push(line.trim())
    }
  }
  give(lines.length, null)
  return items
}

/** A text of one line of words and formulas; null when it is more. */
export function plainLine(doc: RichDoc | null): string | null {
  const only = doc?.c.length === 1 ? doc.c[0] : undefined
  if (only?.t !== 'p' || only.align || only.indent) return null
  const parts = only.c.map((inline) => (typeof inline === 'string' ? (/[\n\\$_&]|[（(]\s*[)）]|\s{2}|\t/.test(inline) ? null : inline) : inline.t === 'tex' ? `$${inline.tex}$` : inline.t === 'paren' ? '（ ）' : null))
  return parts.includes(null) ? null : parts.join('').trim()
}

/** Questions that can be said; the others are named. */
export function writeAiken(questions: readonly Question[]): { text: string; notes: string[] } {
  const notes: string[] = []
  const text = questions.flatMap((question, index) => {
    const stem = plainLine(question.stem)
    const options = question.options.map((option) => plainLine(option.doc))
    const letter = answerLetters(question)
    const fits = question.type === 1 && stem && letter !== '' && !OPTION.test(stem) && !ANSWER.test(stem) && options.length >= 2 && options.every((option) => option !== null && option !== '')
    if (!fits) {
      notes.push(`第 ${index + 1} 题（${question.no ?? '无题号'}）不能用 Aiken 表示，没有导出`)
      return []
    }
    return [`${stem}\n${options.map((option, place) => `${optionLetter(place)}. ${option}`).join('\n')}\nANSWER: ${letter}\n`]
  }).join('\n')
  return { text, notes }
}
