import { DownloadOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Drawer, Empty, Space } from 'antd'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { ListPage } from '../list/list-page.tsx'
import type { Resource } from '../resource/define.ts'
import type { Presentation } from '../resource/present.tsx'
import { useCan } from '../session/staff-context.tsx'
import { useWide } from '../ui/use-media.tsx'
import { treeEndpoints, type TreeNode } from './calls.ts'
import { levelColumns } from './level-sheet.ts'
import { NodePanel } from './node-panel.tsx'
import { SheetDialog } from './sheet-dialog.tsx'
import { resourceSource, treeKey } from './source.tsx'
import { TreePane } from './tree-pane.tsx'

const NO_GROUP = {}

interface TreeToolsProps {
  resource: Resource
  group: Readonly<Record<string, number>>
  onAdd: () => void
  onChanged: () => void
}

/** What can be done to a whole tree: a new node at its top, sheets in and out. */
export function TreeTools({ resource, group, onAdd, onChanged }: TreeToolsProps) {
  const can = useCan()
  const [importing, setImporting] = useState(false)
  const { readSheet, writeSheet } = treeEndpoints(resource)
  const levels = levelColumns(resource.tree?.levels ?? 1)
  const facts = (resource.tree?.facts ?? []).map((key) => resource.fields[key]?.label ?? key)
  return (
    <Space size={4} wrap>
      {can(resource.actions.create) && <Button size="small" icon={<PlusOutlined />} onClick={onAdd}>新增</Button>}
      {readSheet && can(resource.actions.update) && <Button size="small" icon={<UploadOutlined />} onClick={() => setImporting(true)}>导入</Button>}
      {writeSheet && can(resource.actions.export) && <Button size="small" icon={<DownloadOutlined />} href={`${writeSheet.path}?${new URLSearchParams(Object.entries(group).map(([key, value]) => [key, String(value)]))}`}>导出</Button>}
      {importing && readSheet && (
        <SheetDialog title={`导入${resource.label}`} levels={`${levels[0]?.label}到${levels.at(-1)?.label}的名称`} facts={facts.join('、')} onClose={() => setImporting(false)} onDone={() => { setImporting(false); onChanged() }}
          read={(file_id, mode, write) => call(readSheet, { file_id, mode, write, group }, { keepEmpty: true })} />
      )}
    </Space>
  )
}

interface TreePageProps {
  resource: Resource
  group?: Readonly<Record<string, number>>
  title?: (node: TreeNode) => ReactNode
}

/** The standard screen of a tree: the tree at the left, one node at the right. */
export function TreePage({ resource, group = NO_GROUP, title }: TreePageProps) {
  const client = useQueryClient()
  const can = useCan()
  const wide = useWide('lg')
  const [address, setAddress] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const selected = Number(address.get('id')) || undefined
  const show = (id: number | undefined) => setAddress((current) => {
    const next = new URLSearchParams(current)
    if (id === undefined) next.delete('id')
    else next.set('id', String(id))
    return next
  })
  const reread = () => client.invalidateQueries({ queryKey: treeKey(resource) })
  const panel = selected !== undefined && <NodePanel key={selected} resource={resource} id={selected} group={group} onShow={show} />
  return (
    <section className="tree-page" aria-label={resource.label}>
      <aside>
        <TreePane<TreeNode> label={resource.label} source={resourceSource(resource, group, can(resource.actions.update))} {...(title && { title })} height={wide ? 600 : 420} empty={`还没有${resource.label}`}
          selected={selected === undefined ? [] : [selected]} onSelect={({ id }) => show(id)}
          tools={<TreeTools resource={resource} group={group} onAdd={() => setAdding(true)} onChanged={() => void reread()} />} />
      </aside>
      <div>{wide && (panel || <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`在左侧选择${resource.label}`} />)}</div>
      {!wide && <Drawer open={selected !== undefined} size="100%" title={resource.label} onClose={() => show(undefined)}>{panel}</Drawer>}
      {adding && <RecordForm resource={resource} start={group} onClose={() => setAdding(false)} onSaved={(saved) => { void reread(); show(saved.id) }} />}
    </section>
  )
}

interface TreeBesideProps {
  tree: Resource
  /** Which of its trees. */
  group?: Readonly<Record<string, number>>
  resource: Resource
  /** The list's reference to the tree, by which it is narrowed; nodes below count too. */
  by: string
  presentation?: Presentation
  /** A computed field of the tree that counts the list's records. */
  count?: string
}

/**
 * A list with a tree at its left: choosing a node leaves what belongs to it or to anything below it.
 * @public
 */
export function TreeBeside({ tree, group = NO_GROUP, resource, by, presentation, count }: TreeBesideProps) {
  const [chosen, setChosen] = useState<{ id: number; name: string }>()
  const title = (node: TreeNode) => <>{node.name}{count !== undefined && <span className="tree-count">{String(node[count] ?? '') || ''}</span>}</>
  return (
    <div className="tree-page">
      <aside aria-label={tree.label}>
        <TreePane<TreeNode> label={tree.label} source={resourceSource(tree, group, false)} title={title} height={560} empty={`还没有${tree.label}`} selected={chosen ? [chosen.id] : []} onSelect={(node) => setChosen(node.id === chosen?.id ? undefined : node)}
          tools={<Button size="small" type={chosen ? 'default' : 'primary'} aria-pressed={!chosen} onClick={() => setChosen(undefined)}>全部{resource.label}</Button>} />
      </aside>
      <div><ListPage key={chosen?.id ?? 'all'} resource={resource} {...(presentation && { presentation })} embedded={{ fixed: chosen ? { [by]: [String(chosen.id)] } : {} }} {...(chosen && { start: { [by]: chosen.id } })} /></div>
    </div>
  )
}
