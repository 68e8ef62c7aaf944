import { sql } from 'drizzle-orm'
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPath } from '../../core/testing/uploads.server.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { readBytes, readFile, runJob } from '../../core/testing/transfer.server.ts'
import { standardId } from '../../core/grant/grant.ts'
import { CODE_STATUS } from '../code/module.ts'
import { activationCode, activationCodeGroup } from './authorization-code.ts'
import { batchInput, codesOf, makeBatch, openCodeWorld, revealed, type BatchRow, type CodeWorld } from './testing.server.ts'

const DAY = 86_400
const REASON = { reason: '统一更换' }
const TAKE = activationCodeGroup.rights.id('take')

let app: TestApp
let admin: Caller
let world: CodeWorld
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  world = await openCodeWorld(app)
})
afterAll(() => app.close())

const act = (caller: Caller, body: Record<string, unknown>) => caller.post<{ job: { id: number }; detail: string }>(`${activationCode.api.list}/act`, body)
const batchOf = async (id: number) => (await admin.get<BatchRow>(`${activationCodeGroup.api.item}/${id}`)).body
const balanceOf = async (id: number) => (await app.db.query<{ balance: number; sum: number; code_quota: number; used_quota: number }>(
  sql`select balance, code_quota, used_quota, (select coalesce(sum(amount), 0)::float8 from ledger where account_kind = 'partner' and account_id = ${id}) as sum from partner where id = ${id}`,
))[0]

test('all unused codes of a batch are cancelled as one job; what is in another state stays', async () => {
  const batch = await makeBatch(admin, world, { count: 2300 })
  const [first] = await codesOf(admin, batch.id)
  expectSuccess(await admin.post(`${activationCode.api.item}/${first?.id}/freeze`, REASON))
  const answer = await act(admin, { action: 'cancel', query: { group_id: [String(batch.id)], status: ['0'] }, ...REASON })
  expectSuccess(answer)
  expect(await jobOver(admin, answer.body.job.id)).toMatchObject({ status: 'done', title: '作废授权码', result: { done: 2299, skipped: 0 } })
  expect(await batchOf(batch.id)).toMatchObject({ left: 0, cancelled: 2299, frozen: 1 })
  const logged = await app.db.query<{ n: number }>(sql`select count(*) as n from audit_log where entity = 'activation_code' and action = 'code_cancel' and reason = '统一更换' and job_id = ${answer.body.job.id}`)
  expect(logged[0]?.n).toBe(2299)
})

test('many at once by the rules of each: those that refuse are named', async () => {
  const batch = await makeBatch(admin, world, { count: 3 })
  const codes = await codesOf(admin, batch.id)
  expectSuccess(await admin.post(`${activationCode.api.item}/${codes[0]?.id}/cancel`, REASON))
  const ids = codes.map(({ id }) => id)
  const run = async (body: Record<string, unknown>) => (await jobOver(admin, (await act(admin, { ids, ...REASON, ...body })).body.job.id)).result
  expect(await run({ action: 'freeze' })).toMatchObject({ done: 2, skipped: 1, undo: expect.any(Number), reasons: [{ id: ids[0], name: codes[0]?.code, reason: '当前状态为「已作废」，不能冻结' }] })
  expect(await run({ action: 'unfreeze' })).toMatchObject({ done: 2, skipped: 1 })
  expect(await run({ action: 'extend', until: Math.floor(Date.now() / 1000) + 200 * DAY })).toMatchObject({ done: 2, skipped: 1 })
  expect(await run({ action: 'transfer', owner: world.partners[1] })).toMatchObject({ done: 2, skipped: 1 })
  expectRefusal(await act(admin, { action: 'freeze', ...REASON }), 400)
  expectRefusal(await act(admin, { action: 'extend', ids, ...REASON }), 400)
  expectFieldRefusal(await act(admin, { action: 'freeze', ids }), 400, 'reason')
})

