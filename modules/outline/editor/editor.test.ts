import { describe, expect, test } from 'vitest'
import { applyAll, difference } from '../changes.ts'
import { compare, type Names } from '../compare.ts'
import { figuresOf } from '../complete.ts'
import { EMPTY, inOrder, type Draft } from '../draft.ts'
import { newBlock, newNode } from '../node.ts'
import { readPasted } from '../paste.ts'
import { addPasted, branchText, copyOf, countWords, depthAt, pasteBranch, readBranch, revertNode } from './branch.ts'
import { marksBelow, matching, topmost, treeOf, viewKeys, type Known } from './rows.ts'
import { inSteps } from './steps.ts'

const names: Names = { block: ({ ref_id }) => `#${ref_id}`, kind: () => '视频', slot: () => null, day: String }
const node = (key: string, parent: string | null, ord: string, more = {}) => newNode({ key, parent, ord }, { name: key, ...more })
const base = applyAll(EMPTY, [
  { do: 'add', nodes: [node('章', null, 'a0', { kind: 2 }), node('一', '章', 'a0'), node('二', '章', 'a1'), node('尾', null, 'a1', { kind: 2 })] },
  { do: 'bind', blocks: [newBlock({ key: 'x', node: '一', ord: 'a0', kind: 'video', ref_id: 7 })] },
])
const shape = ({ nodes }: Draft) => inOrder(nodes).filter(({ gone }) => !gone).map(({ node: { name }, depth }) => `${'-'.repeat(depth)}${name}`)
const numbers = new Map<string, number>()
const numberOf = (key: string) => {
  const known = numbers.get(key) ?? numbers.size + 1
  numbers.set(key, known)
  return known
}
const knownOf = (draft: Draft): Known => ({
  draft, published: new Set(base.nodes.keys()), differences: new Map(compare(base, draft, names).map((one) => [one.key, one])), broken: new Set(['一']),
  figures: figuresOf(draft, { each: 'lesson', needs: [{ key: 'v', label: '视频', blocks: { kinds: ['video'] } }] }, () => 5),
})

describe('rows', () => {
  test('a removed branch that learners saw stays as one row, one that nobody saw is gone', () => {
    const draft = applyAll(base, [{ do: 'add', nodes: [node('新', '章', 'a5')] }, { do: 'remove', keys: ['章'] }])
    const tree = treeOf(knownOf(draft), numberOf)
    expect(tree.top.map(({ key, gone, below }) => [key, gone, below])).toEqual([['章', true, 0], ['尾', false, 0]])
    const other = treeOf(knownOf(applyAll(base, [{ do: 'add', nodes: [node('新', '章', 'a5')] }, { do: 'remove', keys: ['新', '二'] }])), numberOf)
    expect(other.children(numberOf('章')).map(({ key, gone }) => [key, gone])).toEqual([['一', false], ['二', true]])
  })

  test('views leave what they are about, with what stands above', () => {
    const known = knownOf(applyAll(base, [{ do: 'set', keys: ['二'], values: { name: '贰' } }]))
    expect([...viewKeys(known, 'lacks') ?? []]).toEqual(['二'])
    expect([...viewKeys(known, 'changed') ?? []]).toEqual(['二'])
    expect(viewKeys(known, 'all')).toBe(undefined)
    const tree = treeOf(known, numberOf, viewKeys(known, 'changed'))
    expect(tree.top.map(({ key, below }) => [key, below])).toEqual([['章', 1]])
    const [top] = tree.top
    if (top) expect(marksBelow(tree, known.differences, top)).toEqual({ own: undefined, below: 1 })
    expect([...matching(known.draft, '贰', () => [])]).toEqual(['二'])
    expect([...matching(known.draft, '#7', (key) => (key === '一' ? ['#7'] : []))]).toEqual(['一'])
    expect(topmost(base, ['章', '一', '二', '尾'], new Set(['二', '章', '尾']))).toEqual(['章', '尾'])
  })
})

describe('what is copied', () => {
  test('comes to another outline whole, under keys of its own, without content of kinds that it does not take', () => {
    const source = applyAll(EMPTY, [
      { do: 'add', nodes: [node('k1', null, 'a0', { name: '章', kind: 2 }), node('k2', 'k1', 'a0', { name: '一' }), node('k3', 'k1', 'a1', { name: '二' })] },
      { do: 'bind', blocks: [newBlock({ key: 'x', node: 'k2', ord: 'a0', kind: 'video', ref_id: 7 })] },
    ])
    const branch = readBranch(JSON.stringify(copyOf(1, source, ['k1'], false)))
    expect(branch && branchText(branch)).toBe('章\n\t一\n\t二')
    if (!branch) return
    const target = applyAll(EMPTY, [{ do: 'add', nodes: [node('首', null, 'a0'), node('末', null, 'a1')] }])
    const pasted = pasteBranch(target, branch, { parent: null, before: '末' }, new Set(['video']))
    const after = applyAll(target, pasted.changes)
    expect(shape(after)).toEqual(['首', '章', '-一', '-二', '末'])
    expect([...after.blocks.values()].map(({ ref_id, key }) => [ref_id, key !== 'x'])).toEqual([[7, true]])
    expect([...after.nodes.keys()].filter((key) => source.nodes.has(key))).toEqual([])
    expect(pasteBranch(target, branch, { parent: null, before: undefined }, new Set()).left).toBe(1)
    expect(readBranch('{"a":1}')).toBe(undefined)
    expect(readBranch('第一章')).toBe(undefined)
  })

  test('as text is pasted below a node in its order', () => {
    const { nodes } = readPasted('第一节\n\t甲\n\t乙\n第二节', depthAt(base, '尾'))
    const after = applyAll(base, addPasted(base, nodes, { parent: '尾', before: undefined }).changes)
    expect(shape(after)).toEqual(['章', '-一', '-二', '尾', '-第一节', '--甲', '--乙', '-第二节'])
    expect(countWords(nodes)).toBe('2 个课时、2 个节')
  })
})

test('a node is again what learners see of it, and what was done elsewhere stays', () => {
  const draft = applyAll(base, [
    { do: 'set', keys: ['一', '二'], values: { name: '改' } }, { do: 'unbind', keys: ['x'] }, { do: 'move', parent: '尾', nodes: [{ key: '一', ord: 'a0' }] },
  ])
  const after = applyAll(draft, difference(draft, revertNode(draft, base, '一')))
  expect(shape(after)).toEqual(['章', '-一', '-改', '尾'])
  expect(after.blocks.get('x')).toMatchObject({ node: '一', ref_id: 7 })
})

test('dates come in steps', () => {
  const monday = new Date(2026, 10, 23).getTime() / 1000
  const found = inSteps(monday, [2, 4], 19 * 60, 3).map((at) => new Date(at * 1000))
  expect(found.map((date) => [date.getDay(), date.getDate(), date.getHours()])).toEqual([[2, 24, 19], [4, 26, 19], [2, 1, 19]])
  expect(inSteps(monday, [], 0, 3)).toEqual([])
})
