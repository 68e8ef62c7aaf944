/** A question as it stands in a Word document: stem, options, answer, explanations, each behind a mark that says what it is. */
import type { FileChild, ParagraphChild } from 'docx'
import { answerLetters, MANY_RULES, optionLetter, TYPES, BLANK_MATCHES, type BlankAnswer, type Option, type Question, type QuestionContent } from '../../content/question.ts'
import { inlinesOf } from '../../../../core/rich-text/rich-doc.ts'
import { factRows } from '../fact-rows.ts'
import { markRun, textRun } from './runs.ts'
import { LINE, MARK } from './styles.ts'
import type { WordWriter } from './writer.ts'

/** How a question is shown. */
export interface WordQuestionSetting {
  /** In front of the stem, with its point: `3．`. */
  number?: string
  /** Points behind the number: （5分）. Not shown unless given. */
  points?: number | null
  /** Points behind the numbers of child questions; their own unless given, where its points are shown. */
  childPoints?: readonly number[]
  /** In front of child questions, by their place from 0; （1） by default. */
  childNumber?: (index: number) => string
  /** Stands beside its first line: a code, a sign. */
  beside?: readonly ParagraphChild[]
}

const inBrackets = (index: number) => `（${index + 1}）`
const pointsText = (points: number) => `（${points}分）`
/** Names of the parts of an explanation. */
export const PARTS = [['hint', '思路'], ['solution', '详解'], ['comment', '点评'], ['pitfall', '易错']] as const
/** In front of the parts that a question with children has for all of them. */
export const WHOLE = '全题'

const tagRun = (name: string) => markRun(MARK.tag, `【${name}】`)

/** Options under each other, four to a line, or two; `lead` stands in front of the first line. */
function options(word: WordWriter, list: readonly Option[], layout: QuestionContent['option_layout'], lead: readonly ParagraphChild[] = []): FileChild[] {
  const letter = (index: number) => markRun(MARK.letter, `${optionLetter(index)}．`)
  const inRow = layout === 2 ? 4 : 2
  const only = list.map((option) => (option.doc?.c.length === 1 && option.doc.c[0]?.t === 'p' && !option.doc.c[0].align && !option.doc.c[0].indent ? option.doc.c[0].c : null))
  if (layout === 1 || only.some((inlines) => inlines === null)) {
    const line = layout === 1 ? LINE.column : layout === 2 ? LINE.row : LINE.grid
    return list.flatMap((option, index) => word.blocks(option.doc, { lead: [...(index === 0 ? lead : []), letter(index)], line, tall: true }))
  }
  const lines: FileChild[] = []
  for (let at = 0; at < list.length; at += inRow) {
    const runs = only.slice(at, at + inRow).flatMap((inlines, place): ParagraphChild[] => [...(place > 0 ? [markRun(MARK.letter, '\t')] : []), letter(at + place), ...word.runs(inlines ?? [], true)])
    // Behind a number alone the first option stands where the others have theirs.
    const isNumbered = lead.length === 1
    if (at === 0 && lead.length > 1) runs.unshift(...lead)
    lines.push(isNumbered ? word.line([...(at === 0 ? lead : []), markRun(MARK.letter, '\t'), ...runs], layout === 2 ? LINE.holeRow : LINE.holeGrid) : word.line(runs, layout === 2 ? LINE.row : LINE.grid))
  }
  return lines
}

/** The words that questions are about, with the first lines of its paragraphs indented where the text says nothing of it; its first one has the number. */
function passage(doc: QuestionContent['stem']): QuestionContent['stem'] {
  if (!doc || doc.c.some((block) => block.t === 'p' && (block.indent || block.align))) return doc
  return { ...doc, c: doc.c.map((block, index) => (index > 0 && block.t === 'p' ? { ...block, indent: 2 } : block)) }
}

/**
 * A question as learners get it: its stem, options and child questions, without answers. It stays on one page as far as it
 * fits, a passage with the first of its questions.
 * @returns paragraphs and tables for a section
 */
export function wordQuestion(word: WordWriter, content: QuestionContent, { number, points, childPoints, childNumber = inBrackets, beside = [] }: WordQuestionSetting = {}): FileChild[] {
  const lead = [...beside, ...(number === undefined ? [] : [markRun(MARK.number, number)]), ...(points === undefined || points === null ? [] : [markRun(MARK.score, pointsText(points))])]
  const isGroup = content.children.length > 0
  const own = [...word.blocks(isGroup ? passage(content.stem) : content.stem, { lead }), ...options(word, content.options, content.option_layout)]
  const children = content.children.map((child, index) => (child.stem === null && child.options.length === 0 ? [] : childLines(word, child, childNumber(index), childPoints ? childPoints[index] : points === undefined ? undefined : child.score)))
  if (!isGroup) return word.together(own)
  // A passage may be longer than a page: only its end stays with what is asked first.
  return [...own.slice(0, -1), ...word.together(own.slice(-1), children.some((lines) => lines.length > 0)), ...children.flatMap((lines) => word.together(lines))]
}

function childLines(word: WordWriter, child: QuestionContent, number: string, points: number | null | undefined): FileChild[] {
  const lead = [markRun(MARK.child, number), ...(points === null || points === undefined ? [] : [markRun(MARK.score, pointsText(points))])]
  // What is asked at a hole is its options alone: they stand beside the number.
  if (child.stem === null && child.options.length > 0) return options(word, child.options, child.option_layout, lead)
  return [...word.blocks(child.stem, { lead }), ...options(word, child.options, child.option_layout)]
}

