import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { photograph, png, video } from '../testing/uploads.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function* pieces(...parts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part as string)
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}

/** Ids of all bytes that lie in the store. */
const onDisk = () => readdirSync(join(app.config.dataDir, 'files'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => entry.name)

test('what comes in pieces is stored whole, under a safe name, for its owner alone', async () => {
  const { files } = app.kernel
  const file = await files.put(pieces('a,b\n', '1,2\n'), { name: '../../学生.csv', staffId: 7 })
  expect(file).toEqual({ id: expect.any(String), name: '学生.csv', type: 'text/csv', bytes: 8 })
  expect(await textOf(await files.open(file.id))).toBe('a,b\n1,2\n')
  expect(await textOf(await files.open(file.id, { start: 2, end: 4 }))).toBe('b\n1')
  expect(await files.withPath(file.id, (path) => readFile(path, 'utf8'))).toBe('a,b\n1,2\n')
  expect(await files.find(file.id)).toMatchObject({ staffId: 7, grant: null, screens: [], name: '学生.csv' })
  await files.remove(file.id)
  expect(await files.find(file.id)).toBeUndefined()
  await expect(files.open(file.id)).rejects.toThrow('文件不存在或已被删除')
  expect(onDisk()).not.toContain(file.id)
})

test('an id that is none finds nothing and reaches no path', async () => {
  for (const id of ['', '../../etc/passwd', '0', "'; drop table file; --"]) {
    expect(await app.kernel.files.find(id)).toBeUndefined()
    await expect(app.kernel.files.open(id)).rejects.toThrow('文件不存在或已被删除')
    await app.kernel.files.remove(id)
  }
})

test('the content decides what a file is', async () => {
  const { files } = app.kernel
  const put = (name: string, content: string | Buffer, accept?: string[]) => files.put(pieces(content), { name, staffId: 1, ...(accept && { accept }) })
  expect(await put('a.png', png())).toMatchObject({ type: 'image/png' })
  expect(await put('photo', photograph())).toMatchObject({ type: 'image/jpeg', name: 'photo.jpg' })
  expect(await put('v.mp4', video())).toMatchObject({ type: 'video/mp4' })
  // GBK, as Excel in China saves, and a text that begins like a bitmap.
  expect(await put('名单.csv', Buffer.from('d0d5c3fb2cb0e0bcb60a', 'hex'))).toMatchObject({ type: 'text/csv' })
  expect(await put('bmi.csv', 'BMI,身高\n20,170\n')).toMatchObject({ type: 'text/csv' })
  await expect(put('a.png', photograph())).rejects.toThrow('文件内容与扩展名 .png 不符')
  await expect(put('a.jpg', '<script>alert(1)</script>')).rejects.toThrow('不支持这种文件')
  await expect(put('a.csv', png())).rejects.toThrow('文件内容与扩展名 .csv 不符')
  await expect(put('a.exe', Buffer.from('4d5a90000300000004000000ffff0000', 'hex'))).rejects.toThrow('不支持这种文件')
  await expect(put('a.html', '<html></html>')).rejects.toThrow('不支持这种文件')
  await expect(put('a.pdf', '%PDF-1.7 x', ['image/png'])).rejects.toThrow('不支持这种文件')
  await expect(put('a.txt', Buffer.from([65, 0, 66]))).rejects.toThrow('不支持这种文件')
})

test('what is refused leaves nothing behind', async () => {
  const before = onDisk().length
  const { files } = app.kernel
  await expect(files.put(pieces('x'.repeat(60), 'y'.repeat(60)), { name: 'a.txt', staffId: 1, maxBytes: 100 })).rejects.toThrow('文件不能超过 100 B')
  await expect(files.put(pieces(png(60_000, 60_000)), { name: 'a.png', staffId: 1 })).rejects.toThrow('图片不能超过 50 百万像素')
  await expect(files.put((async function* () {
    yield Buffer.from('half')
    throw new Error('connection lost')
  })(), { name: 'a.txt', staffId: 1 })).rejects.toThrow('connection lost')
  expect(onDisk().length).toBe(before)
})

test('the sweep takes what is over and what nobody knows, and leaves the rest', async () => {
  const { files } = app.kernel
  const root = join(app.config.dataDir, 'files')
  const kept = await files.put(pieces('kept'), { name: 'a.txt', staffId: 1 })
  const later = await files.put(pieces('later'), { name: 'a.txt', staffId: 1, expiresAt: Math.floor(Date.now() / 1000) + 60 })
  const over = await files.put(pieces('over'), { name: 'a.txt', staffId: 1, expiresAt: Math.floor(Date.now() / 1000) - 1 })
  // A process that died between writing the bytes and the row leaves this.
  const orphan = '00000000-0000-4000-8000-000000000000'
  const fresh = '00000000-0000-4000-8000-000000000001'
  mkdirSync(join(root, '00'), { recursive: true })
  for (const place of [`00/${orphan}`, `00/${fresh}`, 'tmp/abandoned', 'uploads/abandoned']) writeFileSync(join(root, place), 'bytes')
  for (const place of ['tmp/running', 'uploads/running']) writeFileSync(join(root, place), 'bytes')
  const old = new Date(Date.now() - 25 * 3_600_000)
  const recent = new Date(Date.now() - 23 * 3_600_000)
  for (const place of [`00/${orphan}`, 'tmp/abandoned', 'uploads/abandoned']) utimesSync(join(root, place), old, old)
  for (const place of [`00/${fresh}`, 'tmp/running', 'uploads/running']) utimesSync(join(root, place), recent, recent)
  await files.withPath(kept.id, async (path) => utimesSync(path, old, old))

  expect(await files.find(over.id)).toBeUndefined()
  expect(await files.sweep()).toEqual({ expired: 1, orphans: 1 })
  expect(await files.sweepLocal()).toBe(2)
  const names = onDisk()
  expect(names).toEqual(expect.arrayContaining([kept.id, later.id, fresh]))
  expect(names.filter((name) => name === 'running')).toHaveLength(2)
  for (const gone of [over.id, orphan, 'abandoned']) expect(names).not.toContain(gone)
  expect(await app.kernel.db.query(sql`select id from file where id = ${over.id}`)).toEqual([])
})
