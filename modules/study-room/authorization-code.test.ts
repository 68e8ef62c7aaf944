import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { CODE_STATUS, codeProblem } from '../code/module.ts'
import { ENTITLEMENT_SOURCE } from '../user/module.ts'
import { activateCodeCall, activationCode, activationCodeGroup } from './authorization-code.ts'
import { batchInput, codesOf, makeBatch, openCodeWorld, revealed, type BatchRow, type CodeRow, type CodeWorld } from './testing.server.ts'

const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const REASON = { reason: '家长申请更换' }

let app: TestApp
let admin: Caller
let world: CodeWorld
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  world = await openCodeWorld(app)
})
afterAll(() => app.close())

const act = (id: number, action: string, body: Record<string, unknown> = REASON) => admin.post<CodeRow & { detail: string }>(`${activationCode.api.item}/${id}/${action}`, body)
const activate = (code: string, student_id: number) => admin.post<{ code_id: number; expire_at: number; student: Record<string, unknown>; detail: string }>(activateCodeCall.path, { code, student_id })
const one = async (id: number) => (await admin.get<CodeRow>(`${activationCode.api.item}/${id}`)).body
const batchOf = async (id: number) => (await admin.get<BatchRow>(`${activationCodeGroup.api.item}/${id}`)).body
const partnerOf = async (id: number) => (await app.db.query<{ code_quota: number; used_quota: number; balance: number }>(sql`select code_quota, used_quota, balance from partner where id = ${id}`))[0]
const entitlementOf = async (id: number) => (await app.db.query<{ status: number; expire_at: number; user_id: number }>(
  sql`select status, expire_at, user_id from entitlement where source = ${ENTITLEMENT_SOURCE.code} and ref = ${`activation_code ${id}`}`,
))[0]

test('a batch comes with its codes, counts against the quota, and shows none of them', async () => {
  const before = await partnerOf(world.partners[0])
  const batch = await makeBatch(admin, world, { name: '第一批', prefix: 'GZ', count: 120 })
  expect(batch).toMatchObject({ name: '第一批', total: 120, left: 120, used: 0, status: 1, type_id: 1, partner_name: '苏州启航', unit_name: '初中全科年卡' })
  expect((await partnerOf(world.partners[0]))?.used_quota).toBe((before?.used_quota ?? 0) + 120)
  const codes = await codesOf(admin, batch.id)
  expect(codes).toHaveLength(120)
  expect(codes.every(({ code, status }) => /^GZ\*{4}[2-9A-HJKMNP-Z]{4}$/.test(code) && status === CODE_STATUS.unused)).toBe(true)
  expect(Object.keys(codes[0] ?? {}).filter((key) => /hash|seal|secret/.test(key))).toEqual([])
  const whole = await revealed(admin, codes[0]?.id ?? 0)
  expect(whole).toMatch(/^GZ[2-9A-HJKMNP-Z]{12}$/)
  expect(codeProblem(whole)).toBeUndefined()
  expect(whole.slice(-4)).toBe(codes[0]?.code.slice(-4))
  const stored = await app.db.query<{ hash: string; sealed: string }>(sql`select hash, sealed from code_secret where family = 'activation_code' and code_id = ${codes[0]?.id}`)
  expect(JSON.stringify(stored)).not.toContain(whole.slice(2, 10))
  const logged = await app.db.query(sql`select action, after from audit_log where entity = 'activation_code' and entity_id = ${codes[0]?.id}`)
  expect(logged).toEqual([{ action: 'reveal', after: { field: 'code' } }])
  expect(await app.db.query(sql`select action from audit_log where entity = 'activation_code_group' and entity_id = ${batch.id}`)).toEqual([{ action: 'create' }])
})

