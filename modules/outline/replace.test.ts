import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyAll } from './changes.ts'
import { byPlace, type Draft } from './draft.ts'
import { newBlock, newNode } from './node.ts'
import { replaceChanges, type Content } from './replace.ts'

const contents = fc.array(fc.record({ kind: fc.constantFrom('video', 'paper'), ref_id: fc.integer({ min: 1, max: 6 }) }), { maxLength: 12 })
const start: Draft = { nodes: new Map([['n', { ...newNode({ key: 'n', parent: null, ord: 'a0' }, { name: '课时' }), gone: false }]]), blocks: new Map() }
const shown = ({ blocks }: Draft) => [...blocks.values()].toSorted(byPlace)
const named = (list: readonly Content[]) => list.map(({ kind, ref_id }) => `${kind} ${ref_id}`)
const give = (draft: Draft, list: readonly Content[]) => {
  const { changes, ...counts } = replaceChanges('n', shown(draft), list)
  return { draft: applyAll(draft, changes), counts, changes }
}

test('a node shows exactly what it is given; what it showed stays the same block, and the counts say what was done', () => {
  fc.assert(fc.property(contents, contents, (first, second) => {
    const one = give(start, first).draft
    const { draft, counts } = give(one, second)
    expect(named(shown(draft))).toEqual(named(second))
    const [was, is] = [new Set(shown(one).map(({ key }) => key)), shown(draft).map(({ key }) => key)]
    const kept = is.filter((key) => was.has(key))
    expect(counts.added).toBe(second.length - kept.length)
    expect(counts.removed).toBe(first.length - kept.length)
    expect(counts.moved).toBeLessThanOrEqual(Math.max(0, kept.length - 1))
    // Said again it changes nothing.
    expect(give(draft, second)).toMatchObject({ counts: { added: 0, moved: 0, removed: 0 }, changes: [] })
  }))
})

test('one that goes to the end is one move, and keeps its words', () => {
  const draft: Draft = { ...start, blocks: new Map([1, 2, 3].map((ref_id) => [`k${ref_id}`, newBlock({ key: `k${ref_id}`, node: 'n', ord: `a${ref_id}`, kind: 'video', ref_id }, { title: `第 ${ref_id} 讲` })])) }
  const { draft: after, counts } = give(draft, [2, 3, 1].map((ref_id) => ({ kind: 'video', ref_id })))
  expect(counts).toEqual({ added: 0, moved: 1, removed: 0 })
  expect(shown(after).map(({ title }) => title)).toEqual(['第 2 讲', '第 3 讲', '第 1 讲'])
})
