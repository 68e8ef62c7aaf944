import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { badRequest } from '../error/error.ts'
import type { LiveEvent } from '../live/event.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import type { JobInfo } from './calls.ts'
import { defineJob, type JobContext } from './define.server.ts'
import { Jobs } from './jobs.server.ts'
import { MAX_OPEN } from './queue.server.ts'
import { intervalsOf, SWEEP_EVERY, JOB_DAYS, ownSweeps, sweepWhenDue } from './sweep.server.ts'
import { addJob, jobOver, storedJob } from '../testing/jobs.server.ts'

let app: TestApp
let one: Caller
let other: Caller

/** Opened from outside, job by job: `gate(name)` waits until `open(name)`. */
const gates = new Map<string, PromiseWithResolvers<void>>()
const gate = (name: string) => {
  const known = gates.get(name) ?? Promise.withResolvers<void>()
  gates.set(name, known)
  return known
}

/** Waits for a gate, or for being told to stop. */
const waitAt = (name: string, signal: AbortSignal) => new Promise<void>((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  void gate(name).promise.then(resolve)
})

const GRANT = 1301
let running = 0
let most = 0
const kinds = [
  defineJob<{ text: string }>({ kind: 'echo', grants: () => [], run: async ({ input, progress }) => {
    progress(1, 2)
    return { text: input.text }
  } }),
  defineJob<{ gate: string }>({ kind: 'wait', grants: () => [], run: async ({ input, signal }) => {
    running++
    most = Math.max(most, running)
    gate(`${input.gate} began`).resolve()
    await waitAt(input.gate, signal).finally(() => running--)
    return { waited: true }
  } }),
  defineJob<{ gate: string }>({ kind: 'guarded', grants: () => [GRANT], run: async ({ input, signal, staff }) => {
    gate(`${input.gate} began`).resolve()
    await waitAt(input.gate, signal)
    return { role: staff.role }
  } }),
  defineJob<{ sentence?: string }>({ kind: 'fail', grants: () => [], run: async ({ input }) => {
    throw input.sentence ? badRequest(input.sentence) : new Error('secret: /etc/passwd')
  } }),
  /** Writes a record and ends in one transaction, with a pause before the end. */
  defineJob<{ gate: string }>({ kind: 'write', grants: () => [], run: async ({ db, actor, input, finish }: JobContext<{ gate: string }>) =>
    db.transaction(actor, async (tx) => {
      await tx.query(sql`insert into installation (key, value) values (${input.gate}, 'true')`)
      gate(`${input.gate} began`).resolve()
      if (app.db.kind === 'postgres') await gate(input.gate).promise
      await finish(tx, { written: true })
    }) }),
  /** Counts to ten, keeping each number; stops at five the first time. */
  defineJob<{ gate: string }, { count: number }>({ kind: 'count', grants: () => [], run: async ({ db, actor, saved, save, input, signal }) => {
    const from = saved?.count ?? 0
    let count = from
    while (count < 10) {
      count++
      await db.transaction(actor, (tx) => save(tx, { count }))
      if (count === 5) {
        gate(`${input.gate} began`).resolve()
        await waitAt(input.gate, signal)
      }
    }
    return { from, count }
  } }),
]

beforeAll(async () => {
  app = await openTestApp()
  app.kernel.jobs.define(kinds)
  ;[one, other] = [await app.staff([GRANT]), await app.staff([])]
})
afterAll(() => app.close())

test('nobody sees jobs without a session', async () => {
  for (const [method, path] of [['GET', ''], ['GET', '/1'], ['POST', '/1/cancel'], ['POST', '/1/retry']] as const) {
    expect((await app.nobody().call(method, `/daoyuan/api/end/jobs${path}`)).status).toBe(401)
  }
})

