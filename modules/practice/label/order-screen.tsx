import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Segmented, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { LabelTree } from '../ui/label-tree.tsx'
import { SortList } from '../ui/sort-list.tsx'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useSubjects, useVersions } from '../ui/use-practice.tsx'
import { EDIT_GRANT, ORDER_LABELS, orderByTextbook, orderLabels, type LabelNode } from './calls.ts'
import { LABEL_KINDS, type LabelKind } from './label.ts'
import { readLabels, subjectTop, useReloadLabels } from './label-tools.tsx'
import '../../../core/list/list.css'
import '../ui/bank.css'
import './label.css'

/** The order of what stands below one label. */
function Siblings({ kind, subjectId, parent }: { kind: LabelKind; subjectId: number; parent: { id: number; name: string } | undefined }) {
  const { message } = App.useApp()
  const can = useCan()
  const client = useQueryClient()
  const reload = useReloadLabels()
  const versions = useVersions(subjectId)
  const [order, setOrder] = useState<readonly LabelNode[]>()
  const [busy, setBusy] = useState(false)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['labels', kind, subjectId, 'order', parent?.id ?? 'top'], queryFn: async ({ signal }) => readLabels(kind, subjectId, parent?.id ?? await subjectTop(client, kind, subjectId), signal),
  })
  const items = order ?? data ?? []
  const dirty = order !== undefined && data !== undefined && order.some(({ id }, index) => data[index]?.id !== id)
  useUnsaved(dirty, '标签排序')
  const may = can(ORDER_LABELS) || can(EDIT_GRANT[kind])
  const attempt = async (work: () => Promise<unknown>, words: string) => {
    setBusy(true)
    try {
      await work()
      void message.success(words)
      setOrder(undefined)
    } catch {
      // The shell has shown why; somebody else may have changed the labels meanwhile.
    } finally {
      setBusy(false)
      await reload()
    }
  }
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  const byBook = async (version_id: number) => attempt(async () => call(orderByTextbook, { pid: parent?.id ?? await subjectTop(client, kind, subjectId) ?? 0, version_id }), '已按教材顺序重排')
  return (
    <>
      <Space wrap>
        <b>{parent?.name ?? '顶层'}</b><span className="note">{items.length} 个下级</span>
        {may && <Button type="primary" disabled={!dirty} loading={busy} onClick={() => void attempt(() => call(orderLabels, { ids: items.map(({ id }) => id) }), '排序已保存')}>保存排序</Button>}
        {may && dirty && <Button onClick={() => setOrder(undefined)}>还原</Button>}
        {may && <Button disabled={items.length < 2} onClick={() => setOrder([...items].sort((a, b) => a.name.localeCompare(b.name, 'zh-CN', { numeric: true })))}>按名称排</Button>}
        {may && <Button disabled={items.length < 2} onClick={() => setOrder([...items].sort((a, b) => b.back_count + b.official_count - a.back_count - a.official_count))}>按题量排</Button>}
        {may && kind === 'knowledge' && versions.length > 0 && (
          <Select className="order-version" aria-label="按教材顺序重排" placeholder="按教材顺序重排" disabled={busy || dirty} value={null} options={versions.map(({ id, version }) => ({ value: id, label: version }))} onChange={(id: number | null) => { if (id !== null) void byBook(id) }} />
        )}
      </Space>
      {items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有下级标签" />
        : may ? <SortList<LabelNode> items={items} onChange={setOrder}>{(node) => <>{node.name} {node.status === 0 && <Tag>已停用</Tag>}<span className="label-count">{node.back_count + node.official_count || ''}</span></>}</SortList>
          : <ol className="order-list">{items.map((node, index) => <li key={node.id}><span className="order-place">{index + 1}</span><span className="order-name">{node.name}</span></li>)}</ol>}
    </>
  )
}

/** 标签排序: choose whose children, drag them into order, or let a textbook say it (domain 1.11). */
export default function OrderScreen() {
  const subjects = useSubjects()
  const [kind, setKind] = useState<LabelKind>('knowledge')
  const [chosen, setChosen] = useState<number>()
  const [parent, setParent] = useState<{ id: number; name: string }>()
  const subjectId = chosen ?? subjects[0]?.id
  const start = () => setParent(undefined)
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  return (
    <section className="labels" aria-label="标签排序">
      <aside className="labels-tree" aria-label="标签树">
        <Segmented<LabelKind> block value={kind} options={LABEL_KINDS.map(({ value, label }) => ({ value, label }))} onChange={(next) => { start(); setKind(next) }} />
        <SubjectSelect value={subjectId} onChange={(id) => { start(); setChosen(id) }} />
        <Button size="small" type={parent ? 'default' : 'primary'} aria-pressed={!parent} onClick={() => setParent(undefined)}>顶层</Button>
        <LabelTree key={`${kind} ${subjectId}`} kind={kind} subjectId={subjectId} height={560} selected={parent ? [parent.id] : []} onSelect={(_ids, labels) => setParent(labels[0])} />
      </aside>
      <div className="labels-main"><Siblings key={`${kind} ${subjectId} ${parent?.id ?? 0}`} kind={kind} subjectId={subjectId} parent={parent} /></div>
    </section>
  )
}
