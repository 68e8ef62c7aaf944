import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { referrersOf } from './calls.server.ts'
import { offeredWithin } from './options.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const { registry } = app.kernel
const first = firstOfShape(registry.values())
const resources = [...registry.values()].map(({ resource }) => resource).filter(({ name }) => first.has(name))
afterAll(() => app.close())

/** What narrows a list and has no business in a picker. */
const LIST_ONLY = ['deleted', 'sort', 'page', 'page_size', 'cursor', 'created_by', 'start_time', 'nonsense']

describe.each(resources.map((resource) => [resource.name, resource] as const))('the picker of %s', (_name, resource) => {
  const keysOf = (key: string) => (resource.fields[key]?.filter === 'range' ? [`${key}_start`, `${key}_end`] : [key])

  test('answers no question that a list answers', async () => {
    const caller = samples.caller(resource)
    const within = offeredWithin(registry, resource, caller.staffId === 0 ? new Set() : new Set(app.servedGrants))
    for (const key of [...LIST_ONLY, ...resource.list.filters.flatMap(keysOf)].filter((one) => !within.has(one))) {
      const answer = await caller.get(resource.optionsPath, { [key]: '1' })
      expectRefusal(answer, 400, key)
      expect(answer.body['detail'], key).toMatch(/^选择框不支持/)
    }
    expectSuccess(await caller.get(resource.optionsPath, { keyword: '甲' }))
    expectSuccess(await caller.get(resource.optionsPath, { ids: ['1', '2'] }))
    for (const key of within) expectSuccess(await caller.get(resource.optionsPath, { [key]: '1' }), key)
  })

  test('is narrowed by a form of another screen only for those who hold that screen', async () => {
    const [referrer] = referrersOf(registry, resource.name).filter((grant) => grant !== resource.grant)
    if (referrer === undefined) return
    const caller = await app.staff([referrer])
    const mine = offeredWithin(registry, resource, new Set([referrer]))
    const everybody = offeredWithin(registry, resource, new Set(app.servedGrants))
    for (const key of everybody) {
      const answer = await caller.get(resource.optionsPath, { [key]: '1' })
      if (mine.has(key)) expectSuccess(answer, key)
      else expectRefusal(answer, 400, key)
    }
  })

  test('offers what new records may name, when asked', async () => {
    const { offered } = resource.pick
    if (!offered) return expectRefusal(await samples.caller(resource).get(resource.optionsPath, { offered: '1' }), 400)
    await samples.insert(resource, 6)
    const { body } = await samples.caller(resource).get<{ items: { id: number }[] }>(resource.optionsPath, { offered: '1' })
    const fitting = (await samples.living(resource)).filter((row) => Object.entries(offered).every(([key, value]) => row[key] === value))
    expect(body.items.map(({ id }) => id)).toEqual(fitting.map(({ id }) => id).toSorted((a, b) => b - a).slice(0, 50))
  })
})
