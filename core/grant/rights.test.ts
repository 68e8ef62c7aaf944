import { expect, test } from 'vitest'
import { text } from '../field/text.ts'
import { api, defineResource, transitionGrant, type Resource } from '../resource/define.ts'
import { checkRights, defineRights } from './rights.ts'

const rights = defineRights(901, { close: [11, '关闭'], hand: [12, '移交'], remove: [2, '作废和恢复'] })
const definition = {
  name: 'thing', label: '事项', grant: 901, api: api('/daoyuan/api/end', 'things', 'thing'), fields: { name: text('名称', { required: true, max: 20 }) }, list: { columns: ['name'], filters: [] },
} as const

test('a right has the id of its number, and standard ones need not be named', () => {
  expect([rights.id('close'), rights.id('edit'), rights.id('remove')]).toEqual([90_111, 90_101, 90_102])
  expect([rights.title('hand'), rights.title('edit'), rights.title('remove')]).toEqual(['移交', '新增和编辑', '作废和恢复'])
})

test.each<[string, Record<string, readonly [number, string]>, string]>([
  ['a number twice', { close: [11, '关闭'], open: [11, '打开'] }, 'the rights close and open of screen 901 have the same number'],
  ['a number below 11', { close: [6, '关闭'] }, 'cannot have the number 6'],
  ['a number of the next screen', { close: [100, '关闭'] }, 'cannot have the number 100'],
  ['another number for a standard right', { edit: [11, '编辑'] }, 'cannot have the number 11'],
])('%s is refused', (_what, table, words) => {
  expect(() => defineRights(901, table)).toThrow(words)
})

test('two tables of one screen may not contradict each other', () => {
  expect(() => checkRights([rights, defineRights(901, { close: [11, '关闭'], audit: [13, '审核'] }), defineRights(902, { close: [12, '关闭'] })])).not.toThrow()
  expect(() => checkRights([rights, defineRights(901, { end: [11, '关闭'] })])).toThrow('the right 90111 is close (关闭) and end (关闭)')
  expect(() => checkRights([rights, defineRights(901, { close: [14, '关闭'] })])).toThrow('screen 901 has two rights with the name close')
})

test('a definition names rights of its own screen alone', () => {
  const edge = { name: 'close', label: '关闭', field: 'name', from: ['open'], to: 'closed' } as const
  const thing = defineResource({ ...definition, rights, transitions: [{ ...edge, right: 'close' }, { ...edge, name: 'drop', right: 'remove' }, { ...edge, name: 'rename' }] })
  expect(thing.transitions.map((transition) => transitionGrant(thing as unknown as Resource, transition))).toEqual([90_111, 90_102, 90_101])
  // @ts-expect-error -- no such right
  expect(() => defineResource({ ...definition, rights, transitions: [{ ...edge, right: 'clsoe' }] })).toThrow('screen 901 has no right clsoe')
  // @ts-expect-error -- no rights are named at all
  expect(() => defineResource({ ...definition, transitions: [{ ...edge, right: 'close' }] })).toThrow('screen 901 has no right close')
  // @ts-expect-error -- no such right
  expect(() => rights.id('toString')).toThrow('screen 901 has no right toString')
  expect(() => defineResource({ ...definition, grant: 902, rights })).toThrow('thing stands on screen 902 and names rights of screen 901')
})
