import { expect, test } from 'vitest'
import { applyAll, type Change } from './changes.ts'
import { compare, countMarks, type Names } from './compare.ts'
import { figuresOf, openingOf } from './complete.ts'
import { EMPTY } from './draft.ts'
import { newBlock, newNode } from './node.ts'
import { endOf, shiftTo } from './place.ts'
import { takeOver } from './take-over.ts'
import { bodyOf } from './draft.ts'

const names: Names = { block: ({ ref_id }) => `#${ref_id}`, kind: () => '视频', slot: () => null, day: () => '12-01' }
const node = (key: string, parent: string | null, ord: string, more = {}) => newNode({ key, parent, ord }, { name: key, ...more })
const base = applyAll(EMPTY, [
  { do: 'add', nodes: [node('章', null, 'a0', { kind: 2, free: 0 }), node('一', '章', 'a0'), node('二', '章', 'a1'), node('三', '章', 'a2'), node('附', null, 'a1', { kind: 2 }), node('读', '附', 'a0')] },
  { do: 'bind', blocks: [newBlock({ key: 'x', node: '一', ord: 'a0', kind: 'video', ref_id: 1 })] },
])
const marks = (...changes: Change[]) => compare(base, applyAll(base, changes), names).map(({ name, mark, lines }) => `${mark} ${name} ${lines.map(({ what, from, to }) => `${what}:${from}→${to}`).join(';')}`.trim())

test('says what a person did, and nothing of what only went along', () => {
  expect(marks({ do: 'set', keys: ['一'], values: { name: '壹', unlock: 3, unlock_score: 60 } })).toEqual(['changed 壹 名称:一→壹;解锁:随意→成绩达到 60%'])
  expect(marks({ do: 'set', keys: ['二'], values: { free: 1, trial_minutes: 3 } })).toEqual(['changed 二 开放:同上级→试看 3 分钟'])
  // One of three went to the front: the other two did not move.
  expect(marks({ do: 'move', parent: '章', nodes: [{ key: '三', ord: 'Zz' }] })).toEqual(['moved 三 位置:null→同级顺序已调整'])
  expect(marks({ do: 'move', parent: '附', nodes: [{ key: '二', ord: 'a1' }] })).toEqual(['moved 二 位置:章→附'])
  expect(marks({ do: 'remove', keys: ['附'] })).toEqual(['gone 附'])
  expect(marks({ do: 'unbind', keys: ['x'] }, { do: 'bind', blocks: [newBlock({ key: 'y', node: '一', ord: 'a0', kind: 'video', ref_id: 2 })] })).toEqual(['changed 一 视频:#1→null;视频:null→#2'])
  expect(countMarks(compare(base, applyAll(base, [{ do: 'add', nodes: [node('新', null, 'a9')] }]), names))).toEqual({ added: 1, changed: 0, moved: 0, gone: 0 })
})

test('blocks go to another lesson, behind those that are there', () => {
  const two = applyAll(base, [{ do: 'bind', blocks: [newBlock({ key: 'y', node: '二', ord: endOf(base, '二', 1)[0] ?? '', kind: 'video', ref_id: 2 })] }])
  const moved = applyAll(two, shiftTo(two, ['x'], '二', 'y'))
  expect(moved.blocks.get('x')).toMatchObject({ node: '二' })
  expect((moved.blocks.get('x')?.ord ?? '') < (moved.blocks.get('y')?.ord ?? '')).toBe(true)
})

test('figures sum up from the lessons, removed ones apart, and openings come from above', () => {
  const rule = { each: 'lesson', needs: [{ key: 'video', label: '视频', blocks: { kinds: ['video'] } }] } as const
  const figures = figuresOf(applyAll(base, [{ do: 'remove', keys: ['三'] }]), rule, () => 12)
  expect(figures.get('章')).toMatchObject({ blocks: { video: 1 }, minutes: 12, met: 1, of: 2, lessons: 2 })
  expect(figures.get('二')?.lacks.map(({ label }) => label)).toEqual(['视频'])
  expect(figures.get('')).toMatchObject({ lessons: 3, met: 1, minutes: 12 })
  const opened = applyAll(base, [{ do: 'set', keys: ['章'], values: { free: 2 } }, { do: 'set', keys: ['二'], values: { free: 1, trial_minutes: 5 } }])
  expect([openingOf(opened, '一').free, openingOf(opened, '二'), openingOf(opened, '读').free]).toEqual([2, { free: 1, trial_minutes: 5 }, 0])
})

test('a new lesson is taken over below the nearest place that the copy still has', () => {
  const theirs = applyAll(base, [{ do: 'add', nodes: [node('新章', '附', 'a5', { kind: 3 }), node('新课', '新章', 'a0')] }])
  const ours = applyAll(base, [{ do: 'remove', keys: ['附'] }])
  const both = applyAll(ours, takeOver(ours, bodyOf(base), bodyOf(theirs), ['新章', '新课']))
  expect(both.nodes.get('新章')?.parent).toBe(null)
  expect(both.nodes.get('新课')?.parent).toBe('新章')
  expect(applyAll(ours, takeOver(ours, bodyOf(base), bodyOf(theirs), ['新课'])).nodes.get('新课')?.parent).toBe(null)
})