test('a job runs, tells its owner how far it is and what came of it', async () => {
  const events: LiveEvent[] = []
  await app.db.listen('live', (payload) => {
    const { to, event } = JSON.parse(payload) as { to: number; event: LiveEvent }
    if (to === one.staffId) events.push(event)
  })
  const id = await addJob(app, one, 'echo', { text: '你好' })
  const job = await jobOver(one, id)
  expect(job).toMatchObject({ id, kind: 'echo', status: 'done', done: 2, total: 2, result: { text: '你好' }, error: null, can: [] })
  expect(job.finished_at).toBeGreaterThan(1_700_000_000)
  await vi.waitFor(() => expect(events.filter((event) => event.type === 'job' && event.id === id).at(-1)).toEqual({ type: 'job', id, status: 'done', done: 2, total: 2 }), { timeout: 30_000 })
})

test('everybody sees their own jobs, newest first, a super administrator all of them', async () => {
  const admin = await app.login()
  const ids = [await addJob(app, one, 'echo', { text: 'a' }), await addJob(app, one, 'echo', { text: 'b' })]
  const foreign = await addJob(app, other, 'echo', { text: 'c' })
  await Promise.all([...ids.map((id) => jobOver(one, id)), jobOver(other, foreign)])
  const list = async (caller: Caller, query?: Record<string, unknown>) => (await caller.get<{ items: JobInfo[]; total: number }>('/daoyuan/api/end/jobs', query)).body
  const mine = await list(one)
  expect(mine.items.slice(0, 2).map((job) => job.id)).toEqual(ids.toReversed())
  expect(mine.items.every((job) => job.staff_id === one.staffId)).toBe(true)
  expect((await list(one, { all: 1 })).items.every((job) => job.staff_id === one.staffId)).toBe(true)
  expect((await list(admin, { all: 1 })).items.map((job) => job.id)).toContain(foreign)
  expect((await list(admin)).items).toEqual([])
  expect((await list(one, { page: 1, page_size: 1 })).items).toHaveLength(1)
  expect((await list(one, { status: 'failed' })).items).toEqual([])
  for (const [method, path] of [['GET', ''], ['POST', '/cancel'], ['POST', '/retry']] as const) {
    expect((await one.call(method, `/daoyuan/api/end/jobs/${foreign}${path}`)).status).toBe(404)
  }
})

test('two jobs run at a time, and nobody waits behind many of one person', async () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `two ${name}`)
  most = 0
  const ids = []
  for (const name of names) ids.push(await addJob(app, one, 'wait', { gate: name }))
  const late = await addJob(app, other, 'wait', { gate: 'two other' })
  await Promise.all([gate(`${names[0]} began`).promise, gate(`${names[1]} began`).promise])
  gate(names[0] ?? '').resolve()
  await gate('two other began').promise
  expect((await storedJob(app, ids[2] ?? 0))['status']).toBe('waiting')
  for (const name of [...names, 'two other']) gate(name).resolve()
  await Promise.all([...ids.map((id) => jobOver(one, id)), jobOver(other, late)])
  expect(most).toBe(2)
})

test('one person cannot fill the queue', async () => {
  const [busy, names] = [await app.staff([]), Array.from({ length: MAX_OPEN }, (_, index) => `full ${index}`)]
  const ids = []
  for (const name of names) ids.push(await addJob(app, busy, 'wait', { gate: name }))
  await expect(addJob(app, busy, 'echo')).rejects.toMatchObject({ status: 429, message: `您还有 ${MAX_OPEN} 个任务没有完成，请稍后再试` })
  for (const name of names) gate(name).resolve()
  await Promise.all(ids.map((id) => jobOver(busy, id)))
})

test('a waiting job is cancelled at once, a running one stops, a finished one cannot be', async () => {
  const path = (id: number) => `/daoyuan/api/end/jobs/${id}/cancel`
  const held = [await addJob(app, one, 'wait', { gate: 'cancel a' }), await addJob(app, one, 'wait', { gate: 'cancel b' })]
  await Promise.all([gate('cancel a began').promise, gate('cancel b began').promise])
  const waiting = await addJob(app, one, 'echo')
  expect((await one.post(path(waiting))).body).toMatchObject({ status: 'cancelled', can: ['retry'] })
  for (const id of held) expect((await one.post(path(id))).status).toBe(200)
  for (const id of held) expect(await jobOver(one, id)).toMatchObject({ status: 'cancelled', error: null, result: null })
  expect(await one.post(path(waiting))).toMatchObject({ status: 409, body: { detail: '当前状态为「已取消」，不能取消' } })
})

