import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import { chosenTree, copyTicks, difference, groupIds, rebase, screenIds, searchTree, setTicks, tickOf } from './grant-set.ts'

const tree: GrantGroup[] = [
  { title: '用户管理', screens: [{ id: 102, title: '内部员工', children: [{ id: 10201, title: '新增和编辑' }, { id: 10211, title: '授权' }] }] },
  { title: '合伙自习室', screens: [
    { id: 1301, title: '合伙人', children: [{ id: 130101, title: '新增和编辑' }, { id: 130104, title: '导出' }] },
    { id: 1305, title: '学校列表', children: [{ id: 130501, title: '新增和编辑' }] },
    { id: 1309, title: '开通明细' },
  ] },
]
const all = tree.flatMap(groupIds)
const everything = new Set(all)
const ids = fc.subarray(all).map((list) => new Set(list))

test('a box for several ids knows all, some and none', () => {
  const partner = screenIds(tree[1]!.screens[0]!)
  expect(tickOf(partner, new Set())).toBe('none')
  expect(tickOf(partner, new Set([1301]))).toBe('some')
  expect(tickOf(partner, new Set([1301, 130101, 130104, 102]))).toBe('all')
})

test('an action brings its screen along, and a screen takes its actions with it', () => {
  expect([...setTicks(new Set(), [130104], true, everything)].sort()).toEqual([1301, 130104])
  expect([...setTicks(new Set([1301, 130101, 130104, 1305]), [1301], false, everything)]).toEqual([1305])
})

test('what the actor does not hold stays as it is, whatever is ticked, unticked or copied', () => {
  fc.assert(fc.property(ids, ids, ids, fc.subarray(all), fc.boolean(), fc.constantFrom('replace' as const, 'add' as const), (chosen, held, source, touched, on, mode) => {
    const untouchable = all.filter((id) => !held.has(id))
    const states = (set: ReadonlySet<number>) => untouchable.map((id) => set.has(id))
    expect(states(setTicks(chosen, touched, on, held))).toEqual(states(chosen))
    expect(states(copyTicks(chosen, source, mode, held, all).next)).toEqual(states(chosen))
  }))
})

test('copying replaces or adds, and names what could not be copied', () => {
  const chosen = new Set([102, 1301])
  const source = new Set([1301, 130101, 1305])
  expect(copyTicks(chosen, source, 'replace', everything, all)).toEqual({ next: source, skipped: [] })
  expect(copyTicks(chosen, source, 'add', everything, all)).toEqual({ next: new Set([102, 1301, 130101, 1305]), skipped: [] })
  const held = new Set([1301, 130101])
  expect(copyTicks(chosen, source, 'replace', held, all)).toEqual({ next: new Set([102, 1301, 130101]), skipped: [102, 1305] })
  expect(copyTicks(chosen, source, 'add', held, all)).toEqual({ next: new Set([102, 1301, 130101]), skipped: [1305] })
})

test('the difference names what is given and taken, in the tree\'s order, with counts', () => {
  const found = difference(tree, new Set([102, 10211, 1305, 990001]), new Set([102, 1301, 130104, 1305, 130501]))
  expect(found.added).toEqual([{ title: '合伙自习室', count: 3, screens: [
    { id: 1301, title: '合伙人', names: ['查看', '导出'] }, { id: 1305, title: '学校列表', names: ['新增和编辑'] },
  ] }])
  expect(found.removed).toEqual([
    { title: '用户管理', count: 1, screens: [{ id: 102, title: '内部员工', names: ['授权'] }] },
    { title: '已下线的权限', count: 1, screens: [{ id: 990001, title: '编号 990001', names: ['查看'] }] },
  ])
  expect([found.addedCount, found.removedCount]).toEqual([3, 2])
})

test('a difference applied to the old state gives the new one', () => {
  fc.assert(fc.property(ids, ids, (before, after) => {
    const { addedCount, removedCount } = difference(tree, before, after)
    expect(before.size + addedCount - removedCount).toBe(after.size)
  }))
})

test('my changes are repeated on what a colleague saved meanwhile', () => {
  // I gave 1305 and took 102; they gave 1309 and took 1301.
  expect(rebase(new Set([102, 1301]), new Set([1301, 1305]), new Set([102, 1309]))).toEqual(new Set([1305, 1309]))
  fc.assert(fc.property(ids, ids, (base, mine) => {
    expect(rebase(base, mine, base)).toEqual(mine)
    expect(rebase(base, base, mine)).toEqual(mine)
  }))
})

test('a search finds groups, screens and actions, by their words or their spelling', () => {
  const titles = (keyword: string) => searchTree(tree, keyword, (title) => (title === '学校列表' ? ['xxlb', 'xuexiaoliebiao'] : [])).flatMap((group) => group.screens.map((screen) => screen.title))
  expect(titles('合伙自习')).toEqual(['合伙人', '学校列表', '开通明细'])
  expect(titles('学校')).toEqual(['学校列表'])
  expect(titles('导出')).toEqual(['合伙人'])
  expect(titles(' XX lb ')).toEqual(['学校列表'])
  expect(titles('xuexiao')).toEqual(['学校列表'])
  expect(titles('没有')).toEqual([])
  expect(titles('  ')).toHaveLength(4)
})

test('only screens of which something is chosen', () => {
  expect(chosenTree(tree, new Set([130104])).map((group) => group.screens.map((screen) => screen.id))).toEqual([[1301]])
})
