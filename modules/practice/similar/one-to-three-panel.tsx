import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Empty, Input, Modal, Segmented, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { searchPractices, type PracticeCard, type PracticeDetail } from '../bank/calls.ts'
import { editorPath, POOLS } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { findAlike } from '../edit/calls.ts'
import { DifficultyTag } from '../ui/practice-card.tsx'
import { addOneToThree, listOneToThree, removeOneToThree } from './calls.ts'

type Source = 'alike' | 'label' | 'basket' | 'search'

/** Questions that are offered at once. */
const OFFERED = 20

/** Questions that may stand below one, from where the person looks for them. */
function useOffered(detail: PracticeDetail, source: Source, keyword: string, taken: readonly number[]) {
  const main = detail.labels.find((label) => label.main) ?? detail.labels[0]
  return useQuery({
    queryKey: ['practices', 'one-to-three', detail.id, source, keyword, taken], placeholderData: keepPreviousData,
    enabled: (source !== 'search' || keyword !== '') && (source !== 'label' || main !== undefined),
    queryFn: async ({ signal }): Promise<PracticeCard[]> => {
      const except = [detail.id, ...taken]
      if (source === 'alike') {
        const { items } = await call(findAlike, { content: detail.content, cat_id: detail.subject_id, except_id: detail.id }, { signal, quiet: true, keepEmpty: true })
        return items.map(({ practice }) => practice).filter(({ id }) => !except.includes(id))
      }
      const where = source === 'label' ? { label_ids: main ? [main.id] : [], pool: detail.pool } : source === 'basket' ? { basket: 1 as const } : { keyword }
      return (await call(searchPractices, { ...where, cat_id: detail.subject_id, exclude_ids: except, page_size: OFFERED }, { signal, quiet: true })).items
    },
  })
}

function AddDialog({ detail, taken, onClose, onDone }: { detail: PracticeDetail; taken: readonly number[]; onClose: () => void; onDone: () => Promise<unknown> }) {
  const { message } = App.useApp()
  const [source, setSource] = useState<Source>('alike')
  const [keyword, setKeyword] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const { data, error, isFetching } = useOffered(detail, source, keyword, taken)
  const add = async () => {
    setBusy(true)
    try {
      await call(addOneToThree, { practice_id: detail.id, child_ids: [...chosen] })
      void message.success(`已添加 ${chosen.length} 道`)
      await onDone()
      onClose()
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  const nothing = { alike: '没有相似的试题', label: '没有同知识点的试题', basket: '试题篮里没有本学科的试题', search: keyword === '' ? '输入题号或题干中的文字' : '没有符合条件的试题' }[source]
  const offered = source === 'search' && keyword === '' ? [] : data ?? []
  return (
    <Modal open title={`为 ${detail.no} 添加举一反三`} width={760} okText={chosen.length > 0 ? `添加 ${chosen.length} 道` : '添加'} okButtonProps={{ disabled: chosen.length === 0 }} confirmLoading={busy} onOk={() => void add()} onCancel={onClose}>
      <div className="rail-panel">
        <Segmented<Source> aria-label="从哪里选" value={source} onChange={setSource} options={[{ value: 'alike', label: '变式和相似' }, { value: 'label', label: '同知识点' }, { value: 'basket', label: '试题篮' }, { value: 'search', label: '搜索' }]} />
        {source === 'search' && <Input.Search allowClear enterButton="搜索" placeholder="题号、题干、选项" aria-label="搜索要添加的试题" maxLength={100} onSearch={(text) => setKeyword(text.trim())} />}
        {error && <Alert type="error" title={error.message} />}
        <div className="similar-offer" aria-busy={isFetching}>
          {offered.map((row) => (
            <section key={row.id} className="rail-alike">
              <header>
                <Checkbox checked={chosen.includes(row.id)} onChange={(event) => setChosen(event.target.checked ? [...chosen, row.id] : chosen.filter((id) => id !== row.id))}>{row.no}</Checkbox>
                <DifficultyTag value={row.difficulty} /><Tag>{POOLS.find(({ value }) => value === row.pool)?.label}</Tag>
              </header>
              <QuestionView content={row.content} answer="folded" />
            </section>
          ))}
          {offered.length === 0 && (isFetching ? <Skeleton active /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={nothing} />)}
        </div>
      </div>
    </Modal>
  )
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
      {adding && <AddDialog detail={detail} taken={data.items.map(({ practice }) => practice.id)} onClose={() => setAdding(false)} onDone={reload} />}
    </div>
  )
}
