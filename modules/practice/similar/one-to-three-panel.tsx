import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import type { PracticeCard, PracticeDetail } from '../bank/calls.ts'
import { editorPath } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { findAlike } from '../edit/calls.ts'
import { DifficultyTag } from '../ui/practice-card.tsx'
import { addOneToThree, listOneToThree, removeOneToThree } from './calls.ts'
import { PickDialog, searchSource, type PickSource } from './pick-dialog.tsx'

/** Where questions come from that practise the same thing. */
function sourcesOf(detail: PracticeDetail): PickSource[] {
  const main = detail.labels.find((label) => label.main) ?? detail.labels[0]
  return [
    {
      key: 'alike', label: '变式和相似', empty: '没有相似的试题',
      read: async (signal, except) => (await call(findAlike, { content: detail.content, cat_id: detail.subject_id, except_id: detail.id }, { signal, quiet: true, keepEmpty: true })).items
        .map(({ practice }) => practice).filter(({ id }) => !except.includes(id)),
    },
    ...(main ? [searchSource('label', '同知识点', '没有同知识点的试题', { label_ids: [main.id], pool: detail.pool, cat_id: detail.subject_id })] : []),
    searchSource('basket', '试题篮', '试题篮里没有本学科的试题', { basket: 1, cat_id: detail.subject_id }),
  ]
}

/** 举一反三: questions to practise the same thing again with, in their order. */
export function OneToThreePanel({ detail }: { detail: PracticeDetail }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  const queryKey = ['practice', detail.id, 'one-to-three']
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(listOneToThree, undefined, { params: { id: detail.id }, signal, quiet: true }) })
  const may = detail.can.includes('similar')
  const reload = () => client.invalidateQueries({ queryKey })
  const remove = async (row: PracticeCard) => {
    await call(removeOneToThree, { practice_id: detail.id, child_ids: [row.id] })
    void message.success(`已移除 ${row.no}`)
    await reload()
  }
  if (error) return <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  return (
    <div className="rail-panel">
      {may && <Button onClick={() => setAdding(true)}>添加举一反三</Button>}
      {data.items.map(({ practice, by }, index) => (
        <section key={practice.id} className="rail-alike">
          <header>
            <span className="bank-place">{index + 1}</span>
            <Button size="small" type="link" onClick={() => void navigate(editorPath(practice.level, practice.pool, practice.id))}>{practice.no}</Button><DifficultyTag value={practice.difficulty} />
            <small className="note">{by ?? '系统'} 添加</small>
            {may && <Button size="small" type="text" danger aria-label={`移除 ${practice.no}`} onClick={() => void remove(practice).catch(() => undefined)}>移除</Button>}
          </header>
          <QuestionView content={practice.content} answer="folded" />
        </section>
      ))}
      {data.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有举一反三" />}
      {adding && (
        <PickDialog title={`为 ${detail.no} 添加举一反三`} sources={sourcesOf(detail)} within={{ cat_id: detail.subject_id }} taken={[detail.id, ...data.items.map(({ practice }) => practice.id)]} onClose={() => setAdding(false)}
          onPick={(rows) => call(addOneToThree, { practice_id: detail.id, child_ids: rows.map(({ id }) => id) }).then(reload)} />
      )}
    </div>
  )
}
