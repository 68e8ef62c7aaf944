/** An outline in memory: by key, with what is asked of it. Pure. */
import { MAX_LEVELS, type OutlineBlock, type OutlineBody, type OutlineNode } from './node.ts'

/** The state of an outline. Nothing changes it; changes make another one. */
export interface Draft {
  readonly nodes: ReadonlyMap<string, OutlineNode>
  readonly blocks: ReadonlyMap<string, OutlineBlock>
}

export const EMPTY: Draft = { nodes: new Map(), blocks: new Map() }

export const draftOf = ({ nodes, blocks }: OutlineBody): Draft => ({ nodes: new Map(nodes.map((node) => [node.key, node])), blocks: new Map(blocks.map((block) => [block.key, block])) })
export const bodyOf = ({ nodes, blocks }: Draft): OutlineBody => ({ nodes: [...nodes.values()], blocks: [...blocks.values()] })

interface Placed { readonly key: string; readonly ord: string }

/** Order of siblings: by their fractional keys byte by byte, and by their own where two have the same. */
export const byPlace = (a: Placed, b: Placed): number => (a.ord === b.ord ? (a.key < b.key ? -1 : 1) : a.ord < b.ord ? -1 : 1)

/** Children of each node by its key, and the top under null; removed ones too. */
export function childrenOf(nodes: Draft['nodes']): Map<string | null, OutlineNode[]> {
  const found = Map.groupBy(nodes.values(), ({ parent }) => parent)
  for (const siblings of found.values()) siblings.sort(byPlace)
  return found
}

/** Whether a node is in sight: neither it nor anything above it was removed. */
export function isLiving(nodes: Draft['nodes'], key: string): boolean {
  for (let node = nodes.get(key); node; node = node.parent === null ? undefined : nodes.get(node.parent)) {
    if (node.gone) return false
    if (node.parent === null) return true
  }
  return false
}

/** A node where it stands. */
export interface PlacedNode {
  readonly node: OutlineNode
  /** 0 at the top. */
  readonly depth: number
  /** It or something above it was removed. */
  readonly gone: boolean
}

/** All nodes in reading order, each after its parent. */
export function inOrder(nodes: Draft['nodes']): PlacedNode[] {
  const children = childrenOf(nodes)
  const found: PlacedNode[] = []
  const walk = (parent: string | null, depth: number, gone: boolean) => {
    for (const node of children.get(parent) ?? []) {
      found.push({ node, depth, gone: gone || node.gone })
      if (depth + 1 < MAX_LEVELS) walk(node.key, depth + 1, gone || node.gone)
    }
  }
  walk(null, 0, false)
  return found
}

/** Keys of the nodes above one, from the top. */
export function above(nodes: Draft['nodes'], key: string): string[] {
  const found: string[] = []
  for (let parent = nodes.get(key)?.parent ?? null; parent !== null; parent = nodes.get(parent)?.parent ?? null) found.unshift(parent)
  return found
}

/** Blocks of each node in their order. */
export function blocksByNode(blocks: Draft['blocks']): Map<string, OutlineBlock[]> {
  const found = Map.groupBy(blocks.values(), ({ node }) => node)
  for (const own of found.values()) own.sort(byPlace)
  return found
}

/** What learners would see of an outline: living nodes and their blocks, in order. */
export function livingBody(draft: Draft): OutlineBody {
  const nodes = inOrder(draft.nodes).flatMap(({ node, gone }) => (gone ? [] : [node]))
  const blocks = blocksByNode(draft.blocks)
  return { nodes, blocks: nodes.flatMap(({ key }) => blocks.get(key) ?? []) }
}
