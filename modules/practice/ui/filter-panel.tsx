import { FilterOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Drawer, Input, Segmented, Select, Space, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
import { useWide } from '../../../core/ui/use-media.tsx'
import { EXAM_REGIONS, INVOKING_PRODUCTS } from '../../reference/module.ts'
import type { Search } from '../bank/calls.ts'
import { bandsOf, DIFFICULTY_BANDS, STATUSES, valuesOfBands, type Pool } from '../bank/practice.ts'
import { countFilters, FILTER_KEYS } from '../bank/search-state.ts'
import { EXERCISE_TYPES, GAOKAO_TYPES, SOURCES, TYPES } from '../content/question.ts'
import { FLAGS } from '../stat/flags.ts'
import { useCategories, usePeople, useSubjects } from './use-practice.tsx'

interface Props {
  pool: Pool
  level: 0 | 1 | 2
  search: Search
  onChange: (part: Partial<Search>) => void
  /** Names of what was chosen in the trees, for the marks that take it away again. */
  chosen: readonly { id: number; name: string; remove: () => void }[]
  /** What can be done with the bank as a whole. */
  actions: ReactNode
  /** How the questions are shown. */
  look: ReactNode
}

const YEARS = Array.from({ length: 17 }, (_, index) => new Date().getFullYear() - index)
const BACK_STATUSES = [0, 1, 2, 3, 5, 4, 8]
const OFFICIAL_STATUSES = [4, 6, 7]
const HAS = [{ value: 1, label: '有' }, { value: 0, label: '无' }]

function Line({ label, children }: { label: string; children: ReactNode }) {
  return <div className="bank-filter"><span>{label}</span><div>{children}</div></div>
}

/** Values side by side, any number of which may be on. */
function Chips<Value extends number | string>({ label, options, value = [], onChange }: { label: string; options: readonly { value: Value; label: string }[]; value?: readonly Value[] | undefined; onChange: (value: Value[]) => void }) {
  return (
    <Line label={label}>
      <Tag.CheckableTag checked={value.length === 0} onChange={() => onChange([])}>全部</Tag.CheckableTag>
      {options.map((option) => (
        <Tag.CheckableTag key={option.value} checked={value.includes(option.value)} onChange={(on) => onChange(on ? [...value, option.value] : value.filter((one) => one !== option.value))}>{option.label}</Tag.CheckableTag>
      ))}
    </Line>
  )
}

/** Several values in the room of one: 题型, then 单选题, then 题型 3. */
function Quick<Value extends number | string>({ label, options, value = [], onChange }: { label: string; options: readonly { value: Value; label: string }[]; value?: readonly Value[] | undefined; onChange: (value: Value[]) => void }) {
  return (
    <Select className="bank-quick" mode="multiple" allowClear aria-label={label} placeholder={label} maxTagCount={0} maxTagPlaceholder={(chosen) => (chosen.length === 1 ? chosen[0]?.label : `${label} ${chosen.length}`)}
      popupMatchSelectWidth={false} showSearch={false} options={[...options]} value={[...value]} onChange={onChange} />
  )
}

/** Filters of a bank (domain 1.11) in a bar, so that questions are what one sees; the rarer ones open below it, on a phone all of them as a sheet. */
export function FilterPanel({ pool, level, search, onChange, chosen, actions, look }: Props) {
  const wide = useWide('md')
  const subjects = useSubjects(level)
  const categories = useCategories(search.cat_id)
  const people = usePeople()
  const [more, setMore] = useState(false)
  const [words, setWords] = useState<string>()
  const statuses = (pool === 'back' ? BACK_STATUSES : OFFICIAL_STATUSES).flatMap((status) => STATUSES.find(({ value }) => value === status) ?? [])
  const one = (key: 'has_video' | 'has_analysis' | 'has_image', label: string) => (
    <Line label={label}><Select className="bank-short" allowClear placeholder="不限" aria-label={label} options={HAS} {...(search[key] !== undefined && { value: Number(search[key]) })} onChange={(value?: number) => onChange({ [key]: value })} /></Line>
  )
  const many = <Key extends 'region_ids' | 'source_years' | 'owner_ids' | 'verifier_ids' | 'category_ids'>(key: Key, label: string, options: readonly { value: number; label: string }[]) => (
    <Line label={label}>
      <Select className="bank-select" mode="multiple" allowClear maxTagCount="responsive" placeholder="不限" aria-label={label} showSearch={{ optionFilterProp: 'label' }} options={[...options]} value={search[key] ?? []} onChange={(value: number[]) => onChange({ [key]: value })} />
    </Line>
  )
  const flags = [['unlabelled', '无知识点'], ['duplicated', '重复题'], ['flagged', '统计可疑'], ['reported', '有报错'], ['basket', '试题篮中']] as const
  const types = { label: '题型', options: TYPES, value: search.types, onChange: (next: NonNullable<Search['types']>) => onChange({ types: next }) }
  const bands = { label: '难度', options: DIFFICULTY_BANDS.map(({ label }) => ({ value: label, label })), value: bandsOf(search.difficulties), onChange: (next: ReturnType<typeof bandsOf>) => onChange({ difficulties: valuesOfBands(next) }) }
  const states = { label: '状态', options: statuses, value: search.statuses, onChange: (next: NonNullable<Search['statuses']>) => onChange({ statuses: next }) }
  const count = countFilters(search)
  const reset = () => {
    setWords(undefined)
    onChange(Object.fromEntries(FILTER_KEYS.map((key) => [key, undefined])))
  }
  const panel = (
    <div className="bank-filters">
      {!wide && <><Chips {...types} /><Chips {...bands} /><Chips {...states} /></>}
      <Chips label="来源" options={SOURCES} value={search.sources} onChange={(sources) => onChange({ sources })} />
      {pool === 'official' && <Chips label="作答统计" options={FLAGS} value={search.flags} onChange={(next) => onChange({ flags: next })} />}
      <Chips label="习题类型" options={EXERCISE_TYPES} value={search.exercise_types} onChange={(exercise_types) => onChange({ exercise_types })} />
      <div className="bank-filter-grid">
        {many('category_ids', '题型分类', categories.map(({ id, name }) => ({ value: id, label: name })))}
        {many('source_years', '年份', YEARS.map((year) => ({ value: year, label: String(year) })))}
        {many('region_ids', '卷区', EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name })))}
        {many('owner_ids', '录入人', people.owners.map(({ id, name }) => ({ value: id, label: name })))}
        {many('verifier_ids', '校对人', people.verifiers.map(({ id, name }) => ({ value: id, label: name })))}
        <Line label="高考类型"><Select className="bank-short" allowClear placeholder="不限" aria-label="高考类型" options={[...GAOKAO_TYPES]} value={search.gaokao_type ?? null} onChange={(value?: number | null) => onChange({ gaokao_type: value ?? undefined })} /></Line>
        <Line label="调用产品"><Select className="bank-select" allowClear placeholder="不限" aria-label="调用产品" options={[...INVOKING_PRODUCTS]} value={search.product ?? null} onChange={(value?: number | null) => onChange({ product: value ?? undefined })} /></Line>
        {one('has_analysis', '解析')}{one('has_image', '图片')}{one('has_video', '视频')}
      </div>
      <Line label="其他">{flags.map(([key, label]) => <Tag.CheckableTag key={key} checked={Boolean(search[key])} onChange={(on) => onChange({ [key]: on ? 1 : undefined })}>{label}</Tag.CheckableTag>)}</Line>
      {!wide && <Space><Button type="primary" onClick={() => setMore(false)}>看结果</Button><Button disabled={count === 0} onClick={reset}>重置</Button></Space>}
    </div>
  )
  return (
    <>
      <div className="bank-head">
        <Segmented className="bank-subjects" aria-label="学科" options={subjects.map(({ id, name }) => ({ value: id, label: name }))} {...(search.cat_id !== undefined && { value: search.cat_id })}
          onChange={(cat_id) => onChange({ cat_id, label_ids: undefined, catalog_ids: undefined, category_ids: undefined })} />
        {actions}
      </div>
      <div className="bank-bar">
        <search>
          <form onSubmit={(event) => { event.preventDefault(); setWords(undefined); onChange({ keyword: (words ?? search.keyword ?? '').trim() || undefined }) }}>
            <Input className="bank-search" allowClear prefix={<SearchOutlined />} placeholder="题号、题干、选项" aria-label="搜索试题" maxLength={100} value={words ?? search.keyword ?? ''}
              onChange={(event) => { setWords(event.target.value); if (event.target.value === '' && search.keyword) onChange({ keyword: undefined }) }} />
          </form>
        </search>
        {wide && <><Quick {...types} /><Quick {...bands} /><Quick {...states} /></>}
        <Button icon={<FilterOutlined />} className="filter-button" data-on={count > 0} aria-expanded={more} onClick={() => setMore(!more)}>{count > 0 ? `筛选 ${count}` : '筛选'}</Button>
        {wide && count > 0 && <Button type="text" onClick={reset}>重置</Button>}
        <span className="list-bar-space" />
        {look}
      </div>
      {wide ? more && panel : <Drawer open={more} placement="bottom" size="80%" title="筛选" onClose={() => setMore(false)}>{panel}</Drawer>}
      {chosen.length > 0 && (
        <div className="bank-chosen">
          {chosen.map(({ id, name, remove }) => <Tag key={id} closable onClose={remove} color="processing">{name}</Tag>)}
          <Tag.CheckableTag checked={search.label_scope === 'exact'} onChange={(on) => onChange({ label_scope: on ? 'exact' : undefined })}>仅本级</Tag.CheckableTag>
        </div>
      )}
    </>
  )
}
