import type { Random } from '../../../core/setup/random.ts'
import { docOf, paragraph, type Inline, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { NO_ANALYSIS, type Option, type QuestionContent } from '../content/question.ts'
import { fittingLayout } from '../content/question-rules.ts'

/** A question of the demo with the way to the label that it belongs under. */
export interface Made {
  content: QuestionContent
  /** Topic and subtopic of the outline; what is asked, when it fits one of the aspects. */
  topic: string
  subtopic: string
  /** 1 hard to 5 easy (spec 9). */
  difficulty: number
}

/** Text with $formulas$, ____ for a blank, the wide empty parenthesis of a choice and line breaks between paragraphs. */
export function rich(text: string): RichDoc | null {
  let blank = 0
  const inlines = (line: string): Inline[] => line.split(/(\$[^$]+\$|____|（　）|\[\[\d+\]\])/).filter(Boolean).map((piece): Inline => {
    if (piece.startsWith('$')) return { t: 'tex', tex: piece.slice(1, -1) }
    if (piece === '____') return { t: 'blank', id: `b${++blank}` }
    if (piece === '（　）') return { t: 'paren' }
    const hole = /^\[\[(\d+)\]\]$/.exec(piece)
    return hole ? { t: 'subref', n: Number(hole[1]) } : piece
  })
  return docOf(text.split('\n').map((line) => paragraph(inlines(line))))
}

const base = (stem: string, solution: string): Pick<QuestionContent, 'stem' | 'analysis' | 'children'> => ({ stem: rich(stem), analysis: { ...NO_ANALYSIS, solution: rich(solution) }, children: [] })

function shuffled(random: Random, options: readonly string[]): { options: Option[]; idOf: (text: string) => string } {
  const order = [...options]
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.int(0, i)
    ;[order[i], order[j]] = [order[j] ?? '', order[i] ?? '']
  }
  const made = order.map((text, index) => ({ id: `o${index + 1}`, doc: rich(text), text }))
  return { options: made.map(({ id, doc }) => ({ id, doc })), idOf: (text) => made.find((option) => option.text === text)?.id ?? '' }
}

/** A single choice; undefined when two options came out alike. */
export function single(random: Random, stem: string, right: string, wrong: readonly string[], solution: string, score = 5): QuestionContent | undefined {
  const all = [right, ...wrong.slice(0, 3)]
  if (new Set(all).size < 4) return undefined
  const { options, idOf } = shuffled(random, all)
  return { ...base(stem, solution), type: 1, options, option_layout: fittingLayout(options), answer: { k: 'one', ok: idOf(right) }, score, category: null }
}

/** A choice of several right options. */
export function several(random: Random, stem: string, right: readonly string[], wrong: readonly string[], solution: string, score = 6): QuestionContent | undefined {
  const all = [...right, ...wrong]
  if (new Set(all).size < all.length) return undefined
  const { options, idOf } = shuffled(random, all)
  return { ...base(stem, solution), type: 2, options, option_layout: fittingLayout(options), answer: { k: 'many', ok: right.map(idOf), rule: 'gaokao' }, score, category: null }
}

/** Blanks; each answer lists what is accepted. */
export function blanks(stem: string, answers: readonly (readonly string[])[], solution: string, score = 5): QuestionContent {
  const b = answers.map((accept, index) => ({ id: `b${index + 1}`, accept: accept.flatMap((text) => rich(text) ?? []), match: /^\$?-?\d+(\.\d+)?\$?$/.test(accept[0] ?? '') ? 'numeric' as const : 'nospace' as const }))
  return { ...base(stem, solution), type: 3, options: [], option_layout: 1, answer: { k: 'blanks', b }, score, category: null }
}

/** A question with parts (1), (2) … and their points. */
export function free(stem: string, parts: readonly (readonly [ref: string, score: number])[], solution: string): QuestionContent {
  return {
    ...base(stem, solution), type: 4, options: [], option_layout: 1, category: null, score: parts.reduce((sum, [, score]) => sum + score, 0),
    answer: { k: 'free', parts: parts.map(([ref, score], index) => ({ no: parts.length > 1 ? index + 1 : 0, score, ref: rich(ref), steps: [] })) },
  }
}

/** A text with numbered holes, each with four options (type 5), or questions after it (type 6). */
export function passage(type: 5 | 6, text: string, children: readonly QuestionContent[]): QuestionContent {
  return {
    type, stem: rich(text), options: [], option_layout: 1, answer: { k: 'sub' }, analysis: NO_ANALYSIS, category: null,
    score: children.reduce((sum, child) => sum + (child.score ?? 0), 0), children: [...children],
  }
}

/** One hole of a text. */
export function hole(random: Random, right: string, wrong: readonly string[], solution: string): QuestionContent | undefined {
  const made = single(random, ' ', right, wrong, solution, 1.5)
  return made && { ...made, stem: null }
}

