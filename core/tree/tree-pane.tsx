import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Skeleton } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { flatten, type FlatRow, type Target } from './flat.ts'
import { useSaid } from '../undo/use-said.tsx'
import type { PaneNode, TreeSource } from './source.tsx'
import { TreeList } from './tree-list.tsx'

/** How long a level that was read is good, in milliseconds. */
const FRESH = 30_000

interface TreePaneProps<Node extends PaneNode> {
  label: string
  source: TreeSource<Node>
  title?: (node: Node) => ReactNode
  selected: readonly number[]
  onSelect: (node: { id: number; name: string }) => void
  /** What stands between search and tree. */
  tools?: ReactNode
  empty: string
  placeholder?: string
  height: number
  /** Something of the tree has changed. */
  onChanged?: () => unknown
}

/** A tree with its search: opened level by level, found by name with the way to it, changed by keys and by dragging. */
export function TreePane<Node extends PaneNode>({ label, source, title, selected, onSelect, tools, empty, placeholder = '按名称查找', height, onChanged }: TreePaneProps<Node>) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const said = useSaid()
  const [keyword, setKeyword] = useState('')
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const { key } = source
  const top = useQuery({ queryKey: [...key, 'top'], queryFn: ({ signal }) => source.level(undefined, signal), staleTime: FRESH })
  const open = [...expanded]
  const levels = useQueries({ queries: open.map((id) => ({ queryKey: [...key, id], queryFn: ({ signal }: { signal: AbortSignal }) => source.level(id, signal), staleTime: FRESH })) })
  const below = new Map(open.map((id, index) => [id, levels[index]?.data]))
  const rows = flatten(top.data ?? [], (id) => below.get(id), expanded)
  const chosen = useMemo(() => new Set(selected), [selected])
  const word = keyword.trim()
  const found = useQuery({ queryKey: [...key, 'find', word], enabled: word !== '', queryFn: ({ signal }) => source.find?.(word, signal) ?? [] })
  const [first] = selected
  const path = useQuery({ queryKey: [...key, 'path', first], enabled: source.path !== undefined && first !== undefined, queryFn: () => source.path?.(first ?? 0) ?? [], staleTime: FRESH, retry: false })
  // What is chosen from outside is shown: the tree is opened as far as it, once.
  const [shown, setShown] = useState<readonly number[]>()
  if (path.data !== shown) {
    setShown(path.data)
    setExpanded(new Set([...expanded, ...path.data ?? []]))
  }
  const reread = async () => {
    await client.invalidateQueries({ queryKey: key })
    await onChanged?.()
  }
  const toggle = (id: number, wanted: boolean) => setExpanded((known) => {
    const next = new Set(known)
    if (wanted) next.add(id)
    else next.delete(id)
    return next
  })
  const { move, rename } = source
  const put = async (node: Node, target: Target) => {
    if (!move) return
    try {
      const { undo } = await move(node, target)
      if (target.parent !== null) toggle(target.parent, true)
      said({ words: `已移动「${node.name}」`, undo })
    } finally {
      await reread()
    }
  }
  const call = async (node: Node, name: string) => {
    try {
      await rename?.(node, name)
      void message.success('已改名')
    } finally {
      await reread()
    }
  }
  // The shell has said why, where something was refused.
  const quietly = (work: Promise<void>) => void work.catch(() => undefined)
  const list = top.error
    ? <Alert type="error" showIcon title={top.error.message} action={<Button size="small" onClick={() => void top.refetch()}>重试</Button>} />
    : top.isPending ? <Skeleton active paragraph={{ rows: 6 }} />
      : top.data.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
        : (
          <TreeList<Node> label={label} rows={rows} height={height} title={title ?? ((node) => node.name)} nameOf={(node) => node.name} selected={chosen}
            onSelect={({ node }) => onSelect({ id: node.id, name: node.name })} onToggle={(row: FlatRow<Node>, wanted) => toggle(row.node.id, wanted)}
            onMove={move && ((row, target) => quietly(put(row.node, target)))} onRename={rename && ((row, name) => quietly(call(row.node, name)))} />
        )
  return (
    <div className="tree-pane">
      {source.find && <Input.Search allowClear placeholder={placeholder} aria-label={`查找${label}`} maxLength={60} value={keyword} onChange={(event) => setKeyword(event.target.value)} />}
      {tools}
      {word === '' ? list : (
        <ul className="tree-found" aria-label="找到的内容" style={{ maxHeight: height }}>
          {(found.data ?? []).map((one) => (
            <li key={one.id}><button type="button" aria-pressed={chosen.has(one.id)} onClick={() => { if (source.path) setKeyword(''); onSelect(one) }}><b>{one.name}</b><small>{one.above.join(' › ')}</small></button></li>
          ))}
          {found.data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有匹配的${label}`} />}
        </ul>
      )}
    </div>
  )
}
