import { Button, InputNumber, Popover } from 'antd'
import type { PracticeCard } from '../../practice/module.ts'
import { sum, type PaperItem } from '../compose/body.ts'
import { pointsOf } from '../compose/heading.ts'

interface Props {
  item: PaperItem
  card: PracticeCard
  /** Number of the question. */
  from: number
  through: boolean
  label: string
  onScore: (score: number, subScores: number[]) => void
}

/** Names of what a question is made of: the numbers of a passage's questions, or the parts of a written answer. */
function partsOf({ content: { children, answer } }: PracticeCard, from: number, through: boolean): string[] {
  if (children.length > 0) return children.map((_, index) => (through ? `第 ${from + index} 题` : `（${index + 1}）`))
  return answer.k === 'free' && answer.parts.length > 1 ? answer.parts.map(({ no }) => `（${no}）`) : []
}

/** Points of the sub-questions of one question; the question's own points are their sum. */
export function SubScores({ item, card, from, through, label, onScore }: Props) {
  const parts = partsOf(card, from, through)
  if (parts.length < 2) return null
  const points = pointsOf(item, parts.length)
  return (
    <Popover trigger="click" placement="bottomRight" title={`${label}各小题分值，合计 ${sum(points)} 分`} content={(
      <div className="paper-sub-scores">
        {parts.map((name, index) => (
          <label key={name}>
            <span>{name}</span>
            <InputNumber size="small" min={0} max={100} step={0.5} value={points[index] ?? 0} suffix="分" aria-label={`${label}${name}分值`} onChange={(value) => {
              if (value === null || Math.round(value * 2) !== value * 2 || value === points[index]) return
              const next = points.with(index, value)
              onScore(sum(next), next)
            }} />
          </label>
        ))}
      </div>
    )}>
      <Button size="small" aria-label={`${label}小题分值`}>小题</Button>
    </Popover>
  )
}
