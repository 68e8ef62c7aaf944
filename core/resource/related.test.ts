import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { openSchools, type Schools } from '../testing/transfer.server.ts'
import type { Related, RelatedAnswer } from './related.ts'

let app: TestApp
let admin: Caller
let schools: Schools
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  schools = await openSchools(app)
})
afterAll(() => app.close())

const resource = (name: string) => {
  const service = app.kernel.registry.get(name)
  if (!service) throw new Error(`no ${name}`)
  return service.resource
}
const related = async (id: number, caller = admin) => (await caller.get<{ items: Related[] }>(`${resource('app_school').api.item}/${id}/related`)).body.items
const named = (items: readonly Related[], name: string) => items.find((one) => one.name === name)

test('records that name a record are counted kind by kind, and the filter leads to just these', async () => {
  await app.db.query(sql`insert into school_student (name, mobile, school_id, grade, status) select '学生' || n, '153' || lpad(n::text, 8, '0'), case n when 3 then ${schools.other}::bigint else ${schools.one}::bigint end, 7, 1 from generate_series(1, 3) n`)
  await app.db.query(sql`update school_student set deleted_at = now() where mobile = '15300000002'`)
  const found = named(await related(schools.one), 'school_student')
  expect(found).toMatchObject({ label: '学生', screen: resource('school_student').grant, count: 1, filter: 'school_id' })
  const listed = await admin.get<{ total: number }>(resource('school_student').api.list, { [found?.filter ?? '']: schools.one })
  expect(listed.body.total).toBe(found?.count)
  const peeked = (await admin.get<RelatedAnswer>(`${resource('app_school').api.item}/${schools.one}/related`, { of: 'school_student' })).body.records
  expect(peeked).toEqual([{ id: expect.any(Number) as number, name: '学*1' }])
  expect(named(await related(schools.other), 'school_student')?.count).toBe(1)
})

test('kinds whose screen is closed to the person are left out, and what is out of their scope does not count', async () => {
  const grants = [resource('app_school').grant, resource('school_student').grant]
  const some = await app.staff(grants)
  expect(new Set((await related(schools.one, some)).map(({ screen }) => screen))).toEqual(new Set(grants.filter((id) => id !== resource('app_school').grant)))
  const far = await app.staff(grants, { scopes: { school: [schools.other] } })
  expect((await far.get(`${resource('app_school').api.item}/${schools.one}/related`)).status).toBe(404)
})
