/** How a copy takes over what its origin changed since. Keys stay the same in a copy, so a node is found by its own. Pure. */
import { difference, type Change } from './changes.ts'
import { compare, type Names } from './compare.ts'
import { above, draftOf, inOrder, isLiving, type Draft } from './draft.ts'
import type { OutlineBody, OutlineNode } from './node.ts'

const NO_NAMES: Names = { block: ({ key, ref_id }) => `${key} ${ref_id}`, kind: (kind) => kind, slot: ({ slot }) => (slot === null ? null : String(slot)), day: String }

/**
 * Nodes that the origin changed, and that nobody has decided on.
 * @param base version of the origin that was looked through last
 * @param decided by key: the version that a decision was about, -1 where it holds for ever
 */
export function undecided(base: OutlineBody, theirs: OutlineBody, latest: number, decided: Readonly<Record<string, number>>): string[] {
  return compare(draftOf(base), draftOf(theirs), NO_NAMES).flatMap(({ key }) => (decided[key] === -1 || decided[key] === latest ? [] : [key]))
}

/** The nearest place above a node at which it can be seen in the copy. */
function parentIn(ours: Draft, theirs: Draft, coming: ReadonlySet<string>, { key }: OutlineNode): string | null {
  return above(theirs.nodes, key).findLast((one) => coming.has(one) || isLiving(ours.nodes, one)) ?? null
}

/**
 * Changes that bring some of what the origin changed into a copy, whatever else was changed there: the difference between the
 * two versions of the origin, as far as it concerns these nodes.
 */
export function takeOver(ours: Draft, base: OutlineBody, theirs: OutlineBody, keys: readonly string[]): Change[] {
  const [from, to] = [draftOf(base), draftOf(theirs)]
  const wanted = new Set(keys)
  const nodes = new Map(from.nodes)
  for (const { node } of inOrder(to.nodes)) {
    if (!wanted.has(node.key)) continue
    const isNew = !from.nodes.has(node.key)
    const moved = from.nodes.get(node.key)?.parent !== node.parent
    nodes.set(node.key, isNew || moved ? { ...node, parent: parentIn(ours, to, wanted, node) } : node)
  }
  for (const key of wanted) if (!to.nodes.has(key)) nodes.delete(key)
  const blocks = new Map(from.blocks)
  for (const block of from.blocks.values()) if (wanted.has(block.node)) blocks.delete(block.key)
  for (const block of to.blocks.values()) if (wanted.has(block.node)) blocks.set(block.key, block)
  const changes = difference(from, { nodes, blocks })
  // What the copy had removed itself comes back when it takes the change.
  const gone = keys.filter((key) => to.nodes.has(key) && ours.nodes.get(key)?.gone)
  return gone.length > 0 ? [...changes, { do: 'restore', keys: gone }] : changes
}
