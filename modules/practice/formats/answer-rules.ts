/** How answers are compared and marked, in words for the cells of a sheet. */
import { BLANK_MATCHES, MANY_RULES, type Answer } from '../content/question.ts'

/** One word for each blank, or the rule of a multiple choice. */
export function matchWords(answer: Answer): string {
  if (answer.k === 'many') return MANY_RULES.find(({ value }) => value === answer.rule)?.label ?? ''
  return answer.k === 'blanks' ? answer.b.map(({ match }) => BLANK_MATCHES.find(({ value }) => value === match)?.label ?? '').join('；') : ''
}

/** Signs that part accepted answers of a blank, and blanks; with a backslash before them, or in a formula, they are meant. */
const PIECES = /\$[^$]*\$|\\[|；]|[|；]|[^$\\|；]+|[$\\]/g

/** Accepted answers of every blank as one text. */
export const joinAccepted = (blanks: readonly (readonly string[])[]) => blanks.map((accept) => accept.map((one) => one.replace(/\$[^$]*\$|[|；]/g, (piece) => (piece.length > 1 ? piece : `\\${piece}`))).join('|')).join('；')

/** The inverse of `joinAccepted`. */
export function splitAccepted(text: string): string[][] {
  const blanks = [['']]
  const add = (piece: string) => {
    const last = blanks.at(-1)
    if (last) last[last.length - 1] += piece
  }
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === '；') blanks.push([''])
    else if (piece === '|') blanks.at(-1)?.push('')
    else add(/^\\[|；]$/.test(piece) ? piece.slice(1) : piece)
  }
  return blanks
}

/** How far off the number of each blank may be. */
export const toleranceWords = (answer: Answer) => (answer.k === 'blanks' && answer.b.some(({ eps }) => eps !== undefined) ? answer.b.map(({ eps }) => eps ?? '').join('；') : '')

/**
 * An answer with the rules that a file gives; what is empty stays as it was recognised.
 * @param match words of `matchWords`, one for all blanks or one for each
 * @param tolerance numbers in the same way
 */
export function ruled(answer: Answer, match: string, tolerance: string): Answer {
  const [words, numbers] = [match, tolerance].map((text) => (text.trim() === '' ? [] : text.split(/\s*[;；]\s*/)))
  if (answer.k === 'many') return { ...answer, rule: MANY_RULES.find(({ label }) => label === words?.[0])?.value ?? answer.rule }
  if (answer.k !== 'blanks') return answer
  const at = (list: readonly string[] | undefined, index: number) => (list?.length === 1 ? list[0] : list?.[index]) ?? ''
  return {
    ...answer,
    b: answer.b.map((blank, index) => {
      const named = BLANK_MATCHES.find(({ value, label }) => label === at(words, index) || value === at(words, index))?.value ?? blank.match
      const eps = Number(at(numbers, index) || 0)
      return { ...blank, match: named, ...(named === 'numeric' && eps > 0 ? { eps } : {}) }
    }),
  }
}
