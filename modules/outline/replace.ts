/** What the contents of a node become when they are given as a whole. Pure. */
import { generateNKeysBetween } from 'fractional-indexing'
import type { Change } from './changes.ts'
import { newBlock, type OutlineBlock } from './node.ts'
import { newKey } from './place.ts'

/** Something that a node shows, as it is named from outside. */
export interface Content { readonly kind: string; readonly ref_id: number }

export interface Replaced { readonly added: number; readonly moved: number; readonly removed: number }

/** The longest part of a list of places that rises: what stands in it need not be moved. */
function rising(places: readonly number[]): Set<number> {
  const best = places.map(() => 1)
  const from = places.map(() => -1)
  for (const [at, place] of places.entries()) {
    for (let before = 0; before < at; before++) {
      if ((places[before] ?? 0) < place && (best[before] ?? 0) + 1 > (best[at] ?? 0)) [best[at], from[at]] = [(best[before] ?? 0) + 1, before]
    }
  }
  const kept = new Set<number>()
  for (let at = best.indexOf(Math.max(0, ...best)); at >= 0; at = from[at] ?? -1) kept.add(places[at] ?? -1)
  return kept
}

/**
 * Changes that make a node show exactly these things in this order. What it shows already stays the same block, with its words
 * and its version; of two that show the same the first is meant first.
 * @param now blocks of the node in their order
 */
export function replaceChanges(node: string, now: readonly OutlineBlock[], contents: readonly Content[]): Replaced & { readonly changes: Change[] } {
  const free = [...now]
  const next = contents.map((content) => {
    const at = free.findIndex(({ kind, ref_id }) => kind === content.kind && ref_id === content.ref_id)
    return at < 0 ? { content } : { content, block: free.splice(at, 1)[0] }
  })
  const places = next.flatMap(({ block }) => (block ? [now.indexOf(block)] : []))
  const still = rising(places)
  const moved = places.filter((place) => !still.has(place)).length
  const added = next.filter(({ block }) => !block).length
  const ords = generateNKeysBetween(null, null, next.length)
  const placed = next.map(({ content, block }, at) => ({ content, block, ord: ords[at] ?? 'a0' }))
  const shifted = added + moved === 0 ? [] : placed.flatMap(({ block, ord }) => (block && block.ord !== ord ? [{ key: block.key, ord }] : []))
  const fresh = placed.flatMap(({ content, block, ord }) => (block ? [] : [newBlock({ key: newKey(), node, ord, ...content })]))
  return {
    added, moved, removed: free.length,
    changes: [
      ...(free.length > 0 ? [{ do: 'unbind' as const, keys: free.map(({ key }) => key) }] : []),
      ...(shifted.length > 0 ? [{ do: 'shift' as const, node, blocks: shifted }] : []),
      ...(fresh.length > 0 ? [{ do: 'bind' as const, blocks: fresh }] : []),
    ],
  }
}