test('what was done to many codes is taken back for a day: to the second, with its quota, and not over what came since', async () => {
  const batch = await makeBatch(admin, world, { count: 4 })
  const codes = await codesOf(admin, batch.id)
  const ids = codes.map(({ id }) => id)
  const standing = () => app.db.query(sql`select id, status, extract(epoch from redeem_before)::float8 as redeem_before, partner_id from activation_code where group_id = ${batch.id} order by id`)
  const [before, quotas] = [await standing(), await Promise.all([0, 1].map((at) => balanceOf(world.partners[at] ?? 0)))]
  const actAndBack = async (body: Record<string, unknown>, between: () => Promise<unknown> = async () => undefined) => {
    const { result } = await jobOver(admin, (await act(admin, { ids, ...REASON, ...body })).body.job.id)
    await between()
    const { body: taken } = await admin.post<{ job_id: number }>(`/daoyuan/api/end/undo/${String(result?.['undo'])}`)
    return (await jobOver(admin, taken.job_id)).result
  }
  for (const body of [{ action: 'freeze' }, { action: 'extend', until: Math.floor(Date.now() / 1000) + 300 * DAY }, { action: 'transfer', owner: world.partners[1] }]) {
    expect(await actAndBack(body), body.action).toMatchObject({ done: 4, skipped: 0 })
    expect(await standing(), body.action).toEqual(before)
  }
  expect(await Promise.all([0, 1].map((at) => balanceOf(world.partners[at] ?? 0)))).toEqual(quotas)
  const cancelled = () => admin.post(`${activationCode.api.item}/${ids[0]}/cancel`, REASON)
  expect(await actAndBack({ action: 'freeze' }, cancelled)).toMatchObject({ done: 3, skipped: 1, reasons: [{ id: ids[0], reason: expect.stringContaining('之后又被') }] })
})

test('codes that were cancelled have no way back; taking back asks for the right of the way back', async () => {
  const batch = await makeBatch(admin, world, { count: 3 })
  const ids = (await codesOf(admin, batch.id)).map(({ id }) => id)
  const { result } = await jobOver(admin, (await act(admin, { ids: ids.slice(0, 1), action: 'cancel', ...REASON })).body.job.id)
  expect(result).not.toHaveProperty('undo')
  const freezer = await app.staff([activationCode.grant, activationCode.rights.id('freeze')])
  const { result: frozen } = await jobOver(freezer, (await act(freezer, { ids: ids.slice(1, 2), action: 'freeze', ...REASON })).body.job.id)
  expectRefusal(await admin.post(`/daoyuan/api/end/undo/${String(frozen?.['undo'])}`), 409)
  await app.grant(freezer.staffId, [activationCode.grant])
  expectRefusal(await freezer.post(`/daoyuan/api/end/undo/${String(frozen?.['undo'])}`), 403)
  await app.grant(freezer.staffId, [activationCode.grant, activationCode.rights.id('freeze')])
  expectSuccess(await freezer.post(`/daoyuan/api/end/undo/${String(frozen?.['undo'])}`))
})

test('each action asks for its own right, and keeps to the person\'s partners', async () => {
  const batch = await makeBatch(admin, world, { count: 2 })
  const [first, second] = await codesOf(admin, batch.id)
  const freezer = await app.staff([activationCode.grant, activationCode.rights.id('freeze')])
  expectSuccess(await freezer.post(`${activationCode.api.item}/${first?.id}/freeze`, REASON))
  expectRefusal(await freezer.post(`${activationCode.api.item}/${second?.id}/cancel`, REASON), 403)
  expectRefusal(await act(freezer, { action: 'cancel', ids: [second?.id], ...REASON }), 403)
  const manager = await app.staff(app.servedGrants, { scopes: { partner: [world.partners[1]] } })
  expect((await manager.get<{ items: unknown[] }>(activationCode.api.list, { group_id: batch.id })).body.items).toEqual([])
  for (const [path, body] of [['cancel', REASON], ['reveal_code', {}]] as const) expectRefusal(await manager.post(`${activationCode.api.item}/${second?.id}/${path}`, body), 404, path)
  for (const [path, body] of [['append', { count: 1 }], ['labels', { count: 1 }], ['exchange', batchInput(world)]] as const) expectRefusal(await manager.post(`${activationCodeGroup.api.item}/${batch.id}/${path}`, body), 404, path)
  expectRefusal(await manager.get(`${activationCodeGroup.api.list}/quota`, { owner: world.partners[0] }), 404)
  expectFieldRefusal(await manager.post(activationCodeGroup.api.item, batchInput(world)), 400, 'partner_id')
  const done = await jobOver(manager, (await act(manager, { action: 'cancel', ids: [second?.id], ...REASON })).body.job.id)
  expect(done.result).toMatchObject({ done: 0 })
  expectRefusal(await act(manager, { action: 'transfer', ids: [second?.id], owner: world.partners[0], ...REASON }), 400)
})

