import { Button, Checkbox, Input, InputNumber, Segmented, Select, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
import { imagesView } from '../../../core/field/file.tsx'
import { addresses } from '../../../core/field/view.tsx'
import { EXAM_REGIONS, examYears, INVOKING_PRODUCTS } from '../../reference/module.ts'
import type { PracticeFacts } from '../bank/calls.ts'
import { DIFFICULTIES, SCANS } from '../bank/practice.ts'
import { COGNITIVE_LEVELS, COPYRIGHTS, EXERCISE_TYPES, GAOKAO_TYPES, SOURCES, TYPES, type QuestionType } from '../content/question.ts'
import { difficultyOf } from '../content/question-rules.ts'
import { useCategories, useSubjects } from '../ui/use-practice.tsx'

interface Props {
  level: 0 | 1 | 2
  type: QuestionType
  score: number | null
  facts: PracticeFacts
  /** One sentence for each wrong field, as the server said. */
  errors: Readonly<Record<string, string>>
  onType: (type: QuestionType) => void
  onScore: (score: number | null) => void
  onChange: (part: Partial<PracticeFacts>) => void
}

const YEARS = Array.from({ length: 40 }, (_, index) => new Date().getFullYear() + 1 - index)
/** spec 9: exam years are the current year to four years on. */

/** What is known about a question beside its text. The rarer facts wait behind 更多属性. */
export function FactsForm({ level, type, score, facts, errors, onType, onScore, onChange }: Props) {
  const subjects = useSubjects(level)
  const categories = useCategories(facts.subject_id)
  const [more, setMore] = useState(false)
  const own = categories.filter((category) => category.type === type)
  const item = (key: string, label: string, control: ReactNode) => (
    <div className="edit-fact"><span>{label}</span><div>{control}{errors[key] && <small className="problem" role="alert">{errors[key]}</small>}</div></div>
  )
  const select = <Key extends keyof PracticeFacts>(key: Key, label: string, options: readonly { value: string | number; label: string }[], search = false) => item(key, label, (
    <Select className="wide" allowClear aria-label={label} placeholder="未填" options={[...options]} value={(facts[key] ?? null) as string | number | null} {...(search && { showSearch: { optionFilterProp: 'label' } })} onChange={(value?: string | number | null) => onChange({ [key]: value ?? null })} />
  ))
  const words = (key: 'competence' | 'tags', label: string) => item(key, label, <Select className="wide" mode="tags" maxCount={20} aria-label={label} placeholder="输入后回车" value={facts[key]} onChange={(value: string[]) => onChange({ [key]: value })} />)
  return (
    <div className="edit-facts">
      <div className="edit-row">
        {item('subject_id', '学科', <Select aria-label="学科" className="edit-subject" value={facts.subject_id} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} onChange={(subject_id) => onChange({ subject_id, category_id: null })} />)}
        <Segmented<QuestionType> aria-label="题型" value={type} options={TYPES.map(({ value, label, ...of }) => ({ value, label, title: 'example' in of ? `${label}：如${of.example}` : label }))} onChange={onType} />
        {type >= 5 && <span className="note">如{TYPES.flatMap((one) => (one.value === type && 'example' in one ? one.example : []))}</span>}
      </div>
      {own.length > 0 && (
        <div className="edit-row">
          {own.map(({ id, name }) => <Tag.CheckableTag key={id} checked={facts.category_id === id} onChange={(on) => onChange({ category_id: on ? id : null })}>{name}</Tag.CheckableTag>)}
          {errors['category_id'] && <small className="problem" role="alert">{errors['category_id']}</small>}
        </div>
      )}
      <div className="edit-row">
        {item('difficulty', '难度', <Segmented aria-label="难度" value={facts.difficulty ?? 0} options={[...(facts.difficulty === null ? [{ value: 0, label: '未定' }] : []), ...DIFFICULTIES.map(({ value, label }) => ({ value, label }))]} onChange={(value) => onChange({ difficulty: value || null })} />)}
        {item('score', '分值', <InputNumber aria-label="分值" min={0} max={300} step={0.5} value={score} onChange={onScore} />)}
        <Button size="small" type="link" aria-expanded={more} onClick={() => setMore(!more)}>{more ? '收起属性' : '更多属性'}</Button>
      </div>
      {more && (
        <div className="edit-fact-grid">
          {item('coef', '难度系数', <InputNumber className="wide" aria-label="难度系数" min={0} max={1} step={0.01} value={facts.coef} onChange={(coef) => onChange({ coef, ...(coef !== null && { difficulty: difficultyOf(coef) }) })} />)}
          {select('source', '来源', SOURCES)}
          {item('source_paper', '来源试卷', <Input aria-label="来源试卷" maxLength={100} value={facts.source_paper ?? ''} onChange={(event) => onChange({ source_paper: event.target.value || null })} />)}
          {item('source_order', '试卷题序', <InputNumber className="wide" aria-label="试卷题序" min={0} max={9999} precision={0} value={facts.source_order} onChange={(source_order) => onChange({ source_order })} />)}
          {item('source_years', '真题年份', <Select className="wide" mode="multiple" aria-label="真题年份" placeholder="未填" value={facts.source_years} options={YEARS.map((year) => ({ value: year, label: String(year) }))} onChange={(source_years: number[]) => onChange({ source_years })} />)}
          {select('exam_region_id', '卷区', EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name })), true)}
          {level === 0 && select('exam_year', '高考届', examYears().map((year) => ({ value: year, label: `${year} 届` })))}
          {level === 0 && select('gaokao_type', '高考类型', GAOKAO_TYPES)}
          {select('exercise_type', '习题类型', EXERCISE_TYPES)}
          {select('cognitive', '认知层次', COGNITIVE_LEVELS.map((label) => ({ value: label, label })))}
          {item('est_seconds', '预计用时', <InputNumber className="wide" aria-label="预计用时" min={0} max={36_000} precision={0} suffix="秒" value={facts.est_seconds} onChange={(est_seconds) => onChange({ est_seconds })} />)}
          {select('copyright', '版权', COPYRIGHTS.map((label) => ({ value: label, label })))}
          {words('competence', '核心素养')}
          {words('tags', '标记')}
          {item('products', '调用产品', <Checkbox.Group value={facts.products} options={INVOKING_PRODUCTS.map(({ value, label }) => ({ value, label }))} onChange={(products) => onChange({ products })} />)}
          {item('scans', '原题图片', <imagesView.Input field={SCANS} name="scans" values={{}} value={facts.scans} onChange={(scans) => onChange({ scans: addresses(scans) })} />)}
          {item('video', '讲解视频', <VideoInput value={facts.video} onChange={(video) => onChange({ video })} />)}
        </div>
      )}
    </div>
  )
}

/** The video of the explanation, uploaded at once. */
function VideoInput({ value, onChange }: { value: string | null; onChange: (url: string | null) => void }) {
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  const take = async (file: File) => {
    setState({ busy: true })
    try {
      const { request } = await import('../../../core/endpoint/call.tsx')
      const body = new FormData()
      body.append('file', file)
      onChange((await request<{ url: string }>('POST', '/daoyuan/api/end/files?kind=video', body)).url)
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, problem: error instanceof Error ? error.message : '上传失败' })
    }
  }
  return (
    <>
      {value ? <span className="edit-row"><a href={value} target="_blank" rel="noopener noreferrer">查看视频</a><Button size="small" type="link" danger onClick={() => onChange(null)}>移除</Button></span> : (
        <Button size="small" loading={state.busy} onClick={() => {
          const input = Object.assign(document.createElement('input'), { type: 'file', accept: 'video/mp4', onchange: () => { if (input.files?.[0]) void take(input.files[0]) } })
          input.click()
        }}>上传 MP4（50 MB 以内）</Button>
      )}
      {state.problem && <small className="problem" role="alert">{state.problem}</small>}
    </>
  )
}
