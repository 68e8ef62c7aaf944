import { sql, type SQL } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { ScopeKind } from '../grant/grant.ts'
import { openTestApp, type Answer, type Caller } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { filterCases } from '../testing/list-model.ts'
import { NAMEABLE } from '../testing/removable.ts'
import { openSamples, SAMPLE_MOBILE } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { when } from '../testing/when.ts'
import { NO_ID } from '../testing/wrong.ts'
import type { Resource } from './define.ts'
import type { Change, WireRow } from './endpoints.ts'
import { groupKeys, hasMoments, type Groups } from './groups.ts'
import { forgetCounts, type Row } from './list.server.ts'
import { writableKeys } from './rules.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
// What samples refer to is made while everything is there: in a test the records of a scope go away for a while.
for (const resource of resources) if (resource.actions.create) await samples.input(resource)
afterAll(() => app.close())

// A scope that the resource itself fixes is no place among others: all of its records lie in it.
const scoped = resources.flatMap((resource) => (Object.entries(resource.scope) as [ScopeKind, string][]).filter(([, path]) => !(path in resource.where)).map(([kind, path]) => [resource.name, kind, path, resource] as const))

test('there are limited resources to look at', () => {
  expect(scoped.length).toBeGreaterThan(3)
})

/** Records of one scope, and the values that put a record there. */
interface ScopedSample {
  scopeId: number
  given: Record<string, unknown>
  rows: Row[]
}

async function insert(resource: Resource, given: Record<string, unknown>): Promise<number> {
  const writable = writableKeys(resource)
  if (resource.actions.create && Object.keys(given).every((key) => writable.includes(key))) return (await samples.create(resource, given)).id
  // Others may name it.
  const [row] = await samples.insert(resource, 1, { ...resource.pick.offered, ...given })
  return row?.id ?? 0
}

const hidden: { table: string; ids: number[] }[] = []

/** Records that come with the product, or were made for others, stand in the same scopes: they go away for a while. */
async function hide(resource: Resource, which: SQL): Promise<void> {
  const rows = await app.db.query<{ id: number }>(sql`update ${sql.identifier(resource.table)} set deleted_at = now() where deleted_at is null and ${which} returning id`)
  hidden.push({ table: resource.table, ids: rows.map((row) => row.id) })
}

async function showHidden(): Promise<void> {
  for (const { table, ids } of hidden.splice(0)) await app.db.query(sql`update ${sql.identifier(table)} set deleted_at = null where id = any(${sql.param(ids)}::bigint[])`)
}

interface Place {
  scopeId: number
  given: Record<string, unknown>
  /** Values of a further record there: where only one may name what the path leads through, it names another. */
  more(): Promise<Record<string, unknown>>
}

/** Values that put a record of `resource` into a scope of its own, with every record that the path leads through. */
async function makeGiven(resource: Resource, path: string, nth: number): Promise<Place> {
  const [key = '', ...behind] = path.split('.')
  const field = resource.fields[key]
  if (field?.kind === 'choice') {
    const scopeId = Number(field.choices[nth]?.value)
    return { scopeId, given: { [key]: scopeId }, more: () => Promise.resolve({ [key]: scopeId }) }
  }
  const target = field?.kind === 'reference' ? resources.find(({ name }) => name === field.target().name) : undefined
  if (field?.kind !== 'reference' || !target) throw new Error(`${resource.name}: no sample for scope ${path}`)
  // What the resource fixes narrows what may be named.
  const fixed = Object.fromEntries(Object.entries(field.within).flatMap(([own, other]) => (own in resource.where ? [[other, resource.where[own]]] : [])))
  const inner = behind.length > 0 ? await makeGiven(target, behind.join('.'), nth) : undefined
  const id = await insert(target, { ...fixed, ...inner?.given })
  for (const [column, value] of Object.entries(NAMEABLE[target.name] ?? {})) await app.db.query(sql`update ${sql.identifier(target.table)} set ${sql.identifier(column)} = ${value} where id = ${id}`)
  return { scopeId: inner?.scopeId ?? id, given: { [key]: id }, more: async () => ({ [key]: field.unique && inner ? await insert(target, { ...fixed, ...await inner.more() }) : id }) }
}

/** Which records lie in the `nth` value of a fixed list at the end of the path, as others may have before; undefined where it ends at a record, made for the scope alone. */
function inFixedPlace(resource: Resource, path: string, nth: number): SQL | undefined {
  const [key = '', ...behind] = path.split('.')
  const field = resource.fields[key]
  if (field?.kind === 'choice') return sql`${sql.identifier(key)} = ${Number(field.choices[nth]?.value)}`
  const target = field?.kind === 'reference' && behind.length > 0 ? resources.find(({ name }) => name === field.target().name) : undefined
  const inner = target && inFixedPlace(target, behind.join('.'), nth)
  return target && inner && sql`${sql.identifier(key)} in (select id from ${sql.identifier(target.table)} where ${inner})`
}