test('the rules of a batch name the field', async () => {
  const wrong: [Record<string, unknown>, string, string][] = [
    [{ count: 0 }, 'count', '数量不能小于 1'], [{ count: 50_001 }, 'count', '数量不能大于 50000'], [{ prefix: 'ABCDE' }, 'prefix', '前缀最多 4 个字'],
    [{ prefix: 'AO' }, 'prefix', '前缀只能用数字 2 到 9 和大写字母，不能用 I、L、O'], [{ code_len: 7 }, 'code_len', '码长不能小于 8'], [{ code_len: 17 }, 'code_len', '码长不能大于 16'],
    [{ valid_months: null }, 'valid_months', '请填写有效月数，或选择有效至'], [{ valid_until: now + 200 * DAY }, 'valid_months', '有效月数和有效至只能填一个'],
    [{ valid_months: null, valid_until: now + 2 * DAY }, 'valid_until', '有效至不能早于兑换截止'], [{ redeem_before: now }, 'redeem_before', '兑换截止应晚于今天'],
    [{ name: '' }, 'name', '请填写批次名称'], [{ partner_id: 999_999 }, 'partner_id', '合伙人不存在或已被删除，请重新选择'],
  ]
  for (const [given, field, sentence] of wrong) {
    const answer = await admin.post(activationCodeGroup.api.item, batchInput(world, given))
    expectFieldRefusal(answer, 400, field, JSON.stringify(given))
    expect((answer.body['fields'] as Record<string, string>)[field], JSON.stringify(given)).toBe(sentence)
  }
})

test('a quota that is too small issues nothing and says what is left', async () => {
  await app.db.query(sql`update partner set code_quota = used_quota + 7 where id = ${world.partners[1]}`)
  const quota = () => admin.get(`${activationCodeGroup.api.list}/quota`, { owner: world.partners[1] })
  expect((await quota()).body).toMatchObject({ left: 7 })
  const answer = await admin.post(activationCodeGroup.api.item, batchInput(world, { partner_id: world.partners[1], count: 8 }))
  expectFieldRefusal(answer, 400, 'count')
  expect(answer.body['detail']).toBe('名额不足，剩余 7')
  expectSuccess(await admin.post(activationCodeGroup.api.item, batchInput(world, { partner_id: world.partners[1], count: 7 })))
  expect((await quota()).body).toMatchObject({ left: 0 })
  await app.db.query(sql`update partner set status = 2, code_quota = 100000 where id = ${world.partners[1]}`)
  expectFieldRefusal(await admin.post(activationCodeGroup.api.item, batchInput(world, { partner_id: world.partners[1] })), 400, 'partner_id')
  await app.db.query(sql`update partner set status = 1 where id = ${world.partners[1]}`)
})

test('a student activates a code, once; what they may use follows', async () => {
  const batch = await makeBatch(admin, world, { count: 3 })
  const [first, second] = await codesOf(admin, batch.id)
  const code = await revealed(admin, first?.id ?? 0)
  const student = world.students[0] ?? 0
  const typed = await activate(` ${code.toLowerCase().replace(/(.{4})/g, '$1-')}`, student)
  expectSuccess(typed)
  expect(typed.body.student).toMatchObject({ id: student, status: 1, unit_ids: [world.units[0]], expire_at: typed.body.expire_at })
  expect(await one(first?.id ?? 0)).toMatchObject({ status: CODE_STATUS.used, student_id: student, school_id: world.schools[0], mobile: '151****0000', ip: '127.0.0.1', expire_at: typed.body.expire_at })
  expect(await batchOf(batch.id)).toMatchObject({ total: 3, used: 1, left: 2 })
  expect(await entitlementOf(first?.id ?? 0)).toMatchObject({ status: 1, expire_at: typed.body.expire_at })
  expect((await activate(code, student)).body.detail).toBe('当前状态为「已激活」，不能激活')
  const answer = await activate(await revealed(admin, second?.id ?? 0), world.strangers[0] ?? 0)
  expectFieldRefusal(answer, 400, 'code')
  expect(answer.body.detail, 'a code of another partner is unknown').toBe('激活码不存在，请核对')
  const swapped = code.slice(0, 3) + code.charAt(4) + code.charAt(3) + code.slice(5)
  if (swapped !== code) expect((await activate(swapped, student)).body.detail).toBe('激活码输入有误，请逐位核对')
})

