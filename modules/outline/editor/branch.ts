/** What is copied of an outline: into another place, another outline, another tab of the browser. Pure. */
import * as z from 'zod/mini'
import { branchOf, type Change } from '../changes.ts'
import { byPlace, childrenOf, inOrder, isLiving, type Draft } from '../draft.ts'
import { blockSchema, MAX_LEVELS, newNode, nodeSchema, type OutlineNode } from '../node.ts'
import { kindLabel, type PastedNode } from '../paste.ts'
import { newKey, placesAmong } from '../place.ts'

/** How the clipboard calls it; other programs see the names as indented text. */
export const BRANCH_TYPE = 'application/x-outline-branch+json'

const branchSchema = z.object({ outline_id: z.int(), cut: z.boolean(), tops: z.array(z.string()), nodes: z.array(nodeSchema), blocks: z.array(blockSchema) })
export type Branch = z.infer<typeof branchSchema>

/** Nodes with everything below them, and their content. */
export function copyOf(outlineId: number, draft: Draft, tops: readonly string[], cut: boolean): Branch {
  const keys = branchOf(draft.nodes, tops)
  const nodes = inOrder(draft.nodes).flatMap(({ node, gone }) => (keys.has(node.key) && !gone ? [node] : [])).map(({ gone: _gone, ...node }) => node)
  const living = new Set(nodes.map(({ key }) => key))
  return { outline_id: outlineId, cut, tops: [...tops], nodes, blocks: [...draft.blocks.values()].filter(({ node }) => living.has(node)) }
}

/** What the clipboard holds; undefined where it is something else. */
export function readBranch(text: string): Branch | undefined {
  if (text === '') return undefined
  try {
    return z.safeParse(branchSchema, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The same as text that can be pasted anywhere. */
export function branchText({ nodes }: Branch): string {
  const depths = new Map<string, number>()
  return nodes.map(({ key, parent, name }) => {
    const depth = parent === null ? 0 : (depths.get(parent) ?? -1) + 1
    depths.set(key, depth)
    return `${'\t'.repeat(depth)}${name}`
  }).join('\n')
}

interface At { readonly parent: string | null; readonly before: string | undefined }

/** Changes that put roots with what hangs below them at a place. */
function put(draft: Draft, roots: readonly string[], nodes: readonly Omit<OutlineNode, 'gone'>[], { parent, before }: At): Change[] {
  const siblings = (childrenOf(draft.nodes).get(parent) ?? []).toSorted(byPlace)
  const { ords, spread } = placesAmong(siblings, roots.length, before)
  const places = new Map(roots.map((key, index) => [key, ords[index] ?? '']))
  return [
    ...(spread.length > 0 ? [{ do: 'move' as const, parent, nodes: [...spread] }] : []),
    { do: 'add', nodes: nodes.map((node) => (places.has(node.key) ? { ...node, parent, ord: places.get(node.key) ?? node.ord } : node)) },
  ]
}

/**
 * Changes that put a copied branch somewhere, under keys of its own.
 * @param offered kinds of content that this outline takes; the rest stays behind
 */
export function pasteBranch(draft: Draft, branch: Branch, at: At, offered: ReadonlySet<string>): { changes: Change[]; keys: string[]; left: number } {
  const keys = new Map(branch.nodes.map(({ key }) => [key, newKey()]))
  const renamed = branch.nodes.map((node) => ({ ...node, key: keys.get(node.key) ?? node.key, parent: node.parent === null ? null : keys.get(node.parent) ?? null }))
  const roots = branch.tops.flatMap((key) => keys.get(key) ?? [])
  const blocks = branch.blocks.filter(({ kind }) => offered.has(kind)).map((block) => ({ ...block, key: newKey(), node: keys.get(block.node) ?? block.node }))
  return { changes: [...put(draft, roots, renamed, at), ...(blocks.length > 0 ? [{ do: 'bind' as const, blocks }] : [])], keys: roots, left: branch.blocks.length - blocks.length }
}

/** Changes that add pasted lines at a place. */
export function addPasted(draft: Draft, lines: readonly PastedNode[], at: At): { changes: Change[]; keys: string[] } {
  const open: string[] = []
  const bare = lines.map(({ name, depth, kind }) => {
    const key = newKey()
    const parent = depth === 0 ? null : open[depth - 1] ?? null
    open.splice(depth, open.length, key)
    return newNode({ key, parent, ord: '' }, { name, kind })
  })
  const ords = new Map([...Map.groupBy(bare, ({ parent }) => parent).values()].flatMap((own) => {
    const places = placesAmong([], own.length).ords
    return own.map(({ key }, index) => [key, places[index] ?? ''] as const)
  }))
  const nodes = bare.map((node) => ({ ...node, ord: ords.get(node.key) ?? '' }))
  const roots = nodes.flatMap(({ key, parent }) => (parent === null ? [key] : []))
  return { changes: put(draft, roots, nodes, at), keys: roots }
}

/** Levels of what stands at a place, for what pasted text may still have below it. */
export function depthAt({ nodes }: Draft, parent: string | null): number {
  let depth = 0
  for (let node = parent === null ? undefined : nodes.get(parent); node; node = node.parent === null ? undefined : nodes.get(node.parent)) depth++
  return Math.min(depth, MAX_LEVELS)
}

/** 3 个课时、1 个节 */
export function countWords(nodes: readonly Pick<OutlineNode, 'kind'>[]): string {
  return [...Map.groupBy(nodes, ({ kind }) => kind)].sort(([a], [b]) => b - a).map(([kind, some]) => `${some.length} 个${kindLabel(kind)}`).join('、')
}

/** The outline in which a node is again what learners see of it, its content too; what stands below it stays. */
export function revertNode(draft: Draft, published: Draft, key: string): Draft {
  const old = published.nodes.get(key)
  const node = draft.nodes.get(key)
  if (!old || !node) return draft
  const parent = old.parent === null || isLiving(draft.nodes, old.parent) ? { parent: old.parent, ord: old.ord } : { parent: node.parent, ord: node.ord }
  const nodes = new Map(draft.nodes).set(key, { ...old, ...parent, gone: false })
  const blocks = new Map([...draft.blocks].filter(([, block]) => block.node !== key))
  for (const block of published.blocks.values()) if (block.node === key) blocks.set(block.key, block)
  return { nodes, blocks }
}
