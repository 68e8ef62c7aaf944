/** How answers are compared and marked, in words for the cells of a sheet. */
import type { Answer, BlankMatch } from '../content/question.ts'

const MATCHES: readonly (readonly [BlankMatch, string])[] = [['exact', '完全一致'], ['nospace', '忽略空格'], ['ci', '忽略大小写'], ['numeric', '数值'], ['tex', '公式']]
const RULES = [['all', '全对得分'], ['partial', '按项得分'], ['gaokao', '高考计分']] as const

/** One word for each blank, or the rule of a multiple choice. */
export function matchWords(answer: Answer): string {
  if (answer.k === 'many') return RULES.find(([rule]) => rule === answer.rule)?.[1] ?? ''
  return answer.k === 'blanks' ? answer.b.map(({ match }) => MATCHES.find(([one]) => one === match)?.[1] ?? '').join('；') : ''
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
  if (answer.k === 'many') return { ...answer, rule: RULES.find(([, word]) => word === words?.[0])?.[0] ?? answer.rule }
  if (answer.k !== 'blanks') return answer
  const at = (list: readonly string[] | undefined, index: number) => (list?.length === 1 ? list[0] : list?.[index]) ?? ''
  return {
    ...answer,
    b: answer.b.map((blank, index) => {
      const named = MATCHES.find(([one, word]) => word === at(words, index) || one === at(words, index))?.[0] ?? blank.match
      const eps = Number(at(numbers, index) || 0)
      return { ...blank, match: named, ...(named === 'numeric' && eps > 0 ? { eps } : {}) }
    }),
  }
}