test('unbinding sets a code free at most twice, and takes away what it opened', async () => {
  const batch = await makeBatch(admin, world, { count: 1 })
  const [{ id = 0 } = {}] = await codesOf(admin, batch.id)
  const code = await revealed(admin, id)
  const student = world.students[1] ?? 0
  for (const nth of [1, 2]) {
    expectSuccess(await activate(code, student))
    expectFieldRefusal(await act(id, 'unbind', {}), 400, 'reason')
    const answer = await act(id, 'unbind')
    expectSuccess(answer)
    expect(answer.body).toMatchObject({ status: CODE_STATUS.unused, unbind_count: nth, user_id: null, mobile: null, student_id: null, school_id: null, activated_at: null, expire_at: null, ip: null })
    expect((await entitlementOf(id))?.status).toBe(2)
    expect(await batchOf(batch.id)).toMatchObject({ used: 0, left: 1 })
    const [row] = await app.db.query<{ unit_ids: number[]; status: number }>(sql`select unit_ids, status from school_student where id = ${student}`)
    expect(row).toEqual({ unit_ids: [], status: 2 })
  }
  expectSuccess(await activate(code, student))
  const third = await act(id, 'unbind')
  expectRefusal(third, 409)
  expect(third.body.detail).toBe('已解绑 2 次，不能再解绑')
  expect((await entitlementOf(id))?.status).toBe(1)
  const history = await admin.get<{ items: { action: string; reason: string | null; staff_name: string }[] }>(`${activationCode.api.item}/${id}/history`)
  expect(history.body.items.map(({ action }) => action)).toEqual(['code_activate', 'code_unbind', 'code_activate', 'code_unbind', 'code_activate', 'reveal'])
  expect(history.body.items[1]).toMatchObject({ reason: '家长申请更换', staff_name: '超级管理员' })
})

test('another student takes over the rest of a code: no day more, and it counts as setting it free', async () => {
  const batch = await makeBatch(admin, world, { count: 1 })
  const [{ id = 0 } = {}] = await codesOf(admin, batch.id)
  const [from = 0, to = 0] = [world.students[21], world.students[22]]
  expectSuccess(await activate(await revealed(admin, id), from))
  // It has been used for a while: a person who takes over has the rest.
  await app.db.query(sql`update activation_code set activated_at = activated_at - interval '30 days', expire_at = expire_at - interval '30 days' where id = ${id}`)
  const until = Number((await one(id))['expire_at'])
  expectFieldRefusal(await act(id, 'rebind', { student_id: to }), 400, 'reason')
  expectFieldRefusal(await act(id, 'rebind', { student_id: from, ...REASON }), 400, 'student_id')
  const answer = await act(id, 'rebind', { student_id: to, ...REASON })
  expectSuccess(answer)
  expect(answer.body).toMatchObject({ status: CODE_STATUS.used, student_id: to, unbind_count: 1, expire_at: until })
  expect((await entitlementOf(id))?.expire_at).toBe(until)
  expect(await batchOf(batch.id)).toMatchObject({ used: 1, left: 0 })
  const units = await app.db.query<{ id: number; n: number }>(sql`select id, coalesce(cardinality(unit_ids), 0) as n from school_student where id = any(${sql.param([from, to])}::bigint[]) order by id`)
  expect(new Map(units.map((row) => [row.id, row.n]))).toEqual(new Map([[from, 0], [to, 1]]))
  expectSuccess(await act(id, 'rebind', { student_id: from, ...REASON }))
  expectRefusal(await act(id, 'rebind', { student_id: to, ...REASON }), 409)
  expect((await one(id))['student_id']).toBe(from)
})

