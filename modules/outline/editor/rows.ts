/** The rows of an outline's tree: what is shown, what is marked, what a view or words leave. Pure. */
import type { FlatNode } from '../../../core/tree/flat.ts'
import type { Mark, NodeDifference } from '../compare.ts'
import type { Figures } from '../complete.ts'
import { above, childrenOf, isLiving, type Draft } from '../draft.ts'
import type { OutlineNode } from '../node.ts'

/** A node of the tree on the screen. */
export interface EditorNode extends FlatNode {
  readonly key: string
  readonly node: OutlineNode
  /** Removed since it was published; stays to be seen until the next version. */
  readonly gone: boolean
}

/** What of an outline is shown. */
export const VIEWS = [{ value: 'all', label: '全部' }, { value: 'lacks', label: '缺内容' }, { value: 'changed', label: '未发布' }, { value: 'broken', label: '要处理' }] as const
export type View = (typeof VIEWS)[number]['value']

/** What is known of an outline beside itself. */
export interface Known {
  readonly draft: Draft
  /** Keys of what learners see. */
  readonly published: ReadonlySet<string>
  readonly figures: ReadonlyMap<string, Figures>
  readonly differences: ReadonlyMap<string, NodeDifference>
  /** Keys of nodes with something that is not in order. */
  readonly broken: ReadonlySet<string>
}

/** Keys of the nodes that a view is about; undefined where it is about all. */
export function viewKeys(known: Known, view: View): ReadonlySet<string> | undefined {
  if (view === 'all') return undefined
  if (view === 'broken') return known.broken
  if (view === 'changed') return new Set(known.differences.keys())
  return new Set([...known.figures].flatMap(([key, { lacks }]) => (lacks.length > 0 ? [key] : [])))
}

export interface Rows {
  readonly top: readonly EditorNode[]
  readonly children: (id: number) => readonly EditorNode[]
  readonly byKey: ReadonlyMap<string, EditorNode>
}

/**
 * The tree as it is shown.
 * @param numberOf a number for each key, always the same
 * @param only keys to be shown, with what stands above them; all where there is none
 */
export function treeOf({ draft, published }: Pick<Known, 'draft' | 'published'>, numberOf: (key: string) => number, only?: ReadonlySet<string>): Rows {
  const children = childrenOf(draft.nodes)
  const wanted = only && new Set([...only].flatMap((key) => [key, ...above(draft.nodes, key)]))
  const byKey = new Map<string, EditorNode>()
  const below = new Map<number, EditorNode[]>()
  const build = (parent: string | null, hidden: boolean): EditorNode[] => (children.get(parent) ?? []).flatMap((node): EditorNode[] => {
    // Of what learners saw a removed branch stays as one row.
    if (hidden || (node.gone && !published.has(node.key)) || (wanted && !wanted.has(node.key))) return []
    const own = build(node.key, node.gone)
    const id = numberOf(node.key)
    const row: EditorNode = { id, key: node.key, node, gone: node.gone, below: own.reduce((sum, one) => sum + 1 + one.below, 0) }
    below.set(id, own)
    byKey.set(node.key, row)
    return [row]
  })
  return { top: build(null, false), children: (id) => below.get(id) ?? [], byKey }
}

/** Keys of living nodes whose name, or the name of something they show, holds the words. */
export function matching(draft: Draft, words: string, blockWords: (key: string) => readonly string[]): Set<string> {
  const low = words.toLowerCase()
  return new Set([...draft.nodes.values()].filter(({ key, name }) => isLiving(draft.nodes, key) && [name, ...blockWords(key)].some((text) => text.toLowerCase().includes(low))).map(({ key }) => key))
}

/** What a closed branch says of the changes in it: one mark, or how many. */
export function marksBelow(rows: Rows, differences: ReadonlyMap<string, NodeDifference>, node: EditorNode): { own: Mark | undefined; below: number } {
  const count = (id: number): number => rows.children(id).reduce((sum, one) => sum + (differences.has(one.key) ? 1 : 0) + count(one.id), 0)
  return { own: differences.get(node.key)?.mark, below: count(node.id) }
}

/** Those among chosen nodes that no other chosen one stands above, in the order of the tree. */
export function topmost(draft: Draft, order: readonly string[], chosen: ReadonlySet<string>): string[] {
  return order.filter((key) => chosen.has(key) && !above(draft.nodes, key).some((one) => chosen.has(one)))
}
