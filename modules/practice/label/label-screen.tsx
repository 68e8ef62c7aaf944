import { DownloadOutlined, PlusOutlined, ReloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Drawer, Empty, Input, Segmented, Space, Tabs, Tooltip } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { RecordForm } from '../../../core/form/record-form.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { useKeepEffectsWhenHidden } from '../../../core/ui/idle.tsx'
import { SheetDialog } from '../outline/sheet-dialog.tsx'
import { EditTree } from '../ui/edit-tree.tsx'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useMoved } from '../ui/use-moved.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { EDIT_GRANT, findLabels, labelNode, moveLabel, type LabelNode } from './calls.ts'
import { Coverage, Orphans } from './coverage.tsx'
import { LABEL_KINDS, type LabelKind } from './label.ts'
import { LabelPanel } from './label-panel.tsx'
import { LABEL_RESOURCES, readLabels, subjectTop, useReloadLabels } from './label-tools.tsx'
import { readLabelSheet } from './sheet-calls.ts'
import '../../../core/list/list.css'
import '../ui/bank.css'
import './label.css'

/** The trees of labels of a subject, one kind at a time: the tree at the left, a label or the whole tree at the right (domain 1.11). */
export function LabelScreen({ kinds }: { kinds: readonly LabelKind[] }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const wide = useWide('lg')
  const reload = useReloadLabels()
  const tellMoved = useMoved()
  const subjects = useSubjects()
  const [address, setAddress] = useSearchParams()
  const [expanded, setExpanded] = useState<number[]>([])
  const [keyword, setKeyword] = useState('')
  const [importing, setImporting] = useState(false)
  const [adding, setAdding] = useState<{ parent: number | undefined }>()
  const kind = kinds.find((one) => one === address.get('kind')) ?? kinds[0] ?? 'knowledge'
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const selected = Number(address.get('id')) || undefined
  const mayEdit = can(EDIT_GRANT[kind])
  const go = (part: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(address)
    for (const [key, value] of Object.entries(part)) if (value === undefined) next.delete(key)
    else next.set(key, value)
    setAddress(next)
  }
  useKeepEffectsWhenHidden(!importing && !adding)
  const word = keyword.trim()
  const found = useQuery({
    queryKey: ['find-labels', kind, subjectId, word], enabled: word !== '' && subjectId !== undefined, queryFn: ({ signal }) => call(findLabels, { keyword: word, cat_id: String(subjectId), kind }, { signal }),
  })
  /** Shows a label and opens the tree as far as it. */
  const show = async (id: number | undefined) => {
    go({ id: id === undefined ? undefined : String(id) })
    if (id === undefined) return
    const { above } = await client.fetchQuery({ queryKey: ['label-node', id], queryFn: () => call(labelNode, undefined, { params: { id } }) })
    setExpanded((known) => [...new Set([...known, ...above.map((one) => one.id)])])
  }
  const move = async (node: Pick<LabelNode, 'id' | 'name' | 'rev'>, parent: LabelNode | undefined, before: number | undefined, was?: { parent: LabelNode | undefined; before: number | undefined }) => {
    if (subjectId === undefined) return
    try {
      const moved = await call(moveLabel, { parent_id: parent?.id ?? (await subjectTop(client, kind, subjectId)) ?? null, rev: node.rev, ...(before !== undefined && { before_id: before }) }, { params: { id: node.id }, keepEmpty: true })
      if (parent && !expanded.includes(parent.id)) setExpanded([...expanded, parent.id])
      if (was) tellMoved(node.name, () => move(moved, was.parent, was.before))
      else void message.success('已放回原处')
    } finally {
      await reload()
    }
  }
  const add = async () => {
    if (subjectId !== undefined) setAdding({ parent: await subjectTop(client, kind, subjectId) })
  }
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const label = choiceLabel(LABEL_KINDS, kind)
  const open = (id: number | undefined) => void show(id).catch(() => undefined)
  const panel = selected !== undefined && <LabelPanel key={selected} id={selected} onShow={open} />
  const overview = (
    <Tabs items={[
      { key: 'coverage', label: '覆盖热力图', children: <Coverage kind={kind} subjectId={subjectId} onOpen={open} /> },
      { key: 'orphans', label: '孤立标签', children: <Orphans kind={kind} subjectId={subjectId} onOpen={open} /> },
    ]} />
  )
  return (
    <section className="labels" aria-label={`${label}管理`}>
      <aside className="labels-tree" aria-label={`${label}树`}>
        {kinds.length > 1 && <Segmented<LabelKind> block value={kind} options={kinds.map((one) => ({ value: one, label: choiceLabel(LABEL_KINDS, one) }))} onChange={(next) => { setExpanded([]); go({ kind: next, id: undefined }) }} />}
        <SubjectSelect value={subjectId} onChange={(id) => { setExpanded([]); go({ cat_id: String(id), id: undefined }) }} />
        <Space.Compact className="wide">
          <Input.Search allowClear placeholder="名称、别名或编码" aria-label="查找标签" maxLength={60} value={keyword} onChange={(event) => setKeyword(event.target.value)} />
          <Tooltip title="刷新"><Button icon={<ReloadOutlined />} aria-label="刷新标签" onClick={() => void reload()} /></Tooltip>
        </Space.Compact>
        <Space size={4} wrap>
          {mayEdit && <Button size="small" icon={<PlusOutlined />} onClick={() => void add().catch(() => undefined)}>新增</Button>}
          {mayEdit && <Button size="small" icon={<UploadOutlined />} onClick={() => setImporting(true)}>导入</Button>}
          <Button size="small" icon={<DownloadOutlined />} href={`/daoyuan/api/end/label_sheets?kind=${kind}&cat_id=${subjectId}`}>导出</Button>
        </Space>
        {word === '' ? (
          <EditTree<LabelNode> key={`${kind} ${subjectId}`} queryKey={['labels', kind, subjectId, 'edit']} height={wide ? 600 : 420} empty="还没有标签，可以新增或导入"
            read={async (pid, signal) => readLabels(kind, subjectId, pid ?? await subjectTop(client, kind, subjectId), signal)}
            title={(node) => <span className={node.status === 0 ? 'label-off' : undefined}>{node.name}<span className="label-count">{node.back_count + node.official_count || ''}</span></span>}
            selected={selected} onSelect={(node) => go({ id: node && String(node.id) })} expanded={expanded} onExpand={setExpanded}
            onMove={mayEdit ? (node, parent, before, was) => void move(node, parent, before, was).catch(() => undefined) : undefined} />
        ) : (
          <ul className="label-found" aria-label="找到的标签">
            {(found.data?.labels ?? []).map((one) => <li key={one.id}><button type="button" aria-pressed={selected === one.id} onClick={() => { setKeyword(''); open(one.id) }}><b>{one.name}</b><small>{one.above.join(' › ')}</small></button></li>)}
            {found.data?.labels.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有匹配的标签" />}
          </ul>
        )}
        {mayEdit && wide && <p className="note">拖动可以移动标签；用键盘时先选中，再按 Alt + 方向键；也可以用右侧的按钮。</p>}
      </aside>
      <div className="labels-main">{(wide && panel) || overview}</div>
      {!wide && <Drawer open={selected !== undefined} size="100%" title={label} onClose={() => go({ id: undefined })}>{panel}</Drawer>}
      {adding && <RecordForm resource={LABEL_RESOURCES[kind]} start={{ subject_id: subjectId, ...(adding.parent !== undefined && { parent_id: adding.parent }) }} onClose={() => setAdding(undefined)} onSaved={(saved) => { void reload(); open(saved.id) }} />}
      {importing && <SheetDialog title={`导入${label}`} levels="一级到五级的名称" facts="编码、别名、要求、考频" onClose={() => setImporting(false)} onDone={() => { setImporting(false); void reload() }}
        read={(file_id, mode, write) => call(readLabelSheet, { kind, cat_id: subjectId, file_id, mode, write }, { keepEmpty: true })} />}
    </section>
  )
}
