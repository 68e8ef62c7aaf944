import { afterAll, describe, expect, test } from 'vitest'
import { statementCount } from '../database/database.server.ts'
import { openTestApp } from '../testing/app.server.ts'
import { expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { groupKeys, hasMoments } from './groups.ts'
import { forgetCounts } from './list.server.ts'

/** Statements that one list may run, and one record with everything around it. */
const LIST_BUDGET = 8
const DETAIL_BUDGET = 20

const app = await openTestApp()
// Work in the background runs statements of its own.
await app.kernel.jobs.stop()
const samples = await openSamples(app)
const first = firstOfShape(app.kernel.registry.values())
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource).filter(({ name }) => first.has(name))
afterAll(() => app.close())

/** Statements that a call runs; the fewest of three, because others may run some of their own meanwhile. */
async function cost(call: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let i = 0; i < 3; i++) {
    const before = statementCount()
    await call()
    counts.push(statementCount() - before)
  }
  return Math.min(...counts)
}

describe.each(resources.map((resource) => [resource.name, resource] as const))('statements for %s', (_name, resource) => {
  const caller = samples.caller(resource)
  const { list, item, reply } = resource.api

  test('a list of fifty costs what a list of five costs', async () => {
    const rows = await samples.insert(resource, 50)
    const fetch = (query: Record<string, unknown>) => cost(async () => {
      forgetCounts(resource.table)
      const answer = await caller.get(list, query)
      expectSuccess(answer)
      expect((answer.body[reply.items] as unknown[]).length).toBe(query['page_size'])
    })
    await fetch({ page_size: 50 })
    const [few, many] = [await fetch({ page_size: 5 }), await fetch({ page_size: 50 })]
    expect(few).toBeGreaterThan(0)
    // A page that holds all there is needs no count.
    expect(many).toBeLessThanOrEqual(few)
    expect(few).toBeLessThanOrEqual(LIST_BUDGET)
    const pick = (count: number) => cost(() => caller.get(resource.optionsPath, { ids: rows.slice(0, count).map((row) => row.id) }))
    expect(await pick(50)).toBe(await pick(5))
    expect(await cost(() => caller.get(`${list}/summary`))).toBeLessThanOrEqual(LIST_BUDGET)
    // However many groups there are, one statement counts them and brings their names.
    for (const key of groupKeys(resource)) expect(await cost(() => caller.get(`${list}/groups`, { group_by: key, ...(hasMoments(resource, key) && { group_unit: 'month' }) })), key).toBe(1)
  })

  test('one record and its history stay within their budget', async () => {
    const { id } = await samples.create(resource)
    expect(await cost(async () => expectSuccess(await caller.get(`${item}/${id}`)))).toBeLessThanOrEqual(DETAIL_BUDGET)
    const history = () => cost(async () => expectSuccess(await caller.get(`${item}/${id}/history`)))
    const short = await history()
    expect(short).toBeLessThanOrEqual(DETAIL_BUDGET)
    if (!resource.actions.update || !resource.audit) return
    const free = Object.keys(await samples.input(resource)).filter((candidate) => !resource.fields[candidate]?.createOnly && !('within' in (resource.fields[candidate] ?? {})))
    // Words, where there are any: moments and numbers may have to fit each other.
    const key = free.find((candidate) => ['text', 'long_text'].includes(resource.fields[candidate]?.kind ?? '')) ?? free[0] ?? ''
    for (let i = 0; i < 6; i++) expectSuccess(await caller.put(`${item}/${id}`, { [key]: (await samples.input(resource))[key] }))
    // Work of others may have been counted the first time.
    expect(await history()).toBeLessThanOrEqual(short)
  })
})
