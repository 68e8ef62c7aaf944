import { afterAll, beforeAll, expect, test } from 'vitest'
import { text } from '../field/text.ts'
import { defineRights } from '../grant/rights.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { check, openSchools, runJob, STUDENT, STUDENTS, xlsxOf } from '../testing/transfer.server.ts'
import { api, defineResource, type Resource } from './define.ts'
import { policyRefusals, type Policy } from './policy.ts'
import { serve } from './serve.server.ts'

const WHY = '只能由录入人处理'
const POLICIES: readonly Policy[] = [
  { of: ['edit', 'remove', 'restore', 'stop'], policy: 'author', field: 'created_by', why: WHY },
  { of: ['remove'], policy: 'unless', field: 'status', values: [0], why: '已停用的学生不能删除' },
]

let app: TestApp
let author: Caller
let other: Caller
let school = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[author, other] = [await app.staff(app.allGrants), await app.staff(app.allGrants)]
  school = (await openSchools(app)).one
  const service = app.kernel.registry.get('school_student')
  // Students have neither policies nor refusals of their own; the rules are put back afterwards.
  if (service) Object.assign(service.rules, { refusals: serve({ ...service.resource, policies: POLICIES } as Resource)().rules.refusals })
})
afterAll(async () => {
  const rules: { refusals?: unknown } = app.kernel.registry.get('school_student')?.rules ?? {}
  delete rules.refusals
  await app.close()
})

const judged = (policy: Omit<Policy, 'of' | 'why'>, row: Record<string, unknown>, modules: number[] = []) =>
  policyRefusals({ name: 'thing', policies: [{ of: ['edit'], why: WHY, ...policy } as Policy], transitions: [], rights: defineRights(901, { close: [11, '关闭'] }) }, { id: 7, modules: new Set(modules) }, row)

test.each<[string, Omit<Policy, 'of' | 'why'>, Record<string, unknown>, boolean]>([
  ['the author may', { policy: 'author', field: 'owner_id' }, { owner_id: 7 }, true],
  ['nobody else may', { policy: 'author', field: 'owner_id' }, { owner_id: 8 }, false],
  ['nobody may where there is no author', { policy: 'author', field: 'owner_id' }, {}, false],
  ['another one decides', { policy: 'another', field: 'owner_id' }, { owner_id: 8 }, true],
  ['who submitted does not decide', { policy: 'another', field: 'owner_id' }, { owner_id: 7 }, false],
  ['what nobody has is free', { policy: 'unclaimed', field: 'owner_id' }, { owner_id: null }, true],
  ['what I have is mine', { policy: 'unclaimed', field: 'owner_id' }, { owner_id: 7 }, true],
  ['what somebody else has is not', { policy: 'unclaimed', field: 'owner_id' }, { owner_id: 8 }, false],
  ['while in a state', { policy: 'while', field: 'state', values: [1, 2] }, { state: 2 }, true],
  ['while in another state', { policy: 'while', field: 'state', values: [1, 2] }, { state: 3 }, false],
  ['unless in a state', { policy: 'unless', field: 'state', values: [3] }, { state: 3 }, false],
  ['unless in another state', { policy: 'unless', field: 'state', values: [3] }, { state: 1 }, true],
])('%s', (_what, policy, row, allowed) => {
  expect(judged(policy, row)).toEqual(allowed ? {} : { edit: WHY })
})

test('who holds the right that a policy excepts is not bound by it', () => {
  expect(judged({ policy: 'author', field: 'owner_id', except: 'close' }, { owner_id: 8 }, [90_111])).toEqual({})
  expect(judged({ policy: 'author', field: 'owner_id', except: 'close' }, { owner_id: 8 }, [90_101])).toEqual({ edit: WHY })
})

test('a policy that could never refuse anything is an error of the definition', () => {
  const thing = {
    name: 'thing', label: '事项', grant: 901, api: api('/daoyuan/api/end', 'things', 'thing'), fields: { name: text('名称', { required: true, max: 20 }) }, list: { columns: ['name'], filters: [] },
  } as const
  // @ts-expect-error -- no such action
  expect(() => defineResource({ ...thing, policies: [{ of: ['aprove'], policy: 'author', field: 'created_by', why: WHY }] })).toThrow('a policy of thing is about aprove, which cannot be done with it')
  // @ts-expect-error -- no such field
  expect(() => defineResource({ ...thing, policies: [{ of: ['edit'], policy: 'author', field: 'owner', why: WHY }] })).toThrow('the policy author of thing looks at owner, which it does not keep')
  // @ts-expect-error -- no such right
  expect(() => defineResource({ ...thing, policies: [{ of: ['edit'], policy: 'author', field: 'created_by', except: 'close', why: WHY }] })).toThrow('screen 901 has no right close')
})

test('what a policy refuses is said of the row, and done in no way', async () => {
  const { body: { id } } = await author.post<{ id: number }>(STUDENT, { name: '方圆', mobile: '13712350001', grade: 7, student_no: 'P1', school_id: school })
  const see = async (who: Caller) => (await who.get<{ can: string[]; cannot?: Record<string, string> }>(`${STUDENT}/${id}`)).body
  const mine = await see(author)
  expect(mine.can).toEqual(expect.arrayContaining(['edit', 'remove', 'stop']))
  expect(mine.cannot).toBeUndefined()
  const theirs = await see(other)
  expect(theirs.can).not.toEqual(expect.arrayContaining(['edit']))
  // What the state does not offer is not refused either: the student studies, so that nobody could start them again.
  expect(theirs.cannot).toEqual({ edit: WHY, remove: WHY, stop: WHY })

  const refused = { status: 403, body: { detail: WHY } }
  expect(await other.put(`${STUDENT}/${id}`, { student_no: 'P2' })).toMatchObject(refused)
  expect(await other.delete(`${STUDENT}/${id}`)).toMatchObject(refused)
  expect((await other.get(`${STUDENT}/${id}/removal`)).body).toMatchObject({ refusal: WHY })
  expect(await other.post(`${STUDENT}/${id}/stop`, { reason: '测试原因' })).toMatchObject(refused)
  for (const request of [{ action: 'update', values: { student_no: 'P2' } }, { action: 'remove' }, { action: 'stop', reason: '测试原因' }]) {
    const job = await runJob(other, `${STUDENTS}/bulk`, { ...request, ids: [id] }, ['done'])
    expect(job.result, request.action).toMatchObject({ done: 0, reasons: [{ id, reason: WHY }] })
  }
  const sheet = await check(app, other, STUDENTS, await xlsxOf([['姓名', '手机', '年级', '学号'], ['方圆', '13712350001', '初一', 'P2']]), { fixed: { school_id: school } })
  expect(sheet.result.problems).toEqual([{ row_number: 2, reason: expect.stringContaining(WHY) }])

  expect((await author.put(`${STUDENT}/${id}`, { student_no: 'P3' })).status).toBe(200)
  expect((await author.post(`${STUDENT}/${id}/stop`, { reason: '测试原因' })).status).toBe(200)
  expect(await author.delete(`${STUDENT}/${id}`)).toMatchObject({ status: 403, body: { detail: '已停用的学生不能删除' } })
})