test('what a cancelled job wrote in its last transaction is rolled back', async (context) => {
  if (app.db.kind === 'embedded') return context.skip('the embedded database answers no other call inside a transaction')
  const id = await addJob(app, one, 'write', { gate: 'write' })
  await gate('write began').promise
  // The row is not locked yet, so the wish arrives before the end.
  await one.post(`/daoyuan/api/end/jobs/${id}/cancel`)
  gate('write').resolve()
  expect((await jobOver(one, id)).status).toBe('cancelled')
  expect(await app.db.query(sql`select 1 from installation where key = 'write'`)).toEqual([])
})

test('a failure is one sentence, and the job can be tried again', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => errors.mockRestore())
  const told = await jobOver(one, await addJob(app, one, 'fail', { sentence: '文件已被删除' }))
  expect(told).toMatchObject({ status: 'failed', error: '文件已被删除', can: ['retry'] })
  const id = await addJob(app, one, 'fail')
  expect((await jobOver(one, id)).error).toBe(`任务执行出错（任务编号 ${id}），请重试；仍不成功请联系管理员`)
  await app.db.query(sql`update job set kind = 'echo', input = '{"text":"again"}' where id = ${id}`)
  expect((await one.post(`/daoyuan/api/end/jobs/${id}/retry`)).status).toBe(200)
  expect(await jobOver(one, id)).toMatchObject({ status: 'done', result: { text: 'again' }, error: null })
  expect((await one.post(`/daoyuan/api/end/jobs/${id}/retry`)).status).toBe(409)
})

test('a kind that no release knows any more fails with a sentence', async () => {
  const id = await addJob(app, one, 'echo', { text: '' })
  await jobOver(one, id)
  await app.db.query(sql`update job set kind = 'forgotten', status = 'failed' where id = ${id}`)
  await one.post(`/daoyuan/api/end/jobs/${id}/retry`)
  expect(await jobOver(one, id)).toMatchObject({ status: 'failed', error: '没有这种任务，请重新发起' })
})

test('withdrawn rights stop a job, before it starts and while it runs', async () => {
  const person = await app.staff([GRANT])
  const id = await addJob(app, person, 'guarded', { gate: 'rights' })
  await gate('rights began').promise
  await app.grant(person.staffId, [])
  expect((await jobOver(person, id))).toMatchObject({ status: 'failed', error: expect.stringMatching(/^没有「.+」权限/) })
  await app.db.query(sql`update job set status = 'failed' where id = ${id}`)
  await person.post(`/daoyuan/api/end/jobs/${id}/retry`)
  expect((await jobOver(person, id)).error).toMatch(/^没有「.+」权限/)
  await app.grant(person.staffId, [GRANT])
  gate('rights').resolve()
  await person.post(`/daoyuan/api/end/jobs/${id}/retry`)
  expect(await jobOver(person, id)).toMatchObject({ status: 'done', result: { role: 'operator' } })
})

/** A second set of workers beside the app's own, as another process has it. */
async function openWorkers(): Promise<Jobs> {
  const { db, live, sessions } = app.kernel
  const jobs = new Jobs({ db, live, sessions, grantTitle: String })
  jobs.define(kinds)
  return jobs
}

test('a process that stops leaves its jobs to the next, which goes on where it stopped', async () => {
  await app.kernel.jobs.stop()
  const first = await openWorkers()
  await first.start()
  const id = await addJob(app, one, 'count', { gate: 'count' })
  await gate('count began').promise
  await first.stop()
  expect(await storedJob(app, id)).toMatchObject({ status: 'waiting', attempts: 0, saved: { count: 5 } })
  gate('count').resolve()
  await app.kernel.jobs.start()
  expect(await jobOver(one, id)).toMatchObject({ status: 'done', result: { from: 5, count: 10 } })
})

