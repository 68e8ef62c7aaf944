import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Skeleton, Space, Tabs, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { RecordForm } from '../../../core/record/record-form.tsx'
import { Timeline } from '../../../core/record/timeline.tsx'
import { useRemoval } from '../../../core/record/use-removal.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { bankPath, POOLS } from '../bank/practice.ts'
import { formatSearch } from '../bank/search-state.ts'
import { levelOfSubject } from '../bank/number.ts'
import { SelectedPanel } from '../selected/selected-panel.tsx'
import { LabelTree } from '../ui/label-tree.tsx'
import { chapterLabels, saveChapterLabels } from './calls.ts'
import { chapter, MAX_CHAPTER_DEPTH } from './textbook.ts'
import { useReloadChapters } from './use-chapters.tsx'

const resource = chapter

/** One chapter: the labels that it teaches, its questions, and what can be done with it. */
export function ChapterPanel({ id, onShow }: { id: number; onShow: (id: number | undefined) => void }) {
  const { message } = App.useApp()
  const removal = useRemoval()
  const navigate = useNavigate()
  const reload = useReloadChapters()
  const [dialog, setDialog] = useState<'edit' | 'below'>()
  const found = useQuery({ queryKey: ['chapter-labels', id], queryFn: ({ signal }) => call(chapterLabels, undefined, { params: { id }, signal, quiet: true }) })
  const record = useQuery({ queryKey: ['record', 'chapter', id], queryFn: ({ signal }) => request<WireRow<typeof chapter>>('GET', `${resource.api.item}/${id}`, {}, { signal, quiet: true }) })
  const error = found.error ?? record.error
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => { void found.refetch(); void record.refetch() }}>重试</Button>} />
  if (!found.data || !record.data) return <Skeleton active />
  const { catalog, above, labels, suggested } = found.data
  const row = record.data
  const may = (action: 'edit' | 'remove') => row.can.includes(action)
  const subjectId = row.subject_id ?? 0
  const save = async (ids: number[]) => {
    await call(saveChapterLabels, { label_ids: ids }, { params: { id }, keepEmpty: true }).catch(() => undefined)
    await reload()
  }
  const ids = labels.map((label) => label.id)
  const remove = () => removal({
    path: `${resource.api.item}/${id}`, name: catalog.name,
    run: async () => {
      await request('DELETE', `${resource.api.item}/${id}`)
      void message.success('删除成功')
      onShow(catalog.pid ?? undefined)
      await reload()
    },
  }).catch(() => undefined)
  return (
    <article className="label-panel" aria-label={`章节 ${catalog.name}`}>
      <header>
        <small className="note">{above.map(({ name }) => name).join(' › ') || row.partwork_name}</small>
        <h2>{catalog.name}</h2>
        <Space wrap size={4}>
          {may('edit') && <Button type="primary" onClick={() => setDialog('edit')}>编辑</Button>}
          {may('edit') && catalog.depth + 1 < MAX_CHAPTER_DEPTH && <Button onClick={() => setDialog('below')}>新增下级</Button>}
          {may('remove') && <Button danger onClick={() => void remove()}>删除</Button>}
          {POOLS.map(({ value, label }) => <Button key={value} type="link" onClick={() => void navigate(`${bankPath(value, levelOfSubject(subjectId))}?${formatSearch({ cat_id: subjectId, catalog_ids: [id] })}`)}>{label}的试题</Button>)}
        </Space>
      </header>
      <Tabs items={[
        {
          key: 'labels', label: `知识点 ${labels.length}`,
          children: (
            <div className="chapter-labels">
              <ul className="rail-labels">
                {labels.map((label) => (
                  <li key={label.id}><span><b>{label.name}</b><small>{label.above.join(' › ')}</small></span>{may('edit') && <Button size="small" type="text" danger aria-label={`去掉 ${label.name}`} onClick={() => void save(ids.filter((one) => one !== label.id))}>×</Button>}</li>
                ))}
                {labels.length === 0 && <li className="none">还没有对应知识点</li>}
              </ul>
              {may('edit') && suggested.length > 0 && (
                <div className="suggested"><span className="note">名称相近：</span>{suggested.map((label) => <Button key={label.id} size="small" type="dashed" title={[...label.above, label.name].join(' › ')} onClick={() => void save([...ids, label.id])}>＋ {label.name}</Button>)}</div>
              )}
              {may('edit') && <LabelTree kind="knowledge" subjectId={subjectId} multiple selected={ids} height={360} onSelect={(next) => void save(next)} />}
            </div>
          ),
        },
        { key: 'selected', label: '精选题', children: <SelectedPanel at={{ scope: 'chapter', id, subjectId, labelIds: ids }} mayEdit={may('edit')} /> },
        { key: 'history', label: '动态', children: <Timeline resource={resource} row={row} onChanged={() => void reload()} /> },
      ]} />
      {catalog.practice_count > 0 && <p className="note">本章及下级共 <Tag>{catalog.practice_count}</Tag>道题</p>}
      {dialog === 'edit' && <RecordForm resource={resource} row={row} onClose={() => setDialog(undefined)} onSaved={() => void reload()} />}
      {dialog === 'below' && <RecordForm resource={resource} start={{ partwork_id: catalog.partwork_id, parent_id: id }} onClose={() => setDialog(undefined)} onSaved={(saved) => { void reload(); onShow(saved.id) }} />}
    </article>
  )
}
