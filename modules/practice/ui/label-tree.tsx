import { call } from '../../../core/endpoint/call.tsx'
import type { TreeSource } from '../../../core/tree/source.tsx'
import { TreePane } from '../../../core/tree/tree-pane.tsx'
import { findLabels, pLabels, type LabelNode } from '../label/calls.ts'
import type { LabelKind } from '../label/label.ts'
import type { Pool } from '../bank/practice.ts'

interface Props {
  kind: LabelKind
  subjectId: number
  /** Bank whose numbers of questions stand behind the names; both by default. */
  pool?: Pool
  selected: readonly number[]
  onSelect: (ids: number[], labels: readonly { id: number; name: string }[]) => void
  multiple?: boolean
  height?: number
}

const countOf = (node: LabelNode, pool: Pool | undefined) => (pool === 'back' ? node.back_count : pool === 'official' ? node.official_count : node.back_count + node.official_count)

/** A label in a tree from which it is picked: what stands below it is read when it is opened. */
type Picked = LabelNode & { readonly below: number }

/** Labels as everybody may read them, no matter who may see their screen. */
function labelSource(kind: LabelKind, subjectId: number): TreeSource<Picked> {
  const read = async (pid: number | undefined, signal?: AbortSignal) =>
    (await call(pLabels, { kind, cat_id: String(subjectId), ...(pid !== undefined && { pid: String(pid) }) }, { ...(signal && { signal }) })).p_labels.map((node) => ({ ...node, below: node.has_children ? 1 : 0 }))
  return {
    key: ['labels', kind, subjectId, 'pick'],
    // Knowledge hangs under one root for each subject, which says nothing: what stands below it is the top.
    level: async (parent, signal) => {
      const level = await read(parent, signal)
      const [root] = level
      return parent === undefined && kind === 'knowledge' && level.length === 1 && root ? read(root.id, signal) : level
    },
    find: async (keyword, signal) => (await call(findLabels, { keyword, cat_id: String(subjectId), kind }, { ...(signal && { signal }) })).labels,
  }
}

/** The ids that are chosen after one was clicked. */
export const chosenAfter = (selected: readonly number[], id: number, multiple: boolean): number[] =>
  selected.includes(id) ? selected.filter((one) => one !== id) : multiple ? [...selected, id] : [id]

/** The tree of labels of a subject from which labels are picked: opened level by level, found by name or alias. */
export function LabelTree({ kind, subjectId, pool, selected, onSelect, multiple = false, height = 480 }: Props) {
  return (
    <TreePane<Picked> label="标签" source={labelSource(kind, subjectId)} height={height} empty="还没有标签" placeholder="按名称或别名查找" selected={selected}
      title={(node) => <span className={node.status === 0 ? 'label-off' : undefined}>{node.name}<span className="label-count">{countOf(node, pool) || ''}</span></span>}
      onSelect={(node) => {
        const ids = chosenAfter(selected, node.id, multiple)
        onSelect(ids, ids.map((id) => ({ id, name: id === node.id ? node.name : '' })))
      }} />
  )
}
