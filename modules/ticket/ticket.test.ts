import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { appUser } from '../user/module.ts'
import type { QueueItem, TicketThread } from './calls.ts'
import { TICKET_STATE as S } from './sla.ts'
import { answerFixed, ticketSweep } from './ticket.server.ts'
import { ticket } from './ticket.ts'

const { api: { list: LIST, item: ITEM } } = ticket
let app: TestApp
let [one, two]: Caller[] = []
let key: string
let users: number[]
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[one, two] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  key = await makeAppKey(app, ['ticket'])
  users = await app.db.transaction({ staff_id: null }, (tx) => insertMany(tx, appUser, [1, 2, 3].map((index) => ({ user_no: `T${index}`, mobile: `1390000000${index}`, nickname: `小满${index}`, role: 1 as const, status: 1 as const }))))
})
afterAll(() => app.close())

const by = () => one as Caller
async function made(more: Record<string, unknown> = {}): Promise<WireRow<typeof ticket>> {
  const answer = await by().post<WireRow<typeof ticket>>(ITEM, { user_id: users[0], kind: 2, priority: 2, content: `第 ${++n} 次切换应用后答案丢失`, ...more })
  expectSuccess(answer)
  return answer.body
}
const thread = async (id: number, who = by()) => (await who.get<TicketThread>(`${ITEM}/${id}/thread`)).body
const reply = async (id: number, who: Caller, body: string, more: Record<string, unknown> = {}) => who.post<{ id: number; state: number; detail?: string; news?: { body: string }[] }>(`${ITEM}/${id}/replies`, { body, seen_id: 0, client_key: `client-key-${++n}`, ...more })
const device = async (method: 'GET' | 'POST', path: string, payload?: Record<string, unknown>) => {
  const answer = await app.http.inject({ method, url: `/daoyuan/api/device/feedbacks${path}`, ...(payload && { payload }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': `ticket-key-${++n}-0000` } })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

test('of two who answer at once the slower is told what was said meanwhile, and sends when it has been seen', async () => {
  const { id } = await made()
  const first = await reply(id, by(), '请更新到最新版本')
  expectSuccess(first)
  const refused = await reply(id, two as Caller, '请重启应用')
  expectRefusal(refused, 409)
  expect(refused.body.news?.map(({ body }) => body)).toEqual(['请更新到最新版本'])
  expectSuccess(await reply(id, two as Caller, '请重启应用', { seen_id: first.body.id }))
  const { items, row } = await thread(id)
  expect(items.filter(({ side }) => side === 'staff').map(({ body }) => body)).toEqual(['请更新到最新版本', '请重启应用'])
  expect(row).toMatchObject({ state: S.doing, assignee_id: by().staffId })
  // Sent twice under one key it is said once; a note stands in nobody's way.
  const twice = { client_key: 'the-same-key', note: true }
  expect((await reply(id, by(), '内部：已联系技术', twice)).body.id).toBe((await reply(id, by(), '内部：已联系技术', twice)).body.id)
  expectRefusal(await reply(id, by(), '\u200b '), 400)
})

test('a user who asks again runs the next clock; an answer within a week opens what was solved, a later one is a ticket of its own', async () => {
  const { id } = await made()
  expectSuccess(await reply(id, by(), '{昵称}，请提供截图', { next: 'wait' }))
  expect((await thread(id)).row).toMatchObject({ state: S.user, due_at: null })
  const says = (body: string) => device('POST', `/${id}/messages`, { user_id: users[0], body, client_key: `user-key-${++n}` })
  expect((await device('POST', `/${id}/messages`, { user_id: users[1], body: '别人的', client_key: 'user-key-other' })).status).toBe(404)
  expect((await says('截图发了')).body['ticket_id']).toBe(id)
  const asked = (await thread(id)).row
  expect(asked.state).toBe(S.doing)
  expect(asked.next_due_at).not.toBeNull()
  const read = await device('GET', `/${id}?user_id=${users[0]}`)
  expect((read.body['items'] as { body: string }[])[0]?.body).toBe('小满1，请提供截图')
  const seen = (await thread(id)).items.at(-1)?.id
  expectSuccess(await reply(id, by(), '已修复', { seen_id: seen, next: 'solve' }))
  expect((await device('POST', `/${id}/rate`, { user_id: users[0], stars: 6 })).status).toBe(400)
  expect((await device('POST', `/${id}/rate`, { user_id: users[0], stars: 5 })).status).toBe(200)
  expect((await says('又出现了')).body['ticket_id']).toBe(id)
  expect((await thread(id)).row).toMatchObject({ state: S.doing, satisfaction: 5 })
  expectSuccess(await by().post(`${ITEM}/${id}/solve`, {}))
  await app.db.query(sql`update ticket set solved_at = now() - interval '8 days' where id = ${id}`)
  const later = await says('一周后又来了')
  expect(later.body['ticket_id']).not.toBe(id)
  expect((await thread(Number(later.body['ticket_id']))).row).toMatchObject({ linked_id: id, state: S.waiting })
  await ticketSweep(app.kernel.db).run()
  expect((await thread(id)).row.state).toBe(S.closed)
})

test('merged tickets are answered together, whichever way two merge them at once', async () => {
  const [a, b, c] = [await made(), await made({ user_id: users[1] }), await made({ user_id: users[2] })]
  const both = await Promise.all([by().post(`${ITEM}/${a.id}/merge`, { into_id: b.id }), (two as Caller).post(`${ITEM}/${b.id}/merge`, { into_id: a.id })])
  expect(both.map(({ status }) => status === 200).toSorted()).toEqual([false, true])
  const into = both[0].status === 200 ? b.id : a.id
  const from = into === a.id ? b.id : a.id
  expectSuccess(await by().post(`${ITEM}/${c.id}/merge`, { into_id: into }))
  expect((await thread(into)).merged.map(({ id }) => id)).toEqual([from, c.id].toSorted((x, y) => x - y))
  expectSuccess(await reply(into, by(), '统一答复'))
  for (const id of [from, c.id]) {
    const { row, items } = await thread(id)
    expect(row).toMatchObject({ state: S.closed, merged_into_id: into, due_at: null })
    expect(items.at(-1)?.body).toBe('统一答复')
    expectRefusal(await reply(id, by(), '单独答复', { seen_id: 99_999 }), 400)
  }
})

test('a mended question answers everybody who reported it', async () => {
  const ids: number[] = []
  for (const user_id of users) {
    const answer = await device('POST', '', { user_id, kind: 1, content: '答案给错了', practice_id: 777_001 })
    expect(answer.status).toBe(200)
    ids.push(Number(answer.body['id']))
  }
  expectSuccess(await by().post(`${ITEM}/${ids[0]}/merge`, { into_id: ids[1] }))
  await app.db.transaction({ staff_id: null, action: 'fixed' }, (tx) => answerFixed(tx, [777_001]))
  for (const id of ids) expect((await thread(id)).items.at(-1)?.body).toContain('已经修正')
  expect((await Promise.all(ids.map(async (id) => (await thread(id)).row.state)))).toEqual([S.closed, S.solved, S.solved])
})

test('queues count what their lists show; another priority moves the clocks', async () => {
  const { id, due_at } = await made({ priority: 1 })
  const { body: { counts } } = await by().get<{ counts: Record<string, number> }>(`${LIST}/queues`)
  const free = await by().get<{ items: QueueItem[]; total: number }>(`${LIST}/queue`, { queue: 'free' })
  expect(free.body.total).toBe(counts['free'])
  expect(free.body.items.some((one) => one.id === id)).toBe(true)
  const urgent = await by().put<WireRow<typeof ticket>>(`${ITEM}/${id}`, { priority: 4, assignee_id: (two as Caller).staffId })
  expectSuccess(urgent)
  expect(urgent.body.due_at ?? 0).toBeLessThan(due_at ?? 0)
  expect((await (await app.staff([ticket.grant])).post(`${ITEM}/${id}/replies`, { body: '无权', seen_id: 0, client_key: 'no-right-key' })).status).toBe(403)
})

test('answers given often are kept by those who may', async () => {
  expectSuccess(await by().post(`${LIST}/canned`, { code: '问候', body: '{昵称}，您好' }))
  const { items } = (await by().get<{ items: { id: number; code: string }[] }>(`${LIST}/canned`)).body
  expect(items.map(({ code }) => code)).toContain('问候')
  expectSuccess(await by().delete(`${LIST}/canned/${items[0]?.id}`))
  expectRefusal(await by().delete(`${LIST}/canned/${items[0]?.id}`), 404)
})
