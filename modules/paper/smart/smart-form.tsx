import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Collapse, Form, Input, InputNumber, Select, Space } from 'antd'
import type { FormInstance } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { EXAM_REGIONS, cats } from '../../reference/module.ts'
import { practiceCategories } from '../../practice/module.ts'
import { COGNITIVE_LEVELS } from '../../practice/module.ts'
import { ChapterSelect } from '../choose/chapter-select.tsx'
import { KnowledgeSelect } from '../choose/knowledge-select.tsx'
import { SpecTools } from '../spec/spec-tools.tsx'
import { BAND_NAMES } from '../spec/spec.ts'
import { Frequency } from './frequency.tsx'
import { WeakPoints } from './weak-points.tsx'
import { BANDS, type Band } from './problem.ts'
import type { SmartRule } from './rule.ts'

/** What the form holds; percentages are whole numbers here and shares in the rule. */
export interface SmartDraft {
  name: string
  subject_id?: number
  sections: { name: string; category_ids: number[]; count: number; score: number; rows?: { label_ids?: number[]; bands?: Band[]; cognitive?: string; count: number }[] }[]
  labels?: number[]
  catalog_ids?: number[]
  coef?: number | null
  easy?: number | null
  medium?: number | null
  hard?: number | null
  minutes?: number | null
  year_from?: number | null
  year_to?: number | null
  region_ids?: number[]
  has_video?: boolean
  has_analysis?: boolean
  recent_papers?: number | null
  per_label?: number | null
  per_source?: number | null
  versions?: number | null
  /** Questions of the paper that this one is a parallel of. */
  exclude_ids?: number[]
}

const given = <T,>(value: T | null | undefined): value is T => value !== null && value !== undefined

/** The rule that a draft means; what was left empty is not asked for. */
export function ruleOf(draft: SmartDraft): SmartRule {
  const { easy, medium, hard } = draft
  const number = (key: 'coef' | 'minutes' | 'year_from' | 'year_to' | 'recent_papers' | 'per_label' | 'per_source' | 'versions') => (given(draft[key]) ? { [key]: draft[key] } : {})
  return {
    sections: draft.sections.map(({ rows, ...section }) => ({
      ...section,
      ...(rows && rows.length > 0 && { rows: rows.map(({ label_ids, bands, cognitive, count }) => ({ count, ...(label_ids?.length && { label_ids }), ...(bands?.length && { bands }), ...(cognitive && { cognitive }) })) }),
    })),
    ...(draft.exclude_ids?.length && { exclude_ids: draft.exclude_ids }),
    ...(draft.catalog_ids?.length && { catalog_ids: draft.catalog_ids }),
    ...(draft.labels?.length && { scope: draft.labels.map((label_id) => ({ label_id, weight: 1 })) }),
    ...(given(easy) && given(medium) && given(hard) && { bands: { easy: easy / 100, medium: medium / 100, hard: hard / 100 } }),
    ...number('coef'), ...number('minutes'), ...number('year_from'), ...number('year_to'), ...number('recent_papers'), ...number('per_label'), ...number('per_source'), ...number('versions'),
    ...(draft.region_ids?.length && { region_ids: draft.region_ids }), ...(draft.has_video && { has_video: true }), ...(draft.has_analysis && { has_analysis: true }),
  }
}

const required = (message: string) => [{ required: true, message }]