test('the list is exported masked; whole codes only to whoever may take them, and that is written down', async () => {
  const batch = await makeBatch(admin, world, { count: 30, prefix: 'EX' })
  const codes = await codesOf(admin, batch.id)
  const whole = await revealed(admin, codes[0]?.id ?? 0)
  const masked = await runJob(admin, `${activationCode.api.list}/export`, { query: { group_id: [String(batch.id)] }, plain: true }, ['done'])
  expect(JSON.stringify(await readFile(app, admin, String(masked.result?.['url'])))).not.toContain(whole)
  const exporter = await app.staff([activationCode.grant, standardId(activationCode.grant, 'export'), standardId(activationCode.grant, 'reveal'), activationCodeGroup.grant])
  expectRefusal(await exporter.post(`${activationCode.api.list}/export_codes`, { query: { group_id: [String(batch.id)] } }), 403)

  const taker = await app.staff([TAKE])
  const plain = await runJob(taker, `${activationCode.api.list}/export_codes`, { query: { group_id: [String(batch.id)] } }, ['done'])
  const cells = await readFile(app, taker, String(plain.result?.['url']))
  expect(cells).toHaveLength(31)
  expect(cells[0]).toEqual(['序号', '授权码', '批次', '合伙人', '套餐', '兑换截止', '状态'])
  expect(cells.some((row) => row[1] === whole)).toBe(true)
  const [logged] = await app.db.query<{ staff_id: number; after: { rows: number } }>(sql`select staff_id, after from audit_log where action = 'code_take' and job_id = ${plain.id}`)
  expect(logged).toMatchObject({ staff_id: taker.staffId, after: { rows: 30, format: 'xlsx' } })
  expect((await fetchPath(app, admin, String(plain.result?.['url']))).statusCode, 'it is whoever asked for it').toBe(404)
})

test('an archive opens with its password only, and nobody keeps the password', async () => {
  const batch = await makeBatch(admin, world, { count: 20 })
  const [first] = await codesOf(admin, batch.id)
  const password = 'K7M2P9QX4TRW8ZJH3ABC'
  expectFieldRefusal(await admin.post(`${activationCode.api.list}/export_codes`, { ids: [first?.id], password: 'short' }), 400, 'password')
  const job = await runJob(admin, `${activationCode.api.list}/export_codes`, { query: { group_id: [String(batch.id)] }, password }, ['done'])
  const file = await fetchPath(app, admin, String(job.result?.['url']))
  expect(file.headers['content-disposition']).toContain('.zip')
  const open = async (given: string) => {
    const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(file.rawPayload)])), { password: given, useWebWorkers: false })
    const [entry] = await reader.getEntries()
    expect(entry?.encrypted).toBe(true)
    if (!entry || entry.directory) throw new Error('an empty archive')
    return Buffer.from(await entry.arrayBuffer())
  }
  await expect(open('K7M2P9QX4TRW8ZJH3ABD')).rejects.toThrow(/password/i)
  const cells = await readBytes(await open(password))
  expect(cells).toHaveLength(21)
  expect(cells.some((row) => String(row[1]).length === 12)).toBe(true)
  const [stored] = await app.db.query<{ input: Record<string, unknown> }>(sql`select input from job where id = ${job.id}`)
  expect(Object.keys(stored?.input ?? {})).toEqual(['query'])
})

