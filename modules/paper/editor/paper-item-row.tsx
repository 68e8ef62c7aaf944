import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { DeleteOutlined, DownOutlined, HolderOutlined, SwapOutlined, UpOutlined } from '@ant-design/icons'
import { Button, InputNumber, Space, Tag, Tooltip } from 'antd'
import { memo } from 'react'
import { choiceLabel } from '../../../core/field/choice.ts'
import { DIFFICULTIES, type PracticeCard } from '../../practice/module.ts'
import { QuestionView } from '../../practice/door.tsx'
import type { PaperItem } from '../compose/body.ts'

export interface ItemActions {
  readonly onScore: (score: number) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onReplace: () => void
  readonly onRemove: () => void
}

interface Props extends ItemActions {
  item: PaperItem
  card: (PracticeCard & { repeats: number }) | undefined
  from: number
  to: number
  answers: boolean
  editable: boolean
}

/** A question in its place, with what can be done to it. Drawn again only when it changes itself. */
export const PaperItemRow = memo(function PaperItemRow({ item, card, from, to, answers, editable, onScore, onMove, onReplace, onRemove }: Props) {
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id: item.practice_id, disabled: !editable })
  const number = from === to ? `第 ${from} 题` : `第 ${from}–${to} 题`
  return (
    <li ref={setNodeRef} id={`paper-item-${item.practice_id}`} className={isDragging ? 'paper-item paper-item-dragged' : 'paper-item'} style={{ transform: CSS.Translate.toString(transform), transition }}>
      <div className="paper-item-bar">
        <Space size={4}>
          {editable && <Button {...attributes} {...listeners} type="text" size="small" icon={<HolderOutlined />} aria-label={`拖动${number}`} className="paper-handle" />}
          <span>{number}</span>
          {card && <Tag>{card.category_name ?? '未分类'}</Tag>}
          {card?.difficulty && <Tag color={DIFFICULTIES.find(({ value }) => value === card.difficulty)?.tone}>{choiceLabel(DIFFICULTIES, card.difficulty)}</Tag>}
          {card && card.repeats > 0 && <Tooltip title={`近 10 卷中出现 ${card.repeats} 次`}><Tag color="warning">重复</Tag></Tooltip>}
          {card && card.version_no !== item.version_no && <Tooltip title="试题已有新版本，移除后重新加入即可更新"><Tag color="processing">有新版本</Tag></Tooltip>}
        </Space>
        <Space size={4}>
          {editable
            ? <InputNumber size="small" min={0} max={300} step={0.5} value={item.score} aria-label={`${number}分值`} suffix="分" onChange={(value) => value !== null && Math.round(value * 2) === value * 2 && value !== item.score && onScore(value)} className="paper-score" />
            : <span>{item.score} 分</span>}
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
      {card ? <QuestionView content={card.content} number={from} answer={answers ? 'shown' : 'none'} /> : <p className="paper-faint">试题已被删除，请移除或更换。</p>}
    </li>
  )
})
