import { expect, test } from 'vitest'
import { findModules } from '../../core/module/assemble.server.ts'

test('no two tabs of the drawer are called the same', async () => {
  const titles = (await findModules()).flatMap((module) => module.overview ?? []).map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(5)
  expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([])
})
