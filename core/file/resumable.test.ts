import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { partialFolder } from './store.server.ts'
import { browserHeaders, fetchPath, png, video } from '../testing/uploads.server.ts'

const UPLOADS = '/daoyuan/api/end/uploads'

/** For what another process or socket does: long enough for a busy machine, over as soon as it is done. */
const PATIENCE = { timeout: 20_000 }

let app: TestApp
let owner: Caller
let stranger: Caller
let base: string
beforeAll(async () => {
  app = await openTestApp()
  owner = await app.staff([])
  stranger = await app.staff([])
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const metadata = (values: Record<string, string>) => Object.entries(values).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',')

function tus(caller: Caller, method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Response> {
  return fetch(`${base}${path}`, {
    method, headers: { ...browserHeaders(caller), 'tus-resumable': '1.0.0', ...headers }, ...(body && { body: new Uint8Array(body) }),
  })
}

const create = (caller: Caller, size: number, values: Record<string, string> = { filename: '第一课.mp4', kind: 'video' }) =>
  tus(caller, 'POST', UPLOADS, { 'upload-length': String(size), 'upload-metadata': metadata(values) })
const append = (caller: Caller, path: string, offset: number, body: Buffer) =>
  tus(caller, 'PATCH', path, { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }, body)
const progress = async (caller: Caller, path: string) => Number((await tus(caller, 'HEAD', path)).headers.get('upload-offset'))
const idOf = (path: string) => path.split('/').at(-1) ?? ''
const partials = () => readdirSync(partialFolder(app.config))

async function start(size: number, values?: Record<string, string>): Promise<string> {
  const answer = await create(owner, size, values)
  expect(answer.status).toBe(201)
  return answer.headers.get('location') ?? ''
}

test('the rules of every other call hold: session, our own page, own upload', async () => {
  expect((await create(app.nobody(), 10)).status).toBe(401)
  expect((await tus(owner, 'POST', UPLOADS, { 'upload-length': '10', 'x-csrf-token': 'wrong' })).status).toBe(403)
  const path = await start(10)
  expect(path).toMatch(/^\/daoyuan\/api\/end\/uploads\/[0-9a-f-]{36}$/)
  for (const method of ['HEAD', 'DELETE']) expect((await tus(stranger, method, path)).status).toBe(404)
  expect((await append(stranger, path, 0, Buffer.from('x'))).status).toBe(404)
  expect((await append(owner, `${UPLOADS}/..%2f..%2fpg`, 0, Buffer.from('x'))).status).toBe(404)
  const answer = await tus(owner, 'HEAD', path, { origin: 'https://evil.example' })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect((await tus(owner, 'DELETE', path)).status).toBe(204)
  expect(await progress(owner, path)).toBe(0)
})

test('an upload that broke off goes on where it stopped and becomes a file', async () => {
  const content = video(300_000)
  const path = await start(content.length)
  // The connection breaks in the middle of a piece.
  const piece = request(`${base}${path}`, {
    method: 'PATCH',
    headers: { ...browserHeaders(owner), 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream', 'content-length': String(content.length) },
  })
  piece.on('error', () => {})
  piece.write(content.subarray(0, 100_000))
  await expect.poll(() => statSync(join(partialFolder(app.config), idOf(path))).size, PATIENCE).toBe(100_000)
  piece.destroy()
  await expect.poll(() => progress(owner, path), PATIENCE).toBe(100_000)
  expect((await append(owner, path, 0, content.subarray(0, 10))).status).toBe(409)
  expect(await app.kernel.files.find(idOf(path))).toBeUndefined()

  const last = await append(owner, path, 100_000, content.subarray(100_000))
  expect(last.status).toBe(200)
  const file = await last.json()
  expect(file).toEqual({ id: idOf(path), name: '第一课.mp4', type: 'video/mp4', bytes: content.length, url: `/daoyuan/api/end/files/${idOf(path)}` })
  const served = await fetchPath(app, owner, `/daoyuan/api/end/files/${idOf(path)}`, { range: 'bytes=99990-100009' })
  expect(served.rawPayload.equals(content.subarray(99_990, 100_010))).toBe(true)
  expect((await fetchPath(app, stranger, `/daoyuan/api/end/files/${idOf(path)}`)).statusCode).toBe(404)
  expect(partials().filter((name) => name.startsWith(idOf(path)))).toEqual([])

  // A person who lost that answer asks how far they came, and learns that all is there.
  const again = await tus(owner, 'HEAD', path)
  expect([again.status, again.headers.get('upload-offset'), again.headers.get('upload-length')]).toEqual([200, '300000', '300000'])
  expect((await tus(stranger, 'HEAD', path)).status).toBe(404)
})

test('a server that stopped after the last byte takes the file over when it is asked again', async () => {
  const content = video(1000)
  const path = await start(content.length)
  writeFileSync(join(partialFolder(app.config), idOf(path)), content)
  const answers = await Promise.all([progress(owner, path), progress(owner, path)])
  expect(answers).toEqual([1000, 1000])
  expect(await app.kernel.files.find(idOf(path))).toMatchObject({ bytes: 1000, staffId: owner.staffId })
})

test('the limits of each kind hold before and after the bytes came', async () => {
  const detail = async (answer: Response) => [answer.status, (JSON.parse(await answer.text()) as { detail: string }).detail]
  expect(await detail(await create(owner, 5 * 1024 ** 3))).toEqual([413, '文件不能超过 4 GB'])
  expect(await detail(await create(owner, 6 * 1024 ** 2, { filename: 'a.png', kind: 'image' }))).toEqual([413, '文件不能超过 5 MB'])
  for (const [kind, megabytes] of [['audio', 100], ['footage', 300], ['print', 300]] as const) {
    expect((await create(owner, megabytes * 1024 ** 2, { filename: 'a', kind })).status, kind).toBe(201)
    expect(await detail(await create(owner, megabytes * 1024 ** 2 + 1, { filename: 'a', kind }))).toEqual([413, `文件不能超过 ${megabytes} MB`])
  }
  expect(await detail(await create(owner, 10, { filename: 'a.mp4', kind: 'film' }))).toEqual([400, '请说明上传的是哪种文件'])
  expect(await detail(await tus(owner, 'POST', UPLOADS, { 'upload-defer-length': '1', 'upload-metadata': metadata({ kind: 'video' }) }))).toEqual([400, '请说明文件大小'])

  const content = png()
  const path = await start(content.length)
  expect(await detail(await append(owner, path, 0, content))).toEqual([400, '文件内容与扩展名 .mp4 不符'])
  expect(partials().filter((name) => name.startsWith(idOf(path)))).toEqual([])
  expect((await tus(owner, 'HEAD', path)).status).toBe(404)
})

test('the owner cannot be claimed through metadata', async () => {
  const content = video(500)
  const path = await start(content.length, { filename: 'a.mp4', kind: 'video', staff_id: String(stranger.staffId) })
  await append(owner, path, 0, content)
  expect(await app.kernel.files.find(idOf(path))).toMatchObject({ staffId: owner.staffId })
})

test('the client that the console uses gets its file', async () => {
  const content = video(200_000)
  const answer = await new Promise<string>((resolve, reject) => {
    new Upload(content, {
      endpoint: `${base}${UPLOADS}`, chunkSize: 64 * 1024, headers: browserHeaders(owner), metadata: { filename: 'a.mp4', kind: 'video' },
      onError: reject, onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
    }).start()
  })
  expect(JSON.parse(answer)).toMatchObject({ type: 'video/mp4', bytes: 200_000 })
})
