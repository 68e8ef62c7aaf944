import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openTestApp, type Answer, type Caller } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import type { WireRow } from './endpoints.ts'
import { isEmpty } from '../field/check.ts'
import { writableKeys } from './rules.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

/** A resource that can be created and has a plain text to write: which one does not matter, all are served alike. */
const found = [...app.kernel.registry.values()].map(({ resource }) => resource).flatMap((resource) => {
  const key = writableKeys(resource).find((candidate) => {
    const field = resource.fields[candidate]
    return (field?.kind === 'long_text' || field?.kind === 'text') && !field.required && !field.unique && !field.createOnly && field.max >= 60
  })
  return key && resource.actions.create && resource.actions.update && resource.actions.remove ? [{ resource, key }] : []
})[0]
if (!found) throw new Error('no resource to write to')
const { resource, key } = found
const callers: Caller[] = [samples.caller(resource), await app.staff(app.servedGrants), await app.staff(app.servedGrants)]

/** What a writer does: reads the record, or writes what it read with a mark of its own added. */
interface Step {
  writer: number
  does: 'read' | 'write'
}

const interleaving = fc.integer({ min: 2, max: 3 }).chain((writers) => fc.tuple(
  // Steps of one group run at the same time.
  fc.array(fc.array(fc.record<Step>({ writer: fc.nat(writers - 1), does: fc.constantFrom('read', 'write', 'write') }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
))

test('over 1,000 random interleavings no write is lost: who started from an older state gets 409', async () => {
  const row = await samples.create(resource, { [key]: null })
  const path = `${resource.api.item}/${row.id}`
  let mark = 0
  let written = 0
  let refused = 0
  await fc.assert(fc.asyncProperty(interleaving, async ([groups]) => {
    const start = await app.db.query<WireRow>(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(key)} = '', rev = rev + 1 where id = ${row.id} returning *`)
    const rev = start[0]?.rev ?? 0
    const seen = new Map<number, { rev: number; text: string }>(callers.map((_caller, writer) => [writer, { rev, text: '' }]))
    const accepted: string[] = []
    const run = async ({ writer, does }: Step): Promise<void> => {
      const caller = callers[writer]
      const known = seen.get(writer)
      if (!caller || !known) throw new Error(`no writer ${writer}`)
      if (does === 'read') {
        const { body } = await caller.get<WireRow>(path)
        seen.set(writer, { rev: body.rev, text: String(body[key] ?? '') })
        return
      }
      const own = `,${(mark++).toString(36)}`
      const answer = await caller.put<WireRow>(path, { [key]: known.text + own, rev: known.rev })
      if (answer.status === 200) {
        accepted.push(own)
        seen.set(writer, { rev: answer.body.rev, text: String(answer.body[key]) })
        return
      }
      expectRefusal(answer, 409)
      refused++
      const current = answer.body['current'] as WireRow
      expect(current.rev).toBeGreaterThan(known.rev)
    }
    for (const group of groups) await Promise.all(group.map(run))
    const [end] = await app.db.query<WireRow>(sql`select * from ${sql.identifier(resource.table)} where id = ${row.id}`)
    written += accepted.length
    expect(end?.rev, 'each accepted write counts once').toBe(rev + accepted.length)
    const text = String(end?.[key] ?? '')
    // Each write stands on the one before it: nothing that was acknowledged is missing, in whatever order they came.
    expect(text.split(',').filter(Boolean).length).toBe(accepted.length)
    for (const own of accepted) expect(text).toContain(own)
  }), { numRuns: 1000 })
  expect(written).toBeGreaterThan(1000)
  expect(refused, 'no interleaving collided').toBeGreaterThan(300)
})

test('of a change, a removal and another change from one state only one happens', async () => {
  for (let i = 0; i < 20; i++) {
    const { id, rev } = await samples.create(resource)
    const path = `${resource.api.item}/${id}`
    const [first, second] = [callers[0], callers[1]]
    if (!first || !second) throw new Error('no writers')
    const answers: Answer[] = await Promise.all([
      first.put(path, { [key]: '甲', rev }), second.delete(path, { rev }), second.put(path, { [key]: '乙', rev }),
    ])
    expect(answers.filter((answer) => answer.status === 200).length).toBe(1)
    for (const answer of answers.filter((one) => one.status !== 200)) expectRefusal(answer, [404, 409])
  }
})

const countOf = async () => (await samples.living(resource)).length

test('fifty equal requests under one key make one record, and all get the same answer', async () => {
  const input = await samples.input(resource)
  const before = await countOf()
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(Array.from({ length: 50 }, () => callers[0]?.post<WireRow>(resource.api.item, input, headers)))
  for (const answer of answers) {
    if (!answer) throw new Error('no answer')
    expectSuccess(answer)
    expect(answer.body).toEqual(answers[0]?.body)
  }
  expect(await countOf()).toBe(before + 1)
  const late = await callers[0]?.post(resource.api.item, input, headers)
  expect(late?.body, 'and the next day').toEqual(answers[0]?.body)
  expect(await countOf()).toBe(before + 1)
})

test('a key that stood for something else is refused, another person’s key is their own', async () => {
  const key1 = { 'idempotency-key': randomUUID() }
  const input = await samples.input(resource)
  const [first, second] = [callers[0], callers[1]]
  if (!first || !second) throw new Error('no callers')
  const made = await first.post<WireRow>(resource.api.item, input, key1)
  expectSuccess(made)
  const before = await countOf()
  expectRefusal(await first.post(resource.api.item, await samples.input(resource), key1), 400)
  expectRefusal(await first.put(`${resource.api.item}/${made.body.id}`, input, key1), 400)
  expect(await countOf()).toBe(before)
  const others = await second.post<WireRow>(resource.api.item, await samples.input(resource), key1)
  expectSuccess(others)
  expect(others.body.id).not.toBe(made.body.id)
})

test('a request that was refused can be sent again under its key', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const input = await samples.input(resource)
  const required = Object.keys(input).find((candidate) => resource.fields[candidate]?.required && isEmpty(resource.fields[candidate]?.initial)) ?? ''
  const [caller] = callers
  if (!caller) throw new Error('no caller')
  expectRefusal(await caller.post(resource.api.item, { ...input, [required]: '' }, headers), 400)
  expectSuccess(await caller.post(resource.api.item, input, headers))
})

test('a removal that is sent twice under one key is answered twice', async () => {
  const { id } = await samples.create(resource)
  const headers = { 'idempotency-key': randomUUID() }
  const remove = () => callers[0]?.call('DELETE', `${resource.api.item}/${id}`, {}, headers)
  const [one, two] = await Promise.all([remove(), remove()])
  expect([one?.status, two?.status]).toEqual([200, 200])
})
