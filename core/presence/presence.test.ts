import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openSchools, type Schools } from '../testing/transfer.server.ts'
import { signPresence, type Present } from './calls.ts'
import { presentWords } from './presence.tsx'

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

let mobiles = 0
async function student(): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into school_student (name, mobile, school_id, grade, status) values ('王一', ${String(15300000000 + ++mobiles)}, ${schools.one}, 7, 1) returning id`)
  return row?.id ?? 0
}
const sign = (caller: Caller, id: number, doing: string, resource = 'school_student') => caller.post<{ here: Present[] }>(signPresence.path, { resource, id, doing })
const seenBy = async (caller: Caller, id: number, doing = 'look') => (await sign(caller, id, doing)).body.here.map(({ staff_id, writes }) => [staff_id, writes])

test('whoever has the same record open is named, with whether they write, until they leave or give no sign', async () => {
  const [id, other] = [await student(), await student()]
  const colleague = await app.staff([screen])
  expect(await seenBy(admin, id)).toEqual([])
  expect(await seenBy(colleague, id)).toEqual([[admin.staffId, false]])
  expect(await seenBy(colleague, other)).toEqual([])
  await sign(colleague, id, 'write')
  expect(await seenBy(admin, id)).toEqual([[colleague.staffId, true]])
  await sign(colleague, id, 'look')
  expect(await seenBy(admin, id)).toEqual([[colleague.staffId, false]])
  await sign(colleague, id, 'gone')
  expect(await seenBy(admin, id)).toEqual([])
  await sign(colleague, id, 'write')
  await app.db.query(sql`update presence set at = now() - interval '41 seconds' where staff_id = ${colleague.staffId}`)
  expect(await seenBy(admin, id)).toEqual([])
})

test('who may not see a record neither shows there nor learns who does', async () => {
  const id = await student()
  await sign(admin, id, 'write')
  const [stranger, elsewhere] = [await app.staff([]), await app.staff([screen], { scopes: { school: [schools.other] } })]
  for (const caller of [stranger, elsewhere]) expect(await sign(caller, id, 'look')).toMatchObject({ status: 404, body: { detail: '记录不存在或已被删除' } })
  expect(await sign(admin, id, 'look', 'no_such_kind')).toMatchObject({ status: 404 })
  expect(await sign(admin, id, 'sleep')).toMatchObject({ status: 400 })
  expect(await seenBy(admin, id)).toEqual([])
})

test('what is said of those who are here', () => {
  expect(presentWords([{ staff_id: 1, name: '李雷', writes: true }, { staff_id: 2, name: '韩梅梅', writes: false }], '编辑')).toBe('李雷正在编辑，韩梅梅也在查看')
})
