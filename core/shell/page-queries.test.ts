import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { PageQueries } from './page-queries.tsx'

/** A page in front that reads; `leave` is what hiding or failing does. */
async function open(client: QueryClient, pages: PageQueries, path: string, ...keys: string[]): Promise<{ leave: () => void }> {
  pages.enter(path)
  const own = pages.clientOf(path)
  const ends = keys.map((key) => new QueryObserver(own, own.defaultQueryOptions( { queryKey: [key], queryFn: () => key, staleTime: Infinity })).subscribe(() => {}))
  await Promise.all(keys.map((key) => client.ensureQueryData({ queryKey: [key], queryFn: () => key })))
  return { leave: () => ends.forEach((end) => end()) }
}

function fresh() {
  const client = new QueryClient()
  const pages = new PageQueries(client)
  pages.watch()
  return { client, pages, isOld: (key: string) => client.getQueryState([key])?.isInvalidated }
}

test('113: a page that is made anew reads its own again, whether it is in front or behind, and no other\'s', async () => {
  const { client, pages, isOld } = fresh()
  await open(client, pages, '/a', 'a', 'both', 'staff').then(({ leave }) => leave())
  await open(client, pages, '/b', 'b', 'both')
  pages.invalidate('/a')
  expect(['a', 'both', 'b', 'staff'].map(isOld)).toEqual([true, true, false, false])
  pages.invalidate('/b')
  expect(isOld('b')).toBe(true)
})

test('134: what a failed page had read is gone, except what is shown elsewhere', async () => {
  const { client, pages, isOld } = fresh()
  await open(client, pages, '/kept', 'kept', 'both').then(({ leave }) => leave())
  await open(client, pages, '/failed', 'own', 'both', 'preferences').then(({ leave }) => leave())
  pages.drop('/failed')
  expect(client.getQueryData(['own'])).toBeUndefined()
  expect(client.getQueryData(['kept'])).toBe('kept')
  expect(client.getQueryData(['both'])).toBe('both')
  expect(client.getQueryData(['preferences'])).toBe('preferences')
  expect(isOld('both')).toBe(true)
})

test('117: a closed tab has read nothing', async () => {
  const { client, pages, isOld } = fresh()
  await open(client, pages, '/a', 'a').then(({ leave }) => leave())
  pages.enter('/')
  pages.keep(['/'])
  pages.invalidate('/a')
  expect(isOld('a')).toBeUndefined()
})

test('117: what closed tabs have read is forgotten, except what others show too', async () => {
  const { client, pages } = fresh()
  await open(client, pages, '/a', 'a', 'both', 'preferences').then(({ leave }) => leave())
  await open(client, pages, '/b', 'both').then(({ leave }) => leave())
  pages.enter('/')
  pages.keep(['/', '/b'])
  expect(['a', 'both', 'preferences'].map((key) => client.getQueryData([key]))).toEqual([undefined, 'both', 'preferences'])
})

test('117: what a closed tab was still reading is not kept when it comes', async () => {
  vi.useFakeTimers()
  try {
    const { client, pages } = fresh()
    let answer: (data: string) => void = () => {}
    pages.enter('/a')
    const own = pages.clientOf('/a')
    const leave = new QueryObserver(own, own.defaultQueryOptions({ queryKey: ['a'], queryFn: () => new Promise<string>((resolve) => { answer = resolve }), gcTime: 3_600_000 })).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(1)
    pages.enter('/')
    leave()
    pages.keep(['/'])
    answer('late')
    await vi.advanceTimersByTimeAsync(1)
    expect(client.getQueryData(['a'])).toBeUndefined()
    expect(vi.getTimerCount(), 'timers that hold it').toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('116: a kept page is shown as it was left, and read again afterwards', async () => {
  vi.useFakeTimers()
  const { pages } = fresh()
  const own = pages.clientOf('/a')
  let reads = 0
  const observe = (of = own) => new QueryObserver(of, of.defaultQueryOptions({ queryKey: ['a'], queryFn: () => ++reads }))
  const observer = observe()
  pages.enter('/a')
  observer.subscribe(() => {})()
  await vi.runAllTimersAsync()
  expect(reads).toBe(1)
  pages.enter('/b')
  pages.reveal('/a')
  observer.subscribe(() => {})
  expect(observer.getCurrentResult()).toMatchObject({ isFetching: false, data: 1 })
  // Another page that is mounted in that moment reads at once.
  observe(pages.clientOf('/c')).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(1)
  expect(reads).toBe(2)
  await vi.runAllTimersAsync()
  expect(observer.getCurrentResult().data).toBe(3)
  // Later visitors read at once again.
  observe().subscribe(() => {})
  await vi.runAllTimersAsync()
  expect(reads).toBe(4)
  vi.useRealTimers()
})

test('113: what a page reads is its own, also where its code came when another was in front', async () => {
  const { pages, isOld } = fresh()
  pages.enter('/a')
  const own = pages.clientOf('/a')
  pages.enter('/b')
  await own.fetchQuery({ queryKey: ['a'], queryFn: () => 'a' })
  new QueryObserver(own, own.defaultQueryOptions({ queryKey: ['a'], queryFn: () => 'a', staleTime: Infinity })).subscribe(() => {})
  pages.keep(['/a'])
  pages.invalidate('/a')
  expect(isOld('a')).toBe(true)
})