test('labels are those of unused codes, piece by piece, and written down', async () => {
  const batch = await makeBatch(admin, world, { count: 5 })
  const codes = await codesOf(admin, batch.id)
  expectSuccess(await admin.post(`${activationCode.api.item}/${codes[1]?.id}/cancel`, REASON))
  const labels = (body: Record<string, unknown>) => admin.post<{ items: { id: number; code: string }[] }>(`${activationCodeGroup.api.item}/${batch.id}/labels`, body)
  const first = (await labels({ count: 2 })).body.items
  expect(first.map(({ id }) => id)).toEqual([codes[0]?.id, codes[2]?.id])
  expect(first[0]?.code).toBe(await revealed(admin, codes[0]?.id ?? 0))
  expect((await labels({ count: 10, after: first[1]?.id })).body.items.map(({ id }) => id)).toEqual([codes[3]?.id, codes[4]?.id])
  expect(await app.db.query(sql`select after from audit_log where action = 'code_print' and entity_id = ${batch.id} order by id`)).toHaveLength(2)
  expectFieldRefusal(await labels({ count: 961 }), 400, 'count')
  const [kept] = await app.db.query<{ n: number }>(sql`select count(*) as n from request_once where result::text like ${`%${first[0]?.code}%`}`)
  expect(kept?.n, 'whole codes are kept nowhere in the clear').toBe(0)
})

test('codes that nobody has activated are exchanged for a fee, without using quota', async () => {
  const batch = await makeBatch(admin, world, { count: 10 })
  const exchange = (body: Record<string, unknown>) => admin.post<{ batch: BatchRow; fee: number; detail: string }>(`${activationCodeGroup.api.item}/${batch.id}/exchange`, batchInput(world, { name: '置换批次', unit_id: world.units[1], valid_months: 3, ...body }))
  const poor = await exchange({ count: 4 })
  expectRefusal(poor, 409)
  expect(poor.body.detail).toMatch(/^余额不足/)
  expect(await batchOf(batch.id)).toMatchObject({ left: 10, cancelled: 0 })

  await app.db.query(sql`insert into ledger (account_kind, account_id, amount, kind) values ('partner', ${world.partners[0]}, 100000, 'top_up')`)
  await app.db.query(sql`update partner set balance = 100000 where id = ${world.partners[0]}`)
  const before = await balanceOf(world.partners[0])
  const answer = await exchange({ count: 4 })
  expectSuccess(answer)
  expect(answer.body).toMatchObject({ fee: 48_000, batch: { name: '置换批次', total: 4, left: 4, unit_id: world.units[1], origin_id: batch.id, partner_id: world.partners[0] } })
  expect(await batchOf(batch.id)).toMatchObject({ left: 6, cancelled: 4 })
  const after = await balanceOf(world.partners[0])
  expect(after).toMatchObject({ balance: 52_000, sum: 52_000 })
  expect((after?.code_quota ?? 0) - (after?.used_quota ?? 0)).toBe((before?.code_quota ?? 0) - (before?.used_quota ?? 0))
  const many = await exchange({ count: 7 })
  expectFieldRefusal(many, 400, 'count')
  expect(many.body.detail).toBe('该批次只剩 6 个没有激活过的码')
  expect((await codesOf(admin, batch.id)).filter(({ status }) => status === CODE_STATUS.cancelled)).toHaveLength(4)
})

test('how a batch is used is told by day and place', async () => {
  const batch = await makeBatch(admin, world, { count: 4 })
  const codes = await codesOf(admin, batch.id)
  for (const [index, { id }] of codes.slice(0, 3).entries()) {
    expectSuccess(await admin.post(`${activationCode.api.item}/activate`, { code: await revealed(admin, id), student_id: world.students[20 + index] }))
  }
  const activity = async () => (await admin.get<{ days: { n: number }[]; places: { region: string; name: string; n: number; away: boolean }[]; burst: { n: number } }>(`${activationCodeGroup.api.item}/${batch.id}/activity`)).body
  expect(await activity()).toMatchObject({ days: [{ n: 3 }], places: [{ region: '32', name: '江苏省', n: 3, away: false }], burst: { n: 3 } })
  await app.db.query(sql`update partner set region_code = '440106' where id = ${world.partners[0]}`)
  expect((await activity()).places).toMatchObject([{ away: true }])
  await app.db.query(sql`update partner set region_code = '320508' where id = ${world.partners[0]}`)
})
