import { Button, Checkbox, Collapse, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { useSubjects } from '../ui/use-practice.tsx'
import { setImportFacts, type ImportBatch, type ImportFacts } from './calls.ts'

const LEVELS = [{ value: 0 as const, label: '高中' }, { value: 1 as const, label: '初中' }, { value: 2 as const, label: '小学' }]
const YEARS = Array.from({ length: 40 }, (_, index) => new Date().getFullYear() + 1 - index).map((year) => ({ value: year, label: String(year) }))

/** Sets subject, school stage and whatever else the questions of the preview have in common. */
export function CommonFacts({ batch, onStarted }: { batch: ImportBatch; onStarted: (job: { id: number; job_id: number }) => void }) {
  const [facts, setFacts] = useState<Omit<ImportFacts, 'all'>>({})
  const [all, setAll] = useState(false)
  const level = facts.level ?? (batch.level as 0)
  const subjects = useSubjects(level)
  const change = (part: Partial<ImportFacts>) => setFacts((old) => Object.fromEntries(Object.entries({ ...old, ...part }).filter(([, value]) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))))
  const send = async () => onStarted(await call(setImportFacts, { ...facts, all }, { params: { id: batch.id } }))
  const form = (
    <div className="import-mapping">
      <div><span>学段</span><Select aria-label="统一学段" value={level} disabled={batch.counts.written > 0} options={LEVELS} onChange={(next: 0 | 1 | 2) => { setFacts((old) => Object.fromEntries(Object.entries({ ...old, level: next }).filter(([key]) => key !== 'subject_id'))) }} /></div>
      <div><span>学科</span><Select aria-label="统一学科" allowClear placeholder="不改" value={facts.subject_id ?? null} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} onChange={(subject_id?: number | null) => change({ subject_id: subject_id ?? undefined })} /></div>
      <div><span>难度</span><Select aria-label="统一难度" allowClear placeholder="不改" value={facts.difficulty ?? null} options={DIFFICULTIES.map(({ value, label }) => ({ value: value as number, label }))} onChange={(difficulty?: number | null) => change({ difficulty: difficulty ?? undefined })} /></div>
      <div><span>分值</span><InputNumber aria-label="统一分值" className="wide" placeholder="不改" min={0} max={300} step={0.5} value={facts.score ?? null} onChange={(score) => change({ score: score ?? undefined })} /></div>
      <div><span>年份</span><Select aria-label="统一年份" mode="multiple" placeholder="不改" value={facts.source_years ?? []} options={YEARS} onChange={(source_years: number[]) => change({ source_years })} /></div>
      <div><span>卷区</span><Select aria-label="统一卷区" allowClear showSearch placeholder="不改" value={facts.exam_region ?? null} options={EXAM_REGIONS.map(({ name }) => ({ value: name, label: name }))} onChange={(region?: string | null) => change({ exam_region: region ?? undefined })} /></div>
      <div><span>来源试卷</span><Input aria-label="统一来源试卷" placeholder="不改" maxLength={100} value={facts.source_paper ?? ''} onChange={(event) => change({ source_paper: event.target.value })} /></div>
      <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>文件中已有的也改成这里的</Checkbox>
      <Button disabled={Object.keys(facts).length === 0} onClick={() => void send().catch(() => undefined)}>用于全部待入库的题</Button>
    </div>
  )
  // Without a subject nothing can be taken over.
  return <Collapse size="small" defaultActiveKey={batch.subject_id === null && batch.counts.good + batch.counts.hint === 0 ? ['facts'] : []} items={[{ key: 'facts', label: '统一设置：学段、学科、难度、来源', children: form }]} />
}
