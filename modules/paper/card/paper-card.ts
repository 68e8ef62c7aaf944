/** What a paper's answer card is made of, and what each of its places asks. Pure. */
import type { PracticeCard } from '../../practice/module.ts'
import { isInner, type PaperBody } from '../compose/body.ts'
import { numbered } from '../compose/heading.ts'
import { slotsOf } from '../print/slots.ts'
import type { CardPaper } from './layout.ts'

/** One answer of a card: whose points it gives, and what is right. Kept with the card, in the order of its places. */
export interface CardQuestion {
  readonly number: string
  readonly practice_id: number
  readonly kind: 'letters' | 'lines' | 'box'
  readonly score: number
  /** Ids of the options in the order of the letters, and of the right ones; empty for what is written. */
  readonly options: readonly string[]
  readonly right: readonly string[]
  /** How several right answers are marked. */
  readonly rule: 'one' | 'all' | 'partial' | 'gaokao'
  /** Whether its place is a part of a question: the bank knows only the whole. */
  readonly part: boolean
}

type Content = PracticeCard['content']

function keyOf({ answer, options }: Content, pool: Content['options']): Pick<CardQuestion, 'options' | 'right' | 'rule'> {
  const ids = (options.length > 0 ? options : pool).map(({ id }) => id)
  if (answer.k === 'one') return { options: ids, right: answer.ok === null ? [] : [answer.ok], rule: 'one' }
  if (answer.k === 'many') return { options: ids, right: answer.ok, rule: answer.rule }
  return { options: [], right: [], rule: 'one' }
}

/** The card of a paper: what is laid out, and what is asked where. */
export function cardOf(name: string, body: PaperBody, cards: ReadonlyMap<number, PracticeCard>): { paper: CardPaper; questions: CardQuestion[] } {
  const questions: CardQuestion[] = []
  const sections = numbered(body, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1).map(({ section, heading, items }) => ({
    heading,
    slots: items.flatMap(({ item, from }) => {
      const content = cards.get(item.practice_id)?.content
      if (!content) return []
      const slots = slotsOf(content, from, item, isInner(section))
      slots.forEach((slot, at) => {
        const own = content.children[at] ?? content
        questions.push({ number: slot.number, practice_id: item.practice_id, kind: slot.kind, score: slot.score, part: content.children.length > 0, ...keyOf(own, content.options) })
      })
      return slots
    }),
  }))
  return { paper: { name, sections }, questions }
}

/** spec 9 and the gaokao's own rule: what was chosen of what is right. Nothing is right where no answer is known. */
export function scoreChoice({ right, options, rule, score }: Pick<CardQuestion, 'right' | 'options' | 'rule' | 'score'>, letters: readonly string[]): number {
  const chosen = letters.map((letter) => options[(letter.codePointAt(0) ?? 0) - 65])
  if (right.length === 0 || chosen.length === 0 || chosen.some((id) => id === undefined || !right.includes(id))) return 0
  if (chosen.length === right.length) return score
  if (rule === 'one' || rule === 'all') return 0
  // Half for some of them; the gaokao gives each right one its share.
  const points = rule === 'gaokao' ? (score * chosen.length) / right.length : score / 2
  return Math.floor(points * 2) / 2
}
