import { expect, test } from 'vitest'
import { CallError } from '../endpoint/wire.ts'
import { addError, describeError, LOG_SIZE, type Happened, type LoggedError } from './error-log.ts'

const error = (message: string, at = 1): Happened => ({ message, stack: `at ${message}`, info: 'Form', url: '/new/a', at })
const all = (...errors: Happened[]) => errors.reduce<LoggedError[]>((log, one) => addError(log, one), [])

test('86: equal errors are counted once and come to the front', () => {
  const log = all(error('a'), error('b'), error('a', 9))
  expect(log.map(({ message, times, at }) => [message, times, at])).toEqual([['a', 2, 9], ['b', 1, 1]])
  expect(new Set(log.map(({ id }) => id)).size).toBe(2)
  expect(all(error('a'), { ...error('a'), stack: 'elsewhere' })).toHaveLength(2)
})

test('86: the list is a ring: the oldest make room', () => {
  const log = all(...Array.from({ length: LOG_SIZE + 5 }, (_, n) => error(`e${n}`)))
  expect(log).toHaveLength(LOG_SIZE)
  expect(log[0]?.message).toBe(`e${LOG_SIZE + 4}`)
  expect(log.at(-1)?.message).toBe('e5')
})

test('82, 86: a refused call, one taken back and a harmless complaint are no errors', () => {
  expect(describeError(new TypeError('x is not a function'), 'window', '/new/', 1)).toMatchObject({ message: 'TypeError: x is not a function', info: 'window' })
  expect(describeError('text', 'promise', '/new/', 1)).toMatchObject({ message: 'text', stack: '' })
  expect(describeError({ code: 7 }, 'promise', '/new/', 1)?.message).toBe('{"code":7}')
  const taken = new Error('x')
  taken.name = 'AbortError'
  for (const nothing of [new CallError('没有权限', 403, {}), taken, undefined, null, 'ResizeObserver loop completed with undelivered notifications.']) {
    expect(describeError(nothing, 'promise', '/new/', 1)).toBeUndefined()
  }
})
