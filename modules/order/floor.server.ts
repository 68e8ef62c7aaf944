import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import type { OrderContext, ServedLine } from './engine.server.ts'

/** What a piece of each item costs at least; nothing where nobody says so. Fen. */
export async function floorsOf({ effects }: Pick<ServedLine, 'effects'>, tx: Queryable, items: readonly { kind: string; ref_id?: number | null }[]): Promise<number[]> {
  const known = new Map<string, ReadonlyMap<number, number>>()
  if (effects.floors) for (const [kind, own] of Map.groupBy(items, (item) => item.kind)) known.set(kind, await effects.floors(tx, kind, own.flatMap(({ ref_id }) => ref_id ?? [])))
  return items.map(({ kind, ref_id }) => (ref_id ? known.get(kind)?.get(ref_id) : undefined) ?? 0)
}

/** Refuses to sell for less than goods must cost, by whatever discounts it came so far. @param field that is told */
export async function checkFloors(work: Pick<OrderContext, 'tx' | 'effects'>, items: readonly { kind: string; ref_id?: number | null; name: string; qty: number; net: number }[], field: string): Promise<void> {
  const floors = await floorsOf(work, work.tx, items)
  for (const [index, { name, qty, net }] of items.entries()) {
    const least = (floors[index] ?? 0) * qty
    if (net < least) throw invalid({ [field]: `「${name}」优惠后低于底价 ${yuan(least)} 元` })
  }
}
