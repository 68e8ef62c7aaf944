import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfDay } from '../../../core/field/time.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../../core/testing/expect.server.ts'
import { PURPOSE, videoComment } from '../said/said.ts'
import { openWorld, type World } from '../testing.server.ts'
import { TEACHER_RIGHTS } from '../rights.ts'
import { leaveSweep } from './assign.server.ts'
import type { Ask } from './calls.ts'
import { commentTeacher } from './teacher.ts'

let app: TestApp
let world: World
let [chief, first, second]: Caller[] = []
const T = commentTeacher.api
const today = startOfDay(Date.now() / 1000)
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  chief = await app.staff(app.servedGrants)
  const own = [TEACHER_RIGHTS.screen, TEACHER_RIGHTS.id('answer')]
  ;[first, second] = [await app.staff(own), await app.staff(own)]
  world = await openWorld(app, chief)
}, 120_000)
afterAll(() => app.close())

const by = () => chief as Caller
const teach = async (who: Caller | undefined, more: Record<string, unknown> = {}) => by().post<WireRow<typeof commentTeacher>>(T.item, { staff_id: who?.staffId, title: '高中数学', subject_ids: [1], targets: ['video', 'practice'], most_open: 20, ...more })
const ask = async (text = `第 ${++n} 个问题怎么做？`) => {
  await app.db.query(sql`update comment set created_at = created_at - interval '2 minutes' where created_at > now() - interval '2 minutes'`)
  return (await world.say(world.users[n % 4] as number, text, { purpose: PURPOSE.ask })).body.id
}
const assignee = async (id: number) => (await app.db.query<{ assignee_id: number | null }>(sql`select assignee_id from comment where id = ${id}`))[0]?.assignee_id
const asks = async (queue: string, who = by()) => (await who.get<{ items: Ask[]; total: number; counts: Record<string, number> }>(`${T.list}/asks`, { queue })).body
const answer = (id: number, who: Caller | undefined, text = '先看定义域，再分类讨论。') => (who as Caller).post<{ id: number; detail: string }>(`/daoyuan/api/end/comments/${id}/answer`, { text, client_key: `answer-key-${++n}` })

test('questions go to whoever answers the subject and has the fewest; nobody has more than they take', async () => {
  const free = await ask()
  expect(await assignee(free)).toBeNull()
  expectSuccess(await teach(first, { most_open: 2 }))
  expectSuccess(await teach(second))
  expect((await teach(first)).status).toBe(409)
  expectFieldRefusal(await teach(chief, { leave_until: today }), 400, 'leave_from')
  const ids = [await ask(), await ask(), await ask(), await ask(), await ask()]
  const given = await Promise.all(ids.map(assignee))
  expect(given.filter((id) => id === first?.staffId)).toHaveLength(2)
  expect(given.filter((id) => id === second?.staffId)).toHaveLength(3)
  // What nobody had is given when somebody has room.
  await leaveSweep(app.kernel.db).run()
  expect(await assignee(free)).toBe(second?.staffId)
  const mine = await asks('mine', first)
  expect(mine).toMatchObject({ total: 2 })
  expect(mine.counts['mine']).toBe(2)
  expect(mine.items[0]).toMatchObject({ about: '集合导学', purpose: PURPOSE.ask })
})

test('whoever is away has nothing open: others take it, also when the leave begins by itself', async () => {
  const { items: [row] } = (await by().get<{ items: WireRow<typeof commentTeacher>[] }>(T.list, { staff_id: second?.staffId })).body
  expectSuccess(await by().put(`${T.item}/${row?.id}`, { leave_from: today + 86_400, leave_until: today + 3 * 86_400 }))
  expect((await asks('mine', second)).total).toBe(4)
  await app.db.query(sql`update comment_teacher set most_open = 50 where staff_id = ${first?.staffId}`)
  await app.db.query(sql`update comment_teacher set leave_from = to_timestamp(${today}) where id = ${row?.id}`)
  await leaveSweep(app.kernel.db).run()
  expect((await asks('mine', second)).total).toBe(0)
  expect((await asks('mine', first)).total).toBe(6)
  expect((await by().get<{ total: number }>(T.list, { on_duty: 'leave' })).body.total).toBe(1)
  const some = (await asks('mine', first)).items.slice(0, 2).map(({ id }) => id)
  const away = await by().post<{ detail: string }>(`${T.list}/asks/assign`, { ids: some, staff_id: second?.staffId })
  expect(away.body.detail).toContain('正在请假')
  expectSuccess(await by().put(`${T.item}/${row?.id}`, { leave_from: null, leave_until: null }))
  const given = await by().post<{ assigned: number; left_alone: unknown[] }>(`${T.list}/asks/assign`, { ids: [...some, some[0]], staff_id: second?.staffId })
  expect(given.body).toMatchObject({ assigned: 2, left_alone: [] })
  expectRefusal(await (first as Caller).post(`${T.list}/asks/assign`, { ids: some, staff_id: first?.staffId }), 403)
})