/** Two records that lie in a scope of their own. `nth` tells scopes of a fixed table apart. */
async function makePlace(resource: Resource, path: string, nth: number): Promise<ScopedSample> {
  const read = async (ids: number[]) => (await samples.living(resource)).filter((row) => ids.includes(row.id))
  if (path === 'id') {
    const id = await insert(resource, {})
    return { scopeId: id, given: {}, rows: await read([id]) }
  }
  const taken = inFixedPlace(resource, path, nth)
  if (taken) await hide(resource, taken)
  const { scopeId, given, more } = await makeGiven(resource, path, nth)
  return { scopeId, given, rows: await read([await insert(resource, given), await insert(resource, await more())]) }
}

const shownIn = (answer: Answer, resource: Resource) => (answer.body[resource.api.reply.items] as WireRow[]).map((row) => row.id).sort()

describe.each(scoped)('%s limited by %s (%s)', (_name, kind, path, resource) => {
  const { api, actions } = resource
  let mine: ScopedSample
  let theirs: ScopedSample
  let caller: Caller
  const all = samples.caller(resource)
  const whole = when(first.has(resource.name))
  const ready = async () => {
    if (caller) return
    mine = await makePlace(resource, path, 0)
    theirs = await makePlace(resource, path, 1)
    caller = await app.staff(app.servedGrants, { scopes: { [kind]: [mine.scopeId] } })
    forgetCounts(resource.table)
  }
  afterAll(showHidden)
  const item = (id: number | undefined, action = '') => `${api.item}/${id}${action && `/${action}`}`
  /** The answer for a foreign record must be that for one that does not exist. */
  const expectUnknown = async (call: (id: number) => Promise<Answer>, context: string, status: number | readonly number[] = 404) => {
    const [foreign, none] = [await call(theirs.rows[0]?.id ?? 0), await call(NO_ID)]
    expectRefusal(foreign, status, context)
    expect({ status: foreign.status, body: foreign.body }, context).toEqual({ status: none.status, body: none.body })
  }

  test('lists, counts, sums and pickers know of nothing else', async () => {
    await ready()
    const own = mine.rows.map((row) => row.id).sort()
    const foreign = theirs.rows.map((row) => row.id)
    await all.get(api.list)
    const listed = await caller.get(api.list, { page_size: 200 })
    expectSuccess(listed)
    expect(shownIn(listed, resource)).toEqual(own)
    expect(listed.body[api.reply.total]).toBe(own.length)
    const named = await caller.get(api.list, { ids: [...own, ...foreign] })
    expect(shownIn(named, resource)).toEqual(own)
    expect(named.body[api.reply.total]).toBe(own.length)
    for (const key of groupKeys(resource)) {
      const { body } = await caller.get<Groups>(`${api.list}/groups`, { group_by: key, ...(hasMoments(resource, key) && { group_unit: 'day' }) })
      expect([body.total, body.groups.reduce((sum, { count }) => sum + count, 0)], key).toEqual([own.length, own.length])
    }
    for (const row of theirs.rows) {
      for (const query of [{ keyword: row[resource.title] }, ...resource.list.filters.flatMap((key) => filterCases(resource, key, [row]).map((one) => one.query))]) {
        const answer = await caller.get(api.list, { page_size: 200, ...query })
        expectSuccess(answer, JSON.stringify(query))
        expect(shownIn(answer, resource).filter((id) => foreign.includes(id)), JSON.stringify(query)).toEqual([])
        expect(answer.body[api.reply.total], JSON.stringify(query)).toBe(shownIn(answer, resource).length)
      }
    }
    const cursor = (await all.get(api.list, { page_size: 1, sort: '-id' })).body['next']
    if (cursor) expect(shownIn(await caller.get(api.list, { cursor, sort: '-id', page_size: 200 }), resource).filter((id) => foreign.includes(id))).toEqual([])
    const { body } = await caller.get<Record<string, number>>(`${api.list}/summary`)
    expect(body).toEqual(Object.fromEntries(resource.list.summary.map((key) => [key, mine.rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0)])))
    for (const query of [{}, { ids: [...own, ...foreign] }, { keyword: String(theirs.rows[0]?.[resource.title]) }]) {
      const { items } = (await caller.get<{ items: { id: number }[] }>(resource.optionsPath, query)).body
      expect(items.filter(({ id }) => !own.includes(id)), JSON.stringify(query)).toEqual([])
    }
  })

  test('a foreign record is as unknown as one that does not exist', async () => {
    await ready()
    await expectUnknown((id) => caller.get(item(id)), 'read')
    await expectUnknown((id) => caller.get(item(id, 'history')), 'history')
    if (actions.update) {
      await expectUnknown((id) => caller.put(item(id), { rev: -1 }), 'update')
      const { body } = await all.get<{ items: Change[] }>(item(theirs.rows[0]?.id, 'history'))
      const change_id = body.items[0]?.id ?? 1
      await expectUnknown((id) => caller.post(item(id, 'revert'), { change_id }), 'revert')
      expectRefusal(await caller.post(item(mine.rows[0]?.id, 'revert'), { change_id }), 404, 'a foreign change of an own record')
    }
    if (actions.remove) {
      await expectUnknown((id) => caller.delete(item(id)), 'delete')
      await expectUnknown((id) => caller.delete(item(id), { rev: -1 }), 'delete from an older state')
    }
    for (const [field] of Object.entries(resource.fields).filter(([, { kind: other }]) => other === 'mobile')) {
      await expectUnknown((id) => caller.post(item(id, 'reveal'), { field }), 'reveal')
    }
    for (const { name } of resource.transitions) {
      await expectUnknown((id) => caller.post(item(id, name), { reason: '测试原因' }), name)
    }
    expect((await samples.living(resource)).filter((row) => theirs.rows.some(({ id }) => id === row.id)), 'nothing changed').toEqual(theirs.rows)
    expectSuccess(await caller.get(item(mine.rows[0]?.id)), 'an own record')
  })

  test('nor does any other call by its id say more', async () => {
    await ready()
    const known = new Set(['', '/history', '/revert', '/restore', '/reveal', ...resource.transitions.map(({ name }) => `/${name}`)].map((rest) => `${api.item}/{id}${rest}`))
    for (const { endpoint } of app.served.filter((one) => one.endpoint.path.startsWith(`${api.item}/{id}`) && !known.has(one.endpoint.path))) {
      const other = mine.rows.at(-1)?.id
      // A call that looks for something is told what.
      const asked = endpoint.input?.safeParse({}).success === false ? { words: '测试' } : {}
      const body = endpoint.method === 'GET' ? asked : { reason: '测试原因', into_id: other, to_id: other, rev: 1 }
      await expectUnknown((id) => caller.call(endpoint.method, endpoint.path.replace('{id}', String(id)), body), `${endpoint.method} ${endpoint.path}`, endpoint.method === 'GET' ? 404 : [400, 404])
    }
  })

  whole('nothing is put where the person could not see it', async () => {
    await ready()
    const count = async () => (await samples.living(resource)).length
    const before = await count()
    const [key = ''] = path.split('.')
    // What follows from another reference is refused with that reference, which the next test looks at.
    if (actions.create && (key === 'id' || writableKeys(resource).includes(key))) {
      const answer = await caller.post(api.item, await samples.input(resource, key === 'id' ? {} : theirs.given))
      expectRefusal(answer, [400, 403])
      expect(await count()).toBe(before)
    }
    if (!actions.update || !writableKeys(resource).includes(key) || resource.fields[key]?.createOnly) return
    const cleared = Object.fromEntries(Object.entries(resource.fields).flatMap(([other, field]) => ('within' in field && key in field.within ? [[other, null]] : [])))
    expectRefusal(await caller.put(item(mine.rows[0]?.id), { ...cleared, ...theirs.given }), [400, 403])
    expect((await samples.living(resource)).find(({ id }) => id === mine.rows[0]?.id)).toEqual(mine.rows[0])
  })

  whole('no record of another kind can refer to a foreign one', async () => {
    await ready()
    for (const other of resources.filter((candidate) => candidate.actions.create)) {
      for (const key of writableKeys(other)) {
        const field = other.fields[key]
        if (!field || !('target' in field) || field.target().name !== resource.name) continue
        const wordsFor = async (id: number | undefined): Promise<string | undefined> => {
          const answer = await caller.post(other.api.item, { ...await samples.input(other), [key]: field.kind === 'reference_list' ? [id] : id })
          expectRefusal(answer, 400, `${other.name}.${key}`)
          return (answer.body['fields'] as Record<string, string>)[key]
        }
        const words = await wordsFor(theirs.rows[0]?.id)
        expect(words, `${other.name}.${key}`).toBeDefined()
        expect(words).toBe(await wordsFor(NO_ID))
      }
    }
  })

  whole('a value that a foreign record holds is refused without a word about the record', async () => {
    await ready()
    const taken = Object.keys(resource.fields).filter((key) => resource.fields[key]?.unique && writableKeys(resource).includes(key))
    if (!actions.create || taken.length === 0) return
    for (const key of taken) {
      const answer = await caller.post(api.item, { ...await samples.input(resource, mine.given), [key]: theirs.rows[0]?.[key] })
      expectRefusal(answer, [400, 403, 409], key)
      expect(Object.keys(answer.body).filter((part) => !['detail', 'fields'].includes(part))).toEqual([])
      expect(JSON.stringify(answer.body)).not.toMatch(SAMPLE_MOBILE)
    }
  })

  whole('the recycle bin is limited too', async () => {
    await ready()
    if (!actions.remove) return
    const foreign = theirs.rows[0]?.id ?? 0
    await app.db.query(sql`update ${sql.identifier(resource.table)} set deleted_at = now() where id = ${foreign}`)
    const answer = await caller.get(api.list, { deleted: 1, page_size: 200 })
    expect(shownIn(answer, resource)).not.toContain(foreign)
    await expectUnknown((id) => caller.get(item(id)), 'read')
    await expectUnknown((id) => caller.get(item(id, 'history')), 'history')
    await expectUnknown((id) => caller.post(item(id, 'restore')), 'restore')
  })
})