/** How a blank is marked, when that is not by its exact words. */
function blankWords({ match, eps, group, score }: BlankAnswer): string {
  const parts = [
    match === 'exact' ? '' : (BLANK_MATCHES.find((one) => one.value === match)?.label ?? ''),
    eps === undefined ? '' : `误差${eps}`, group === undefined ? '' : `互换组${group}`, score === undefined ? '' : `${score}分`,
  ].filter(Boolean)
  return parts.length > 0 ? `（${parts.join('，')}）` : ''
}

export interface WordAnswerSetting {
  /** In front of the answer: `3．`, when answers stand apart from their questions. */
  number?: string
  /** In front of the answers of child questions, by their place from 0; （1） by default. */
  childNumber?: (index: number) => string
  /** Options that all holes of a text share. */
  pool?: readonly Option[]
  /** Says how every part is marked, for documents that are read again. */
  marking?: boolean
  /** Leaves the explanations out. */
  short?: boolean
}

/** The right answer alone, behind 【答案】; nothing when there is none. */
function answerLines(word: WordWriter, content: QuestionContent, lead: readonly ParagraphChild[], { pool = [], marking = false }: WordAnswerSetting): FileChild[] {
  const { answer } = content
  const tag = [...lead, tagRun('答案')]
  if (answer.k === 'one' || answer.k === 'many') {
    const letters = answerLetters({ options: content.options.length > 0 ? content.options : [...pool], answer })
    const rule = answer.k === 'many' && marking ? [word.line([tagRun('评分'), textRun(MANY_RULES.find((one) => one.value === answer.rule)?.label ?? '')])] : []
    return [word.line([...tag, ...(letters ? [textRun(letters)] : [])]), ...rule]
  }
  if (answer.k === 'blanks') {
    const holes = inlinesOf(content.stem, 'blank').map((blank) => blank.id)
    return answer.b.flatMap((blank, index) => {
      const place = holes.indexOf(blank.id)
      const no = markRun(MARK.blankNo, answer.b.length > 1 || marking ? `第${(place < 0 ? index : place) + 1}空${marking ? blankWords(blank) : ''}：` : '')
      const first = index === 0 ? [...tag, no] : [no]
      return blank.accept.length === 0 ? [word.line(first)] : blank.accept.flatMap((doc, other) => word.blocks(doc, { lead: other === 0 ? first : [markRun(MARK.or, '或：')] }))
    })
  }
  if (answer.k === 'free') {
    return answer.parts.flatMap((part, index) => {
      const mark = part.no > 0 || (marking && index > 0) ? [markRun(MARK.part, `（${part.no}）`)] : []
      const points = part.score === undefined ? [] : [markRun(MARK.score, pointsText(part.score))]
      return [
        ...word.blocks(part.ref, { lead: [...(index === 0 ? tag : []), ...mark, ...points] }),
        ...part.steps.flatMap((step) => word.blocks(step.text, { lead: [markRun(MARK.step, `［${step.score}分］`)] })),
      ]
    })
  }
  return []
}

/**
 * Answers and explanations of a question and its children.
 * @returns paragraphs and tables for a section
 */
export function wordAnswer(word: WordWriter, content: QuestionContent, setting: WordAnswerSetting = {}): FileChild[] {
  const lead = setting.number === undefined ? [] : [markRun(MARK.number, setting.number)]
  const explained = (one: QuestionContent, prefix = '') => (setting.short ? [] : PARTS.flatMap(([key, name]) => (one.analysis[key] ? word.blocks(one.analysis[key], { lead: [tagRun(prefix + name)] }) : [])))
  if (content.children.length === 0) return [...answerLines(word, content, lead, setting), ...explained(content)]
  return [
    ...(lead.length > 0 ? [word.line(lead)] : []),
    ...content.children.flatMap((child, index) => [...answerLines(word, child, [markRun(MARK.child, (setting.childNumber ?? inBrackets)(index))], { ...setting, pool: content.options }), ...explained(child)]),
    ...explained(content, WHOLE),
  ]
}

/** Kind, layout of options, and everything that is known, for a document that is read again. */
function aboutLines(word: WordWriter, content: QuestionContent, prefix = ''): FileChild[] {
  const type = TYPES.find((one) => one.value === content.type)?.label ?? ''
  return [word.line([tagRun(`${prefix}题型`), textRun(content.category === null ? type : `${type}·${content.category}`)])]
}

/**
 * @public
 * A question with all that the bank knows of it: what our own reader of Word files takes in without loss.
 * @param number of the question in the document, from 1
 */
export function wordRecord(word: WordWriter, question: Question, number: number): FileChild[] {
  const head = [markRun(MARK.number, `${number}．`), ...(question.score === null ? [] : [markRun(MARK.score, pointsText(question.score))])]
  const isGroup = question.children.length > 0 || question.type >= 5
  const explained = (one: QuestionContent, prefix = '') => PARTS.flatMap(([key, name]) => (one.analysis[key] ? word.blocks(one.analysis[key], { lead: [tagRun(prefix + name)] }) : []))
  return [
    ...word.blocks(question.stem, { lead: head }),
    ...options(word, question.options, question.option_layout),
    ...question.children.flatMap((child, index) => [
      ...word.blocks(child.stem, { lead: [markRun(MARK.child, `（${index + 1}）`), ...(child.score === null ? [] : [markRun(MARK.score, pointsText(child.score))])] }),
      ...options(word, child.options, child.option_layout),
      ...aboutLines(word, child),
      ...answerLines(word, child, [], { pool: question.options, marking: true }),
      ...explained(child),
    ]),
    ...(isGroup ? [] : answerLines(word, question, [], { marking: true })),
    ...explained(question, isGroup ? WHOLE : ''),
    ...aboutLines(word, question, isGroup ? WHOLE : ''),
    ...factRows(question).map(([name, value]) => word.line([tagRun(name), textRun(value)])),
    word.line([], LINE.spacer),
  ]
}