test('an answer stands in the thread, stops the clock and counts for whoever gave it; a teacher answers their own alone', async () => {
  const [mine] = (await asks('mine', first)).items
  const [theirs] = (await asks('mine', second)).items
  expectRefusal(await answer(theirs?.id ?? 0, first), 403)
  await app.db.query(sql`update comment set due_at = now() - interval '1 hour' where id = ${mine?.id}`)
  expect((await asks('late')).items.map(({ id }) => id)).toContain(mine?.id)
  const given = await answer(mine?.id ?? 0, first)
  expectSuccess(given)
  expect((await asks('late')).items.map(({ id }) => id)).not.toContain(mine?.id)
  const { body } = await by().get<WireRow<typeof videoComment>>(`${videoComment.api.item}/${mine?.id}`)
  expect(body).toMatchObject({ answerer_id: first?.staffId, replies: 1 })
  const shown = (await world.device('GET', `/comments?user_id=${mine?.user_id}&target=video&target_id=${world.videoId}`)).body['items'] as { id: number; official: number; root_id: number }[]
  expect(shown.find(({ id }) => id === given.body.id)).toMatchObject({ official: 1, root_id: mine?.id })
  const accept = (who: number | null | undefined) => world.device('POST', `/comments/${mine?.id}/accept`, { user_id: who, answer_id: given.body.id })
  expect((await accept(world.newcomer)).body.detail).toBe('只有提问的人可以采纳')
  expect((await accept(mine?.user_id)).status).toBe(200)
  const { items: [teacher] } = (await by().get<{ items: WireRow<typeof commentTeacher>[] }>(T.list, { staff_id: first?.staffId })).body
  expect(teacher).toMatchObject({ answered_n: 1, adopted: 1 })
  // The same again under the same key is the same answer.
  const key = { text: '补充一句', client_key: 'the-same-answer' }
  const twice = [await by().post<{ id: number }>(`/daoyuan/api/end/comments/${mine?.id}/answer`, key), await by().post<{ id: number }>(`/daoyuan/api/end/comments/${mine?.id}/answer`, key)]
  expect(twice[0]?.body.id).toBe(twice[1]?.body.id)
})

test('what waits is let through with its answer by those who may; what was hidden is not answered', async () => {
  const { body: { id } } = await world.say(world.newcomer, '新用户的问题', { purpose: PURPOSE.ask })
  const looker = await app.staff([videoComment.grant, videoComment.rights.id('answer')])
  expect((await answer(id, looker)).body.detail).toBe('评论还没有通过审核，不能回复')
  expectSuccess(await answer(id, chief))
  const [row] = await app.db.query<{ state: number; open: number }>(sql`select state, (select count(*)::int from comment_review r where r.comment_id = c.id and r.state = 0) as open from comment c where id = ${id}`)
  expect(row).toEqual({ state: 1, open: 0 })
  expectSuccess(await by().post(`${videoComment.api.item}/${id}/hide`, {}))
  expect((await answer(id, chief)).body.detail).toBe('评论已屏蔽，通过后才能回复')
  expectRefusal(await answer(999_999, chief), 404)
  expect((await by().post<{ detail: string }>(`/daoyuan/api/end/comments/${id}/answer`, { text: ' ', client_key: 'empty-answer' })).body.detail).toBe('请输入回复')
})
