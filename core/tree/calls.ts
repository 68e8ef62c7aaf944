import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import type { Resource } from '../resource/define.ts'
import { treeSheetEndpoints, type SheetEndpoints } from './sheet-calls.ts'

/** A node as trees show it, with what the definition's `shows` names. */
export interface TreeNode extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly rev: number
  /** The parent as it is stored: below a hidden root its id. */
  readonly parent_id: number | null
  readonly name: string
  /** Nodes below it, at all levels. */
  readonly below: number
  /** Of a node that was just moved: by which number that is taken back. */
  readonly undo?: number
}

/** A node that was looked for, with the names above it from the top. */
export interface FoundNode {
  readonly id: number
  readonly name: string
  readonly above: readonly string[]
}

/** One node with what stands above it, from the top; the id of a merged one gives what took its place. */
export interface NodeWithPath {
  readonly node: TreeNode
  readonly above: readonly { readonly id: number; readonly name: string }[]
}

const id = z.int('编号有误').check(z.positive('编号有误'))
const rev = z.optional(z.int('版本有误'))
const anyInput = z.record(z.string(), z.unknown())

/** What moves a node: below which parent, null for the top, and before which of its children, absent for the end. */
export const placeInput = { parent_id: z.nullable(id), before_id: z.optional(id), rev }

/**
 * The calls of a tree. `tree` and `find` take the list's own filters, which say which tree is meant; `tree` also `parent_id`.
 * @param referrers ids of the screens whose forms pick records of this resource
 */
export function treeEndpoints(resource: Resource, referrers: readonly number[] = []): {
  level: Endpoint<Record<string, unknown>, { items: TreeNode[] }>
  find: Endpoint<Record<string, unknown>, { items: FoundNode[] }>
  node: Endpoint<undefined, NodeWithPath>
  move?: Endpoint<{ parent_id: number | null; before_id?: number | undefined; rev?: number | undefined }, TreeNode>
  merge?: Endpoint<{ into_id: number; rev?: number | undefined }, TreeNode>
} & SheetEndpoints {
  const { api, label, grant, actions, tree } = resource
  const view = [...new Set([grant, ...referrers])]
  const change = actions.update
  return {
    level: defineEndpoint<{ items: TreeNode[] }>()({ method: 'GET', path: `${api.list}/tree`, summary: `${label}树：某一级的下级`, grant: view, input: anyInput }),
    find: defineEndpoint<{ items: FoundNode[] }>()({ method: 'GET', path: `${api.list}/tree/find`, summary: `按名称找${label}`, grant: view, input: anyInput }),
    node: defineEndpoint<NodeWithPath>()({ method: 'GET', path: `${api.list}/tree/{id}`, summary: `${label}及其上级`, grant: view }),
    ...(change !== undefined && {
      move: defineEndpoint<TreeNode>()({ method: 'POST', path: `${api.item}/{id}/move`, summary: `移动${label}`, grant: [change], input: z.object(placeInput) }),
    }),
    ...(change !== undefined && tree?.merges && {
      merge: defineEndpoint<TreeNode>()({ method: 'POST', path: `${api.item}/{id}/merge`, summary: `合并${label}`, grant: [change], input: z.object({ into_id: id, rev }) }),
    }),
    ...treeSheetEndpoints(resource),
  }
}
