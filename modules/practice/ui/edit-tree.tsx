import { useQueries, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton, Tree, type TreeDataNode } from 'antd'
import { useState, type Key, type KeyboardEvent, type ReactNode } from 'react'

/** What a tree needs to know of a node. */
interface TreeNode {
  id: number
  pid: number | null
  has_children: boolean
}

interface Props<Node extends TreeNode> {
  /** Under which the levels of this tree are remembered; changing nodes makes everything below it stale. */
  queryKey: readonly unknown[]
  /** One level: the children of a node, or the top. */
  read: (pid: number | undefined, signal: AbortSignal) => Promise<readonly Node[]>
  title: (node: Node) => ReactNode
  selected: number | undefined
  onSelect: (node: Node | undefined) => void
  /**
   * Puts a node below another (undefined: at the top), before one of its children or at their end; absent where nobody may.
   * `was` is where it stood, to be put back there.
   */
  onMove?: ((node: Node, parent: Node | undefined, before: number | undefined, was: { parent: Node | undefined; before: number | undefined }) => void) | undefined
  expanded: readonly number[]
  onExpand: (ids: number[]) => void
  height: number
  empty: string
}

/** A tree of any size that is read level by level, whose nodes are dragged to where they belong, or taken there with Alt and the arrows. */
export function EditTree<Node extends TreeNode>({ queryKey, read, title, selected, onSelect, onMove, expanded, onExpand, height, empty }: Props<Node>) {
  const [dragging, setDragging] = useState(false)
  const [active, setActive] = useState<number>()
  const top = useQuery({ queryKey: [...queryKey, 'top'], queryFn: ({ signal }) => read(undefined, signal), staleTime: 30_000 })
  const levels = useQueries({ queries: expanded.map((id) => ({ queryKey: [...queryKey, id], queryFn: ({ signal }: { signal: AbortSignal }) => read(id, signal), staleTime: 30_000 })) })
  const below = new Map(expanded.map((id, index) => [id, levels[index]?.data]))
  const known = new Map<number, Node>()
  const grow = (nodes: readonly Node[]): TreeDataNode[] => nodes.map((node) => {
    known.set(node.id, node)
    const children = expanded.includes(node.id) ? below.get(node.id) : undefined
    return { key: node.id, isLeaf: !node.has_children, title: title(node), ...(children && { children: grow(children) }) }
  })
  if (top.error) return <Alert type="error" showIcon title={top.error.message} action={<Button size="small" onClick={() => void top.refetch()}>重试</Button>} />
  if (top.isPending) return <Skeleton active paragraph={{ rows: 8 }} />
  if (top.data.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
  const data = grow(top.data)
  const siblings = (node: Node) => (node.pid !== null && below.get(node.pid)) || top.data || []
  const above = (node: Node) => (node.pid === null ? undefined : known.get(node.pid))
  const behindOf = (node: Node) => {
    const around = siblings(node)
    return around[around.findIndex(({ id }) => id === node.id) + 1]?.id
  }
  const put = (node: Node, parent: Node | undefined, before: number | undefined) => onMove?.(node, parent, before, { parent: above(node), before: behindOf(node) })
  const drop = (dragged: Key, target: Key, gap: boolean, behind: boolean) => {
    const [node, at] = [known.get(Number(dragged)), known.get(Number(target))]
    if (!node || !at || !onMove) return
    if (!gap) return put(node, at, undefined)
    // Behind the node that stands before it is where it stands now.
    const next = behind ? behindOf(at) : at.id
    put(node, above(at), next === node.id ? behindOf(node) : next)
  }
  /** Alt and an arrow: up and down among its siblings, right below the one before it, left out of its parent. */
  const press = (event: KeyboardEvent) => {
    const node = known.get(active ?? selected ?? 0)
    if (!event.altKey || !event.key.startsWith('Arrow') || !node || !onMove) return
    event.preventDefault()
    event.stopPropagation()
    const around = siblings(node)
    const at = around.findIndex(({ id }) => id === node.id)
    const parent = above(node)
    const [before, last] = [around[at - 1], at === around.length - 1]
    if (event.key === 'ArrowUp' && before) put(node, parent, before.id)
    if (event.key === 'ArrowDown' && !last) put(node, parent, around[at + 2]?.id)
    if (event.key === 'ArrowRight' && before) put(node, before, undefined)
    if (event.key === 'ArrowLeft' && parent) put(node, above(parent), behindOf(parent))
  }
  return (
    // The focus is on the tree itself, which takes the arrows unless they are caught before it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDownCapture={press}>
      <Tree blockNode virtual height={height} treeData={data} expandedKeys={[...expanded]} selectedKeys={selected === undefined ? [] : [selected]} onActiveChange={(key) => setActive(key === null ? undefined : Number(key))}
        onExpand={(keys) => onExpand(keys.map(Number))} onSelect={([key]) => onSelect(key === undefined ? undefined : known.get(Number(key)))}
        draggable={onMove ? { icon: false } : false} className={dragging ? 'edit-tree-dragging' : ''} onDragStart={() => setDragging(true)} onDragEnd={() => setDragging(false)}
        onDrop={({ dragNode, node, dropToGap, dropPosition }) => {
          setDragging(false)
          const at = Number(node.pos.split('-').at(-1))
          drop(dragNode.key, node.key, dropToGap, dropPosition > at)
        }} />
    </div>
  )
}
