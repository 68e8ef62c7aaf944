import { globSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { sweepUploadDays } from './quota.server.ts'
import { partialFolder } from './store.server.ts'
import { browserHeaders, png, upload, video } from '../testing/uploads.server.ts'

const MB = 1024 * 1024
const MOST = 6

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ UPLOAD_DAILY_MB: '2', UPLOAD_DAILY_FILES: String(MOST) })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const picture = (bytes: number) => Buffer.concat([png(), Buffer.alloc(bytes)])
const FULL = `每人每天最多上传 ${MOST} 个文件，您今天的已用完，请明天再传；需要更多请联系管理员`

async function announce(caller: Caller, bytes: number): Promise<{ status: number; detail: string }> {
  const metadata = `filename ${Buffer.from('a.mp4').toString('base64')},kind ${Buffer.from('video').toString('base64')}`
  const answer = await fetch(`http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/daoyuan/api/end/uploads`, {
    method: 'POST', headers: { ...browserHeaders(caller), 'tus-resumable': '1.0.0', 'upload-length': String(bytes), 'upload-metadata': metadata },
  })
  const text = await answer.text()
  return { status: answer.status, detail: text.startsWith('{') ? (JSON.parse(text) as { detail: string }).detail : '' }
}

test('a person sends so many files in a day, however many at once, and others as many', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const answers = await Promise.all(Array.from({ length: MOST * 3 }, () => upload(app, one, 'image', 'a.png', png())))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => [status, body.detail])).toEqual(Array.from({ length: MOST * 2 }, () => [429, FULL]))
  expect(await app.db.query(sql`select count(*) as n from file where staff_id = ${one.staffId}`)).toEqual([{ n: MOST }])
  expect((await upload(app, other, 'image', 'a.png', png())).status).toBe(200)
})

test('and so many bytes; the sentence says how many are left', async () => {
  const caller = await app.staff([])
  expect((await upload(app, caller, 'image', 'a.png', picture(1.5 * MB))).status).toBe(200)
  const refused = await upload(app, caller, 'image', 'a.png', picture(MB))
  expect([refused.status, refused.body.detail]).toEqual([429, expect.stringMatching(/^每人每天最多上传 2 MB，您今天还可上传 51\d(\.\d)? KB，请明天再传；需要更多请联系管理员$/)])
  expect((await upload(app, caller, 'image', 'a.png', picture(MB / 4))).status).toBe(200)
})

test('what comes in pieces is counted when it is announced, before a byte of it', async () => {
  const caller = await app.staff([])
  const before = readdirSync(partialFolder(app.config))
  expect(await announce(caller, 3 * MB)).toEqual({ status: 429, detail: '每人每天最多上传 2 MB，您今天还可上传 2 MB，请明天再传；需要更多请联系管理员' })
  expect(readdirSync(partialFolder(app.config))).toEqual(before)
  expect(await announce(caller, 1.5 * MB)).toMatchObject({ status: 201 })
  // Announced and never sent, it leaves no more room than if it were.
  expect(await announce(caller, MB)).toMatchObject({ status: 429 })
  expect((await upload(app, caller, 'image', 'a.png', picture(MB))).status).toBe(429)
  const answers = await Promise.all(Array.from({ length: 5 }, () => announce(caller, 200 * 1024)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429])
})

test('what was refused was sent all the same; tomorrow is another day', async () => {
  const caller = await app.staff([])
  for (let n = 0; n < MOST; n++) expect((await upload(app, caller, 'image', 'a.png', video())).status).toBe(400)
  expect((await upload(app, caller, 'image', 'a.png', png())).body.detail).toBe(FULL)
  await app.db.query(sql`update upload_day set day = day - 1 where staff_id = ${caller.staffId}`)
  expect((await upload(app, caller, 'image', 'a.png', png())).status).toBe(200)
})

test('a disk without room takes nothing, and says so before anything is sent', async () => {
  const caller = await app.staff([])
  await expect(app.kernel.files.admit(caller.staffId, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ status: 503, message: '服务器磁盘空间不足，暂时不能保存，请联系管理员' })
})

test('days long past are forgotten', async () => {
  await app.db.query(sql`insert into upload_day (staff_id, day, files, bytes) values (0, current_date - 40, 1, 1), (0, current_date, 1, 1)`)
  await sweepUploadDays(app.db)
  expect(await app.db.query(sql`select day = current_date as today from upload_day where staff_id = 0`)).toEqual([{ today: true }])
})

test('no call takes a file by another way than the one that counts', () => {
  const root = join(import.meta.dirname, '../..')
  const takes = globSync('{core,modules}/**/*.ts', { cwd: root }).filter((path) => /request\.(file|files|parts|saveRequestFiles)\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(takes.filter((path) => !path.endsWith('.test.ts'))).toEqual(['core/file/receive.server.ts'])
})
