import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input, Segmented, Select, Space, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
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

/** Filters of a bank (domain 1.11). The rarer ones wait behind 更多筛选. */
export function FilterPanel({ pool, level, search, onChange, chosen }: Props) {
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
  return (
    <div className="bank-filters">
      <div className="bank-filter bank-subjects">
        <span>学科</span>
        <div>
          <Segmented aria-label="学科" options={subjects.map(({ id, name }) => ({ value: id, label: name }))} {...(search.cat_id !== undefined && { value: search.cat_id })}
            onChange={(cat_id) => onChange({ cat_id, label_ids: undefined, catalog_ids: undefined, category_ids: undefined })} />
        </div>
      </div>
      <Chips label="题型" options={TYPES} value={search.types} onChange={(types) => onChange({ types })} />
      <Chips label="难度" options={DIFFICULTY_BANDS.map(({ label }) => ({ value: label, label }))} value={bandsOf(search.difficulties)} onChange={(bands) => onChange({ difficulties: valuesOfBands(bands) })} />
      <Chips label="状态" options={statuses} value={search.statuses} onChange={(next) => onChange({ statuses: next })} />
      {more && (
        <>
          <Chips label="来源" options={SOURCES} value={search.sources} onChange={(sources) => onChange({ sources })} />
          {pool === 'official' && <Chips label="作答统计" options={FLAGS} value={search.flags} onChange={(flags) => onChange({ flags })} />}
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
        </>
      )}
      <div className="bank-filter-foot">
        <Space wrap size={[8, 4]}>
          <Input.Search className="bank-search" allowClear enterButton="搜索" placeholder="题号、题干、选项" aria-label="搜索试题" maxLength={100} value={words ?? search.keyword ?? ''}
            onChange={(event) => setWords(event.target.value)} onSearch={(text) => { setWords(undefined); onChange({ keyword: text.trim() || undefined }) }} />
          {chosen.map(({ id, name, remove }) => <Tag key={id} closable onClose={remove} color="processing">{name}</Tag>)}
          {chosen.length > 0 && (
            <Tag.CheckableTag checked={search.label_scope === 'exact'} onChange={(on) => onChange({ label_scope: on ? 'exact' : undefined })}>仅本级</Tag.CheckableTag>
          )}
        </Space>
        <Space>
          <Button size="small" disabled={countFilters(search) === 0} onClick={() => { setWords(undefined); onChange(Object.fromEntries(FILTER_KEYS.map((key) => [key, undefined]))) }}>重置</Button>
          <Button size="small" type="link" icon={more ? <UpOutlined /> : <DownOutlined />} aria-expanded={more} onClick={() => setMore(!more)}>{more ? '收起' : '更多筛选'}</Button>
        </Space>
      </div>
    </div>
  )
}
