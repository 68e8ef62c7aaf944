import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Empty, Input, Skeleton, Tree, type TreeDataNode } from 'antd'
import { useState, type Key } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { findLabels, pLabels, type LabelNode, type NamedLabel } from '../label/calls.ts'
import type { LabelKind } from '../label/label.ts'
import type { Pool } from '../bank/practice.ts'

interface Props {
  kind: LabelKind
  subjectId: number
  /** Bank whose numbers of questions stand behind the names; both unless told. */
  pool?: Pool
  selected: readonly number[]
  onSelect: (ids: number[], labels: readonly { id: number; name: string }[]) => void
  multiple?: boolean
  height?: number
}

const countOf = (node: LabelNode, pool: Pool | undefined) => (pool === 'back' ? node.back_count : pool === 'official' ? node.official_count : node.back_count + node.official_count)

/** One level of a tree, kept by the query cache, so that every tree of a subject opens what has been read already. */
function levelQuery(kind: LabelKind, subjectId: number, pid?: number) {
  return {
    queryKey: ['labels', kind, subjectId, pid ?? 0],
    queryFn: async ({ signal }: { signal?: AbortSignal }) => (await call(pLabels, { kind, cat_id: String(subjectId), ...(pid !== undefined && { pid: String(pid) }) }, { ...(signal && { signal }) })).p_labels,
    staleTime: 30_000,
  }
}

/** The tree of labels of a subject: opened level by level, found by name or alias. */
export function LabelTree({ kind, subjectId, pool, selected, onSelect, multiple = false, height = 480 }: Props) {
  const client = useQueryClient()
  const [keyword, setKeyword] = useState('')
  const [children, setChildren] = useState<ReadonlyMap<number, readonly LabelNode[]>>(new Map())
  const [open, setOpen] = useState<Key[]>([])
  const roots = useQuery({
    ...levelQuery(kind, subjectId),
    // Knowledge hangs under one root for each subject, which says nothing: what stands below it is the top.
    queryFn: async ({ signal }) => {
      const top = await levelQuery(kind, subjectId).queryFn({ signal })
      const [root] = top
      return kind === 'knowledge' && top.length === 1 && root ? levelQuery(kind, subjectId, root.id).queryFn({ signal }) : top
    },
    queryKey: ['labels', kind, subjectId, 'top'],
  })
  const word = keyword.trim()
  const found = useQuery({
    queryKey: ['find-labels', kind, subjectId, word], enabled: word !== '',
    queryFn: ({ signal }) => call(findLabels, { keyword: word, cat_id: String(subjectId), kind }, { signal }),
  })
  const grow = (nodes: readonly LabelNode[]): TreeDataNode[] => nodes.map((node) => {
    const below = children.get(node.id)
    return {
      key: node.id, isLeaf: !node.has_children, title: <span className={node.status === 0 ? 'label-off' : undefined}>{node.name}<span className="label-count">{countOf(node, pool) || ''}</span></span>,
      ...(below && { children: grow(below) }),
    }
  })
  const names = new Map<number, string>([...(roots.data ?? []), ...[...children.values()].flat()].map((node) => [node.id, node.name]))
  const choose = (ids: readonly number[], extra?: NamedLabel) => onSelect([...ids], ids.map((id) => ({ id, name: names.get(id) ?? (extra?.id === id ? extra.name : '') })))
  const take = (label: NamedLabel) => choose(multiple ? (selected.includes(label.id) ? selected.filter((id) => id !== label.id) : [...selected, label.id]) : selected.includes(label.id) ? [] : [label.id], label)

  return (
    <div className="label-tree">
      <Input.Search allowClear placeholder="按名称或别名查找" aria-label="查找标签" maxLength={60} value={keyword} onChange={(event) => setKeyword(event.target.value)} />
      {roots.error ? <Alert type="error" title={roots.error.message} /> : word !== '' ? (
        <ul className="label-found" aria-label="找到的标签">
          {(found.data?.labels ?? []).map((label) => (
            <li key={label.id}><button type="button" aria-pressed={selected.includes(label.id)} onClick={() => take(label)}><b>{label.name}</b><small>{label.above.join(' › ')}</small></button></li>
          ))}
          {found.data?.labels.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有匹配的标签" />}
        </ul>
      ) : roots.isPending ? <Skeleton active paragraph={{ rows: 6 }} /> : roots.data.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有标签" /> : (
        <Tree blockNode virtual height={height} treeData={grow(roots.data)} expandedKeys={open} onExpand={(keys) => setOpen(keys)} multiple={multiple} selectedKeys={[...selected]}
          loadData={async ({ key }) => {
            const id = Number(key)
            if (children.has(id)) return
            const level = await client.fetchQuery(levelQuery(kind, subjectId, id))
            setChildren((known) => new Map(known).set(id, level))
          }}
          onSelect={(keys) => choose(keys.map(Number))} />
      )}
    </div>
  )
}
