import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { ENTITLEMENT_SOURCE } from './entitlement.ts'
import { LEARNER_LOGIN } from './access.ts'
import { openEntitlements } from './door.server.ts'
import { appUser, USER_RIGHTS, USER_SCREEN } from './user.ts'

const PATH = appUser.api.item
let app: TestApp
let clerk: Caller
let learnersKey: string
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  clerk = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit'), USER_RIGHTS.id('rebindMobile'), USER_RIGHTS.id('password'), USER_RIGHTS.id('freeze')])
  learnersKey = await makeAppKey(app, [LEARNER_LOGIN.name])
})
afterAll(() => app.close())

const mobileOf = (n: number) => `137${String(20_000_000 + n)}`
async function add(more: Record<string, unknown> = {}): Promise<{ id: number; mobile: string }> {
  const mobile = mobileOf(++count)
  const { body } = await clerk.post<{ id: number }>(PATH, { mobile, nickname: `学员${count}`, role: 1, ...more })
  return { id: body.id, mobile }
}
let requests = 0
/** As the server of a learners' app calls; a repetition has the key of the first. */
const learners = <Body>(path: string, body: Record<string, unknown>, once = `learner-${++requests}`) =>
  app.nobody().post<Body>(`${appUser.api.list}/${path}`, body, { authorization: `Bearer ${learnersKey}`, 'idempotency-key': once })
const login = (mobile: string, password: string, once?: string) => learners<{ user_id: number; login_at: number; must_change: boolean }>('login', { mobile, password }, once)
const reset = async (id: number) => (await clerk.post<{ password: string; expires_at: number }>(`${PATH}/${id}/reset_password`)).body

test('each of them asks for its own right', async () => {
  const { id, mobile } = await add()
  const editor = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit')])
  expect((await editor.post(`${PATH}/${id}/rebind_mobile`, { mobile: mobileOf(900), reason: '本人申请' })).status).toBe(403)
  expect((await editor.post(`${PATH}/${id}/reset_password`)).status).toBe(403)
  expect((await editor.post(`${PATH}/${id}/force_logout`, { reason: '借给他人' })).status).toBe(403)
  expect((await clerk.post(`${appUser.api.list}/login`, { mobile, password: 'x' })).status, 'no call of people').toBe(401)
  // A number is no field that everybody who edits may change.
  expect((await editor.put(`${PATH}/${id}`, { mobile: mobileOf(901), school: '一中' })).body['school']).toBe('一中')
  expect((await app.db.query(sql`select mobile from app_user where id = ${id}`))[0]).toEqual({ mobile })
})

test('换绑手机: another number that nobody has; the log says who, why and what; sessions of the old number are over', async () => {
  const [one, other] = [await add(), await add()]
  const rebind = (mobile: string, reason = '本人申请') => clerk.post<Record<string, unknown>>(`${PATH}/${one.id}/rebind_mobile`, { mobile, reason })
  expect(await rebind(one.mobile)).toMatchObject({ status: 400, body: { fields: { mobile: '新手机号与原手机号相同' } } })
  expect((await rebind('123')).status).toBe(400)
  expect((await rebind(mobileOf(910), '')).status).toBe(400)
  expect(await rebind(other.mobile)).toMatchObject({ status: 409 })
  const done = await rebind(mobileOf(911))
  expect(done.status).toBe(200)
  expect(done.body['sessions_ended_at']).toBeGreaterThan(1_700_000_000)
  const { items } = (await clerk.get<{ items: Record<string, unknown>[] }>(`${PATH}/${one.id}/history`)).body
  expect(items[0]).toMatchObject({ action_name: '换绑手机', reason: '本人申请', before: { mobile: `${one.mobile.slice(0, 3)}****${one.mobile.slice(7)}` } })
  await clerk.post(`${PATH}/${one.id}/rebind_mobile`, { mobile: mobileOf(912), reason: '再换一次', rev: 1 }).then((answer) => expect(answer.status).toBe(409))
})

