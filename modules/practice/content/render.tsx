import { useState, type ReactNode } from 'react'
import { answerLetters, optionLetter, withHolesFrom, type AnswerPart, type Option, type OptionLayout, type QuestionContent } from './question.ts'
import './question.css'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { RichLine, RichText } from '../../../core/rich-text/rich-text.tsx'

const LAYOUT_NAMES: Readonly<Record<OptionLayout, string>> = { 1: 'column', 2: 'row', 3: 'grid' }

function Options({ options, layout, marked }: { options: readonly Option[]; layout: OptionLayout; marked: readonly string[] }) {
  if (options.length === 0) return null
  return (
    <ol className={`question-options question-options-${LAYOUT_NAMES[layout]}`}>
      {options.map((option, index) => (
        <li key={option.id} className={marked.includes(option.id) ? 'question-option-right' : undefined}>
          <span className="question-letter">{optionLetter(index)}．</span>
          <RichLine doc={option.doc} />
        </li>
      ))}
    </ol>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return <div className="question-row"><span className="question-row-label">{label}</span><div>{children}</div></div>
}

function Part({ part, single }: { part: AnswerPart; single: boolean }) {
  return (
    <div className="question-part">
      {!single && part.no > 0 && <span>（{part.no}）</span>}
      <RichLine doc={part.ref} />
      {part.score !== undefined && <span className="question-points">（{part.score} 分）</span>}
      {part.steps.length > 0 && <ul>{part.steps.map((step, index) => <li key={index}><RichLine doc={step.text} /> <span className="question-points">{step.score} 分</span></li>)}</ul>}
    </div>
  )
}

/** The right answer of one question, in words; `from` is the number of the first of its children where they are numbered through a paper. */
export function AnswerText({ content, pool = [], from = 1 }: { content: QuestionContent; pool?: readonly Option[]; from?: number }) {
  const { answer } = content
  if (answer.k === 'sub') return content.children.map((child, index) => <Row key={index} label={`${from + index}．`}><AnswerText content={child} pool={content.options} /></Row>)
  if (answer.k === 'free') return answer.parts.map((part) => <Part key={part.no} part={part} single={answer.parts.length === 1} />)
  if (answer.k === 'blanks') {
    return (
      <ol className="question-blanks">
        {answer.b.map((blank) => (
          <li key={blank.id}>
            {blank.accept.map((doc, index) => <span key={index}>{index > 0 && ' 或 '}<RichLine doc={doc} /></span>)}
            {blank.group !== undefined && <span className="question-points">（可互换）</span>}
          </li>
        ))}
      </ol>
    )
  }
  return <span>{answerLetters({ options: content.options.length > 0 ? content.options : [...pool], answer }) || '—'}</span>
}

const SECTIONS: readonly (readonly [keyof QuestionContent['analysis'], string])[] = [['hint', '思路'], ['solution', '详解'], ['comment', '点评'], ['pitfall', '易错']]

function Solution({ content, from }: { content: QuestionContent; from: number }) {
  return (
    <div className="question-solution">
      <Row label="答案"><AnswerText content={content} from={from} /></Row>
      {SECTIONS.map(([key, label]) => {
        const doc: RichDoc | null = content.analysis[key]
        return doc && <Row key={key} label={label}><RichText doc={doc} /></Row>
      })}
      {content.children.map((child, index) => SECTIONS.some(([key]) => child.analysis[key]) && (
        <Row key={index} label={from === 1 ? `第 ${index + 1} 小题` : `第 ${from + index} 题`}>{SECTIONS.map(([key]) => <RichText key={key} doc={child.analysis[key]} />)}</Row>
      ))}
    </div>
  )
}

export interface QuestionViewProps {
  content: QuestionContent
  /** Number in front of it, e.g. 3 in a paper. */
  number?: number
  /** Whether its children are numbered on from there, as a paper does; else （1）（2） inside it. */
  through?: boolean
  /** Points behind the number, where a heading does not say them. */
  points?: number
  /** Those of its children, likewise. */
  childPoints?: readonly number[]
  /** Shown always, on demand (a button), or not at all. */
  answer?: 'shown' | 'folded' | 'none'
}

/** A question as learners see it: passage, stem, options, children; then the answer and its explanation. */
export function QuestionView({ content: given, number, through = false, points, childPoints = [], answer = 'none' }: QuestionViewProps) {
  const [open, setOpen] = useState(false)
  const from = through ? number ?? 1 : 1
  const content = withHolesFrom(given, from)
  const own = through && content.children.length > 0
  /** A passage of one question has its points there, where its number is. */
  const alone = own && content.children.length === 1
  const ofChild = (index: number) => childPoints[index] ?? (alone ? points : undefined)
  const shown = answer === 'shown' || (answer === 'folded' && open)
  const right = shown ? (content.answer.k === 'one' ? [content.answer.ok ?? ''] : content.answer.k === 'many' ? content.answer.ok : []) : []
  return (
    <article className="question">
      <div className="question-stem">
        {number !== undefined && !alone && <span className="question-number">{own ? `${from}～${from + content.children.length - 1}` : number}．{points !== undefined && `（${points} 分）`}</span>}
        <div>
          <RichText doc={content.stem} />
          <Options options={content.options} layout={content.option_layout} marked={right} />
          {content.children.map((child, index) => (
            // A hole of a text has its options only; its words are the text.
            child.stem === null && child.options.length === 0 ? null : (
              <div key={index} className="question-child">
                <span className="question-number">{own || content.type === 5 ? `${from + index}．` : `（${index + 1}）`}{ofChild(index) !== undefined && `（${ofChild(index)} 分）`}</span>
                <div>
                  <RichText doc={child.stem} />
                  <Options options={child.options} layout={child.option_layout} marked={shown && child.answer.k === 'one' ? [child.answer.ok ?? ''] : shown && child.answer.k === 'many' ? child.answer.ok : []} />
                </div>
              </div>
            )
          ))}
        </div>
      </div>
      {answer === 'folded' && <button type="button" className="question-fold" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? '收起答案' : '查看答案'}</button>}
      {shown && <Solution content={content} from={from} />}
    </article>
  )
}
