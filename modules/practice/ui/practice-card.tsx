import { StarFilled, StarOutlined } from '@ant-design/icons'
import { Button, Checkbox, Space, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'
import type { PracticeCard } from '../bank/calls.ts'
import { difficultyBand, STATUSES } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { SOURCES, TYPES } from '../content/question.ts'
import { FLAG_LABELS } from '../stat/flags.ts'

/** Where a question comes from, in one line: source, paper, year, region. */
export function sourceWords(row: Pick<PracticeCard, 'source' | 'source_paper' | 'source_order' | 'source_years' | 'exam_region_id'>): string {
  const region = EXAM_REGIONS.find(({ id }) => id === row.exam_region_id)?.name
  return [row.source && choiceLabel(SOURCES, row.source), row.source_years.join('、'), region, row.source_paper && `${row.source_paper}${row.source_order ? ` 第 ${row.source_order} 题` : ''}`].filter(Boolean).join(' · ')
}

export const DifficultyTag = ({ value }: { value: number | null }) => {
  const known = difficultyBand(value)
  return known ? <Tag color={known.tone}>{known.label}</Tag> : <Tag>未定难度</Tag>
}

interface Props {
  row: PracticeCard
  /** Place in the list, from 1. */
  place: number
  selected: boolean
  /** Whether the keyboard works on it. */
  current: boolean
  onSelect: (on: boolean) => void
  onBasket: () => void
  actions: ReactNode
}

/** A question as learners see it, with what is known about it above and what can be done with it below. */
export function PracticeCardView({ row, place, selected, current, onSelect, onBasket, actions }: Props) {
  const { stat } = row
  return (
    <article className="bank-card" aria-label={`试题 ${row.no}`} data-current={current} data-id={row.id}>
      <header>
        <Checkbox checked={selected} onChange={(event) => onSelect(event.target.checked)} aria-label={`选择 ${row.no}`} />
        <span className="bank-place">{place}</span>
        <span className="bank-no figure">{row.no}</span>
        <Tag>{row.category_name ?? choiceLabel(TYPES, row.type)}</Tag>
        <DifficultyTag value={row.difficulty} />
        <StateWord choices={STATUSES} value={row.status} />
        {row.urgent === 1 && <Tag color="error">加急</Tag>}
        {row.report_count > 0 && <Tag color="error">报错 {row.report_count}</Tag>}
        {stat?.flags.map((flag) => <Tag key={flag} color="warning">{FLAG_LABELS[flag] ?? flag}</Tag>)}
        <span className="bank-source">{sourceWords(row)}</span>
      </header>
      <QuestionView content={row.content} answer="folded" />
      <footer>
        <div className="bank-labels">
          {row.labels.length === 0 ? <span className="none">没有标签</span> : row.labels.map((label) => <Tag key={label.id} className={label.main ? 'label-main' : undefined} variant={label.kind === 'practice' ? 'outlined' : 'filled'}>{label.name}</Tag>)}
        </div>
        <div className="bank-facts">
          <span>录入 {row.owner_name ?? '—'}</span>
          {row.verifier1_name && <span>校对 {[row.verifier1_name, row.verifier2_name].filter(Boolean).join('、')}</span>}
          {row.assignee_name && <span>指派 {row.assignee_name}</span>}
          {row.ref_count > 0 && <span>引用 {row.ref_count} 处</span>}
          {row.pool === 'official' && <span>使用 {row.use_count} 次</span>}
          {stat && stat.facility !== null && <span>得分率 {Math.round(stat.facility * 100)}%</span>}
          {stat && stat.discrimination !== null && <span>区分度 {stat.discrimination.toFixed(2)}</span>}
          {row.quality !== null && <span>质量分 {row.quality}</span>}
          <time className="figure">{formatTime(row.updated_at).slice(0, 16)}</time>
        </div>
        <Space wrap size={4} className="bank-actions">
          {actions}
          <Tooltip title={row.in_basket ? '移出试题篮（B）' : '加入试题篮（B）'}>
            <Button size="small" type="text" icon={row.in_basket ? <StarFilled className="in-basket" /> : <StarOutlined />} aria-label={row.in_basket ? `把 ${row.no} 移出试题篮` : `把 ${row.no} 加入试题篮`} aria-pressed={row.in_basket} onClick={onBasket} />
          </Tooltip>
        </Space>
      </footer>
    </article>
  )
}
