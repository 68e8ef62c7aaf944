import { crc32, deflateSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import type { Caller, TestApp } from './app.server.ts'

/** A PNG whose header states this size; the pixels themselves are those of a tiny picture. */
export function png(width = 2, height = 2): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(6))), chunk('IEND', Buffer.alloc(0)),
  ])
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** A photograph with EXIF (orientation, a place as text), a comment and something behind its end. */
export function photograph(options: { width?: number; height?: number; orientation?: number; secret?: string } = {}): Buffer {
  const { width = 4, height = 3, orientation = 6, secret = 'GPS 31.2304N 121.4737E' } = options
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(secret)])),
    segment(0xfe, Buffer.from(secret)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(secret),
  ])
}

/** The first bytes of an MP4 file, filled up to `bytes`. */
export function video(bytes = 64): Buffer {
  const head = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex')
  return Buffer.concat([head, Buffer.alloc(Math.max(0, bytes - head.length), 7)])
}

/** Headers of a request that a caller's browser would send. */
export function browserHeaders(caller: Caller): Record<string, string> {
  return {
    cookie: `session=${caller.cookie('session') ?? ''}; csrf=${caller.cookie('csrf') ?? ''}`,
    'x-csrf-token': caller.cookie('csrf') ?? '',
  }
}

/** Uploads as a browser's form does. */
export async function upload(
  app: TestApp, caller: Caller, kind: string, name: string, content: Buffer | string, headers: Record<string, string> = {},
): Promise<{ status: number; body: { id: string; name: string; type: string; bytes: number; url: string; detail?: string } }> {
  const boundary = 'xxBOUNDARYxx'
  const payload = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`),
    Buffer.from(content as string), Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await app.http.inject({
    method: 'POST', url: `/daoyuan/api/end/files?kind=${kind}`, payload,
    headers: { ...browserHeaders(caller), 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** Fetches a path as a browser does, with everything that comes back. */
export function fetchPath(app: TestApp, caller: Caller, url: string, headers: Record<string, string> = {}, method: InjectOptions['method'] = 'GET') {
  return app.http.inject({ method: method ?? 'GET', url, headers: { ...browserHeaders(caller), ...headers } })
}
