import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cycleThrough, layers, type Edge } from './graph.ts'
import { RELATION } from './relation-kind.ts'

const edge = fc.record({ parent: fc.integer({ min: 1, max: 7 }), child: fc.integer({ min: 1, max: 7 }), kind: fc.constantFrom(...Object.values(RELATION)) })
const leading = (edges: readonly Edge[]) => edges.filter(({ kind }) => kind !== RELATION.alike)
/** Whether one course leads to another, by trying every way. */
const reaches = (edges: readonly Edge[], from: number, to: number, left = 8): boolean => left > 0 && leading(edges).some(({ parent, child }) => parent === from && (child === to || reaches(edges, child, to, left - 1)))

test('a way back is found exactly where there is one, and each of its steps is a relation', () => {
  fc.assert(fc.property(fc.array(edge, { maxLength: 14 }), fc.integer({ min: 1, max: 7 }), (edges, from) => {
    const way = cycleThrough(edges, from)
    expect(way !== undefined).toBe(reaches(edges, from, from))
    if (!way) return
    expect([way[0], way.at(-1)]).toEqual([from, from])
    for (const [at, parent] of way.slice(0, -1).entries()) expect(leading(edges).some((one) => one.parent === parent && one.child === way[at + 1])).toBe(true)
  }))
})

test('in the picture whatever leads to a course stands to its left, and each course stands once', () => {
  fc.assert(fc.property(fc.array(edge, { maxLength: 14 }), (all) => {
    const edges = leading(all).filter(({ parent, child }) => parent < child)
    const columns = layers([1, 2, 3, 4, 5, 6, 7], edges)
    expect(columns.flat().toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    const at = new Map(columns.flatMap((column, x) => column.map((id) => [id, x] as const)))
    for (const { parent, child } of edges) expect(at.get(parent)).toBeLessThan(at.get(child) ?? 0)
  }))
})
