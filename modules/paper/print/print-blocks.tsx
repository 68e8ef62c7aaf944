import type { ReactNode } from 'react'
import type { PracticeCard } from '../../practice/module.ts'
import { AnswerText, QuestionView } from '../../practice/door.tsx'
import type { PaperBody } from '../compose/body.ts'
import { numbered } from '../compose/heading.ts'
import type { PrintOptions } from './edition.ts'
import { BOX_PER_POINT, CHOICE, LARGEST_BOX, SMALLEST_BOX, WRITTEN } from './kinds.ts'

/** A piece of the printed paper that is not cut. */
export interface PrintBlock {
  readonly key: string
  readonly content: ReactNode
  readonly keepWithNext?: boolean
}

const Lines = ({ count }: { count: number }) => <div className="print-lines">{Array.from({ length: count }, (_, index) => <div key={index} />)}</div>

/** Rows of letters to be filled in, five questions in each group. */
function Bubbles({ from, to, letters }: { from: number; to: number; letters: number }) {
  return (
    <div className="print-bubbles">
      {Array.from({ length: to - from + 1 }, (_, index) => (
        <div key={index}><b>{from + index}</b>{Array.from({ length: letters }, (_letter, at) => <span key={at}>{String.fromCodePoint(65 + at)}</span>)}</div>
      ))}
    </div>
  )
}

interface Paper {
  name: string
  duration: number | null
  total: number
}

function Head({ paper, note }: { paper: Paper; note: string }) {
  return (
    <header className="print-head">
      <h1>{paper.name}</h1>
      <p>{[note, `满分 ${paper.total} 分`, ...(paper.duration ? [`考试用时 ${paper.duration} 分钟`] : [])].filter(Boolean).join('　')}</p>
    </header>
  )
}

type Cards = ReadonlyMap<number, PracticeCard>
type Build = (body: PaperBody, cards: Cards, options: PrintOptions) => PrintBlock[]

const numbersOf = (cards: Cards) => ({ practice_id }: { practice_id: number }) => cards.get(practice_id)?.content.children.length || 1

/** Headings and questions; `answer` adds what a teacher reads. */
const questions = (answer: 'shown' | 'none'): Build => (body, cards, options) => numbered(body, numbersOf(cards)).flatMap(({ section, heading, items }) => [
  { key: `heading ${section.key}`, keepWithNext: items.length > 0, content: <><h2>{heading}</h2>{section.instruction && <p>{section.instruction}</p>}</> },
  ...items.flatMap(({ item, from }): PrintBlock[] => {
    const card = cards.get(item.practice_id)
    if (!card) return []
    return [{
      key: `question ${item.practice_id}`,
      content: (
        <>
          <QuestionView content={card.content} number={from} answer={answer} />
          {answer === 'none' && WRITTEN.has(card.type) && options.blankLines > 0 && <Lines count={options.blankLines} />}
        </>
      ),
    }]
  }),
])

/** Numbers with answers, without the questions. */
const answers: Build = (body, cards) => numbered(body, numbersOf(cards)).flatMap(({ section, heading, items }) => [
  { key: `heading ${section.key}`, keepWithNext: items.length > 0, content: <h2>{heading}</h2> },
  ...items.flatMap(({ item, from }): PrintBlock[] => {
    const card = cards.get(item.practice_id)
    return card ? [{ key: `answer ${item.practice_id}`, content: <div className="print-answer"><b>{from}．</b><div><AnswerText content={card.content} /></div></div> }] : []
  }),
])

/** Letters to fill in, and boxes to write in. */
const sheet: Build = (body, cards) => numbered(body, numbersOf(cards)).flatMap(({ section, heading, items }) => {
  const known = items.flatMap((one) => {
    const card = cards.get(one.item.practice_id)
    return card ? [{ ...one, card }] : []
  })
  const letters = Math.max(4, ...known.map(({ card }) => card.content.options.length))
  const choices = known.filter(({ card }) => CHOICE.has(card.type))
  const written = known.filter(({ card }) => !CHOICE.has(card.type))
  return [
    { key: `heading ${section.key}`, keepWithNext: known.length > 0, content: <h2>{heading}</h2> },
    ...(choices.length > 0 ? [{ key: `bubbles ${section.key}`, content: <div className="print-bubble-frame">{choices.map(({ from, to }) => <Bubbles key={from} from={from} to={to} letters={letters} />)}</div> }] : []),
    ...written.map(({ item, from, to }): PrintBlock => ({
      key: `box ${item.practice_id}`,
      content: <div className="print-box" style={{ minHeight: `${Math.min(Math.max(item.score * BOX_PER_POINT, SMALLEST_BOX), LARGEST_BOX)}mm` }}><b>{from === to ? from : `${from}–${to}`}．</b>（{item.score} 分）</div>,
    })),
  ]
})

const BUILDS: Readonly<Record<PrintOptions['edition'], { build: Build; note: string }>> = {
  student: { build: questions('none'), note: '' },
  teacher: { build: questions('shown'), note: '教师版' },
  answers: { build: answers, note: '参考答案' },
  sheet: { build: sheet, note: '答题卡' },
}

/** What is printed, piece by piece. */
export function printBlocks(paper: Paper, body: PaperBody, cards: Cards, options: PrintOptions): PrintBlock[] {
  const { build, note } = BUILDS[options.edition]
  return [{ key: 'head', keepWithNext: true, content: <Head paper={paper} note={note} /> }, ...build(body, cards, options)]
}
