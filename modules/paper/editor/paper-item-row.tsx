import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { DeleteOutlined, DownOutlined, HolderOutlined, SwapOutlined, UpOutlined } from '@ant-design/icons'
import { Button, InputNumber, Space, Tag, Tooltip } from 'antd'
import { SubScores } from './sub-scores.tsx'
import { memo } from 'react'
import type { PaperCard } from '../calls.ts'
import { difficultyBand } from '../../practice/module.ts'
import { QuestionView } from '../../practice/door.tsx'
import type { PaperItem } from '../compose/body.ts'

export interface ItemActions {
  /** `subScores` are the points of its sub-questions, when those were given out. */
  readonly onScore: (score: number, subScores?: number[]) => void
  readonly onUpdate: () => void
  readonly onMove: (by: -1 | 1) => void
  readonly onReplace: () => void
  readonly onRemove: () => void
}

interface Props extends ItemActions {
  item: PaperItem
  card: PaperCard | undefined
  /** Among how many papers it was looked for. */
  recent: number
  from: number
  to: number
  answers: boolean
  editable: boolean
  /** Whether the questions of a passage are numbered through the paper. */
  through: boolean
}

/** A question in its place, with what can be done to it. Drawn again only when it changes itself. */
export const PaperItemRow = memo(function PaperItemRow({ item, card, recent, from, to, answers, editable, through, onScore, onUpdate, onMove, onReplace, onRemove }: Props) {
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id: item.practice_id, disabled: !editable })
  const number = from === to ? `第 ${from} 题` : `第 ${from}–${to} 题`
  return (
    <li ref={setNodeRef} id={`paper-item-${item.practice_id}`} className={isDragging ? 'paper-item paper-item-dragged' : 'paper-item'} style={{ transform: CSS.Translate.toString(transform), transition }}>
      <div className="paper-item-bar">
        <Space size={4}>
          {editable && <Button {...attributes} {...listeners} type="text" size="small" icon={<HolderOutlined />} aria-label={`拖动${number}`} className="paper-handle" />}
          <span>{number}</span>
          {card && <Tag>{card.category_name ?? '未分类'}</Tag>}
          {card?.difficulty && <Tag color={difficultyBand(card.difficulty)?.tone}>{difficultyBand(card.difficulty)?.label}</Tag>}
          {card && card.repeats > 0 && <Tooltip title={`近 ${recent} 卷中出现 ${card.repeats} 次`}><Tag color="warning">重复</Tag></Tooltip>}
          {card && card.latest !== item.version_no && (
            <Tooltip title={`试卷用的是第 ${item.version_no} 版，题库已是第 ${card.latest} 版`}>
              {editable ? <Button size="small" type="link" onClick={onUpdate} aria-label={`${number}更新到新版本`}>有新版本，更新</Button> : <Tag color="processing">有新版本</Tag>}
            </Tooltip>
          )}
        </Space>
        <Space size={4}>
          {editable
            ? <InputNumber size="small" min={0} max={300} step={0.5} value={item.score} aria-label={`${number}分值`} suffix="分" onChange={(value) => value !== null && Math.round(value * 2) === value * 2 && value !== item.score && onScore(value)} className="paper-score" />
            : <span>{item.score} 分</span>}
          {editable && card && <SubScores item={item} card={card} from={from} through={through} label={number} onScore={onScore} />}
          {editable && (
            <>
              <Tooltip title="上移"><Button type="text" size="small" icon={<UpOutlined />} aria-label={`上移${number}`} onClick={() => onMove(-1)} /></Tooltip>
              <Tooltip title="下移"><Button type="text" size="small" icon={<DownOutlined />} aria-label={`下移${number}`} onClick={() => onMove(1)} /></Tooltip>
              <Tooltip title="换一题"><Button type="text" size="small" icon={<SwapOutlined />} aria-label={`换掉${number}`} onClick={onReplace} /></Tooltip>
              <Tooltip title="移除"><Button type="text" size="small" danger icon={<DeleteOutlined />} aria-label={`移除${number}`} onClick={onRemove} /></Tooltip>
            </>
          )}
        </Space>
      </div>
      {card ? <QuestionView content={card.content} number={from} through={through} answer={answers ? 'shown' : 'none'} /> : <p className="paper-faint">试题已被删除，请移除或更换。</p>}
    </li>
  )
})
