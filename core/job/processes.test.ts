import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../database/postgres.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { defineJob } from './define.server.ts'
import { recoverJobs, STALE_SECONDS } from './queue.server.ts'
import { addJob, jobOver, storedJob } from '../testing/jobs.server.ts'

let one: TestApp
let two: TestApp | undefined
let caller: Caller
/** Which process ran which job, in order. */
const ran: { process: string; name: string }[] = []
const releases = new Map<string, () => void>()

const kind = (process: string) => defineJob<{ name: string; hold?: boolean }>({
  kind: 'shared', grants: () => [],
  async run({ input, signal }) {
    ran.push({ process, name: input.name })
    if (input.hold) {
      await new Promise<void>((resolve, reject) => {
        releases.set(input.name, resolve)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    }
    return { process }
  },
})

beforeAll(async () => {
  one = await openTestApp()
  one.kernel.jobs.define([kind('one')])
  caller = await one.staff([])
  if (!one.db.url) return
  const db = await openPostgres(one.db.url)
  two = await openTestApp({}, { ...db, url: one.db.url })
  two.kernel.jobs.define([kind('two')])
})
afterAll(async () => {
  await two?.close()
  await one.close()
})

const EMBEDDED = 'the embedded database belongs to one process'
const began = async (name: string) => {
  while (!releases.has(name)) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('two processes share the work, and each job is run by one of them', async (context) => {
  if (!two) return context.skip(EMBEDDED)
  const names = Array.from({ length: 12 }, (_, index) => `share ${index}`)
  const ids = []
  for (const name of names) ids.push(await addJob(one, caller, 'shared', { name, hold: true }))
  for (const name of names) {
    await began(name)
    releases.get(name)?.()
  }
  await Promise.all(ids.map((id) => jobOver(caller, id)))
  const shared = ran.filter((run) => run.name.startsWith('share'))
  expect(shared.map((run) => run.name).sort()).toEqual(names.toSorted())
  expect(new Set(shared.map((run) => run.process))).toEqual(new Set(['one', 'two']))
})

test('a job is cancelled through whichever process the call reaches', async (context) => {
  if (!two) return context.skip(EMBEDDED)
  await one.kernel.jobs.stop()
  const id = await addJob(one, caller, 'shared', { name: 'cancel', hold: true })
  await began('cancel')
  expect(ran.find((run) => run.name === 'cancel')?.process).toBe('two')
  await caller.post(`/daoyuan/api/end/jobs/${id}/cancel`)
  expect((await jobOver(caller, id)).status).toBe('cancelled')
  await one.kernel.jobs.start()
})

test('a job whose process went silent is taken over, and what the first still does counts for nothing', async (context) => {
  if (!two) return context.skip(EMBEDDED)
  await one.kernel.jobs.stop()
  const id = await addJob(one, caller, 'shared', { name: 'silent', hold: true })
  await began('silent')
  const first = releases.get('silent')
  releases.delete('silent')
  // In one transaction, because the first process is alive and says so every two seconds.
  await one.db.transaction({ staff_id: null }, async (tx) => {
    await tx.query(sql`update job set beat_at = now() - make_interval(secs => ${STALE_SECONDS + 1}) where id = ${id}`)
    expect(await recoverJobs(tx, false)).toMatchObject([{ id, status: 'waiting' }])
  })
  await one.kernel.jobs.start()
  await began('silent')
  expect(await storedJob(one, id)).toMatchObject({ status: 'running', attempts: 2 })
  first?.()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await storedJob(one, id))['status']).toBe('running')
  releases.get('silent')?.()
  expect((await jobOver(caller, id)).status).toBe('done')
})
