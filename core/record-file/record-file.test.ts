import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { file } from '../field/file.ts'
import { STANDARD_ACTIONS, type StandardAction } from '../grant/grant.ts'
import { fileIdsIn } from '../file/url.ts'
import { attachFiles } from '../resource/attach.server.ts'
import type { Change } from '../resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openSchools, readFile, runJob, STUDENT, STUDENTS, type Schools } from '../testing/transfer.server.ts'
import { fetchPath, png, upload } from '../testing/uploads.server.ts'
import type { TakenBack, UndoInfo } from '../undo/calls.ts'
import { MOST_FILES, type RecordFile } from './calls.ts'
import { moveFiles, recordFileSweep } from './record-file.server.ts'

type Added = RecordFile & { undo?: number; detail?: string }

const UNDO = '/daoyuan/api/end/undo'
let app: TestApp
let admin: Caller
let schools: Schools
let screen: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  screen = app.kernel.registry.get('school_student')?.resource.grant ?? 0
})
afterAll(() => app.close())
beforeEach(async () => {
  schools = await openSchools(app)
})

const rights = (...actions: StandardAction[]) => [screen, ...actions.map((action) => screen * 100 + STANDARD_ACTIONS[action].n)]
let mobiles = 0
async function student(name: string, school = schools.one): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into school_student (name, mobile, school_id, grade, status) values (${name}, ${String(15300000000 + ++mobiles)}, ${school}, 7, 1) returning id`)
  return row?.id ?? 0
}
const send = async (caller = admin, name = '合同.png') => (await upload(app, caller, 'image', name, png())).body
const add = async (id: number, caller = admin, file?: string) => caller.post<Added>(`${STUDENT}/${id}/files`, { file_id: file ?? (await send(caller)).id })
const read = async (id: number, caller = admin) => caller.get<{ items: RecordFile[] }>(`${STUDENT}/${id}/files`)
const names = async (id: number) => (await read(id)).body.items.map(({ name }) => name)
const fetch = async (id: number, file: number, caller = admin) => (await fetchPath(app, caller, `${STUDENT}/${id}/files/${file}`)).statusCode
const take = (undo: number | undefined, caller = admin) => caller.post<TakenBack & { detail?: string }>(`${UNDO}/${undo ?? 0}`)
const history = async (id: number) => (await admin.get<{ items: Change[] }>(`${STUDENT}/${id}/history`)).body.items
/** Seconds until the bytes of a record's file go; null when they stay, undefined when they are gone. */
const left = async (file: number) => (await app.db.query<{ left: number | null }>(sql`select round(extract(epoch from f.expires_at - now()))::int as left from record_file r join file f on f.id = r.file_id where r.id = ${file}`))[0]?.left

test('a file is kept with a record: listed, fetched, logged, and taken away with a way back', async () => {
  const id = await student('王一')
  const { status, body } = await add(id)
  expect({ status, name: body.name }).toEqual({ status: 200, name: '合同.png' })
  expect((await read(id)).body.items).toEqual([{ id: body.id, name: '合同.png', type: 'image/png', bytes: body.bytes, at: body.at, staff_name: expect.any(String) as string }])
  expect(await left(body.id)).toBeNull()
  const got = await fetchPath(app, admin, `${STUDENT}/${id}/files/${body.id}?download=1`)
  expect([got.statusCode, got.headers['content-disposition']]).toEqual([200, expect.stringMatching(/^attachment;/)])

  const removed = await admin.delete<Added>(`${STUDENT}/${id}/files/${body.id}`)
  expect(await names(id)).toEqual([])
  expect(await fetch(id, body.id)).toBe(404)
  // The bytes stay for as long as somebody may want them back.
  expect(await left(body.id)).toBeGreaterThan(24 * 3600)
  // What else was changed since does not stand in the way.
  await admin.put(`${STUDENT}/${id}`, { student_no: 'A1' })
  expect((await admin.get<{ items: UndoInfo[] }>(UNDO)).body.items.find((one) => one.id === removed.body.undo)).toMatchObject({ label: '学生', action_name: '移除文件', kept: 0, why: null })
  expect((await take(removed.body.undo)).status).toBe(200)
  expect([await names(id), await left(body.id), await fetch(id, body.id)]).toEqual([['合同.png'], null, 200])
  const told = (await history(id)).filter(({ before, after }) => before?.['record_file'] ?? after?.['record_file'])
  expect(told.map(({ action_name, before, after }) => [action_name, before, after])).toEqual([
    ['撤销', null, { record_file: '合同.png' }], ['移除文件', { record_file: '合同.png' }, null], ['添加文件', null, { record_file: '合同.png' }],
  ])
  expect((await take(body.undo)).status).toBe(200)
  expect(await names(id)).toEqual([])
})

test('who may not see the record gets nothing of its files, not even what they sent themselves', async () => {
  const id = await student('王一')
  const { partner_id } = (await app.db.query<{ partner_id: number }>(sql`select partner_id from app_school where id = ${schools.one}`))[0] ?? { partner_id: 0 }
  const clerk = await app.staff(rights('edit'), { scopes: { partner: [partner_id] } })
  const sent = await send(clerk)
  const { body } = await add(id, clerk, sent.id)
  const elsewhere = await app.staff(rights('edit'), { scopes: { partner: [partner_id + 100_000] } })
  const nobody = await app.staff([])
  expect([(await read(id, elsewhere)).status, await fetch(id, body.id, elsewhere), (await elsewhere.delete(`${STUDENT}/${id}/files/${body.id}`)).status]).toEqual([404, 404, 404])
  expect([(await read(id, nobody)).status, await fetch(id, body.id, nobody), (await add(id, nobody)).status]).toEqual([403, 403, 403])
  // The address of uploads does not serve what a record keeps: neither to colleagues of the screen nor to who sent it.
  for (const caller of [clerk, admin, elsewhere]) expect((await fetchPath(app, caller, sent.url)).statusCode).toBe(404)
  await app.grant(clerk.staffId, [])
  expect(await fetch(id, body.id, clerk)).toBe(403)
  // Under another record it is none.
  const other = await student('王二')
  expect([await fetch(other, body.id), (await admin.delete(`${STUDENT}/${other}/files/${body.id}`)).status]).toEqual([404, 404])
})

test('who may only look adds and removes nothing, nor takes back once the right is gone', async () => {
  const id = await student('王一')
  const reader = await app.staff(rights())
  const { body } = await add(id)
  expect([(await read(id, reader)).status, await fetch(id, body.id, reader)]).toEqual([200, 200])
  expect([(await add(id, reader)).status, (await reader.delete(`${STUDENT}/${id}/files/${body.id}`)).status]).toEqual([403, 403])
  const editor = await app.staff(rights('edit'))
  const removed = await editor.delete<Added>(`${STUDENT}/${id}/files/${body.id}`)
  await app.grant(editor.staffId, rights())
  expect((await take(removed.body.undo, editor)).status).toBe(403)
  expect(await names(id)).toEqual([])
})

test('a file is kept by one record and once, and only by who has just sent it', async () => {
  const [id, other] = [await student('王一'), await student('王二')]
  const sent = await send()
  const both = await Promise.all([add(id, admin, sent.id), add(other, admin, sent.id)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(both.find(({ status }) => status === 400)?.body.detail).toBe('文件已过期或已用在别处，请重新上传')
  const colleague = await app.staff(rights('edit'))
  expect((await add(id, colleague, (await send()).id)).status).toBe(400)
  expect((await add(id, admin, '00000000-0000-4000-8000-000000000000')).status).toBe(400)
  expect((await admin.post(`${STUDENT}/${id}/files`, { file_id: 'x' })).status).toBe(400)
  // What a record keeps cannot be opened to others by a field of another.
  expect(fileIdsIn(sent.url)).toEqual([sent.id])
  const opened = app.kernel.db.transaction({ staff_id: admin.staffId }, (tx) => attachFiles(tx, { fields: { paper: file('证明') }, grant: screen }, { paper: sent.url }, admin.staffId))
  await expect(opened).rejects.toThrow('证明引用的文件不存在或不属于您，请重新上传')
})

test('a record that is removed is looked at with its files and changed no more; one that is gone for good takes them along', async () => {
  const id = await student('王一')
  const { body } = await add(id)
  await admin.delete(`${STUDENT}/${id}`)
  expect([(await read(id)).body.items.length, await fetch(id, body.id), (await add(id)).status, (await admin.delete(`${STUDENT}/${id}/files/${body.id}`)).status]).toEqual([1, 200, 404, 404])
  const sweep = recordFileSweep(app.kernel.db, app.kernel.registry)
  await sweep.run()
  expect(await left(body.id)).toBeNull()
  const [kept] = await app.db.query<{ file_id: string }>(sql`select file_id from record_file where id = ${body.id}`)
  expect((await admin.post('/daoyuan/api/end/recycle_bin/purge', { resource: 'school_student', ids: [id] })).status).toBe(200)
  expect(await fetch(id, body.id)).toBe(404)
  await sweep.run()
  await app.kernel.files.sweep()
  expect(await app.db.query(sql`select id from file where id = ${kept?.file_id ?? ''}`)).toEqual([])
})

test('a file removed by two people is removed once; when its bytes are gone it does not come back', async () => {
  const id = await student('王一')
  const { body } = await add(id)
  const both = await Promise.all([admin.delete<Added>(`${STUDENT}/${id}/files/${body.id}`), admin.delete<Added>(`${STUDENT}/${id}/files/${body.id}`)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  await app.db.query(sql`update file set expires_at = now() where id = (select file_id from record_file where id = ${body.id})`)
  await app.kernel.files.sweep()
  expect(await take(both.find(({ status }) => status === 200)?.body.undo)).toMatchObject({ status: 404, body: { detail: '文件不存在或已被删除' } })
  expect(await names(id)).toEqual([])
})

test('there is an end to how many a record keeps', async () => {
  const id = await student('王一')
  await app.db.query(sql`insert into record_file (entity, entity_id, file_id, name, type, bytes, staff_id) select 'school_student', ${id}, gen_random_uuid(), 'x', 'image/png', 1, 1 from generate_series(1, ${MOST_FILES}::int)`)
  expect(await add(id)).toMatchObject({ status: 400, body: { detail: `一条学生最多 ${MOST_FILES} 个文件，请先移除不用的` } })
})

test('what is exported names the files of each record, and a record that goes into another brings its own', async () => {
  const [id, other] = [await student('王一'), await student('王二')]
  await add(id)
  await add(id, admin, (await send(admin, '证明.png')).id)
  const job = await runJob(admin, `${STUDENTS}/export`, { query: {}, columns: ['name', 'record_files'], format: 'csv', plain: true, ids: [id, other] }, ['done'])
  expect(await readFile(app, admin, String(job.result?.['url']))).toEqual([['姓名', '文件'], ['王二', null], ['王一', '合同.png\n证明.png']])
  const { resource } = app.kernel.registry.get('school_student') ?? {}
  if (!resource) throw new Error('no students')
  await app.kernel.db.transaction({ staff_id: null }, (tx) => moveFiles(tx, resource, id, other))
  expect([await names(id), await names(other)]).toEqual([[], ['合同.png', '证明.png']])
})
