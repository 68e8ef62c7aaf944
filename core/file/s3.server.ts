import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'
import type { Config } from '../config.server.ts'
import type { Blobs } from './disk.server.ts'

/** Folder within the bucket, which may hold other things too. */
const PREFIX = 'files/'

/**
 * Keeps bytes in a bucket of an S3-compatible service. One PUT carries up to 5 GB, more than the largest file here.
 * @param temporary local folder for copies that are in use
 */
export function s3Blobs(s3: NonNullable<Config['s3']>, temporary: string): Blobs {
  const client = new AwsClient({ accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey, region: s3.region, service: 's3', retries: 3 })
  const base = new URL(s3.endpoint)
  // Some services take the bucket only as part of the host name, which is then in the configured address.
  const path = base.hostname.startsWith(`${s3.bucket}.`) ? base.pathname : posix.join(base.pathname, s3.bucket)
  const urlOf = (key: string) => new URL(posix.join(path, key), base).href

  const fetchOk = async (url: string, init: RequestInit, expected: readonly number[]): Promise<Response> => {
    const answer = await client.fetch(url, init)
    if (expected.includes(answer.status)) return answer
    throw new Error(`S3 ${init.method} ${new URL(url).pathname}: ${answer.status} ${(await answer.text()).slice(0, 500)}`)
  }
  const read: Blobs['read'] = async (id, range) => {
    const answer = await fetchOk(urlOf(PREFIX + id), {
      method: 'GET', ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
    }, [range ? 206 : 200])
    return answer.body ? Readable.fromWeb(answer.body as ReadableStream) : Readable.from([])
  }
  return {
    async save(id, local, { sha256, type }) {
      // The service compares what arrives with the hash, so that a broken transfer is refused.
      await fetchOk(urlOf(PREFIX + id), {
        method: 'PUT', body: await openAsBlob(local), headers: { 'content-type': type, 'x-amz-content-sha256': sha256 },
      }, [200])
      await rm(local, { force: true })
    },
    read,
    async withPath(id, use) {
      const copy = join(temporary, `copy-${randomUUID()}`)
      try {
        await pipeline(await read(id), createWriteStream(copy, { mode: 0o600 }))
        return await use(copy)
      } finally {
        await rm(copy, { force: true })
      }
    },
    async remove(id) {
      await fetchOk(urlOf(PREFIX + id), { method: 'DELETE' }, [200, 204, 404])
    },
    async *list() {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: PREFIX, ...(token && { 'continuation-token': token }) })
        const answer = await fetchOk(`${urlOf('')}?${query}`, { method: 'GET' }, [200])
        const page = parseListing(await answer.text())
        for (const { key, modified } of page.objects) yield { id: key.slice(PREFIX.length), at: Math.floor(Date.parse(modified) / 1000) }
        token = page.next
      } while (token)
    },
  }
}

/** Reads the answer of ListObjectsV2. */
function parseListing(xml: string): { objects: { key: string; modified: string }[]; next: string | undefined } {
  const objects: { key: string; modified: string }[] = []
  let next: string | undefined
  let text = ''
  let current = { key: '', modified: '' }
  const parser = new SaxesParser()
  const take: Readonly<Record<string, () => void>> = {
    Key: () => (current.key = text),
    LastModified: () => (current.modified = text),
    NextContinuationToken: () => (next = text),
    Contents() {
      objects.push(current)
      current = { key: '', modified: '' }
    },
  }
  parser.on('opentag', () => (text = ''))
  parser.on('text', (part) => (text += part))
  parser.on('closetag', ({ name }) => take[name]?.())
  parser.write(xml).close()
  return { objects, next }
}
