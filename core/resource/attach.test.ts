import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { file } from '../field/file.ts'
import { seededRandom } from '../setup/random.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { attachFiles, holdFiles } from './attach.server.ts'
import { fileUrl } from '../file/url.ts'

let app: TestApp
let owner: number
beforeAll(async () => {
  app = await openTestApp()
  owner = (await app.staff([])).staffId
})
afterAll(() => app.close())

const RECORD = { fields: { contract: file('合同') }, grant: 9901 }
const HOUR = 3600

const CONTENT = '%PDF-1.7\n'

async function* content() {
  yield Buffer.from(CONTENT)
}

/** A file of the owner; `expiresIn` seconds from now unless nothing is said. */
async function put(expiresIn?: number): Promise<string> {
  const { id } = await app.kernel.files.put(content(), { name: 'a.pdf', staffId: owner, ...(expiresIn !== undefined && { expiresAt: Date.now() / 1000 + expiresIn }) })
  return id
}

const claim = (id: string, during: () => Promise<void> = async () => {}) => app.db.transaction({ staff_id: owner }, async (tx) => {
  await attachFiles(tx, RECORD, { contract: fileUrl(id) }, owner)
  await during()
})
/** Seconds until a file goes; null when it stays, undefined when there is none. */
async function left(id: string): Promise<number | null | undefined> {
  const [row] = await app.db.query<{ left: number | null }>(sql`select round(extract(epoch from expires_at - now()))::int as left from file where id = ${id}::uuid`)
  return row?.left
}
const later = (id: string, hours: number) => app.db.query(sql`update file set expires_at = expires_at - make_interval(hours => ${hours}) where id = ${id}::uuid`)
const bytesOf = (id: string) => app.kernel.files.withPath(id, (path) => readFile(path, 'utf8'))

test('what nobody claims is gone after a day, and not before', async () => {
  const id = await put()
  expect(await left(id)).toBeGreaterThan(24 * HOUR - 60)
  expect(await left(id)).toBeLessThanOrEqual(24 * HOUR)
  await later(id, 23)
  await app.kernel.files.sweep()
  expect(await app.kernel.files.find(id)).toBeDefined()
  await later(id, 1)
  expect(await app.kernel.files.find(id), 'over, though nobody has swept yet').toBeUndefined()
  await expect(claim(id)).rejects.toThrow('合同引用的文件不存在或不属于您，请重新上传')
  await app.kernel.files.sweep()
  expect(await left(id)).toBeUndefined()
})

test('what a record has claimed stays', async () => {
  const id = await put()
  await claim(id)
  expect(await left(id)).toBeNull()
  await app.kernel.files.sweep()
  expect(await bytesOf(id)).toBe(CONTENT)
})

test('a record that was not saved has claimed nothing', async () => {
  const id = await put()
  await expect(claim(id, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await left(id)).toBeGreaterThan(23 * HOUR)
})

test('work that comes back to a file keeps it meanwhile, for the owner alone', async () => {
  const id = await put()
  const hold = (ids: string[], staffId = owner, seconds?: number) => app.db.transaction({ staff_id: staffId }, (tx) => holdFiles(tx, ids, staffId, seconds))
  await expect(hold([id], owner + 1)).rejects.toThrow('上传的文件不存在或已被删除')
  await hold([id, id], owner, HOUR)
  expect(await left(id), 'never for less time than before').toBeGreaterThan(23 * HOUR)
  await hold([id], owner, 48 * HOUR)
  expect(await left(id)).toBeGreaterThan(47 * HOUR)
  await hold([id])
  expect(await left(id)).toBeNull()
  await hold([id], owner, HOUR)
  expect(await left(id), 'what is kept for good stays so').toBeNull()
  expect(await app.kernel.files.find(id)).toMatchObject({ screens: [] })
  await expect(hold(['00000000-0000-4000-8000-000000000000'])).rejects.toThrow('上传的文件不存在')
})

test('claims and sweeps at once: whoever was told that a record is saved finds its file', async () => {
  const random = seededRandom(12)
  const { files } = app.kernel
  let claimed = 0
  let refused = 0
  for (let round = 0; round < 12; round++) {
    const ids = await Promise.all(Array.from({ length: 10 }, () => put()))
    // The first has an hour left, the last has none; the others run out in between.
    await app.db.query(sql`update file set expires_at = now() + make_interval(secs => case id::text when ${ids[0]} then 3600 when ${ids[9]} then -1 else random() * 0.08 end) where id = any(${sql.param(ids)}::uuid[])`)
    const outcomes = await Promise.all([
      ...ids.map(async (id, index) => {
        await new Promise((resolve) => setTimeout(resolve, random.int(0, 60)))
        const kept = index === 0 || random.int(0, 3) > 0
        // Some records take their time to be saved, and some are not saved in the end.
        return claim(id, async () => {
          if (app.db.kind === 'postgres') await new Promise((resolve) => setTimeout(resolve, random.int(0, 30)))
          if (!kept) throw new Error('refused')
        }).then(() => true, () => false)
      }),
      ...Array.from({ length: 4 }, async () => {
        await new Promise((resolve) => setTimeout(resolve, random.int(0, 70)))
        await files.sweep()
      }),
    ])
    await app.db.query(sql`update file set expires_at = now() where expires_at is not null`)
    await files.sweep()
    for (const [index, id] of ids.entries()) {
      if (outcomes[index]) {
        claimed++
        expect(await bytesOf(id)).toBe(CONTENT)
      } else {
        refused++
        expect(await left(id), 'not claimed, so swept').toBeUndefined()
      }
    }
  }
  expect(Math.min(claimed, refused)).toBeGreaterThanOrEqual(12)
})
