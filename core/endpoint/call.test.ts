import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onCallError, onLongWork, onSessionOver, request } from './call.tsx'
import type { CallError } from './wire.ts'

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const heard: CallError[] = []
let deaf: () => void
beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('document', { cookie: 'csrf=abc' })
  heard.length = 0
  deaf = onCallError((error) => heard.push(error))
})
afterEach(() => {
  deaf()
  fetched.mockReset()
  vi.unstubAllGlobals()
})

const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }))
const over = () => answer(401, { detail: '错误的token' })

test('135, 136: GET unless told, lists repeat their key, what is empty is left out, zero and false stay', async () => {
  fetched.mockImplementation(() => answer(200, { ok: 1 }))
  expect(await request('GET', '/a', { ids: [1, 2], none: '', nothing: null, zero: 0, no: false, list: [] })).toEqual({ ok: 1 })
  expect(fetched.mock.calls[0]?.[0]).toBe('/a?ids=1&ids=2&zero=0&no=false')
  await request('POST', '/a', { name: '', zero: 0 })
  expect(fetched.mock.calls[1]?.[1].body).toBe('{"zero":0}')
  await request('POST', '/a', { name: '', zero: 0 }, { keepEmpty: true })
  expect(fetched.mock.calls[2]?.[1].body).toBe('{"name":"","zero":0}')
  const file = new FormData()
  file.append('file', new Blob(['x']))
  await request('POST', '/a', file)
  expect(fetched.mock.calls[3]?.[1].body).toBe(file)
})

test('137, 138: a body that says it failed did; without words of the server it is 服务器错误！', async () => {
  fetched.mockImplementationOnce(() => answer(200, { code: 0, data: null, msg: '库存不足' }))
  await expect(request('GET', '/a')).rejects.toThrow('库存不足')
  fetched.mockImplementationOnce(() => answer(200, { code: 500, data: null, msg: 'x' }))
  expect(await request('GET', '/a')).toMatchObject({ code: 500 })
  fetched.mockImplementationOnce(() => answer(500, {}))
  await expect(request('GET', '/a')).rejects.toThrow('服务器错误！')
  expect(heard.map((error) => error.message)).toEqual(['库存不足', '服务器错误！'])
})

test('after a login in place what was to be read is read once more, and nobody hears of it', async () => {
  const ask = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true))
  const giveBack = onSessionOver(ask)
  fetched.mockImplementationOnce(over).mockImplementationOnce(() => answer(200, { items: [] }))
  expect(await request('GET', '/a')).toEqual({ items: [] })
  expect(heard).toEqual([])
  // Once only: a session that is over again leads to the login page.
  fetched.mockImplementation(over)
  await expect(request('GET', '/a')).rejects.toThrow('错误的token')
  expect(ask).toHaveBeenCalledTimes(2)
  expect(heard.map((error) => error.message)).toEqual(['错误的token'])
  giveBack()
})

test('what changes something is not sent again by itself; whoever declines to log in hears nothing more', async () => {
  fetched.mockImplementation(over)
  let giveBack = onSessionOver(() => Promise.resolve(true))
  await expect(request('POST', '/a')).rejects.toThrow('登录已恢复，请再次提交')
  expect(fetched).toHaveBeenCalledTimes(1)
  giveBack()
  heard.length = 0
  giveBack = onSessionOver(() => Promise.resolve(false))
  await expect(request('GET', '/a')).rejects.toThrow('错误的token')
  expect(heard).toEqual([])
  giveBack()
  const stop = onSessionOver(() => undefined)
  await expect(request('GET', '/a')).rejects.toThrow('错误的token')
  expect(heard).toHaveLength(1)
  stop()
})

test('a change that takes long is told while it lasts; reading and what nobody waits for are not', async () => {
  vi.useFakeTimers()
  const told: string[] = []
  const deafen = onLongWork((over) => {
    told.push('begun')
    void over.then(() => told.push('over'))
  })
  const slow = (ms: number) => fetched.mockImplementationOnce(() => new Promise((done) => { setTimeout(() => done(new Response('{}')), ms) }))
  const run = async (work: () => Promise<unknown>) => {
    const result = work()
    await vi.advanceTimersByTimeAsync(5000)
    await result
  }
  slow(300)
  await run(() => request('PUT', '/a', { status: 1 }))
  slow(3000)
  await run(() => request('GET', '/a'))
  slow(3000)
  await run(() => request('PUT', '/a', {}, { background: true }))
  expect(told).toEqual([])
  slow(3000)
  const work = request('POST', '/a', {})
  await vi.advanceTimersByTimeAsync(1500)
  expect(told).toEqual(['begun'])
  await vi.advanceTimersByTimeAsync(2000)
  await work
  expect(told).toEqual(['begun', 'over'])
  deafen()
  vi.useRealTimers()
})
