import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { bookstoreApply, teacherApply } from './apply.ts'
import { served } from './apply.server.ts'
import type { ApplyCheck } from './calls.ts'
import { APPLY_STATUS as S } from './kind.ts'

const [SHOP, TEACHER] = [bookstoreApply.api.item, teacherApply.api.item]
const NOW = Math.floor(Date.now() / 1000)
let app: TestApp
let writer: Caller
let auditor: Caller
let key: string
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  auditor = await app.staff(app.servedGrants)
  key = await makeAppKey(app, ['apply'])
})
afterAll(() => app.close())

const mobile = () => `138${String(60_000_000 + ++n)}`
const shop = (more: Record<string, unknown> = {}) => ({ org: `知行书店${++n}`, applicant: '周敏', mobile: mobile(), region_code: '320508', licence_no: `91320508MA1${n}`, quota: 200, ...more })
async function applied(more: Record<string, unknown> = {}): Promise<WireRow> {
  const answer = await writer.post<WireRow>(SHOP, shop(more))
  expectSuccess(answer)
  expect(answer.body).toMatchObject({ status: S.draft })
  const submitted = await writer.post<WireRow>(`${SHOP}/${answer.body.id}/submit`, {})
  expectSuccess(submitted)
  return submitted.body
}
const approve = (item: string, id: number, by = auditor) => by.post<WireRow>(`${item}/${id}/approve`, {})
const effectId = (row: WireRow) => Number(String(row['effect_ref']).split(' ')[1])
const agentOf = async (row: WireRow) => (await app.db.query<{ id: number; status: number; quota: number; name: string }>(sql`select id, status, quota, name from agent where id = ${effectId(row)}`))[0]
const device = async (method: 'GET' | 'POST', query: string, payload?: Record<string, unknown>) => {
  const answer = await app.http.inject({ method, url: `/daoyuan/api/device/applies${query}`, ...(payload && { payload }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': `apply-key-${++n}-0000` } })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

test('a bookshop that is approved by another person sells at once; taken back, it is ended', async () => {
  const row = await applied()
  const own = await approve(SHOP, row.id, writer)
  expect(own.body['detail']).toContain('请换一个人')
  const passed = await approve(SHOP, row.id)
  expectSuccess(passed)
  expect(passed.body).toMatchObject({ status: S.passed, auditor_id: auditor.staffId })
  expect(await agentOf(passed.body)).toMatchObject({ status: AGENT_STATUS.active, quota: 200, name: row['org'] })
  expectSuccess(await auditor.post(`${SHOP}/${row.id}/undo_apply`, { reason: '合作终止' }))
  expect(await agentOf(passed.body)).toMatchObject({ status: AGENT_STATUS.ended, quota: 0 })
  expect((await writer.put(`${SHOP}/${row.id}`, { org: '改名' })).status).toBeGreaterThanOrEqual(400)
})

test('who sells below a shop keeps it from being taken back', async () => {
  const passed = await approve(SHOP, (await applied()).id)
  const below = await approve(SHOP, (await applied({ agent_id: effectId(passed.body) })).id)
  expectSuccess(below)
  expect((await auditor.post(`${SHOP}/${passed.body.id}/undo_apply`, { reason: '合作终止' })).body['detail']).toContain('还有 1 个下级')
})

test('one open application of a person and of a licence; more material is asked for and handed in', async () => {
  const number = mobile()
  const row = await applied({ mobile: number })
  const second = await writer.post(SHOP, shop({ mobile: number }))
  expectFieldRefusal(second, 400, 'mobile')
  expect(second.body['detail']).toContain('已有待处理的申请')
  const first = shop()
  expectSuccess(await writer.post(SHOP, first))
  expectFieldRefusal(await writer.post(SHOP, shop({ licence_no: first.licence_no })), 400, 'licence_no')
  const both = shop()
  const raced = await Promise.all([writer.post(SHOP, both), auditor.post(SHOP, { ...both, licence_no: `X${n}` })])
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expectSuccess(await auditor.post(`${SHOP}/${row.id}/ask`, { reason: '请补充：门头照片' }))
  expect((await writer.get<WireRow>(`${SHOP}/${row.id}`)).body).toMatchObject({ status: S.asked, audit_remark: '请补充：门头照片' })
  expectRefusal(await approve(SHOP, row.id), 409)
  expectSuccess(await writer.post(`${SHOP}/${row.id}/resubmit`, {}))
  expectSuccess(await approve(SHOP, row.id))
})

test('a region that somebody has to themselves, and a number that sells already, stand in the way and are said before', async () => {
  const regional = await writer.post<WireRow>(agent.api.item, { name: '无锡区域代理', mobile: mobile(), type: 1, level_id: 1, region_code: '3202' })
  expectSuccess(regional)
  expectSuccess(await auditor.post(`${agent.api.item}/${regional.body.id}/approve`, {}))
  const number = mobile()
  const row = await applied({ region_code: '320213', mobile: number })
  const problems = async () => (await auditor.get<ApplyCheck>(`${SHOP}/${row.id}/check`)).body.problems
  expect(await problems()).toEqual(['该地区由「无锡区域代理」独家代理，请选择其为上级代理'])
  expect((await approve(SHOP, row.id)).body['detail']).toContain('独家代理')
  expect((await writer.get<WireRow>(`${SHOP}/${row.id}`)).body['status']).toBe(S.waiting)
  expectSuccess(await writer.put(`${SHOP}/${row.id}`, { agent_id: regional.body.id }))
  expect(await problems()).toEqual([])
  expectSuccess(await approve(SHOP, row.id))
  const check = (await auditor.get<ApplyCheck>(`${SHOP}/${row.id}/check`)).body
  expect(check.effect?.value).toContain('邀请码')
  const again = await applied({ mobile: number })
  expect((await auditor.get<ApplyCheck>(`${SHOP}/${again.id}/check`)).body.like.map(({ id, why }) => [id, why])).toEqual([[row.id, '同一手机号']])
  expect((await approve(SHOP, again.id)).body['detail']).toContain('已是代理')
})

test('a teacher applies by an app, has an account of a teacher until a day, and is who they were when it is over', async () => {
  const number = mobile()
  const sent = { kind: 'teacher', applicant: '林老师', mobile: number, org: '苏州实验中学', region_code: '320508', licence_no: `2026${n}`, subject_id: 101 }
  expect((await device('POST', '', { ...sent, subject_id: undefined })).body['detail']).toContain('任教学科')
  const made = await device('POST', '', sent)
  expect(made).toMatchObject({ status: 200, body: { status: S.waiting } })
  const id = Number(made.body['id'])
  expectSuccess(await auditor.post(`${TEACHER}/${id}/ask`, { reason: '请补充：教师资格证' }))
  expect((await device('GET', `?kind=teacher&mobile=${number}`)).body).toEqual({ status: S.asked, audit_remark: '请补充：教师资格证' })
  expect((await device('POST', '', { ...sent, reason: '补了照片' })).body).toEqual({ id, status: S.waiting })
  const passed = await approve(TEACHER, id)
  expectSuccess(passed)
  const teacher = effectId(passed.body)
  const role = async () => (await app.db.query<{ role: number; open: number }>(sql`select u.role, (select count(*)::int from entitlement e where e.user_id = u.id and e.line = 'teacher' and e.status = 1 and e.expire_at > now()) as open from app_user u join teacher_profile p on p.user_id = u.id where p.id = ${teacher}`))[0]
  expect(await role()).toEqual({ role: 3, open: 1 })
  expect(Number(passed.body['due_at'])).toBeGreaterThan(NOW + 364 * 86_400)
  await app.db.query(sql`update apply set due_at = now() - interval '1 minute' where id = ${id}`)
  for (const { sweep } of served) await sweep(app.kernel.db).run()
  expect((await writer.get<WireRow>(`${TEACHER}/${id}`)).body['status']).toBe(S.expired)
  expect((await role())?.role).toBe(1)
})
