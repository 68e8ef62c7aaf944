/** Random edits for tests: what people might send, however senseless, over a few keys. Pure. */
import * as fc from 'fast-check'
import type { Change } from './changes.ts'
import { newBlock, newNode, UNLOCK } from './node.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const key = fc.constantFrom(...KEYS)
const parent = fc.option(key, { nil: null })
const ord = fc.constantFrom('a0', 'a1', 'a2', 'a3', 'a1V', 'a2G')
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 3 })
const blockKeys = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 2 })
const values = fc.record({ name: fc.constantFrom('一', '二', '三'), free: fc.option(fc.nat(2), { nil: null }), unlock: fc.constantFrom(...Object.values(UNLOCK)) }, { requiredKeys: [] })

/** One change. */
export const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), nodes: fc.array(fc.tuple(key, parent, ord).map(([one, above, at]) => newNode({ key: one, parent: above, ord: at }, { name: one })), { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('move' as const), parent, nodes: fc.uniqueArray(fc.record({ key, ord }), { minLength: 1, maxLength: 2, selector: (one) => one.key }) }),
  fc.record({ do: fc.constant('set' as const), keys, values }),
  fc.record({ do: fc.constant('remove' as const), keys }),
  fc.record({ do: fc.constant('restore' as const), keys }),
  fc.record({ do: fc.constant('bind' as const), blocks: fc.tuple(fc.constantFrom('x', 'y', 'z'), key, ord).map(([one, node, at]) => [newBlock({ key: one, node, ord: at, kind: 'text', ref_id: 0 }, { title: one })]) }),
  fc.record({ do: fc.constant('unbind' as const), keys: blockKeys }),
  fc.record({ do: fc.constant('shift' as const), node: key, blocks: blockKeys.chain((some) => ord.map((at) => some.map((one) => ({ key: one, ord: at })))) }),
  fc.record({ do: fc.constant('block' as const), keys: blockKeys, values: fc.record({ title: fc.constantFrom('甲', '乙') }) }),
)

/** Several changes, of which the first ones make something to work on. */
export const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 12 })
