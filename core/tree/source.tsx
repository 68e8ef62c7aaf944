import { call, request } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import { treeEndpoints, type FoundNode, type TreeNode } from './calls.ts'
import type { FlatNode, Target } from './flat.ts'

/** A node as a pane shows it. */
export interface PaneNode extends FlatNode {
  readonly name: string
  /** Of a node that was just moved: by which number that is taken back. */
  readonly undo?: number
}

/** Where a tree comes from, and what may be done to it. */
export interface TreeSource<Node extends PaneNode> {
  /** Under which what was read is remembered. */
  readonly key: readonly unknown[]
  /** Children of a node, or the top. */
  level(parent: number | undefined, signal?: AbortSignal): Promise<readonly Node[]>
  /** Absent where it is not searched. */
  find?(words: string, signal?: AbortSignal): Promise<readonly FoundNode[]>
  /** Ids above a node, from the top; absent where nothing is shown from outside. */
  path?(id: number): Promise<readonly number[]>
  /** Absent where nobody may. */
  move?(node: Node, target: Target): Promise<Node>
  rename?(node: Node, name: string): Promise<unknown>
}

/** Key under which everything that was read of the trees of a table is remembered. */
export const treeKey = (resource: Pick<Resource, 'table'>): readonly unknown[] => ['tree', resource.table]

/**
 * The tree of a resource.
 * @param group which of its trees: values of the fields by which the table falls into trees
 * @param may whether the person may change it
 */
export function resourceSource(resource: Resource, group: Readonly<Record<string, number>>, may: boolean): TreeSource<TreeNode> {
  const { level, find, node: one, move } = treeEndpoints(resource)
  return {
    key: [...treeKey(resource), resource.name, group],
    level: async (parent, signal) => (await call(level, { ...group, ...(parent !== undefined && { parent_id: parent }) }, { ...(signal && { signal }), quiet: true })).items,
    find: async (keyword, signal) => (await call(find, { ...group, keyword }, { ...(signal && { signal }) })).items,
    path: async (id) => (await call(one, undefined, { params: { id }, quiet: true })).above.map((above) => above.id),
    ...(may && move && {
      move: (node, { parent, before }) => call(move, { parent_id: parent, rev: node.rev, ...(before !== undefined && { before_id: before }) }, { params: { id: node.id }, keepEmpty: true }),
    }),
    ...(may && resource.actions.update !== undefined && {
      rename: (node, name) => request('PUT', `${resource.api.item}/${node.id}`, { [resource.title]: name, rev: node.rev }),
    }),
  }
}
