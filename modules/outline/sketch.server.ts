import { generateNKeysBetween } from 'fractional-indexing'
import type { Queryable } from '../../core/database/database.server.ts'
import { applyToOutline } from './edit.server.ts'
import { newBlock, newNode, type NodeValues, type OutlineBlock } from './node.ts'
import { createOutline } from './owned.server.ts'
import { ownerOf } from './owner.server.ts'
import { publish } from './publish.server.ts'
import { readRow } from './store.server.ts'

/** A node of an outline that is written as a whole, with what stands at it and below it. */
export interface OutlineSketch extends Partial<NodeValues> {
  readonly name: string
  readonly blocks?: readonly (Pick<OutlineBlock, 'kind'> & Partial<Pick<OutlineBlock, 'ref_id' | 'slot' | 'title' | 'text'>>)[]
  readonly below?: readonly OutlineSketch[]
}

/**
 * Writes the whole of a new outline and publishes it where told, by what the calls of its editor do: for base and demo data.
 * @param note of the version; absent: it stays a draft
 */
export async function writeOutline(tx: Queryable, owner: { readonly kind: string; readonly id: number }, staffId: number, sketch: readonly OutlineSketch[], note?: string): Promise<void> {
  const kind = ownerOf(owner.kind)
  const id = await createOutline(tx, owner)
  const row = await readRow(tx, id, true)
  if (!row || !kind) return
  const [nodes, blocks]: [ReturnType<typeof newNode>[], OutlineBlock[]] = [[], []]
  const add = (list: readonly OutlineSketch[], parent: string | null): void => {
    const places = generateNKeysBetween(null, null, list.length)
    for (const [at, { blocks: own = [], below = [], ...values }] of list.entries()) {
      const key = `n${nodes.length}`
      nodes.push(newNode({ key, parent, ord: places[at] ?? 'a0' }, values))
      const ords = generateNKeysBetween(null, null, own.length)
      blocks.push(...own.map(({ kind: what, ref_id = 0, ...said }, place) => newBlock({ key: `b${blocks.length + place}`, node: key, ord: ords[place] ?? 'a0', kind: what, ref_id }, said)))
      add(below, key)
    }
  }
  add(sketch, null)
  const { row: after } = await applyToOutline(tx, staffId, row, kind, [{ do: 'add', nodes }, { do: 'bind', blocks }])
  if (note !== undefined) await publish(tx, staffId, after, note)
}