test('cancelled is final', async () => {
  const batch = await makeBatch(admin, world, { count: 2 })
  const [unused, used] = await codesOf(admin, batch.id)
  const code = await revealed(admin, used?.id ?? 0)
  expectSuccess(await activate(code, world.students[2] ?? 0))
  for (const { id = 0 } of [unused ?? {}, used ?? {}]) {
    expectSuccess(await act(id, 'cancel'))
    expect((await one(id)).status).toBe(CODE_STATUS.cancelled)
    for (const action of ['cancel', 'unbind', 'freeze', 'unfreeze']) expectRefusal(await act(id, action), 409, action)
    expectRefusal(await act(id, 'extend', { ...REASON, until: now + 400 * DAY }), 409)
    expectRefusal(await act(id, 'transfer', { ...REASON, owner: world.partners[1] }), 409)
  }
  expect((await activate(code, world.students[2] ?? 0)).body.detail).toBe('当前状态为「已作废」，不能激活')
  expect((await entitlementOf(used?.id ?? 0))?.status).toBe(2)
  expect(await batchOf(batch.id)).toMatchObject({ total: 2, used: 0, left: 0, cancelled: 2 })
})

test('freezing holds a code and what it opened, and lets both go on', async () => {
  const batch = await makeBatch(admin, world, { count: 2 })
  const [unused, used] = await codesOf(admin, batch.id)
  const code = await revealed(admin, unused?.id ?? 0)
  expectSuccess(await activate(await revealed(admin, used?.id ?? 0), world.students[3] ?? 0))
  for (const { id = 0 } of [unused ?? {}, used ?? {}]) expectSuccess(await act(id, 'freeze'))
  expect(await batchOf(batch.id)).toMatchObject({ used: 0, left: 0, frozen: 2 })
  expect((await activate(code, world.students[4] ?? 0)).body.detail).toBe('当前状态为「已冻结」，不能激活')
  expect((await entitlementOf(used?.id ?? 0))?.status).toBe(2)
  expect((await act(unused?.id ?? 0, 'unfreeze')).body.status).toBe(CODE_STATUS.unused)
  expect((await act(used?.id ?? 0, 'unfreeze')).body.status).toBe(CODE_STATUS.used)
  expect((await entitlementOf(used?.id ?? 0))?.status).toBe(1)
  expect(await batchOf(batch.id)).toMatchObject({ used: 1, left: 1, frozen: 0 })
})

test('what has run out counts as such at once, is written down by the sweep, and comes back by an extension', async () => {
  const batch = await makeBatch(admin, world, { count: 2 })
  const [unused, used] = await codesOf(admin, batch.id)
  const code = await revealed(admin, unused?.id ?? 0)
  expectSuccess(await activate(await revealed(admin, used?.id ?? 0), world.students[5] ?? 0))
  await app.db.query(sql`update activation_code set redeem_before = now() - interval '1 day', expire_at = expire_at - interval '400 days' where group_id = ${batch.id}`)
  expect((await activate(code, world.students[6] ?? 0)).body.detail).toBe('当前状态为「已过期」，不能激活')
  const sweep = (await import('./authorization-code.server.ts')).codes.sweeps(app.kernel)[0]
  await sweep?.run()
  expect((await codesOf(admin, batch.id)).map(({ status }) => status)).toEqual([CODE_STATUS.expired, CODE_STATUS.expired])
  expect(await batchOf(batch.id)).toMatchObject({ used: 1, left: 0, expired: 1 })
  expectRefusal(await act(unused?.id ?? 0, 'extend', { ...REASON }), 400)
  expectRefusal(await act(unused?.id ?? 0, 'extend', { ...REASON, until: now - DAY }), 400)
  for (const { id = 0 } of [unused ?? {}, used ?? {}]) expectSuccess(await act(id, 'extend', { ...REASON, until: now + 30 * DAY }))
  expect((await codesOf(admin, batch.id)).map(({ status }) => status)).toEqual([CODE_STATUS.unused, CODE_STATUS.used])
  expect(await batchOf(batch.id)).toMatchObject({ used: 1, left: 1, expired: 0 })
  expect((await entitlementOf(used?.id ?? 0))?.expire_at).toBe((await one(used?.id ?? 0))['expire_at'])
  expectRefusal(await act(used?.id ?? 0, 'extend', { ...REASON, until: now + 2 * DAY }), 409)
  expectSuccess(await activate(code, world.students[6] ?? 0))
})

