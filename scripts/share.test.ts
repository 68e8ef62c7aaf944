import { expect, test } from 'vitest'
import { divide } from './share.ts'

const named = (prefix: string, count: number, text: string) => Array.from({ length: count }, (_, n) => ({ path: `${prefix}/${n}.test.ts`, text }))
const plain = named('core/sheet', 20, 'expect(1).toBe(1)')
const own = named('core/database', 20, 'await openTestDatabase()')
const others = named('modules/order', 500, 'await openTestApp()')

test('PostgreSQL runs every file that opens a database, and no other', () => {
  expect(divide([...plain, ...own, ...others]).postgres).toEqual([...own, ...others].map(({ path }) => path))
})

test('every file runs somewhere', () => {
  const { postgres, embedded } = divide([...plain, ...own, ...others])
  expect(new Set([...postgres, ...embedded]).size).toBe(540)
})

test('the embedded database runs its own files and about a tenth of the others, always the same', () => {
  const { embedded } = divide([...plain, ...own, ...others])
  expect(embedded.slice(0, 40)).toEqual([...plain, ...own].map(({ path }) => path))
  const tenth = embedded.slice(40)
  expect(tenth.length).toBeGreaterThan(30)
  expect(tenth.length).toBeLessThan(75)
  expect(divide(others.slice(0, 250)).embedded).toEqual(tenth.filter((path) => others.slice(0, 250).some((file) => file.path === path)))
})
