import { Alert, Button, Collapse, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { openQuestions, TARGETS, type FieldSample, type JsonMapping, type Scale } from '../formats/json-mapping.ts'
import { parseAgain, type ImportBatch } from './calls.ts'

interface Props {
  batch: ImportBatch
  mapping: JsonMapping
  fields: FieldSample[]
  onStarted: (batch: { id: number; job_id: number }) => void
}

const EACH = [{ value: 'auto', label: '自动判断' }, { value: 'whole', label: '整道题' }, { value: 'each', label: '每道小题' }]

const WAYS = [{ value: 'up', label: '数字越大越难' }, { value: 'down', label: '数字越小越难' }, { value: 'words', label: '文字或难度系数' }]

/** How the file counts difficulty: lowest, highest, and which way. */
function ScaleFields({ scale, onChange }: { scale: Scale | null; onChange: (scale: Scale | null) => void }) {
  const change = (part: Partial<Scale>) => onChange({ low: 1, high: 5, rises: true, ...scale, ...part })
  return (
    <div className="import-way">
      <span>难度尺度</span>
      <Select aria-label="难度尺度" value={scale ? (scale.rises ? 'up' : 'down') : 'words'} options={WAYS} onChange={(way) => (way === 'words' ? onChange(null) : change({ rises: way === 'up' }))} />
      {scale && <><InputNumber aria-label="难度最小值" className="import-scale" value={scale.low} onChange={(low) => change({ low: low ?? 0 })} />～<InputNumber aria-label="难度最大值" className="import-scale" value={scale.high} onChange={(high) => change({ high: high ?? 5 })} /></>}
    </div>
  )
}

/** Which field of the file is what; parsing again under another choice costs seconds. */
export function MappingForm({ batch, mapping, fields, onStarted }: Props) {
  const [chosen, setChosen] = useState(mapping)
  const options = fields.map(({ path, sample }) => ({ value: path, label: sample ? `${path}（${sample.slice(0, 24)}）` : path }))
  const again = async () => onStarted(await call(parseAgain, { mapping: chosen, subject_id: batch.subject_id }, { params: { id: batch.id }, keepEmpty: true }))
  const asked = batch.mapping_kept ? [] : openQuestions(mapping, fields)
  const form = (
    <div className="import-mapping">
      {asked.length > 0 && <Alert type="warning" showIcon className="import-asked" title={asked.join('；')} description="确认后重新解析；以后字段相同的文件会照此解析。" />}
      {TARGETS.map(({ key, label }) => (
        <label key={key}>
          <span>{label}</span>
          <Select mode="multiple" aria-label={label} placeholder="没有" value={chosen.fields[key] ?? []} options={options} onChange={(paths) => setChosen({ ...chosen, fields: { ...chosen.fields, [key]: paths } })} />
        </label>
      ))}
      <div>
        <span>分值是</span>
        <Select aria-label="分值是" value={chosen.score_of_each === null ? 'auto' : chosen.score_of_each ? 'each' : 'whole'} options={EACH} onChange={(value) => setChosen({ ...chosen, score_of_each: value === 'auto' ? null : value === 'each' })} />
      </div>
      {chosen.fields.difficulty && <ScaleFields scale={chosen.scale ?? null} onChange={(scale) => setChosen({ ...chosen, scale })} />}
      <Button type={asked.length > 0 ? 'primary' : 'default'} onClick={() => void again().catch(() => undefined)}>按此重新解析</Button>
    </div>
  )
  return <Collapse size="small" defaultActiveKey={asked.length > 0 || batch.counts.good + batch.counts.hint === 0 ? ['mapping'] : []} items={[{ key: 'mapping', label: batch.mapping_kept ? '字段对应（已按保存的对应解析）' : '字段对应', children: form }]} />
}
