import { useQuery } from '@tanstack/react-query'
import { App, Form, Modal, Select, Tabs } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { EXAM_REGIONS, INVOKING_PRODUCTS } from '../../reference/module.ts'
import { bulkAssign, bulkChange, bulkSubmit, practiceVerifiers, type BulkChanges, type BulkDone } from '../bank/calls.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { EXERCISE_TYPES, SOURCES } from '../content/question.ts'
import { LabelTree } from './label-tree.tsx'
import { useCategories } from './use-practice.tsx'

interface Props {
  ids: readonly number[]
  onClose: () => void
  onDone: () => void
}

/** Says how many went well, and why the others did not. */
export function useBulkReport(): (done: BulkDone, words: string) => void {
  const { message, modal } = App.useApp()
  return ({ done, skipped }, words) => {
    if (skipped.length === 0) return void message.success(`${words} ${done} 道`)
    modal.warning({ title: `${words} ${done} 道，${skipped.length} 道未处理`, width: 520, content: <ul className="reasons">{skipped.map(({ id, no, reason }) => <li key={id}>{no || `#${id}`}：{reason}</li>)}</ul> })
  }
}

/** Submits questions to be checked, at once. */
export function useBulkSubmit(): (ids: readonly number[]) => Promise<void> {
  const report = useBulkReport()
  return async (ids) => report(await call(bulkSubmit, { ids: [...ids] }), '已提交')
}

const YEARS = Array.from({ length: 30 }, (_, index) => new Date().getFullYear() + 1 - index)

/** Changes difficulty, source and the like of many questions; what is left empty stays as it is. */
export function BulkChangeDialog({ ids, subjectId, onClose, onDone }: Props & { subjectId: number | undefined }) {
  const [form] = Form.useForm<BulkChanges>()
  const [busy, setBusy] = useState(false)
  const report = useBulkReport()
  const categories = useCategories(subjectId)
  const save = async () => {
    const changes = form.getFieldsValue()
    setBusy(true)
    try {
      report(await call(bulkChange, { ids: [...ids], changes: Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))) }), '已修改')
      onDone()
    } catch {
      // The shell has shown why; the dialog stays with what was chosen.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`修改 ${ids.length} 道题的属性`} okText="修改" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <p className="note">只修改填写了的项目，其余保持不变。</p>
      <Form form={form} layout="vertical" className="form-section">
        <Form.Item name="difficulty" label="难度"><Select allowClear options={DIFFICULTIES.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        <Form.Item name="category_id" label="题型分类"><Select allowClear options={categories.map(({ id, name }) => ({ value: id, label: name }))} /></Form.Item>
        <Form.Item name="source" label="来源"><Select allowClear options={[...SOURCES]} /></Form.Item>
        <Form.Item name="source_years" label="年份"><Select mode="multiple" allowClear options={YEARS.map((year) => ({ value: year, label: String(year) }))} /></Form.Item>
        <Form.Item name="exam_region_id" label="卷区"><Select allowClear showSearch={{ optionFilterProp: 'label' }} options={EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name }))} /></Form.Item>
        <Form.Item name="exercise_type" label="习题类型"><Select allowClear options={[...EXERCISE_TYPES]} /></Form.Item>
        <Form.Item name="products" label="调用产品"><Select mode="multiple" allowClear options={[...INVOKING_PRODUCTS]} /></Form.Item>
        <Form.Item name="add_tags" label="加标记"><Select mode="tags" allowClear maxCount={20} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Gives labels to many questions, or takes them away. */
export function BulkLabelDialog({ ids, subjectId, onClose, onDone }: Props & { subjectId: number }) {
  const [kind, setKind] = useState<'knowledge' | 'practice'>('knowledge')
  const [action, setAction] = useState<'add_label_ids' | 'remove_label_ids'>('add_label_ids')
  const [chosen, setChosen] = useState<readonly { id: number; name: string }[]>([])
  const [busy, setBusy] = useState(false)
  const report = useBulkReport()
  const save = async () => {
    setBusy(true)
    try {
      report(await call(bulkChange, { ids: [...ids], changes: { [action]: chosen.map(({ id }) => id) } }), action === 'add_label_ids' ? '已加标签' : '已去标签')
      onDone()
    } catch {
      // The shell has shown why; the dialog stays with what was chosen.
    } finally {
      setBusy(false)
    }
  }
  const tree = (
    <LabelTree key={kind} kind={kind} subjectId={subjectId} multiple height={320} selected={chosen.map(({ id }) => id)}
      onSelect={(next, names) => setChosen(next.map((id) => ({ id, name: names.find((one) => one.id === id)?.name || chosen.find((one) => one.id === id)?.name || String(id) })))} />
  )
  return (
    <Modal open title={`给 ${ids.length} 道题打标签`} okText={action === 'add_label_ids' ? '加上标签' : '去掉标签'} okButtonProps={{ disabled: chosen.length === 0 }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <Select className="wide" aria-label="加上或去掉" value={action} onChange={setAction} options={[{ value: 'add_label_ids', label: '加上所选标签' }, { value: 'remove_label_ids', label: '去掉所选标签' }]} />
      <Tabs activeKey={kind} onChange={(key) => setKind(key as 'knowledge')} items={[{ key: 'knowledge', label: '知识点', children: tree }, { key: 'practice', label: '题目标签', children: tree }]} destroyOnHidden />
      <p className="note">已选：{chosen.map(({ name }) => name).join('、') || '无'}</p>
    </Modal>
  )
}

/** Hands questions to somebody to check. */
export function BulkAssignDialog({ ids, onClose, onDone }: Props) {
  const [staffId, setStaffId] = useState<number>()
  const [busy, setBusy] = useState(false)
  const report = useBulkReport()
  const { data } = useQuery({ queryKey: ['practice-verifiers'], queryFn: ({ signal }) => call(practiceVerifiers, undefined, { signal }) })
  const save = async () => {
    setBusy(true)
    try {
      report(await call(bulkAssign, { ids: [...ids], staff_id: staffId ?? null }, { keepEmpty: true }), staffId === undefined ? '已取消分配' : '已分配')
      onDone()
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`分配 ${ids.length} 道题的校对`} okText={staffId === undefined ? '取消分配' : '分配'} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <Select className="wide" allowClear aria-label="校对人" placeholder="不选则放回公共队列" showSearch={{ optionFilterProp: 'label' }} {...(staffId !== undefined && { value: staffId })} onChange={(value?: number) => setStaffId(value)}
        options={(data?.items ?? []).map(({ id, name, waiting }) => ({ value: id, label: `${name}（待校 ${waiting}）` }))} />
    </Modal>
  )
}
