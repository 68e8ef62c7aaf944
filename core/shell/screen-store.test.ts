import { expect, test, vi } from 'vitest'
import { PartMissing } from '../ui/part-missing.ts'
import { createScreenStore } from './screen-store.ts'

const Screen = () => null

test('a screen is fetched once, and whoever waits hears of it', async () => {
  const load = vi.fn<() => Promise<{ default: typeof Screen }>>(() => Promise.resolve({ default: Screen }))
  const store = createScreenStore(new Map([['/a', load]]))
  const heard = vi.fn<() => void>()
  store.subscribe(heard)
  store.fetch('/a')
  store.fetch('/a')
  expect(store.peek('/a')).toBeUndefined()
  await vi.waitFor(() => expect(store.peek('/a')).toEqual({ Screen }), { timeout: 30_000 })
  store.fetch('/a')
  expect([load.mock.calls.length, heard.mock.calls.length]).toEqual([1, 1])
})

test('20: a screen that was fetched when the pointer stood on its link is there at once', async () => {
  const store = createScreenStore(new Map([['/a', () => Promise.resolve({ default: Screen })]]))
  store.fetch('/a')
  await vi.waitFor(() => expect(store.peek('/a')).toBeDefined(), { timeout: 30_000 })
  expect(store.peek('/a')).toEqual({ Screen })
})

test('134: a failure stays until it is tried again', async () => {
  const load = vi.fn<() => Promise<{ default: typeof Screen }>>(() => Promise.reject(new Error('gone')))
  const store = createScreenStore(new Map([['/a', load]]))
  store.fetch('/a')
  await vi.waitFor(() => expect(store.peek('/a')).toEqual({ error: new PartMissing(new Error('gone')) }), { timeout: 30_000 })
  load.mockResolvedValue({ default: Screen })
  store.fetch('/a')
  expect(load).toHaveBeenCalledTimes(1)
  store.forget('/a')
  store.fetch('/a')
  await vi.waitFor(() => expect(store.peek('/a')).toEqual({ Screen }), { timeout: 30_000 })
  // What is here is not forgotten.
  store.forget('/a')
  expect(store.peek('/a')).toEqual({ Screen })
})

test('a path without a screen is never fetched', () => {
  const store = createScreenStore(new Map())
  store.fetch('/a')
  expect([store.has('/a'), store.peek('/a')]).toEqual([false, undefined])
})