/** What a smart paper should be: its sections, and as much more as one cares to say. */
export function SmartForm({ form, onSubmit }: { form: FormInstance<SmartDraft>; onSubmit: (draft: SmartDraft) => void }) {
  const subjectId = Form.useWatch('subject_id', form)
  const subjects = useQuery({ queryKey: ['cats'], queryFn: ({ signal }) => call(cats, { education_level: '9' }, { signal, quiet: true }), staleTime: 600_000 })
  const categories = useQuery({
    queryKey: ['practice-categories', subjectId], enabled: subjectId !== undefined, staleTime: 600_000,
    queryFn: ({ signal }) => call(practiceCategories, { cat_id: String(subjectId) }, { signal, quiet: true }),
  })
  const kinds = (categories.data?.practice_category ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const known = (subjects.data?.subjects ?? []).filter(({ id }) => id !== 9 && id < 300)
  return (
    <Form<SmartDraft> form={form} name="smart-paper" layout="vertical" onFinish={onSubmit}
      initialValues={{ sections: [{ name: '单选题', category_ids: [], count: 8, score: 5 }], recent_papers: 10, versions: 1 }}
      onValuesChange={(changed: Partial<SmartDraft>) => {
        // Kinds and knowledge belong to the subject.
        if (changed.subject_id) form.setFieldsValue({ labels: [], catalog_ids: [], exclude_ids: [], sections: form.getFieldValue('sections').map((section: SmartDraft['sections'][number]) => ({ ...section, category_ids: [], rows: [] })) })
      }}>
      <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }, { max: 60, message: '名称最多 60 个字' }]}><Input placeholder="高一数学第一次月考" /></Form.Item>
      <Form.Item name="subject_id" label="学科" rules={required('请选择学科')}>
        <Select showSearch={{ optionFilterProp: 'label' }} placeholder="请选择" options={known.map(({ id, name }) => ({ value: id, label: name }))} />
      </Form.Item>
      <SpecTools form={form} subjectId={subjectId} />
      <Frequency form={form} subjectId={subjectId} />
      <Form.Item name="exclude_ids" hidden><Input /></Form.Item>
      <Form.List name="sections" rules={[{ validator: (_rule, value: unknown[]) => (value.length > 0 ? Promise.resolve() : Promise.reject(new Error('请添加大题'))) }]}>
        {(sections, { add, remove }, { errors }) => (
          <>
            {sections.map(({ key, name: at }) => (
              <fieldset key={key} className="smart-section">
                <legend>第 {at + 1} 大题</legend>
                <div className="smart-line">
                  <Form.Item name={[at, 'name']} label="名称" rules={required('请填写大题名称')}><Input maxLength={40} /></Form.Item>
                  <Form.Item name={[at, 'category_ids']} label="题型" rules={required('请选择题型')}><Select mode="multiple" options={kinds} maxTagCount="responsive" placeholder={subjectId === undefined ? '请先选择学科' : '请选择'} /></Form.Item>
                  <Form.Item name={[at, 'count']} label="题数" rules={required('请填写题数')}><InputNumber min={1} max={100} precision={0} /></Form.Item>
                  <Form.Item name={[at, 'score']} label="每题分值" rules={required('请填写分值')}><InputNumber min={0.5} max={300} step={0.5} /></Form.Item>
                  <Button type="text" danger icon={<DeleteOutlined />} aria-label={`删除第 ${at + 1} 大题`} onClick={() => remove(at)} />
                </div>
                <Form.List name={[at, 'rows']}>
                  {(rows, table) => (
                    <>
                      {rows.map((row) => (
                        <div key={row.key} className="smart-row">
                          <Form.Item name={[row.name, 'label_ids']}><KnowledgeSelect subjectId={subjectId} label="细目的知识点" /></Form.Item>
                          <Form.Item name={[row.name, 'bands']}><Select mode="multiple" aria-label="细目的难度" placeholder="难度不限" options={BANDS.map((value) => ({ value, label: BAND_NAMES[value] }))} /></Form.Item>
                          <Form.Item name={[row.name, 'cognitive']}><Select allowClear aria-label="细目的认知层次" placeholder="层次不限" options={COGNITIVE_LEVELS.map((value) => ({ value, label: value }))} /></Form.Item>
                          <Form.Item name={[row.name, 'count']} rules={required('题数')}><InputNumber min={1} max={100} precision={0} suffix="题" aria-label="细目的题数" /></Form.Item>
                          <Button type="text" danger icon={<DeleteOutlined />} aria-label="删除这行细目" onClick={() => table.remove(row.name)} />
                        </div>
                      ))}
                      <Button type="link" size="small" icon={<PlusOutlined />} onClick={() => table.add({ count: 1 })}>添加细目</Button>
                    </>
                  )}
                </Form.List>
              </fieldset>
            ))}
            <Form.ErrorList errors={errors} />
            <Button block type="dashed" icon={<PlusOutlined />} onClick={() => add({ name: '', category_ids: [], count: 4, score: 5 })}>添加大题</Button>
          </>
        )}
      </Form.List>
      <Form.Item name="labels" label="考查的知识点" extra="尽量都考到；选上级即包含其下全部" className="smart-gap"><KnowledgeSelect subjectId={subjectId} label="考查的知识点" /></Form.Item>
      <div className="smart-weak-line"><WeakPoints subjectId={subjectId} onTake={(labels) => form.setFieldsValue({ labels })} /></div>
      <Form.Item name="catalog_ids" label="教材章节" extra="只从这些章节的试题中选"><ChapterSelect subjectId={subjectId} /></Form.Item>
      <div className="smart-line">
        <Form.Item name="coef" label="整卷难度系数"><InputNumber min={0.1} max={0.95} step={0.05} placeholder="如 0.65" /></Form.Item>
        <Form.Item name="minutes" label="预计用时"><InputNumber min={1} max={600} precision={0} suffix="分钟" /></Form.Item>
        <Form.Item name="versions" label="平行卷"><InputNumber min={1} max={5} precision={0} suffix="份" /></Form.Item>
      </div>
      <Collapse ghost items={[{
        key: 'more', label: '更多要求', forceRender: true, children: (
          <>
            <div className="smart-line">
              <Form.Item name="easy" label="易"><InputNumber min={0} max={100} suffix="%" /></Form.Item>
              <Form.Item name="medium" label="中"><InputNumber min={0} max={100} suffix="%" /></Form.Item>
              <Form.Item name="hard" label="难"><InputNumber min={0} max={100} suffix="%" /></Form.Item>
            </div>
            <div className="smart-line">
              <Form.Item name="year_from" label="年份从"><InputNumber min={1950} max={2200} precision={0} /></Form.Item>
              <Form.Item name="year_to" label="到"><InputNumber min={1950} max={2200} precision={0} /></Form.Item>
              <Form.Item name="recent_papers" label="避开近期试卷"><InputNumber min={0} max={50} precision={0} suffix="份" /></Form.Item>
            </div>
            <Form.Item name="region_ids" label="卷区"><Select mode="multiple" allowClear placeholder="不限" options={EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name }))} /></Form.Item>
            <div className="smart-line">
              <Form.Item name="per_label" label="同一知识点最多"><InputNumber min={1} max={100} precision={0} suffix="题" /></Form.Item>
              <Form.Item name="per_source" label="同一来源试卷最多"><InputNumber min={1} max={100} precision={0} suffix="题" /></Form.Item>
            </div>
            <Space>
              <Form.Item name="has_analysis" valuePropName="checked"><Checkbox>只要有解析的</Checkbox></Form.Item>
              <Form.Item name="has_video" valuePropName="checked"><Checkbox>只要有视频的</Checkbox></Form.Item>
            </Space>
          </>
        ),
      }]} />
    </Form>
  )
}
