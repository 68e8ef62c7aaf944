import { expect, test } from 'vitest'
import { afterReload, kindOfName, problemOf, sameFile, speedOf, toBegin, type Upload, type UploadState } from './upload.ts'

const upload = (id: string, state: UploadState, more: Partial<Upload> = {}): Upload => ({ id, target: 'asset', name: `${id}.mp4`, bytes: 10, modified: 1, kind: 'video', about: {}, sent: 0, speed: 0, state, ...more })

test('three are sent at a time, in the order in which they came', () => {
  const list = [upload('a', 'sending'), upload('b', 'waiting'), upload('c', 'paused'), upload('d', 'waiting'), upload('e', 'waiting')]
  expect(toBegin(list).map(({ id }) => id)).toEqual(['b', 'd'])
  expect(toBegin(list.map((one) => ({ ...one, state: 'finishing' as const })))).toEqual([])
})

test('after a reload an upload goes on where the browser has the file, and asks for it where it has not', () => {
  expect(afterReload(upload('a', 'sending', { speed: 5 }), true)).toMatchObject({ state: 'paused', speed: 0 })
  expect(afterReload(upload('a', 'sending'), false).state).toBe('gone')
  for (const state of ['done', 'known', 'failed'] as const) expect(afterReload(upload('a', state), false).state).toBe(state)
})

test('a file that is chosen again is known by name, size and time', () => {
  const list = [upload('a', 'gone'), upload('b', 'paused')]
  expect(sameFile(list, { name: 'a.mp4', size: 10, lastModified: 1 })?.id).toBe('a')
  expect(sameFile(list, { name: 'a.mp4', size: 11, lastModified: 1 })).toBeUndefined()
  expect(sameFile(list, { name: 'b.mp4', size: 10, lastModified: 1 })).toBeUndefined()
})

test('the name says the kind, and what cannot be sent says why', () => {
  expect(kindOfName('第3讲.MP4', ['video', 'footage'])).toBe('video')
  expect(kindOfName('第3讲.mov', ['video', 'footage'])).toBe('footage')
  expect(kindOfName('第3讲.mov', ['image'])).toBeUndefined()
  expect(problemOf(undefined, { size: 1 })).toBe('不支持这种文件')
  expect(problemOf('video', { size: 0 })).toBe('文件是空的')
  expect(problemOf('image', { size: 6 * 1024 * 1024 })).toBe('文件不能超过 5 MB')
  expect(problemOf('image', { size: 1 })).toBeUndefined()
})

test('speed is taken over the last moments', () => {
  expect(speedOf([[0, 0], [2000, 4_000_000]])).toBe(2_000_000)
  expect(speedOf([[0, 0]])).toBe(0)
})
