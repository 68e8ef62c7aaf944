import { Table, Tag, type TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatTime } from '../../../core/field/time.ts'
import type { PracticeCard } from '../bank/calls.ts'
import { STATUSES } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { RichLine } from '../../../core/rich-text/rich-text.tsx'
import { TYPES } from '../content/question.ts'
import { DifficultyTag, sourceWords } from './practice-card.tsx'

interface Props {
  rows: readonly PracticeCard[]
  loading: boolean
  selected: readonly number[]
  onSelect: (ids: number[]) => void
  actions: (row: PracticeCard) => ReactNode
  official: boolean
  wide: boolean
}

/** A bank as a table; a row opens to the whole question. */
export function PracticeTable({ rows, loading, selected, onSelect, actions, official, wide }: Props) {
  const columns: TableColumnType<PracticeCard>[] = [
    { title: '题号', dataIndex: 'no', width: 120, className: 'figure', ...(wide && { fixed: 'start' as const }) },
    { title: '题干摘要', key: 'stem', width: 380, render: (_, row) => <div className="bank-stem"><RichLine doc={row.content.stem} /></div> },
    { title: '题型', key: 'type', width: 100, render: (_, row) => row.category_name ?? choiceLabel(TYPES, row.type) },
    { title: '难度', key: 'difficulty', width: 80, render: (_, row) => <DifficultyTag value={row.difficulty} /> },
    { title: '知识点', key: 'labels', width: 200, render: (_, row) => row.labels.filter((label) => label.kind === 'knowledge').map((label) => <Tag key={label.id} className={label.main ? 'label-main' : undefined}>{label.name}</Tag>) },
    { title: '来源', key: 'source', width: 200, ellipsis: true, render: (_, row) => sourceWords(row) },
    { title: '状态', key: 'status', width: 90, render: (_, row) => <StateWord choices={STATUSES} value={row.status} /> },
    { title: '质量分', dataIndex: 'quality', width: 80, align: 'right', className: 'figure' },
    { title: '录入 / 校对', key: 'people', width: 160, ellipsis: true, render: (_, row) => [row.owner_name ?? '—', row.verifier1_name].filter(Boolean).join(' / ') },
    { title: '引用', dataIndex: 'ref_count', width: 70, align: 'right', className: 'figure' },
    ...(official ? [
      { title: '使用', dataIndex: 'use_count', width: 80, align: 'right' as const, className: 'figure' },
      { title: '得分率', key: 'facility', width: 80, align: 'right' as const, render: (_: unknown, row: PracticeCard) => (row.stat?.facility == null ? '—' : `${Math.round(row.stat.facility * 100)}%`) },
      { title: '区分度', key: 'discrimination', width: 80, align: 'right' as const, render: (_: unknown, row: PracticeCard) => row.stat?.discrimination?.toFixed(2) ?? '—' },
      { title: '报错', key: 'reports', width: 70, align: 'right' as const, className: 'figure', render: (_: unknown, row: PracticeCard) => row.report_count || '—' },
    ] : []),
    { title: '更新', key: 'updated_at', width: 150, render: (_, row) => <time className="figure">{formatTime(row.updated_at).slice(0, 16)}</time> },
    { title: '操作', key: 'actions', width: 230, ...(wide && { fixed: 'end' as const }), render: (_, row) => <span className="row-actions">{actions(row)}</span> },
  ]
  return (
    <Table<PracticeCard> rowKey="id" size="middle" loading={loading && { delay: 200 }} columns={columns} dataSource={[...rows]} pagination={false} sticky={{ offsetHeader: 0 }}
      scroll={{ x: columns.reduce((sum, column) => sum + Number(column.width), 90) }} locale={{ emptyText: ' ' }}
      expandable={{ expandedRowRender: (row) => <QuestionView content={row.content} answer="shown" /> }}
      rowSelection={{ selectedRowKeys: [...selected], onChange: (keys) => onSelect(keys.map(Number)), preserveSelectedRowKeys: true, columnWidth: 44 }} />
  )
}
