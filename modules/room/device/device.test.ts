import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../../core/testing/expect.server.ts'
import { pad } from '../pad.ts'
import { answerCommand, pollPad, type DeviceCommand, type DeviceState } from './agent.ts'
import { COMMAND_STATUS, padCommand, type CommandsSent } from './command.ts'
import { padPolicy } from './policy.ts'
import { timeOutSweep } from './queue.server.ts'

/** An answer as any other is checked: interfaces have no index, types have. */
type Plain<T> = { [Key in keyof T]: T[Key] }

let app: TestApp
let desk: Caller
let serial = 0
beforeAll(async () => {
  app = await openTestApp()
  desk = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

/** A pad as the program on it behaves: it reports, fetches what it is told, and says what came of it. */
class Agent {
  readonly id: number
  readonly sn: string
  token = ''
  private readonly line = app.nobody()

  private constructor(id: number, sn: string) {
    this.id = id
    this.sn = sn
  }

  static async make(connected = true): Promise<Agent> {
    const sn = `TESTPAD${String(++serial).padStart(5, '0')}`
    const [id = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, pad, [{ sn }]))
    const agent = new Agent(id, sn)
    if (connected) await agent.connect()
    return agent
  }

  async connect(): Promise<void> {
    const answer = await desk.post<{ token: string }>(`${pad.api.item}/${this.id}/connect`)
    expectSuccess(answer)
    this.token = answer.body.token
  }

  private send<Body = Record<string, unknown>>(path: string, body: Record<string, unknown>): Promise<Answer<Body>> {
    return this.line.post<Body>(path, body, { authorization: `Bearer ${this.token}` })
  }

  ask = (report: Record<string, unknown> = {}) => this.send<Plain<DeviceState>>(pollPad.path, report)

  async poll(report: Record<string, unknown> = {}): Promise<DeviceState> {
    const answer = await this.ask(report)
    expectSuccess(answer)
    return answer.body
  }

  answer = (command: Pick<DeviceCommand, 'id'>, result: Record<string, unknown>) => this.send(answerCommand.path.replace('{id}', String(command.id)), result)
}

const shown = async (id: number) => (await desk.get<WireRow>(`${pad.api.item}/${id}`)).body
const command = async (id: number) => (await desk.get<WireRow>(`${padCommand.api.item}/${id}`)).body
const tell = (agents: readonly Agent[], kind: string, more: Record<string, unknown> = {}) => desk.post<Plain<CommandsSent>>(`${pad.api.list}/command`, { ids: agents.map(({ id }) => id), kind, ...more })
const first = (state: DeviceState): DeviceCommand => {
  const [one] = state.commands
  if (!one) throw new Error('the pad was told nothing')
  return one
}

test('a pad is locked from the list, learns it when it asks, and says that it did it', async () => {
  const agent = await Agent.make()
  expectSuccess(await desk.post(`${pad.api.item}/${agent.id}/lock`, { reason: '上课时间' }))
  const state = await agent.poll({ battery: 64, app_version: '5.2.1', free_gb: 12 })
  expect(state).toMatchObject({ sn: agent.sn, locked: true, policy: null, commands: [{ kind: 'lock' }] })
  expect(await command(first(state).id)).toMatchObject({ status: COMMAND_STATUS.sent, sent_cnt: 1, reason: '上课时间' })
  expectSuccess(await agent.answer(first(state), { ok: true }))
  expect(await command(first(state).id)).toMatchObject({ status: COMMAND_STATUS.done })
  expect(await shown(agent.id)).toMatchObject({ battery: 64, app_version: '5.2.1', free_gb: 12, locked: 1, last_online_at: expect.any(Number) })
  expect((await agent.poll()).commands).toEqual([])
  expectRefusal(await agent.answer(first(state), { ok: false }), 409)
})

test('where a pad is, and which version it has, stands in its record once it has said so', async () => {
  const agent = await Agent.make()
  expectSuccess(await tell([agent], 'locate'))
  expectSuccess(await agent.answer(first(await agent.poll()), { ok: true, lng: 118.796877, lat: 32.060255 }))
  expect(await shown(agent.id)).toMatchObject({ lng: 118.796877, lat: 32.060255, located_at: expect.any(Number) })
  expectFieldRefusal(await tell([agent], 'update', { app_version: '5.3.0' }), 400, 'app_url')
  expectSuccess(await tell([agent], 'update', { app_version: '5.3.0', app_url: 'https://example.com/study.apk' }))
  const update = first(await agent.poll())
  expect(update.detail).toEqual({ app_version: '5.3.0', app_url: 'https://example.com/study.apk' })
  expectSuccess(await agent.answer(update, { ok: false, message: '存储空间不足' }))
  expect(await command(update.id)).toMatchObject({ status: COMMAND_STATUS.failed, answer: '存储空间不足' })
  expect((await shown(agent.id))['app_version']).toBeNull()
})

test('a policy reaches its pads, and each new wording of it again', async () => {
  const agents = [await Agent.make(), await Agent.make()] as const
  const { body: policy } = await desk.post<WireRow>(padPolicy.api.item, { name: '晚自习', apps: 'com.daoyuan.study\ncom.daoyuan.reader', weekdays: [1, 5], hours: '16:30-21:30', allow_install: 0, status: 1 })
  expectSuccess(await desk.post(`${pad.api.list}/policy`, { ids: agents.map(({ id }) => id), policy_id: policy.id }))
  const state = await agents[0].poll()
  expect(state.policy).toEqual({ id: policy.id, version: 1, apps: ['com.daoyuan.study', 'com.daoyuan.reader'], weekdays: [1, 5], hours: '16:30-21:30', allow_install: false })
  expectSuccess(await agents[0].answer(first(state), { ok: true }))
  expect(await desk.get(`${padPolicy.api.item}/${policy.id}`)).toMatchObject({ body: { pad_cnt: 2, behind_cnt: 1 } })

  expectSuccess(await desk.put(`${padPolicy.api.item}/${policy.id}`, { name: '晚自习（秋季）' }))
  expect((await agents[0].poll()).commands).toEqual([])
  expectSuccess(await desk.put(`${padPolicy.api.item}/${policy.id}`, { hours: '16:00-21:00' }))
  for (const agent of agents) {
    const next = await agent.poll()
    // What the second pad had not fetched yet is replaced by the newer wording.
    expect(next.commands).toMatchObject([{ kind: 'policy', detail: { policy_id: policy.id, version: 2 } }])
    expectSuccess(await agent.answer(first(next), { ok: true }))
  }
  expect(await desk.get(`${padPolicy.api.item}/${policy.id}`)).toMatchObject({ body: { version: 2, behind_cnt: 0 } })
  expectRefusal(await desk.delete(`${padPolicy.api.item}/${policy.id}`), 409)

  expectSuccess(await desk.post(`${pad.api.list}/policy`, { ids: agents.map(({ id }) => id) }))
  expect((await agents[0].poll()).policy).toBeNull()
})

test('a command comes again until its result is known, and not after its time', async () => {
  const agent = await Agent.make()
  expectSuccess(await tell([agent], 'reboot'))
  const { id } = first(await agent.poll())
  expect((await agent.poll()).commands).toEqual([])
  await app.db.query(sql`update pad_command set sent_at = now() - interval '10 minutes' where id = ${id}`)
  expect((await agent.poll()).commands).toMatchObject([{ id }])
  await app.db.query(sql`update pad_command set sent_at = now() - interval '2 hours', expire_at = now() - interval '1 minute' where id = ${id}`)
  expect((await agent.poll()).commands).toEqual([])
  await timeOutSweep(app.kernel.db).run()
  expect(await command(id)).toMatchObject({ status: COMMAND_STATUS.timed_out, sent_cnt: 2 })
})

test('the newer word counts: what was not fetched is replaced, what waits can be withdrawn', async () => {
  const agent = await Agent.make()
  expectSuccess(await desk.post(`${pad.api.item}/${agent.id}/lock`, { reason: '上课时间' }))
  expectSuccess(await desk.post(`${pad.api.item}/${agent.id}/unlock`))
  expectSuccess(await tell([agent], 'reboot'))
  const { body: waiting } = await desk.get<{ items: WireRow[] }>(padCommand.api.list, { pad_id: agent.id, kind: 'reboot' })
  expectSuccess(await desk.post(`${padCommand.api.item}/${waiting.items[0]?.id}/withdraw`))
  expect(await agent.poll()).toMatchObject({ locked: false, commands: [{ kind: 'unlock' }] })
})

test('a token opens its own pad only, until a new one is made or the pad is retired', async () => {
  const [agent, other] = [await Agent.make(), await Agent.make()]
  expectSuccess(await tell([agent], 'reboot'))
  const theirs = first(await agent.poll())
  expectRefusal(await other.answer(theirs, { ok: true }), 404)
  const old = agent.token
  await agent.connect()
  await agent.poll()
  agent.token = old
  expectRefusal(await agent.ask(), 401)
  agent.token = ''
  expectRefusal(await agent.ask(), 401)
  expectSuccess(await desk.post(`${pad.api.item}/${other.id}/retire`, { reason: '屏幕碎裂' }))
  expectRefusal(await other.ask(), 401)
  const [known] = await app.db.query<{ hash: string }>(sql`select hash from pad_token where pad_id = ${agent.id}`)
  expect(known?.hash).not.toContain(old)
})

test('pads that cannot hear are named; where none can, nothing is queued', async () => {
  const [agent, silent] = [await Agent.make(), await Agent.make(false)]
  const both = await tell([agent, silent], 'locate')
  expect(both.body).toEqual({ sent: 1, refused: [{ sn: silent.sn, reason: '尚未接入，请先生成接入码' }] })
  expectRefusal(await tell([silent], 'locate'), 400)
  const watcher = await app.staff([pad.grant])
  expectRefusal(await watcher.post(`${pad.api.list}/command`, { ids: [agent.id], kind: 'locate' }), 403)
  expectRefusal(await watcher.post(`${pad.api.item}/${agent.id}/connect`), 403)
})
