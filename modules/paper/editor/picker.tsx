import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Input, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { bandsOf, DIFFICULTY_BANDS, difficultyBand, practiceCategories, searchPractices, TYPES, valuesOfBands, type PracticeCard } from '../../practice/module.ts'
import { QuestionView } from '../../practice/door.tsx'
import { basePapers, paperPractices } from '../calls.ts'
import { ChapterSelect } from '../choose/chapter-select.tsx'
import { KnowledgeSelect } from '../choose/knowledge-select.tsx'

/** Where questions are picked from. */
const PLACES = [{ value: 'bank', label: '题库' }, { value: 'basket', label: '试题篮' }, { value: 'paper', label: '其他试卷' }] as const
type PickerSource = (typeof PLACES)[number]['value']

interface Props {
  subjectId: number
  level: number
  /** The paper itself, which is not offered as another one. */
  paperId: number
  /** Questions that the paper has already. */
  taken: ReadonlySet<number>
  /** A question that is to be replaced: only ones like it are shown. */
  replacing: PracticeCard | undefined
  onPick: (card: PracticeCard) => void
  onCancelReplace: () => void
}

interface Filters {
  keyword?: string
  types?: number[]
  category_ids?: number[]
  difficulties?: number[]
  has_video?: 1
  label_ids?: number[]
  catalog_ids?: number[]
}

