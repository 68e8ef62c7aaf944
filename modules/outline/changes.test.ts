import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyChange, anyChanges } from './arbitrary.ts'
import { applyAll, branchOf, difference, nodesNamed, type Change } from './changes.ts'
import { compare } from './compare.ts'
import { above, EMPTY, inOrder, livingBody, type Draft } from './draft.ts'
import { MAX_LEVELS, newNode } from './node.ts'
import { addBelow, moveTo, newKey } from './place.ts'

const plain = { block: () => '', kind: () => '', slot: () => null, day: String }
/** What people see of an outline. */
const seen = (draft: Draft) => {
  const { nodes, blocks } = livingBody(draft)
  return { nodes, blocks: blocks.map((block) => ({ ...block })) }
}

const isForest = ({ nodes, blocks }: Draft) => {
  expect(inOrder(nodes).map(({ node }) => node.key).sort(), 'every node is reached from the top, once').toEqual([...nodes.keys()].sort())
  for (const key of nodes.keys()) expect(above(nodes, key).length).toBeLessThan(MAX_LEVELS)
  for (const { node } of blocks.values()) expect(nodes.has(node)).toBe(true)
}

describe('whatever is sent', () => {
  test('leaves a forest of at most five levels, each block at a node', () => {
    fc.assert(fc.property(anyChanges, (changes) => isForest(applyAll(EMPTY, changes))), { numRuns: 500 })
  })

  test('is taken back by the difference, and brought again by the one the other way', () => {
    fc.assert(fc.property(anyChanges, anyChanges, (first, then) => {
      const before = applyAll(EMPTY, first)
      const after = applyAll(before, then)
      const undone = applyAll(after, difference(after, before))
      expect(seen(undone)).toEqual(seen(before))
      expect(seen(applyAll(undone, difference(undone, after)))).toEqual(seen(after))
      isForest(undone)
    }), { numRuns: 500 })
  })

  test('has no differences that nobody sees', () => {
    fc.assert(fc.property(anyChanges, anyChange, (first, then) => {
      const before = applyAll(EMPTY, first)
      const after = applyAll(before, [then])
      const same = JSON.stringify(seen(before)) === JSON.stringify(seen(after))
      if (same) expect(compare(before, after, plain)).toEqual([])
    }), { numRuns: 500 })
  })
})

test('changes of different nodes come to the same in either order', () => {
  const values = (change: Change) => change.do === 'set' || change.do === 'remove' || change.do === 'restore' || change.do === 'block' || change.do === 'unbind'
  fc.assert(fc.property(anyChanges, anyChange, anyChange, (first, one, other) => {
    const named = new Set(nodesNamed(one))
    fc.pre(nodesNamed(other).every((key) => !named.has(key)))
    fc.pre((values(one) && values(other)) || (one.do === 'set' && other.do === 'move') || (one.do === 'move' && other.do === 'set'))
    const blocksOf = (change: Change) => (change.do === 'block' || change.do === 'unbind' ? change.keys : [])
    fc.pre(blocksOf(one).every((key) => !blocksOf(other).includes(key)))
    const before = applyAll(EMPTY, first)
    expect(seen(applyAll(before, [one, other]))).toEqual(seen(applyAll(before, [other, one])))
  }), { numRuns: 500 })
})

test('two people who add and move at one place both find theirs', () => {
  const node = (key: string) => newNode({ key, parent: null, ord: '' }, { name: key })
  const base = applyAll(EMPTY, addBelow(EMPTY, null, ['a', 'b', 'c'].map(node)))
  const [one, other] = [addBelow(base, null, [node('x')], 'b'), addBelow(base, null, [node('y')], 'b')]
  const both = applyAll(base, [...one, ...other])
  expect(applyAll(base, [...other, ...one])).toEqual(both)
  expect(inOrder(both.nodes).map(({ node: { key } }) => key)).toEqual(['a', 'x', 'y', 'b', 'c'])
  // Between two that came to the same place there is room again.
  const between = applyAll(both, addBelow(both, null, [node('z')], 'y'))
  expect(inOrder(between.nodes).map(({ node: { key } }) => key)).toEqual(['a', 'x', 'z', 'y', 'b', 'c'])
})

test('a thousand moves to one place keep their keys short', () => {
  let draft = applyAll(EMPTY, addBelow(EMPTY, null, Array.from({ length: 5 }, (_, n) => newNode({ key: `k${n}`, parent: null, ord: '' }, { name: String(n) }))))
  for (let n = 0; n < 1000; n++) draft = applyAll(draft, moveTo(draft, [`k${n % 2 === 0 ? 3 : 4}`], null, n % 2 === 0 ? 'k4' : 'k3'))
  expect(Math.max(...[...draft.nodes.values()].map(({ ord }) => ord.length))).toBeLessThanOrEqual(60)
  expect(draft.nodes.size).toBe(5)
})

test('what goes below itself, or a sixth level down, stays where it is', () => {
  const chain = ['a', 'b', 'c', 'd', 'e'].map((key, index, all) => newNode({ key, parent: all[index - 1] ?? null, ord: 'a0' }, { name: key }))
  const draft = applyAll(EMPTY, [{ do: 'add', nodes: [...chain, newNode({ key: 'f', parent: 'e', ord: 'a0' }, { name: 'f' })] }])
  expect([...draft.nodes.keys()]).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(applyAll(draft, [{ do: 'move', parent: 'c', nodes: [{ key: 'a', ord: 'a1' }] }]).nodes.get('a')?.parent).toBe(null)
  const two = applyAll(draft, [{ do: 'add', nodes: [newNode({ key: 'top', parent: null, ord: 'a1' }, { name: '上' })] }])
  expect(applyAll(two, [{ do: 'move', parent: 'top', nodes: [{ key: 'a', ord: 'a1' }] }]).nodes.get('a')?.parent).toBe(null)
  expect([...branchOf(draft.nodes, ['c'])]).toEqual(['c', 'd', 'e'])
})

test('keys are not made twice', () => {
  expect(new Set(Array.from({ length: 1000 }, newKey)).size).toBe(1000)
})
