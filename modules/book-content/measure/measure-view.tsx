import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber } from 'antd'
import { present, type InputProps } from '../../../core/resource/present.tsx'
import { KnowledgeSelect } from '../../paper/door.tsx'
import { MeasureDrawer } from './measure-drawer.tsx'
import { measurement } from './measurement.ts'
import { bandsOf, type Band } from './report.ts'
import '../book-content.css'

/** Knowledge of the subject. */
function LabelsInput({ value, onChange, values, id }: InputProps<number[], { readonly subject_id?: number | undefined }>) {
  return <KnowledgeSelect subjectId={values.subject_id ?? undefined} value={value ?? []} onChange={(ids) => onChange?.(ids)} label="考查知识点" {...(id && { id })} />
}

/** 评分规则: from which share on a learner is at a level, and what is said to those who are. */
function BandsInput({ value, onChange }: InputProps<Band[] | null, object>) {
  const bands = bandsOf(value)
  const put = (at: number, part: Partial<Band>) => onChange?.(bands.map((band, place) => (place === at ? { ...band, ...part } : band)))
  return (
    <div className="bc-bands">
      {bands.map((band, at) => (
        <div key={at}>
          <InputNumber aria-label={`水平 ${at + 1} 分数线`} min={0} max={100} precision={0} prefix="≥" suffix="%" value={band.from} disabled={at === bands.length - 1} onChange={(from) => put(at, { from: from ?? 0 })} />
          <Input aria-label={`水平 ${at + 1} 名称`} maxLength={10} placeholder="名称" value={band.name} onChange={(event) => put(at, { name: event.target.value })} />
          {bands.length > 2 && at < bands.length - 1 && <Button type="text" icon={<DeleteOutlined />} aria-label={`删除水平 ${at + 1}`} onClick={() => onChange?.(bands.filter((_band, place) => place !== at))} />}
          <Input.TextArea aria-label={`水平 ${at + 1} 建议`} maxLength={200} autoSize placeholder="报告里给学员的建议" value={band.advice} onChange={(event) => put(at, { advice: event.target.value })} />
        </div>
      ))}
      {bands.length < 6 && <Button size="small" icon={<PlusOutlined />} onClick={() => onChange?.([{ from: Math.min(100, (bands[0]?.from ?? 85) + 5), name: '', advice: '' }, ...bands])}>加一个水平</Button>}
    </div>
  )
}

/** AI测评: what is tested, the questions, the report as a learner gets it, and where it stands in the book. */
export default present(measurement)({
  inputs: { label_ids: LabelsInput, bands: BandsInput },
  rowActions: [{ key: 'compose', label: '组卷和预览', first: true, visible: (row) => row.deleted_at === null }],
  afterCreate: (row, { open }) => open('compose', row),
  dialogs: { compose: MeasureDrawer },
})