test('what a killed process left running is taken up at the next start, three times at most', async () => {
  await app.kernel.jobs.stop()
  const left = async (attempts: number, cancelled = false) => {
    const id = await addJob(app, one, 'echo', { text: 'left' })
    await app.db.query(sql`update job set status = 'running', runner = 'dead', attempts = ${attempts}, cancel_asked = ${cancelled}, beat_at = now() - interval '1 minute' where id = ${id}`)
    return id
  }
  const [again, given, unwanted] = [await left(1), await left(3), await left(1, true)]
  await app.kernel.jobs.start()
  expect(await jobOver(one, again)).toMatchObject({ status: 'done', result: { text: 'left' } })
  expect(await jobOver(one, given)).toMatchObject({ status: 'failed', error: '任务多次中断，已停止重试，请联系管理员' })
  expect((await jobOver(one, unwanted)).status).toBe('cancelled')
})

test('sweeping is done once an hour, by one process, and a failure does not stop the rest', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => errors.mockRestore())
  const swept: string[] = []
  const sweeps = ['a', 'b', 'c'].map((name) => ({ name, run: async () => {
    swept.push(name)
    if (name === 'b') throw new Error('b')
  } }))
  const turns = await Promise.all([1, 2, 3].map(() => sweepWhenDue(app.db, sweeps)))
  expect(turns.filter(Boolean)).toHaveLength(1)
  expect(swept).toEqual(['a', 'b', 'c'])
  await app.db.query(sql`update installation set value = to_jsonb(extract(epoch from now()) - 3601) where key = 'swept'`)
  expect(await sweepWhenDue(app.db, sweeps)).toBe(true)
  expect(await sweepWhenDue(app.db, sweeps)).toBe(false)
})

test('a sweep says how often it runs; each interval has its own turn', async () => {
  const swept: string[] = []
  const sweeps = ([['hourly', undefined], ['each minute', 60], ['a day', 86_400]] as const).map(([name, every]) => ({ name, ...(every && { every }), run: async () => void swept.push(name) }))
  expect(intervalsOf([...sweeps, { name: 'local', everywhere: true, run: async () => {} }])).toEqual([SWEEP_EVERY, 60, 86_400])
  for (let i = 0; i < 2; i++) expect(await sweepWhenDue(app.db, sweeps, 60)).toBe(i === 0)
  expect(swept).toEqual(['each minute'])
  await app.db.query(sql`update installation set value = to_jsonb(extract(epoch from now()) - 59.5) where key = 'swept_60'`)
  expect(await sweepWhenDue(app.db, sweeps, 60), 'a timer that fires a moment early misses no turn').toBe(true)
  expect(await sweepWhenDue(app.db, sweeps, 86_400)).toBe(true)
  expect(swept).toEqual(['each minute', 'each minute', 'a day'])
})

test('old requests and old finished jobs go, the rest stays', async () => {
  const [old, young] = [await addJob(app, one, 'echo', { text: 'old' }), await addJob(app, one, 'echo', { text: 'young' })]
  await Promise.all([jobOver(one, old), jobOver(one, young)])
  await app.db.query(sql`update job set finished_at = now() - make_interval(days => ${JOB_DAYS}, hours => 1) where id = ${old}`)
  await app.db.query(sql`insert into request_once (key, fingerprint, at) values ('old', 'x', now() - interval '25 hours'), ('young', 'x', now() - interval '23 hours')`)
  for (const { run } of ownSweeps(app.db)) await run()
  expect(await app.db.query(sql`select key from request_once where key in ('old', 'young')`)).toEqual([{ key: 'young' }])
  expect(await app.db.query(sql`select id from job where id in (${old}, ${young})`)).toEqual([{ id: young }])
})
