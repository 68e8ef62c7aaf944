import { Button, Collapse, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { TARGETS, type FieldSample, type JsonMapping } from '../formats/json-mapping.ts'
import { parseAgain, type ImportBatch } from './calls.ts'

interface Props {
  batch: ImportBatch
  mapping: JsonMapping
  fields: FieldSample[]
  onStarted: (batch: { id: number; job_id: number }) => void
}

const EACH = [{ value: 'auto', label: '自动判断' }, { value: 'whole', label: '整道题' }, { value: 'each', label: '每道小题' }]

/** Which field of the file is what; parsing again under another choice costs seconds. */
export function MappingForm({ batch, mapping, fields, onStarted }: Props) {
  const [chosen, setChosen] = useState(mapping)
  const options = fields.map(({ path, sample }) => ({ value: path, label: sample ? `${path}（${sample.slice(0, 24)}）` : path }))
  const again = async () => onStarted(await call(parseAgain, { mapping: chosen, subject_id: batch.subject_id }, { params: { id: batch.id }, keepEmpty: true }))
  const form = (
    <div className="import-mapping">
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
      <Button onClick={() => void again().catch(() => undefined)}>按此重新解析</Button>
    </div>
  )
  return <Collapse size="small" defaultActiveKey={batch.counts.good + batch.counts.hint === 0 ? ['mapping'] : []} items={[{ key: 'mapping', label: '字段对应', children: form }]} />
}
