import { QRCode } from 'antd'
import type { ReactNode } from 'react'
import type { PracticeCard } from '../../practice/module.ts'
import { AnswerText, QuestionView } from '../../practice/door.tsx'
import { isInner, type PaperBody } from '../compose/body.ts'
import { numbered } from '../compose/heading.ts'
import { fitted } from './fit.ts'
import { frontOf, markColumns, NOTICES, noticesOf } from './front.ts'
import type { PrintOptions } from './edition.ts'
import { pointsOf, WRITTEN } from './slots.ts'

/** A piece of the printed paper that is not cut. */
export interface PrintBlock {
  readonly key: string
  readonly content: ReactNode
  readonly keepWithNext?: boolean
  /** A new page begins with it. */
  readonly breakBefore?: boolean
}

/** Lines to write on. */
export const Lines = ({ count }: { count: number }) => <div className="print-lines">{Array.from({ length: count }, (_, index) => <div key={index} />)}</div>

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

/** What stands above the title, and below it: as the paper's skeleton has it. */
function frontBlocks(paper: Paper, body: PaperBody, note: string): PrintBlock[] {
  const front = frontOf(body)
  const columns = markColumns(body)
  const notices = noticesOf(front)
  return [
    ...(front.secret || front.school || front.logo ? [{ key: 'school', keepWithNext: true, content: (
      <>
        {front.secret && <p className="print-secret">{front.secret}</p>}
        {(front.school || front.logo) && <p className="print-school">{front.logo && <img src={front.logo} alt="校徽" />}{front.school}</p>}
      </>
    ) }] : []),
    { key: 'head', keepWithNext: true, content: <Head paper={paper} note={note} /> },
    ...(front.marks && columns.length > 1 ? [{ key: 'marks', content: (
      <table className="print-marks"><tbody>
        <tr><th>题号</th>{columns.map((column) => <th key={column}>{column}</th>)}</tr>
        <tr><th>得分</th>{columns.map((column) => <td key={column}>{'　'}</td>)}</tr>
      </tbody></table>
    ) }] : []),
    ...(notices.length > 0 ? [{ key: 'notices', content: <div className="print-notices"><b>{NOTICES}</b>{notices.map((text) => <p key={text}>{text}</p>)}</div> }] : []),
  ]
}

type Cards = ReadonlyMap<number, PracticeCard>
type Build = (body: PaperBody, cards: Cards, options: PrintOptions) => PrintBlock[]

const numbersOf = (cards: Cards) => ({ practice_id }: { practice_id: number }) => cards.get(practice_id)?.content.children.length || 1

/** Headings and questions; `answer` adds what a teacher reads. */
const questions = (answer: 'shown' | 'none'): Build => (body, cards, options) => numbered(body, numbersOf(cards)).flatMap(({ section, heading, even, items }) => [
  { key: `heading ${section.key}`, keepWithNext: items.length > 0, content: <>{section.part && <p className="print-part">{section.part}</p>}<h2>{heading}</h2>{section.instruction && <p className="print-told">{section.instruction}</p>}</> },
  ...items.flatMap(({ item, from }): PrintBlock[] => {
    const card = cards.get(item.practice_id)
    if (!card) return []
    return [{
      key: `question ${item.practice_id}`,
      content: (
        <>
          {options.codes && card.video && <div className="print-code"><QRCode value={new URL(card.video, location.origin).href} type="svg" size={64} bordered={false} color="#000" bgColor="#fff" /><span>扫码看讲解</span></div>}
          <QuestionView content={fitted(card.content)} number={from} through={!isInner(section)} answer={answer} {...(!even && pointsOf(card.content, item))} />
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
    return card ? [{ key: `answer ${item.practice_id}`, content: <div className="print-answer">{(isInner(section) || card.content.children.length === 0) && <b>{from}．</b>}<div><AnswerText content={card.content} from={isInner(section) ? 1 : from} /></div></div> }] : []
  }),
])

const BUILDS: Readonly<Record<Exclude<PrintOptions['edition'], 'sheet'>, { build: Build; note: string }>> = {
  student: { build: questions('none'), note: '' },
  teacher: { build: questions('shown'), note: '教师版' },
  answers: { build: answers, note: '参考答案' },
}

/** What is printed, piece by piece; an answer card is laid out by its own geometry. */
export function printBlocks(paper: Paper, body: PaperBody, cards: Cards, options: PrintOptions): PrintBlock[] {
  if (options.edition === 'sheet') return []
  const { build, note } = BUILDS[options.edition]
  const top = options.edition === 'answers' ? [{ key: 'head', keepWithNext: true, content: <Head paper={paper} note={note} /> }] : frontBlocks(paper, body, note)
  return [...top, ...build(body, cards, options)]
}
