import type { PracticeCard } from '../../practice/module.ts'
import { AnswerText, QuestionView } from '../../practice/door.tsx'
import { Lines, type PrintBlock } from '../../paper/door.tsx'
import { numbersOf, type Layout, type Piece } from './pieces.ts'

/** What is printed of a material, piece by piece. */
export function materialBlocks(pieces: readonly Piece[], layout: Layout, cards: ReadonlyMap<number, PracticeCard>): PrintBlock[] {
  const numbers = numbersOf(pieces, (id) => cards.get(id)?.content.children.length ?? 1)
  const body = pieces.flatMap(({ key, kind, ref_id, text, page, lines }): PrintBlock[] => {
    const breaks = page && { breakBefore: true }
    if (kind !== 'practice') return [{ key, keepWithNext: true, ...breaks, content: kind === 'heading' ? <h2 className="bc-print-heading">{text}</h2> : <p className="bc-print-text">{text}</p> }]
    const card = cards.get(ref_id)
    if (!card) return []
    const answered = layout.answers === 'after'
    return [{ key, ...breaks, content: <><QuestionView content={card.content} number={numbers.get(key)?.from ?? 1} through answer={answered ? 'shown' : 'none'} />{!answered && lines > 0 && <Lines count={lines} />}</> }]
  })
  if (layout.answers !== 'apart') return body
  const answers = pieces.flatMap(({ key, kind, ref_id }): PrintBlock[] => {
    const card = kind === 'practice' ? cards.get(ref_id) : undefined
    const from = numbers.get(key)?.from ?? 1
    return card ? [{ key: `answer ${key}`, content: <div className="print-answer">{card.content.children.length === 0 && <b>{from}．</b>}<div><AnswerText content={card.content} from={from} /></div></div> }] : []
  })
  return answers.length === 0 ? body : [...body, { key: 'answers', keepWithNext: true, breakBefore: true, content: <h2 className="bc-print-heading">参考答案</h2> }, ...answers]
}
