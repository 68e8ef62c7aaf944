import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from './contrast.ts'
import { lookTokens, paintOf, tableTokens } from './look-tokens.ts'
import { defaultSettings, SIZES, THEME_COLORS } from './settings.ts'

test('90, 128: each size is tokens of its own, smaller from step to step', () => {
  const heights = SIZES.map((size) => lookTokens(defaultSettings, size, false).controlHeight)
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  expect(new Set(heights).size).toBe(SIZES.length)
})

test('gaps do not shrink with the letters', () => {
  for (const size of SIZES) expect(lookTokens(defaultSettings, size, false)).not.toHaveProperty('sizeStep')
})

test('words can be read on every ground that they stand on', () => {
  for (const dark of [false, true]) {
    const tokens = lookTokens(defaultSettings, 'medium', dark)
    const { headerBg, headerSortActiveBg, bodySortBg, rowHoverBg, rowSelectedBg } = tableTokens(dark)
    for (const ground of [tokens.colorBgLayout, tokens.colorBgContainer, headerBg, headerSortActiveBg, bodySortBg, rowHoverBg, rowSelectedBg]) {
      for (const word of [tokens.colorText, tokens.colorTextSecondary, tokens.colorTextTertiary, tokens.colorSuccess, tokens.colorWarning, tokens.colorError, tokens.colorLink]) expect(contrast(word, ground), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('words can be read on the grounds that rules give to records', () => {
  const [light = '', dark = ''] = readFileSync(new URL('shell.css', import.meta.url), 'utf8').split(":root[data-mode='dark']")
  for (const style of [light, dark.slice(0, dark.indexOf('}'))]) {
    const shade = (name: string) => {
      const hex = new RegExp(`--${name}: (#[0-9a-f]+);`).exec(style)?.[1] ?? ''
      return hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex
    }
    for (const ground of ['bad-ground', 'warn-ground', 'good-ground', 'accent-weak', 'hover']) {
      for (const word of ['text', 'text-soft', 'text-faint', 'good', 'warn', 'bad', 'link']) expect(contrast(shade(word), shade(ground)), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('127: every colour that is offered can be read: white on it, and as a link on light and on dark', () => {
  for (const themeColor of THEME_COLORS) {
    for (const dark of [false, true]) {
      const tokens = lookTokens({ ...defaultSettings, themeColor }, 'medium', dark)
      expect(contrast(tokens.colorPrimary, '#ffffff'), themeColor).toBeGreaterThanOrEqual(4.5)
      expect(contrast(tokens.colorLink, dark ? '#1a1c1f' : '#ffffff'), themeColor).toBeGreaterThanOrEqual(4.5)
      expect(contrast(paintOf({ ...defaultSettings, themeColor }, 'medium', dark).vars['--link'] ?? '', dark ? '#1a1c1f' : '#ffffff'), themeColor).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('weak colours: good and bad can be read and do not differ by red and green alone', () => {
  const tokens = new Map<string, unknown>(Object.entries(lookTokens({ ...defaultSettings, colorWeak: true }, 'medium', false)))
  const [good, bad] = [String(tokens.get('colorSuccess')), String(tokens.get('colorError'))]
  for (const color of [good, bad]) expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  // The blue parts are what somebody without red or green receptors still tells apart.
  const blue = (color: string) => Number.parseInt(color.slice(5), 16)
  expect(Math.abs(blue(good) - blue(bad))).toBeGreaterThan(100)
})

test('calm: nothing moves, whatever the page transition says', () => {
  expect(lookTokens({ ...defaultSettings, calm: true }, 'medium', false).motion).toBe(false)
  expect(paintOf({ ...defaultSettings, calm: true }, 'medium', false).data).toMatchObject({ transition: 'off', calm: 'on' })
})