test('重置密码: good for one login within a day; then the learner sets their own', async () => {
  const { id, mobile } = await add()
  expect(await login(mobile, 'Anything1')).toMatchObject({ status: 403, body: { detail: '手机号或密码错误' } })
  const { password, expires_at } = await reset(id)
  expect(expires_at - Date.now() / 1000).toBeGreaterThan(86_000)
  expect((await clerk.get(`${PATH}/${id}`)).body).toMatchObject({ password_state: '一次性密码待使用' })
  expect(JSON.stringify(await app.db.query(sql`select * from audit_log where entity_id = ${id}`))).not.toContain(password)
  const answers = await Promise.all([1, 2, 3].map(() => login(mobile, password)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
  const first = answers.find(({ status }) => status === 200)?.body
  expect(first).toMatchObject({ user_id: id, must_change: true })
  const { body: row } = await clerk.get<{ sessions_ended_at: number; last_login_at: number }>(`${PATH}/${id}`)
  expect(first?.login_at).toBeGreaterThan(row.sessions_ended_at)
  expect(row.last_login_at).toBeGreaterThan(1_700_000_000)
  const set = (from: string, to: string, once?: string) => learners('password', { mobile, password: from, new_password: to }, once)
  expect(await set(password, '短1')).toMatchObject({ status: 400 })
  expect(await set(password, password)).toMatchObject({ status: 400, body: { fields: { new_password: '新密码不能与原密码相同' } } })
  expect((await set(password, 'Learner-2026')).status).toBe(200)
  expect((await login(mobile, 'Learner-2026')).body).toMatchObject({ must_change: false })
  expect((await login(mobile, password)).status).toBe(403)
  expect((await clerk.get(`${PATH}/${id}`)).body).toMatchObject({ password_state: '已设置' })
})

test('a password that staff made is refused once its day is over', async () => {
  const { id, mobile } = await add()
  const { password } = await reset(id)
  await app.db.query(sql`update user_credential set expires_at = now() - interval '1 second' where user_id = ${id}`)
  expect(await login(mobile, password)).toMatchObject({ status: 403, body: { detail: '一次性密码已使用或已过期，请联系客服重新生成' } })
  expect((await clerk.get(`${PATH}/${id}`)).body).toMatchObject({ password_state: '一次性密码已过期' })
})

test('强制下线 ends what began before; a frozen account does not log in; guessing has an end', async () => {
  const { id, mobile } = await add()
  const { password } = await reset(id)
  const session = (await login(mobile, password)).body
  const { body } = await clerk.post<{ sessions_ended_at: number }>(`${PATH}/${id}/force_logout`, { reason: '借给他人' })
  expect(body.sessions_ended_at).toBeGreaterThanOrEqual(session.login_at - 1)
  await clerk.post(`${PATH}/${id}/freeze`, { reason: '多人共用' })
  await reset(id).then(async (made) => expect(await login(mobile, made.password)).toMatchObject({ status: 403, body: { detail: '账号冻结，不能登录，请联系客服' } }))
  for (let i = 0; i < 10; i++) await login(mobile, 'wrong')
  expect(await login(mobile, 'wrong')).toMatchObject({ status: 429, body: { detail: '登录失败次数过多，请 15 分钟后再试' } })
})

test('users are narrowed by who has paid, what they may use now and when they were last seen, and what they paid is summed', async () => {
  const [payer, other, gone] = [await add({ tags: ['数人'] }), await add({ tags: ['数人'] }), await add({ tags: ['数人'] })]
  await app.db.query(sql`insert into orders (order_no, line, self_run, user_id, buyer_mobile, paid, refunded, total, amount, status) values ('SEG0000001', 'school', 0, ${payer.id}, null, 5000, 1000, 5000, 5000, 4),
    ('SEG0000002', 'school', 0, null, ${payer.mobile}, 700, 0, 700, 700, 4), ('SEG0000003', 'school', 0, ${other.id}, null, 300, 300, 300, 300, 12), ('SEG0000004', 'partner', 0, ${other.id}, null, 900, 0, 900, 900, 8)`)
  const now = Math.floor(Date.now() / 1000)
  await app.db.transaction({ staff_id: null }, (tx) => openEntitlements(tx, null, [
    { user_id: payer.id, line: 'study_room', product: '年卡', offer_id: 1, source: ENTITLEMENT_SOURCE.code, ref: 's1', start_at: now - 10, expire_at: now + 1000 },
    { user_id: gone.id, line: 'study_room', product: '年卡', offer_id: 1, source: ENTITLEMENT_SOURCE.code, ref: 's2', start_at: now - 1000, expire_at: now - 10 },
  ]))
  await app.db.query(sql`update app_user set last_login_at = now() - make_interval(days => case id when ${payer.id} then 3 when ${other.id} then 40 end) where id in (${payer.id}, ${other.id})`)
  const found = async (query: Record<string, unknown>) => (await clerk.get<{ items: { id: number }[] }>(appUser.api.list, { tags: '数人', ...query })).body.items.map(({ id }) => id)
  expect(await found({ payer: 'paid' })).toEqual([payer.id])
  expect(await found({ payer: 'unpaid' })).toEqual([gone.id, other.id])
  expect(await found({ payer: ['paid', 'unpaid'] })).toEqual([gone.id, other.id, payer.id])
  expect(await found({ line: 'study_room' })).toEqual([payer.id])
  expect(await found({ active: '7' })).toEqual([payer.id])
  expect(await found({ active: ['over30', 'never'] })).toEqual([gone.id, other.id])
  expect((await clerk.get(appUser.api.list, { payer: 'rich' })).body).toMatchObject({ detail: '筛选条件「付费」有误' })
  expect((await clerk.get(`${PATH}/${payer.id}`)).body).toMatchObject({ total_paid: 4700 })
  expect((await clerk.get(`${appUser.api.list}/summary`, { tags: '数人' })).body).toEqual({ total_paid: 4700 })
  expect((await clerk.get(`${appUser.api.list}/summary`, { tags: '数人', active: 'never' })).body).toEqual({ total_paid: 0 })
})

test('an answer that was lost is given again: the one-time password is not used up, the new one is not refused', async () => {
  const { id, mobile } = await add()
  const { password } = await reset(id)
  const first = await login(mobile, password, 'lost-login')
  expect(first.body).toMatchObject({ user_id: id, must_change: true })
  expect(await login(mobile, password, 'lost-login')).toMatchObject({ status: 200, body: first.body })
  expect((await login(mobile, password)).status, 'another request').toBe(403)
  const change = () => learners('password', { mobile, password, new_password: 'Learner-2027' }, 'lost-change')
  const [known] = await app.db.query<{ rev: number }>(sql`select rev from app_user where id = ${id}`)
  for (let i = 0; i < 2; i++) expect((await change()).status).toBe(200)
  expect(await app.db.query(sql`select rev from app_user where id = ${id}`)).toEqual([{ rev: (known?.rev ?? 0) + 1 }])
})
