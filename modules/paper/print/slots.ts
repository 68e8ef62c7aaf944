/** How questions are answered on paper, and the room that this takes. */
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperItem } from '../compose/body.ts'
import { share } from '../compose/points.ts'

type Content = PracticeCard['content']

/** Questions whose answer is written out: they get room for it. */
export const WRITTEN: ReadonlySet<number> = new Set([4])
/** Height of the box of a written answer on the answer sheet, millimetres per point. */
const BOX_PER_POINT = 6
/** The least and the greatest height of such a box, in millimetres. */
const SMALLEST_BOX = 16
const LARGEST_BOX = 200
/** Height of a line to write a word or a number on, in millimetres. */
export const LINE_HEIGHT = 10

/** Where one numbered answer goes on the answer sheet. */
export type Slot =
  | { readonly kind: 'letters'; readonly number: string; readonly score: number; readonly letters: number; /** More than one of them may be right. */ readonly several?: true }
  | { readonly kind: 'lines'; readonly number: string; readonly score: number; readonly lines: number }
  | { readonly kind: 'box'; readonly number: string; readonly score: number; /** Millimetres. */ readonly height: number; /** What an essay is written on. */ readonly essay?: 'squares' | 'ruled' }
export type SlotOf<Kind extends Slot['kind']> = Extract<Slot, { kind: Kind }>

/** Kinds of questions that are answered by an essay: of foreign languages on lines, and Chinese in squares where there is much to write. */
const RULED = /书面表达|应用文|读后续写|概要写作|英语/
const SQUARES = /作文|写作/
const LEAST_ESSAY = 20

function essayOf({ category }: Content, score: number): SlotOf<'box'>['essay'] {
  if (category === null) return undefined
  if (RULED.test(category)) return 'ruled'
  return SQUARES.test(category) ? (score >= LEAST_ESSAY ? 'squares' : 'ruled') : undefined
}

function slotOf(content: Content, number: string, score: number, pool: number): Slot {
  const { answer, options } = content
  if (answer.k === 'one' || answer.k === 'many') return { kind: 'letters', number, score, ...(answer.k === 'many' && { several: true }), letters: Math.max(4, options.length || pool) }
  if (answer.k === 'blanks') return { kind: 'lines', number, score, lines: Math.max(answer.b.length, 1) }
  const essay = essayOf(content, score)
  return { kind: 'box', number, score, ...(essay && { essay }), height: Math.min(Math.max(score * BOX_PER_POINT, SMALLEST_BOX), LARGEST_BOX) }
}

type Scores = Pick<PaperItem, 'score' | 'sub_scores'>

/** Points of the parts of a question: as they were given, else as its own points are shared. */
const scoresOf = ({ children }: Content, { score, sub_scores }: Scores): number[] =>
  sub_scores.length === children.length ? sub_scores : share(score, children.map((child) => child.score ?? 0))

/** Points that are printed at a question and at its parts, where the heading does not say them; one part alone has those of the question. */
export const pointsOf = (content: Content, item: Scores): { points: number; childPoints: readonly number[] } => ({
  points: item.score, childPoints: content.children.length > 1 ? scoresOf(content, item) : [],
})

/** The places for the answers of one question: one for each of its children; `inner` when those stand inside its one number. */
export function slotsOf(content: Content, from: number, item: Scores, inner = false): Slot[] {
  const { children, options } = content
  if (children.length === 0) return [slotOf(content, String(from), item.score, 0)]
  const scores = scoresOf(content, item)
  return children.map((child, index) => slotOf(child, inner ? `${from}（${index + 1}）` : String(from + index), scores[index] ?? 0, options.length))
}
