import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { extendEntitlements, openEntitlements, setEntitlements, userOfMobile, type Grant } from './door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS, entitlement } from './entitlement.ts'
import { appUser } from './user.ts'

const DAY = 86_400
const now = Math.floor(Date.now() / 1000)

let app: TestApp
let admin: Caller
let userId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  userId = (await admin.post<{ id: number }>(appUser.api.item, { mobile: '13711110001', nickname: '追光者', role: 1 })).body.id
})
afterAll(() => app.close())

const inTransaction = <Result>(work: Parameters<typeof app.db.transaction<Result>>[1]) => app.db.transaction({ staff_id: admin.staffId }, work)
const grant = (ref: string, start: number, end: number): Grant => ({
  user_id: userId, line: 'study_room', product: '初中全科年卡', offer_id: 1, source: ENTITLEMENT_SOURCE.code, ref, start_at: now + start * DAY, expire_at: now + end * DAY,
})
const states = async () => Object.fromEntries((await admin.get<{ items: { ref: string; state: string; expire_at: number }[] }>(entitlement.api.list, { user_id: userId })).body.items
  .map(({ ref, state }) => [ref, state]))

test('what is said of an entitlement follows from its dates and from what was decided', async () => {
  await inTransaction((tx) => openEntitlements(tx, admin.staffId, [grant('a', -10, 10), grant('b', -10, -1), grant('c', 1, 10), grant('d', -1, 10), grant('e', -1, 10)]))
  await inTransaction((tx) => setEntitlements(tx, ENTITLEMENT_SOURCE.code, ['d', 'unknown'], ENTITLEMENT_STATUS.stopped))
  await inTransaction((tx) => setEntitlements(tx, ENTITLEMENT_SOURCE.code, ['e'], ENTITLEMENT_STATUS.refunded))
  expect(await states()).toEqual({ a: '生效中', b: '已过期', c: '未开始', d: '已停用', e: '已退款' })
  // The same reference of another source is somebody else's.
  await inTransaction((tx) => setEntitlements(tx, ENTITLEMENT_SOURCE.paid, ['a'], ENTITLEMENT_STATUS.stopped))
  await inTransaction((tx) => extendEntitlements(tx, ENTITLEMENT_SOURCE.code, new Map([['b', now + DAY]])))
  expect(await states()).toMatchObject({ a: '生效中', b: '生效中' })
})

test('the same source opens one entitlement, however often, and the log says so', async () => {
  await inTransaction((tx) => openEntitlements(tx, admin.staffId, [grant('again', -1, 10)]))
  await inTransaction((tx) => setEntitlements(tx, ENTITLEMENT_SOURCE.code, ['again'], ENTITLEMENT_STATUS.stopped))
  await inTransaction((tx) => openEntitlements(tx, admin.staffId, [{ ...grant('again', 0, 30), product: '高中全科年卡' }]))
  const { body } = await admin.get<{ items: { id: number; ref: string; product: string; state: string }[] }>(entitlement.api.list, { user_id: userId })
  const [found, ...more] = body.items.filter(({ ref }) => ref === 'again')
  expect(more).toEqual([])
  expect(found).toMatchObject({ product: '高中全科年卡', state: '生效中' })
  const history = await admin.get<{ items: unknown[] }>(`${entitlement.api.item}/${found?.id}/history`)
  expect(history.body.items).toHaveLength(3)
})

test('a user sees their entitlements in the overview', async () => {
  const { body } = await admin.get<{ sections: { name: string; rows?: Record<string, unknown>[] }[] }>(`${appUser.api.item}/${userId}/overview`)
  const section = body.sections.find(({ name }) => name === 'entitlement')
  expect(section?.rows?.at(-1)).toMatchObject({ line: '自习室', product: '初中全科年卡', source: '激活码', state: '生效中' })
})

test('whoever owns a number has one account, however many ask at once', async () => {
  const ask = () => inTransaction((tx) => userOfMobile(tx, admin.staffId, { mobile: '13711119999', name: '李雷', grade: 9 }))
  const ids = await Promise.all(Array.from({ length: 10 }, ask))
  expect(new Set(ids).size).toBe(1)
  const { body } = await admin.get<Record<string, unknown>>(`${appUser.api.item}/${ids[0]}`)
  expect(body).toMatchObject({ nickname: '李*', real_name: '李*', grade: 9, status: 1, mobile: '137****9999' })
  expect(await inTransaction((tx) => userOfMobile(tx, null, { mobile: '13711110001', name: '别名' }))).toBe(userId)
  const [kept] = await app.db.query<{ nickname: string }>(sql`select nickname from app_user where id = ${userId}`)
  expect(kept?.nickname).toBe('追光者')
  await app.db.query(sql`update app_user set status = 4 where id = ${userId}`)
  await expect(ask().then(() => inTransaction((tx) => userOfMobile(tx, null, { mobile: '13711110001', name: '别名' })))).rejects.toThrow('该手机号的账号已注销，不能开通')
})
