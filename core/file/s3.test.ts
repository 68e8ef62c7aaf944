import { createHash, createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { fetchPath, png, upload } from '../testing/uploads.server.ts'

const KEY = { id: 'AKIATEST', secret: 'secret/with+signs', region: 'cn-hangzhou', bucket: 'daoyuan' }

/** What the bucket holds. */
const objects = new Map<string, { body: Buffer; type: string; at: Date }>()
let failures = 0
let server: Server
let app: TestApp
beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then(({ status, body, headers }) => response.writeHead(status, headers).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  app = await openTestApp({
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, S3_BUCKET: KEY.bucket, S3_REGION: KEY.region,
    S3_ACCESS_KEY_ID: KEY.id, S3_SECRET_ACCESS_KEY: KEY.secret,
  })
})
afterAll(async () => {
  await app.close()
  server.close()
})

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** Signature Version 4 worked out again from the request, as AWS describes it. */
function signatureOf(request: IncomingMessage, url: URL): string {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': payload = '' } = request.headers as Record<string, string>
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? ''
  const query = [...url.searchParams].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).sort().join('&')
  const canonical = [request.method, url.pathname, query, ...signed.split(';').map((name) => `${name}:${String(request.headers[name])}`), '', signed, payload].join('\n')
  const scope = `${date.slice(0, 8)}/${KEY.region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [date.slice(0, 8), KEY.region, 's3', 'aws4_request'].reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${KEY.secret}`)
  return `AWS4-HMAC-SHA256 Credential=${KEY.id}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, text).toString('hex')}`
}

async function answer(request: IncomingMessage): Promise<{ status: number; body?: Buffer | string; headers?: Record<string, string> }> {
  const body = Buffer.concat(await request.toArray() as Buffer[])
  const url = new URL(request.url ?? '', 'http://s3')
  if (request.headers.authorization !== signatureOf(request, url)) return { status: 403, body: 'SignatureDoesNotMatch' }
  if (failures > 0) {
    failures--
    return { status: 503, body: 'SlowDown' }
  }
  const key = url.pathname.slice(KEY.bucket.length + 2)
  const known = objects.get(key)
  const methods: Record<string, () => { status: number; body?: Buffer | string; headers?: Record<string, string> }> = {
    PUT() {
      if (request.headers['content-length'] === undefined) return { status: 411, body: 'MissingContentLength' }
      if (request.headers['x-amz-content-sha256'] !== sha256(body)) return { status: 400, body: 'XAmzContentSHA256Mismatch' }
      objects.set(key, { body, type: String(request.headers['content-type']), at: new Date() })
      return { status: 200 }
    },
    GET() {
      if (url.searchParams.has('list-type')) return list(url)
      if (!known) return { status: 404, body: 'NoSuchKey' }
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
      return range ? { status: 206, body: known.body.subarray(Number(range[1]), Number(range[2]) + 1) } : { status: 200, body: known.body }
    },
    DELETE() {
      objects.delete(key)
      return { status: 204 }
    },
  }
  return methods[request.method ?? '']?.() ?? { status: 405 }
}

/** One key on each page, so that the next page is asked for. */
function list(url: URL): { status: number; body: string } {
  const keys = [...objects.keys()].filter((key) => key.startsWith(url.searchParams.get('prefix') ?? '')).sort()
  const at = Number(url.searchParams.get('continuation-token') ?? 0)
  const key = keys[at]
  const next = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : ''
  const contents = key ? `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified></Contents>` : ''
  return { status: 200, body: `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>x</Name>${next}${contents}</ListBucketResult>` }
}

const local = () => readdirSync(join(app.config.dataDir, 'files', 'tmp'))

test('bytes go to the bucket, signed and with their hash, and come back whole and in part', async () => {
  const owner = await app.staff([])
  const content = png()
  const { body } = await upload(app, owner, 'image', 'a.png', content)
  expect(objects.get(`files/${body.id}`)).toMatchObject({ body: content, type: 'image/png' })
  expect((await fetchPath(app, owner, body.url)).rawPayload.equals(content)).toBe(true)
  expect((await fetchPath(app, owner, body.url, { range: 'bytes=1-3' })).payload).toBe('PNG')
  expect(await app.kernel.files.withPath(body.id, (path) => readFile(path))).toEqual(content)
  expect(local()).toEqual([])
  await app.kernel.files.remove(body.id)
  expect(objects.size).toBe(0)
})

test('a service that is busy for a moment is asked again; one that refuses leaves no row', async () => {
  const owner = await app.staff([])
  failures = 2
  expect((await upload(app, owner, 'image', 'a.png', png())).status).toBe(200)
  failures = 99
  const before = objects.size
  expect((await upload(app, owner, 'image', 'a.png', png())).status).toBe(500)
  failures = 0
  expect(objects.size).toBe(before)
  expect(local()).toEqual([])
})

test('the sweep finds forgotten bytes on every page of the bucket', async () => {
  const owner = await app.staff([])
  const { body } = await upload(app, owner, 'image', 'a.png', png())
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const n of [0, 1]) objects.set(`files/ffffffff-0000-4000-8000-00000000000${n}`, { body: Buffer.from('x'), type: '', at: old })
  objects.set('elsewhere/kept', { body: Buffer.from('x'), type: '', at: old })
  expect(await app.kernel.files.sweep()).toEqual({ expired: 0, orphans: 2 })
  expect([...objects.keys()]).toEqual(expect.arrayContaining([`files/${body.id}`, 'elsewhere/kept']))
})
