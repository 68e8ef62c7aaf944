/** Where nodes and blocks come to stand: fractional keys between their neighbours. Pure. */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Change } from './changes.ts'
import { byPlace, childrenOf, type Draft } from './draft.ts'
import type { OutlineNode } from './node.ts'

/** Longest key that a place gets before its siblings get short ones again. */
const LONGEST = 60

interface Placed { readonly key: string; readonly ord: string }

/** Keys for some places, and those that siblings have to take first where no room was left. */
interface Places {
  readonly ords: string[]
  readonly spread: readonly Placed[]
}

/**
 * Places between siblings.
 * @param siblings in their order; those that come to stand are not among them
 * @param before key of the sibling before which they stand; behind all of them without it
 */
export function placesAmong(siblings: readonly Placed[], count: number, before?: string): Places {
  const at = before === undefined ? siblings.length : siblings.findIndex(({ key }) => key === before)
  const gap = at < 0 ? siblings.length : at
  const [low, high] = [siblings[gap - 1]?.ord ?? null, siblings[gap]?.ord ?? null]
  try {
    const ords = generateNKeysBetween(low, high, count)
    // Two people who put something at one spot made the same key: there is no place between them.
    if ((low === null || high === null || low < high) && ords.every((ord) => ord.length <= LONGEST)) return { ords, spread: [] }
  } catch {
    // Keys that a sheet or an older release wrote may be none at all.
  }
  const all = generateNKeysBetween(null, null, siblings.length + count)
  const ords = all.splice(gap, count)
  return { ords, spread: siblings.flatMap(({ key, ord }, index) => (all[index] === ord ? [] : [{ key, ord: all[index] ?? ord }])) }
}

/** Changes that bring nodes below a parent, before one of its children or behind all of them, in this order. */
export function moveTo(draft: Draft, keys: readonly string[], parent: string | null, before?: string): Change[] {
  const moving = new Set(keys)
  // Before something that moves along means before what stands behind it.
  const all = childrenOf(draft.nodes).get(parent) ?? []
  const from = all.findIndex(({ key }) => key === before)
  const next = before !== undefined && moving.has(before) ? all.slice(from).find(({ key }) => !moving.has(key))?.key : before
  const { ords, spread } = placesAmong(all.filter(({ key }) => !moving.has(key)), keys.length, next)
  return [
    ...(spread.length > 0 ? [{ do: 'move' as const, parent, nodes: [...spread] }] : []),
    { do: 'move', parent, nodes: keys.map((key, index) => ({ key, ord: ords[index] ?? generateKeyBetween(null, null) })) },
  ]
}

/** Changes that add nodes below a parent, before one of its children or behind all of them. */
export function addBelow(draft: Draft, parent: string | null, nodes: readonly Omit<OutlineNode, 'parent' | 'ord' | 'gone'>[], before?: string): Change[] {
  const { ords, spread } = placesAmong(childrenOf(draft.nodes).get(parent) ?? [], nodes.length, before)
  return [
    ...(spread.length > 0 ? [{ do: 'move' as const, parent, nodes: [...spread] }] : []),
    { do: 'add', nodes: nodes.map((node, index) => ({ ...node, parent, ord: ords[index] ?? generateKeyBetween(null, null) })) },
  ]
}

/** Changes that bring blocks to a node, before one of its blocks or behind all of them, in this order. */
export function shiftTo(draft: Draft, keys: readonly string[], node: string, before?: string): Change[] {
  const moving = new Set(keys)
  const { ords, spread } = placesAmong(blocksAt(draft, node).filter(({ key }) => !moving.has(key)), keys.length, before)
  return [
    ...(spread.length > 0 ? [{ do: 'shift' as const, node, blocks: [...spread] }] : []),
    { do: 'shift', node, blocks: keys.map((key, index) => ({ key, ord: ords[index] ?? generateKeyBetween(null, null) })) },
  ]
}

/** Places for new blocks behind those of a node. */
export const endOf = (draft: Draft, node: string, count: number): string[] => generateNKeysBetween(blocksAt(draft, node).at(-1)?.ord ?? null, null, count)

const blocksAt = (draft: Draft, node: string) => [...draft.blocks.values()].filter((block) => block.node === node).sort(byPlace)

/** A key that no node or block has yet. */
export const newKey = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16)
