import { expect, test } from 'vitest'
import { shortcutOf, shortcuts } from './shortcuts.ts'

const press = (code: string, more: Partial<Record<'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey', boolean>> & { key?: string } = {}) =>
  ({ code, key: '', altKey: false, shiftKey: false, ctrlKey: false, metaKey: false, ...more })

test('b7: keys are told by their place, with exactly the wanted modifiers', () => {
  expect(shortcutOf(press('KeyW', { altKey: true, key: '∑' }), false)).toBe('close')
  expect(shortcutOf(press('BracketRight', { altKey: true }), false)).toBe('next')
  expect(shortcutOf(press('KeyT', { altKey: true, shiftKey: true }), false)).toBe('reopen')
  for (const other of [press('KeyW'), press('KeyW', { ctrlKey: true }), press('KeyW', { altKey: true, ctrlKey: true }), press('KeyT', { altKey: true }), press('KeyW', { altKey: true, metaKey: true })]) {
    expect(shortcutOf(other, false)).toBeUndefined()
  }
})

test('b7: while somebody writes a question mark is a letter', () => {
  expect(shortcutOf(press('Slash', { key: '?', shiftKey: true }), false)).toBe('help')
  expect(shortcutOf(press('Slash', { key: '？', shiftKey: true }), false)).toBe('help')
  expect(shortcutOf(press('Slash', { key: '?', shiftKey: true }), true)).toBeUndefined()
  expect(shortcutOf(press('KeyW', { altKey: true }), true)).toBe('close')
})

test('b7: no two shortcuts are on the same keys', () => {
  expect(new Set(shortcuts.map(({ keys }) => keys.join('+'))).size).toBe(shortcuts.length)
})
