/** What a reader knows of a question before anything is made of it. */
import type { Analysis, QuestionFacts, QuestionType } from '../../content/question.ts'
import { NO_ANALYSIS } from '../../content/question.ts'
import { hint, uncertain, type Warning } from '../item.ts'
import { gradedLetters, lettersInAnalysis, lettersOf, plainAnswer, wantedCount } from './answers.ts'
import { cut, flat, flowDoc, isBlank, trim, type Flow, type Token } from './flow.ts'
import { choiceParens, lineBlanks } from './holes.ts'

/** What a reader knows of a question; only the text is needed. */
export interface Raw {
  /** The question with all that belongs to it; options and sub-questions may stand in it. */
  text: Flow
  /** Options that the file keeps apart. */
  options?: readonly Flow[]
  /** One answer, or one for each sub-question. */
  answer?: Flow | readonly Flow[]
  /** Places of the right options, counted from 0, when the file counts instead of naming letters. */
  right?: readonly number[]
  analysis?: { [Part in keyof Analysis]?: Flow }
  /** What the file says that it is. */
  type?: QuestionType | null
  /** What it probably is when its own text leaves that open. */
  likely?: QuestionType | null
  category?: string | null
  score?: number | null
  /** Whether the points are those of each sub-question. */
  scoreOfEach?: boolean
  children?: readonly Raw[]
  facts?: Partial<QuestionFacts>
}

export const isList = (answer: Flow | readonly Flow[] | undefined): answer is readonly Flow[] => Array.isArray(answer) && answer.length > 0 && answer.every((one) => Array.isArray(one))

/** One flow of an answer that may be several. */
export function wholeAnswer(answer: Flow | readonly Flow[] | undefined): Flow {
  if (!answer) return []
  return isList(answer) ? answer.flatMap((one, index): Token[] => [...(index > 0 ? ['\n'] : []), ...one]) : withoutTitle(answer as Flow)
}

/** An answer without the word for it. */
export function withoutTitle(flow: Flow): Flow {
  const match = /^\s*(?:【\s*(?:(?:参考|标准|正确)?答案|解答|详解|解析)\s*】|(?:参考|标准|正确)?答案\s*[:：])\s*/.exec(flat(flow))
  return match ? cut(flow, match[0].length) : flow
}

/** Letters of the answer, or of what the explanation ends with. */
export function rightLetters(raw: Raw, warnings: Warning[]): string[] | null {
  const whole = plainAnswer(wholeAnswer(raw.answer))
  const letters = lettersOf(whole)
  const graded = letters ? null : gradedLetters(whole, wantedCount(flat(raw.text)))
  if (graded) {
    warnings.push(hint(`答案按给分取 ${graded.join('')}，请核对`))
    return graded
  }
  if (letters || whole !== '') return letters
  const from = raw.analysis?.solution ? lettersInAnalysis(plainAnswer(raw.analysis.solution)) : null
  if (!from) return null
  warnings.push(from.sure ? hint('没有单独的答案，已取解析中的答案') : uncertain('answer', `没有单独的答案，解析中提到「${from.letters.join('')}」`, from.letters.join('')))
  return from.letters
}

/** Explanations as rich texts. */
export function analysisOf(raw: Raw): Analysis {
  if (!raw.analysis) return NO_ANALYSIS
  const sections = raw.analysis.solution ? sectionsOf(raw.analysis.solution) : {}
  const part = (name: keyof Analysis) => flowDoc(trim([...(name === 'solution' ? [] : (raw.analysis?.[name] ?? [])), ...(sections[name] ?? [])]))
  return { hint: part('hint'), solution: part('solution'), comment: part('comment'), pitfall: part('pitfall') }
}

const SECTION_NAMES: Readonly<Record<string, keyof Analysis>> = { 分析: 'hint', 思路: 'hint', 思路点拨: 'hint', 提示: 'hint', 考点: 'hint', 解析: 'solution', 解答: 'solution', 详解: 'solution', 解: 'solution', 答案解析: 'solution', 试题解析: 'solution', 点评: 'comment', 点睛: 'comment', 名师点睛: 'comment', 方法总结: 'comment', 易错: 'pitfall', 易错点: 'pitfall', 易错警示: 'pitfall' }
const SECTION = new RegExp(`【\\s*(${Object.keys(SECTION_NAMES).join('|')})\\s*】\\s*[:：]?`, 'g')

/** An explanation with titles in it, by its parts; without titles all of it is the solution. */
export function sectionsOf(flow: Flow): { [Part in keyof Analysis]?: Token[] } {
  const text = flat(flow)
  const titles = [...text.matchAll(SECTION)]
  const found: { [Part in keyof Analysis]?: Token[] } = {}
  const add = (name: keyof Analysis, tokens: Token[]) => {
    if (isBlank(tokens)) return
    found[name] = [...(found[name] ? [...found[name], '\n' as const] : []), ...tokens]
  }
  add('solution', trim(cut(flow, 0, titles[0]?.index ?? Infinity)))
  for (const [index, title] of titles.entries()) add(SECTION_NAMES[title[1] ?? ''] ?? 'solution', trim(cut(flow, title.index + title[0].length, titles[index + 1]?.index ?? Infinity)))
  // An approach without a solution is the solution.
  if (!found.solution && found.hint) {
    found.solution = found.hint
    delete found.hint
  }
  return found
}

/** Stem of a choice: an empty pair of brackets is the place of the letter, a line is a line. */
export const choiceStem = (flow: Flow) => flowDoc(choiceParens(lineBlanks(flow)))

