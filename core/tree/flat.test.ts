import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dropTarget, flatten, keyTarget, placeOf, type FlatRow, type Target } from './flat.ts'

interface Node {
  id: number
  below: number
}

/** 1(2(3,4),5),6 */
const CHILDREN = new Map<number | null, Node[]>([
  [null, [{ id: 1, below: 4 }, { id: 6, below: 0 }]], [1, [{ id: 2, below: 2 }, { id: 5, below: 0 }]], [2, [{ id: 3, below: 0 }, { id: 4, below: 0 }]],
])
const show = (...open: number[]) => flatten(CHILDREN.get(null) ?? [], (id) => CHILDREN.get(id), new Set(open))
const rowOf = (rows: readonly FlatRow<Node>[], id: number) => {
  const row = rows.find(({ node }) => node.id === id)
  if (!row) throw new Error(`no row ${id}`)
  return row
}

test('a tree is as many rows as are open, in reading order', () => {
  expect(show().map(({ node }) => node.id)).toEqual([1, 6])
  expect(show(1, 2).map(({ node, level }) => [node.id, level])).toEqual([[1, 0], [2, 1], [3, 2], [4, 2], [5, 1], [6, 0]])
  expect(show(2).map(({ node }) => node.id)).toEqual([1, 6])
})

test('Alt and an arrow move a node among its siblings, in and out', () => {
  const rows = show(1, 2)
  expect(keyTarget(rows, rowOf(rows, 5), 'ArrowUp')).toEqual({ parent: 1, before: 2 })
  expect(keyTarget(rows, rowOf(rows, 2), 'ArrowDown')).toEqual({ parent: 1, before: undefined })
  expect(keyTarget(rows, rowOf(rows, 5), 'ArrowRight')).toEqual({ parent: 2, before: undefined })
  expect(keyTarget(rows, rowOf(rows, 4), 'ArrowLeft')).toEqual({ parent: 1, before: 5 })
  expect(keyTarget(rows, rowOf(rows, 1), 'ArrowUp')).toBeUndefined()
  expect(keyTarget(rows, rowOf(rows, 6), 'ArrowLeft')).toBeUndefined()
})

test('the pointer says the level as far as the rows around it allow', () => {
  const rows = show(1, 2)
  expect(dropTarget(rows, 6, 4, 9)).toMatchObject({ parent: 4, before: undefined, level: 3 })
  expect(dropTarget(rows, 6, 4, 2)).toMatchObject({ parent: 2, before: undefined, level: 2 })
  expect(dropTarget(rows, 6, 4, 0)).toMatchObject({ parent: 1, before: 5, level: 1 })
  expect(dropTarget(rows, 6, 0, 3)).toMatchObject({ parent: null, before: 1, level: 0 })
  expect(dropTarget(rows, 3, 6, 0)).toMatchObject({ parent: null, before: undefined, level: 0 })
})

/** Does what a target says, on ids alone. */
function apply(tree: ReadonlyMap<number | null, readonly number[]>, id: number, { parent, before }: Target): Map<number | null, number[]> {
  const next = new Map([...tree].map(([above, ids]) => [above, ids.filter((one) => one !== id)]))
  const family = next.get(parent) ?? []
  const at = before === undefined ? -1 : family.indexOf(before)
  family.splice(at < 0 ? family.length : at, 0, id)
  return next.set(parent, family)
}

test('wherever a node is dropped, it never stands below itself, and every node stays somewhere once', () => {
  fc.assert(fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }), fc.nat(11), fc.nat(12), fc.integer({ min: -2, max: 14 }), (parents, which, gap, level) => {
    const tree = new Map<number | null, number[]>([[null, []]])
    parents.forEach((parent, index) => {
      const above = index === 0 || parent % (index + 1) === 0 ? null : parent % (index + 1)
      tree.set(above, [...tree.get(above) ?? [], index + 1])
      tree.set(index + 1, [])
    })
    const below = (id: number): number => (tree.get(id) ?? []).reduce((sum, child) => sum + 1 + below(child), 0)
    const rows = flatten((tree.get(null) ?? []).map((id) => ({ id, below: below(id) })), (id) => (tree.get(id) ?? []).map((one) => ({ id: one, below: below(one) })), new Set(tree.keys().filter((id) => id !== null)))
    const dragged = (which % parents.length) + 1
    const drop = dropTarget(rows, dragged, Math.min(gap, rows.length), level)
    const target = drop ?? placeOf(rows, rowOf(rows, dragged))
    for (let at = target.parent; at !== null; at = [...tree].find(([, ids]) => ids.includes(at ?? 0))?.[0] ?? null) expect(at).not.toBe(dragged)
    const after = apply(tree, dragged, target)
    expect([...after.values()].flat().sort((a, b) => a - b)).toEqual(parents.map((_, index) => index + 1))
    expect(target.before === undefined || after.get(target.parent)?.includes(target.before)).toBe(true)
  }))
})
