import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Descriptions, Modal, Skeleton, Space, Tabs } from 'antd'
import { useState } from 'react'
import { call, request } from '../endpoint/call.tsx'
import { viewOf } from '../field/views.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { Timeline } from '../record/timeline.tsx'
import { useRemoval } from '../record/use-removal.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf, hasValue } from '../resource/meta-fields.ts'
import { useSaid } from '../undo/use-said.tsx'
import { treeEndpoints, type TreeNode } from './calls.ts'
import { resourceSource, treeKey } from './source.tsx'
import { TreePane } from './tree-pane.tsx'

interface Props {
  resource: Resource
  id: number
  group: Readonly<Record<string, number>>
  onShow: (id: number | undefined) => void
}

/** Columns that the server keeps and nobody reads. */
const INTERNAL: readonly string[] = ['path', 'depth', 'ord', 'parent_id', 'merged_into']

/** One node of a tree: what is known of it, and what can be done with it. */
export function NodePanel({ resource, id, group, onShow }: Props) {
  const { message } = App.useApp()
  const said = useSaid()
  const removal = useRemoval()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'edit' | 'below' | 'merge'>()
  const [target, setTarget] = useState<{ id: number; name: string }>()
  const endpoints = treeEndpoints(resource)
  const found = useQuery({ queryKey: [...treeKey(resource), 'node', id], queryFn: ({ signal }) => call(endpoints.node, undefined, { params: { id }, signal, quiet: true }) })
  const node = found.data?.node
  const record = useQuery({ queryKey: ['record', resource.name, node?.id, node?.rev], enabled: node !== undefined, queryFn: ({ signal }) => request<WireRow>('GET', `${resource.api.item}/${node?.id}`, {}, { signal, quiet: true }) })
  const error = found.error ?? record.error
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void (found.error ? found.refetch() : record.refetch())}>重试</Button>} />
  const row = record.data
  if (!node || !row) return <Skeleton active />
  const reread = () => Promise.all([treeKey(resource), ['record'], ['history']].map((queryKey) => client.invalidateQueries({ queryKey })))
  const may = (action: string) => row.can.includes(action)
  const remove = () => removal({
    path: `${resource.api.item}/${node.id}`, name: node.name,
    run: async () => {
      const { undo } = await request<{ undo?: number }>('DELETE', `${resource.api.item}/${node.id}`)
      said({ words: `已删除「${node.name}」`, undo })
      await reread()
      onShow(found.data?.above.at(-1)?.id)
    },
  }).catch(() => undefined)
  const merge = async () => {
    if (!target || !endpoints.merge) return
    await call(endpoints.merge, { into_id: target.id, rev: node.rev }, { params: { id: node.id } })
    void message.success(`已合并到「${target.name}」`)
    setDialog(undefined)
    await reread()
    onShow(target.id)
  }
  const keys = [...Object.keys(resource.fields).filter((key) => !INTERNAL.includes(key) && key !== resource.title && hasValue(fieldOf(resource, key))), 'updated_by_name', 'updated_at']
  return (
    <article className="tree-panel" aria-label={`${resource.label} ${node.name}`}>
      <small className="note">{found.data?.above.map(({ name }) => name).join(' › ') || '顶层'}</small>
      <h2>{node.name}</h2>
      <Space wrap size={4}>
        {may('edit') && <Button type="primary" onClick={() => setDialog('edit')}>编辑</Button>}
        {may('edit') && (found.data?.above.length ?? 0) + 1 < (resource.tree?.levels ?? 1) && <Button onClick={() => setDialog('below')}>新增下级</Button>}
        {may('edit') && endpoints.merge && <Button onClick={() => setDialog('merge')}>合并</Button>}
        {may('remove') && <Button danger onClick={() => void remove()}>删除</Button>}
      </Space>
      <Tabs items={[
        {
          key: 'facts', label: '详情',
          children: <Descriptions size="small" column={{ xs: 1, xl: 2 }} items={[
            { key: 'below', label: '下级', children: `${node.below} 项` },
            ...keys.map((key) => {
              const field = fieldOf(resource, key)
              const { Cell } = viewOf(field)
              return { key, label: field.label, children: <Cell field={field} name={key} value={row[key]} row={row} /> }
            }),
          ]} />,
        },
        { key: 'history', label: '动态', children: <Timeline resource={resource} row={row} onChanged={() => void reread()} /> },
      ]} />
      {dialog === 'edit' && <RecordForm resource={resource} row={row} onClose={() => setDialog(undefined)} onSaved={() => void reread()} />}
      {dialog === 'below' && <RecordForm resource={resource} start={{ ...group, parent_id: node.id }} onClose={() => setDialog(undefined)} onSaved={(saved) => { void reread(); onShow(saved.id) }} />}
      {dialog === 'merge' && (
        <Modal open title={`把「${node.name}」合并到`} okText={target ? `合并到「${target.name}」` : '合并'} okButtonProps={{ disabled: !target, danger: true }} onOk={() => merge().catch(() => undefined)} onCancel={() => setDialog(undefined)}>
          <p className="note">下级和使用它的内容都归到目标{resource.label}，原编号继续有效。</p>
          <TreePane<TreeNode> label={resource.label} source={resourceSource(resource, group, false)} height={320} empty={`还没有${resource.label}`} selected={target ? [target.id] : []} onSelect={setTarget} />
        </Modal>
      )}
    </article>
  )
}
