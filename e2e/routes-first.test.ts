import { expect, test } from 'vitest'
import { findModules } from '../core/module/assemble.server.ts'
import { lookAtScreens, PARTS, screensOf } from './every-screen.ts'

test('the parts hold every screen once', async () => {
  const shared = (await Promise.all(Array.from({ length: PARTS }, (_, part) => screensOf(part)))).flat()
  const screens = (await findModules()).flatMap((module) => module.door.screens).filter((path) => !path.includes(':'))
  expect(new Set(shared).size).toBe(shared.length)
  expect(shared).toEqual(expect.arrayContaining(screens))
})

await lookAtScreens(0)
