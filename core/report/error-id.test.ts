import { expect, test } from 'vitest'
import { errorId } from './error-id.ts'

test('equal errors have one name, others another; it can be read out', () => {
  const broken = { message: 'x is not a function', stack: 'TypeError: x is not a function\n    at a (app.js:1:2)' }
  expect(errorId(broken)).toBe(errorId({ ...broken }))
  expect(errorId(broken)).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  const names = new Set(Array.from({ length: 500 }, (_, n) => errorId({ message: `failed at ${n}` })))
  expect(names.size).toBe(500)
  expect(errorId({ ...broken, stack: 'TypeError: x is not a function\n    at b (app.js:9:9)' })).not.toBe(errorId(broken))
})
