import { expect, test } from 'vitest'
import { defaultSettings, parseSettings, readLocal, settingsOf, sizeOf, writeLocal } from './settings.ts'

test('123, 126: tags on, header not fixed, logo off, #1890ff', () => {
  expect(parseSettings(undefined)).toMatchObject({ tagsView: true, fixedHeader: false, sidebarLogo: false, themeColor: '#1890ff' })
})

test('129: what is stored and broken is as it usually is, the rest is kept', () => {
  expect(parseSettings({ mode: 'neon', themeColor: 'red;}', layout: 'top', sideWidth: 9000, grey: 1, watermark: true, more: 'x' }))
    .toEqual({ ...defaultSettings, layout: 'top', watermark: true })
  for (const broken of ['null', '7', '{', '"x"', '[]']) expect(readLocal({ getItem: () => broken }).settings).toEqual(defaultSettings)
})

test('129: settings are a person\'s: the server\'s first, this browser\'s only when they are not somebody else\'s', () => {
  const dark = { ...defaultSettings, mode: 'dark' as const }
  expect(settingsOf(1, { mode: 'system' }, { settings: dark, owner: 1 }).mode).toBe('system')
  expect(settingsOf(1, undefined, { settings: dark, owner: 1 }).mode).toBe('dark')
  expect(settingsOf(1, undefined, { settings: dark, owner: undefined }).mode).toBe('dark')
  expect(settingsOf(2, undefined, { settings: dark, owner: 1 }).mode).toBe('light')
})

test('129: what was written is read again, and a full store is no failure', () => {
  let kept = ''
  writeLocal({ setItem: (_key, value) => { kept = value } }, { settings: { ...defaultSettings, grey: true }, owner: 4 })
  expect(readLocal({ getItem: () => kept })).toEqual({ settings: { ...defaultSettings, grey: true }, owner: 4 })
  expect(() => writeLocal({ setItem: () => { throw new Error('full') } }, { settings: defaultSettings, owner: 4 })).not.toThrow()
})

test('89, 91: the size is in a cookie; none or a bad one is medium', () => {
  expect(sizeOf('a=b; size=mini; c=d')).toBe('mini')
  for (const cookies of ['', 'size=', 'size=huge', 'xsize=mini']) expect(sizeOf(cookies)).toBe('medium')
})