test('codes that change hands take their place in the quota along', async () => {
  const batch = await makeBatch(admin, world, { count: 2 })
  const [first, second] = await codesOf(admin, batch.id)
  const [mine, theirs] = [await partnerOf(world.partners[0]), await partnerOf(world.partners[1])]
  const answer = await act(first?.id ?? 0, 'transfer', { ...REASON, owner: world.partners[1] })
  expectSuccess(answer)
  expect(answer.body).toMatchObject({ partner_id: world.partners[1], status: CODE_STATUS.unused })
  const left = (partner: typeof mine) => (partner?.code_quota ?? 0) - (partner?.used_quota ?? 0)
  expect([left(await partnerOf(world.partners[0])), left(await partnerOf(world.partners[1]))]).toEqual([left(mine), left(theirs)])
  expect((await partnerOf(world.partners[1]))?.used_quota).toBe((theirs?.used_quota ?? 0) + 1)
  expectSuccess(await activate(await revealed(admin, first?.id ?? 0), world.strangers[1] ?? 0))
  expectRefusal(await act(second?.id ?? 0, 'transfer', { ...REASON }), 400)
  expectRefusal(await act(second?.id ?? 0, 'transfer', { ...REASON, owner: 999_999 }), 400)
  expectRefusal(await act(second?.id ?? 0, 'transfer', { ...REASON, owner: world.partners[0] }), 409)
})

test('a stopped batch activates nothing, and goes on when it is enabled', async () => {
  const batch = await makeBatch(admin, world, { count: 1, per_user_limit: 1 })
  const [{ id = 0 } = {}] = await codesOf(admin, batch.id)
  const code = await revealed(admin, id)
  expectSuccess(await admin.post(`${activationCodeGroup.api.item}/${batch.id}/stop`, REASON))
  expect((await activate(code, world.students[7] ?? 0)).body.detail).toBe('该批次已停用，不能激活')
  expect((await one(id)).status, 'nothing is left half done').toBe(CODE_STATUS.unused)
  expect(await batchOf(batch.id)).toMatchObject({ left: 1, used: 0 })
  expectSuccess(await admin.post(`${activationCodeGroup.api.item}/${batch.id}/enable`, REASON))
  const more = await admin.post<BatchRow>(`${activationCodeGroup.api.item}/${batch.id}/append`, { count: 1 })
  expectSuccess(more)
  expect(more.body).toMatchObject({ total: 2, left: 2 })
  const [, second] = await codesOf(admin, batch.id)
  expectSuccess(await activate(code, world.students[7] ?? 0))
  expect((await activate(await revealed(admin, second?.id ?? 0), world.students[7] ?? 0)).body.detail).toBe('同一用户最多激活本批次 1 个码')
  expect((await admin.post(`${activationCodeGroup.api.item}/${batch.id}/append`, { count: 49_999 })).body['detail']).toBe('每批最多 50,000 个，还能追加 49,998 个')
})

test('a whole code finds its record; guesses are counted', async () => {
  const batch = await makeBatch(admin, world, { count: 1, prefix: 'ZX' })
  const [{ id = 0 } = {}] = await codesOf(admin, batch.id)
  const find = (code: string, caller = admin) => caller.post<{ id: number; detail: string }>(`${activationCode.api.list}/find`, { code })
  expect((await find(await revealed(admin, id))).body).toEqual({ id })
  expect((await find('ZX23')).body.detail).toBe('激活码应为 8 到 20 位，请核对')
  const limited = await app.staff([activationCode.grant], { scopes: { partner: [world.partners[1]] } })
  expect((await find(await revealed(admin, id), limited)).body.detail).toBe('激活码不存在，请核对')
  for (let i = 1; i < 30; i++) expectRefusal(await find('22222222', limited), 400)
  expect((await find('22222222', limited)).body.detail).toBe('查找次数过多，请 10 分钟后再试')
})
