import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, App, Checkbox, Empty, Input, Modal, Segmented, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { searchPractices, type PracticeCard, type Search } from '../bank/calls.ts'
import { POOLS } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { DifficultyTag } from '../ui/practice-card.tsx'

/** A place to choose questions from. */
export interface PickSource {
  key: string
  label: string
  /** What is said when it holds nothing. */
  empty: string
  read: (signal: AbortSignal, except: readonly number[]) => Promise<PracticeCard[]>
}

/** Questions that are offered at once. */
const OFFERED = 30

/** A source that is a search of the bank. */
export const searchSource = (key: string, label: string, empty: string, search: Search): PickSource => ({
  key, label, empty, read: async (signal, except) => (await call(searchPractices, { ...search, exclude_ids: [...except], page_size: OFFERED }, { signal, quiet: true })).items,
})

interface Props {
  title: string
  sources: readonly PickSource[]
  /** Where a search by words looks. */
  within: Search
  /** Questions that are not offered. */
  taken: readonly number[]
  /** Whether one question is chosen, for something that is asked afterwards. */
  single?: boolean
  onClose: () => void
  /** Rejects when they could not be taken: the choice then stays. */
  onPick: (rows: readonly PracticeCard[]) => Promise<unknown>
}

/** Chooses questions from one of several places, or by words. */
export function PickDialog({ title, sources, within, taken, single = false, onClose, onPick }: Props) {
  const { message } = App.useApp()
  const [at, setAt] = useState(sources[0]?.key ?? 'search')
  const [keyword, setKeyword] = useState('')
  const [chosen, setChosen] = useState<readonly PracticeCard[]>([])
  const [busy, setBusy] = useState(false)
  const source = at === 'search' ? searchSource('search', '搜索', '没有符合条件的试题', { ...within, keyword }) : sources.find(({ key }) => key === at)
  const asked = source !== undefined && (at !== 'search' || keyword !== '')
  const { data, error, isFetching } = useQuery({ queryKey: ['practices', 'pick', title, at, keyword, taken], enabled: asked, placeholderData: keepPreviousData, queryFn: ({ signal }) => source?.read(signal, taken) ?? [] })
  const rows = asked ? data ?? [] : []
  const pick = async () => {
    setBusy(true)
    try {
      await onPick(chosen)
      if (!single) void message.success(`已添加 ${chosen.length} 道`)
      onClose()
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={title} width={760} okText={single ? '选择' : chosen.length > 0 ? `添加 ${chosen.length} 道` : '添加'} okButtonProps={{ disabled: chosen.length === 0 }} confirmLoading={busy} onOk={() => void pick()} onCancel={onClose}>
      <div className="rail-panel">
        <Segmented aria-label="从哪里选" value={at} onChange={setAt} options={[...sources.map(({ key, label }) => ({ value: key, label })), { value: 'search', label: '搜索' }]} />
        {at === 'search' && <Input.Search allowClear enterButton="搜索" placeholder="题号、题干、选项" aria-label="搜索要添加的试题" maxLength={100} onSearch={(text) => setKeyword(text.trim())} />}
        {error && <Alert type="error" title={error.message} />}
        <div className="pick-offer" aria-busy={isFetching}>
          {rows.map((row) => (
            <section key={row.id} className="rail-alike">
              <header>
                <Checkbox checked={chosen.some(({ id }) => id === row.id)} onChange={(event) => setChosen(event.target.checked ? [...(single ? [] : chosen), row] : chosen.filter(({ id }) => id !== row.id))}>{row.no}</Checkbox>
                <DifficultyTag value={row.difficulty} /><Tag>{POOLS.find(({ value }) => value === row.pool)?.label}</Tag>
              </header>
              <QuestionView content={row.content} answer="folded" />
            </section>
          ))}
          {rows.length === 0 && (isFetching ? <Skeleton active /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={asked ? source.empty : '输入题号或题干中的文字'} />)}
        </div>
      </div>
    </Modal>
  )
}