/** Questions to choose from, beside the paper: from the bank, the basket or another paper. */
export function Picker({ subjectId, level, paperId, taken, replacing, onPick, onCancelReplace }: Props) {
  const [place, setPlace] = useState<PickerSource>('bank')
  const [filters, setFilters] = useState<Filters>({})
  const [paper, setPaper] = useState<number>()
  const categories = useQuery({
    queryKey: ['practice-categories', subjectId], staleTime: 600_000,
    queryFn: ({ signal }) => call(practiceCategories, { cat_id: String(subjectId) }, { signal, quiet: true }),
  })
  const alike: Filters = replacing
    ? { types: [replacing.type], ...(replacing.difficulty && { difficulties: [replacing.difficulty] }), label_ids: replacing.labels.filter(({ kind, main }) => kind === 'knowledge' && main).map(({ id }) => id) }
    : filters
  const fromPaper = place === 'paper' && !replacing
  const search = { cat_id: subjectId, level, pool: 'official' as const, page_size: 20, ...alike, ...(place === 'basket' && !replacing && { basket: true }) }
  const found = useInfiniteQuery({
    queryKey: ['paper-picker', search], enabled: !fromPaper, initialPageParam: '',
    queryFn: ({ signal, pageParam }) => call(searchPractices, { ...search, ...(pageParam && { cursor: pageParam }) }, { signal, quiet: true }),
    getNextPageParam: (page) => page.next,
  })
  const other = useQuery({
    queryKey: ['paper-practices', paper], enabled: fromPaper && paper !== undefined,
    queryFn: ({ signal }) => call(paperPractices, undefined, { params: { id: paper ?? 0 }, signal, quiet: true }),
  })
  const cards: readonly PracticeCard[] = fromPaper ? other.data?.items ?? [] : found.data?.pages.flatMap(({ items }) => items) ?? []
  const shown = cards.filter(({ id }) => !replacing || !taken.has(id))
  const loading = fromPaper ? other.isFetching && !other.data : found.isPending
  const error = fromPaper ? other.error : found.error
  const total = fromPaper ? other.data?.total : found.data?.pages[0]?.total

  return (
    <div className="paper-picker">
      {replacing
        ? <Alert type="info" showIcon title={`换掉 ${replacing.no}：同题型、同难度、同知识点的试题`} action={<Button size="small" onClick={onCancelReplace}>取消</Button>} />
        : (
          <div className="paper-filters">
            <Select value={place} options={[...PLACES]} onChange={setPlace} aria-label="选题范围" className="paper-wide" />
            {fromPaper
              ? <PaperSelect subjectId={subjectId} paperId={paperId} value={paper} onChange={setPaper} />
              : (
                <>
                  <Input.Search allowClear placeholder="题干、选项中的文字或题号" aria-label="搜索试题" onSearch={(text) => setFilters(({ keyword: _old, ...rest }) => (text.trim() ? { ...rest, keyword: text.trim() } : rest))} />
                  <Select mode="multiple" allowClear placeholder="题型" aria-label="题型" className="paper-wide" value={filters.category_ids ?? []}
                    options={(categories.data?.practice_category ?? []).map(({ id, name }) => ({ value: id, label: name }))} onChange={(category_ids) => setFilters({ ...filters, category_ids })} />
                  <Select mode="multiple" allowClear placeholder="难度" aria-label="难度" className="paper-wide" value={bandsOf(filters.difficulties)}
                    options={DIFFICULTY_BANDS.map(({ label }) => ({ value: label, label }))} onChange={(bands) => setFilters({ ...filters, difficulties: valuesOfBands(bands) })} />
                  <KnowledgeSelect subjectId={subjectId} label="知识点" value={filters.label_ids ?? []} onChange={(label_ids) => setFilters({ ...filters, label_ids })} />
                  <ChapterSelect subjectId={subjectId} value={filters.catalog_ids ?? []} onChange={(catalog_ids) => setFilters({ ...filters, catalog_ids })} />
                </>
              )}
          </div>
        )}
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void (fromPaper ? other.refetch() : found.refetch())}>重试</Button>} />}
      {loading && <Skeleton active paragraph={{ rows: 6 }} />}
      {!loading && !error && shown.length === 0 && (!fromPaper || paper !== undefined) && <Empty description={replacing ? '没有其他同类试题' : '没有符合条件的试题'} />}
      {total !== undefined && shown.length > 0 && <p className="paper-faint" aria-live="polite">共 {total > 10_000 ? '10,000+' : total} 题</p>}
      <ul className="paper-candidates">
        {shown.map((card) => (
          <li key={card.id}>
            <div className="paper-item-bar">
              <Space size={4} wrap>
                <span>{card.no}</span>
                <Tag>{card.category_name ?? choiceLabel(TYPES, card.type)}</Tag>
                {card.difficulty && <Tag color={difficultyBand(card.difficulty)?.tone}>{difficultyBand(card.difficulty)?.label}</Tag>}
              </Space>
              <Button size="small" type={taken.has(card.id) ? 'default' : 'primary'} disabled={taken.has(card.id)} onClick={() => onPick(card)} aria-label={`${replacing ? '换成' : '选入'} ${card.no}`}>
                {taken.has(card.id) ? '已选' : replacing ? '换成这题' : '选入'}
              </Button>
            </div>
            <QuestionView content={card.content} answer="folded" />
          </li>
        ))}
      </ul>
      {!fromPaper && found.hasNextPage && <Button block loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>更多</Button>}
    </div>
  )
}

/** Picks another paper of the subject by its name. */
export function PaperSelect({ subjectId, paperId, value, onChange }: { subjectId: number; paperId?: number; value: number | undefined; onChange: (id: number) => void }) {
  const [keyword, setKeyword] = useState('')
  const { data, isFetching } = useQuery({
    queryKey: ['base-papers', subjectId, keyword],
    queryFn: ({ signal }) => call(basePapers, { cat_id: String(subjectId), ...(keyword && { keyword }) }, { signal, quiet: true }),
  })
  return (
    <Select<number> showSearch={{ filterOption: false, onSearch: setKeyword }} placeholder="输入试卷名称" aria-label="其他试卷" className="paper-wide" loading={isFetching} value={value ?? null} onChange={onChange}
      options={(data?.items ?? []).filter(({ id }) => id !== paperId).map(({ id, name, question_count }) => ({ value: id, label: `${name}（${question_count} 题）` }))} />
  )
}
