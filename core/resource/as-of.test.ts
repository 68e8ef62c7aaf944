import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { NO_ID } from '../testing/wrong.ts'
import { undoChanges, type Logged } from './as-of.ts'
import type { Resource } from './define.ts'
import type { Change, PastRecord, WireRow } from './endpoints.ts'

const app = await openTestApp()
await app.kernel.jobs.stop()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const audited = resources.filter(({ audit }) => audit)
afterAll(() => app.close())

const path = (resource: Resource, id: number, action = '') => `${resource.api.item}/${id}${action && `/${action}`}`
async function asOf(caller: Caller, resource: Resource, id: number, moment: Record<string, unknown> = {}): Promise<PastRecord> {
  const answer = await caller.get<PastRecord & Record<string, unknown>>(path(resource, id, 'as_of'), moment)
  expectSuccess(answer, resource.name)
  return answer.body
}
async function read(caller: Caller, resource: Resource, id: number): Promise<WireRow> {
  const answer = await caller.get<WireRow>(path(resource, id))
  expectSuccess(answer, resource.name)
  return answer.body
}
async function clock(): Promise<number> {
  const [row] = await app.db.query<{ now: number }>(sql`select extract(epoch from clock_timestamp())::float8 as now`)
  return Number(row?.now)
}
/** A record's values as they were read, in what the past tells of it; names behind references are words, whatever their column. */
const sameKeys = (one: Resource, row: WireRow, past: PastRecord) => Object.fromEntries(Object.keys(past.values).map((key) => {
  const value = row[key] ?? null
  return [key, typeof value === 'number' && !(key in one.fields) && key.endsWith('_name') ? String(value) : value]
}))

/** One that goes through states by calls that ask for nothing else, and has words to write. */
const FLOWING = 'school_student'
const flowing = audited.find(({ name }) => name === FLOWING)
if (!flowing) throw new Error(`no ${FLOWING}`)
const resource = flowing
const words = 'student_no'
const caller = samples.caller(resource)

describe.each(audited.map((one) => [one.name, one] as const))('%s as of now', (_name, one) => {
  test('is what is read now, and nothing of it is left out in silence', async () => {
    const mine = samples.caller(one)
    const made = one.actions.create ? await samples.create(one) : (await samples.insert(one, 1))[0]
    const id = made?.id ?? 0
    const [row, past] = [await read(mine, one, id), await asOf(mine, one, id)]
    expect(past).toMatchObject({ state: 'there', changed: [], gone: [] })
    expect(past.values).toEqual(sameKeys(one, row, past))
    const told = new Set([...Object.keys(past.values), ...past.unknown])
    expect(Object.entries(one.fields).filter(([key, { unlisted }]) => !unlisted && !told.has(key)).map(([key]) => key)).toEqual([])
    const silent = past.unknown.filter((key) => one.fields[key]?.column)
    expect(silent.filter((key) => !resources.some(({ table, fields }) => table === one.table && fields[key]?.audit === false)), 'logged, and yet unknown').toEqual([])
    expect(await asOf(mine, one, id, { at: 1 })).toMatchObject({ state: 'absent', values: {}, unknown: [] })
  })
})

type Step = { does: 'change'; text: string } | { does: 'transition'; nth: number } | { does: 'fill' | 'remove' | 'restore' }

test('whatever was done to a record, it reads as it was read at each moment', async () => {
  // Tried whatever chance brings, so that none of the steps is ever missing.
  const eachStep: Step[] = [{ does: 'change', text: '甲' }, { does: 'transition', nth: 0 }, { does: 'fill' }, { does: 'remove' }, { does: 'restore' }]
  const does = fc.array<Step>(fc.oneof(
    fc.record({ does: fc.constant('change' as const), text: fc.string({ unit: fc.constantFrom('甲', '乙', 'x', ' '), maxLength: 6 }) }),
    fc.record({ does: fc.constant('transition' as const), nth: fc.nat(9) }),
    fc.record({ does: fc.constant('fill' as const) }),
    fc.record({ does: fc.constantFrom('remove' as const, 'restore' as const) }),
  ), { minLength: 4, maxLength: 12 })
  const counted = new Map<string, number>()
  await fc.assert(fc.asyncProperty(does, async (steps) => {
    const before = await clock()
    const { id } = await samples.create(resource)
    const seen: { at: number; row: WireRow }[] = []
    const look = async () => void seen.push({ row: await read(caller, resource, id), at: await clock() })
    await look()
    for (const step of steps) {
      const row = await read(caller, resource, id)
      const edge = step.does === 'transition' ? resource.transitions.filter(({ name }) => row.can.includes(name))[step.nth % Math.max(1, row.can.length)] : undefined
      const answer = step.does === 'change' ? await caller.put(path(resource, id), { [words]: step.text && `${id}${step.text}` })
        : step.does === 'fill' ? await caller.put(path(resource, id), await samples.input(resource, { school_id: row['school_id'] }))
          : step.does === 'remove' ? await caller.delete(path(resource, id))
            : step.does === 'restore' ? await caller.post(path(resource, id, 'restore'))
              : edge && await caller.post(path(resource, id, edge.name), { reason: '测试原因' })
      if (answer?.status === 200) counted.set(step.does, (counted.get(step.does) ?? 0) + 1)
      await look()
    }
    expect(await asOf(caller, resource, id, { at: before })).toMatchObject({ state: 'absent' })
    for (const { at, row } of seen) {
      const past = await asOf(caller, resource, id, { at })
      expect(past.values).toEqual(sameKeys(resource, row, past))
      expect(past.state).toBe(row.deleted_at === null ? 'there' : 'removed')
      expect(past.whole).toBe(true)
    }
  }), { numRuns: 8, examples: [[eachStep]] })
  for (const kind of ['change', 'fill', 'remove', 'restore', ...(resource.transitions.length > 0 ? ['transition'] : [])]) expect(counted.get(kind) ?? 0, kind).toBeGreaterThan(0)
})

test('right after each change, also of several in one second', async () => {
  const { id } = await samples.create(resource, { [words]: '起1' })
  for (const text of ['甲1', '乙1', '丙1']) expectSuccess(await caller.put(path(resource, id), { [words]: text }))
  const { body } = await caller.get<{ items: Change[] }>(path(resource, id, 'history'))
  const told = await Promise.all(body.items.map(async (change) => (await asOf(caller, resource, id, { change_id: change.id })).values[words]))
  expect(told).toEqual(['丙1', '乙1', '甲1', '起1'])
  const [newest, next] = body.items
  expect(await asOf(caller, resource, id, { change_id: newest?.id })).toMatchObject({ changed: [] })
  expect(await asOf(caller, resource, id, { change_id: next?.id })).toMatchObject({ changed: [words] })
  const other = await samples.create(resource)
  expectRefusal(await caller.get(path(resource, other.id, 'as_of'), { change_id: newest?.id }), 404)
})

test('what changed without a word in the log is unknown before it, and not today’s value', async () => {
  const { id } = await samples.create(resource, { [words]: '起2' })
  const at = await clock()
  await app.db.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(words)} = '悄悄' where id = ${id}`))
  const past = await asOf(caller, resource, id, { at })
  expect(past.unknown).toContain(words)
  expect(past.values).not.toHaveProperty(words)
})

test('a reference to what is removed by now has today’s name, and says so', async () => {
  const { id } = await samples.create(resource)
  const at = await clock()
  const row = await read(caller, resource, id)
  const field = resource.fields['school_id']
  const school = sql.identifier(field && 'target' in field ? field.target().table : '')
  await app.db.query(sql`update ${school} set deleted_at = now() where id = ${row['school_id']}`)
  const past = await asOf(caller, resource, id, { at })
  expect(past.gone).toContain('school_id')
  expect(past.values['school_name']).toBe(row['school_name'])
  await app.db.query(sql`update ${school} set deleted_at = null where id = ${row['school_id']}`)
})

test('bad moments are refused in words, a stranger learns nothing', async () => {
  const { id } = await samples.create(resource)
  for (const at of ['x', '-1', ' ', '1e400', String(Date.now() / 1000 + 3600), String(Date.now())]) expect((await caller.get(path(resource, id, 'as_of'), { at })).body, at).toMatchObject({ detail: '请选择过去的时间' })
  for (const change_id of ['x', '0', '1.5']) expectRefusal(await caller.get(path(resource, id, 'as_of'), { change_id }), 404, change_id)
  expectRefusal(await caller.get(path(resource, NO_ID, 'as_of')), 404)
  expectRefusal(await (await app.staff([])).get(path(resource, id, 'as_of')), 403)
})

describe('undoing', () => {
  const made: Logged = { before: null, after: { id: 1, created_at: 5, a: 'x' }, later: false }
  const now = { a: 'z', b: null, deleted_at: null }
  const keys = ['a', 'b', 'deleted_at']

  test('goes by the order of writing, whatever order the transactions began in', () => {
    const first: Logged = { before: { a: 'x' }, after: { a: 'y' }, later: true }
    const second: Logged = { before: { a: 'y' }, after: { a: 'z' }, later: false }
    expect(undoChanges(now, [second, first, made], keys, false)).toMatchObject({ state: 'there', values: { a: 'x' }, unknown: [] })
  })

  test('takes a look, an export or a list of names for no change and no beginning', () => {
    const look: Logged = { before: null, after: { field: 'a' }, later: true }
    expect(undoChanges({ ...now, a: 'x' }, [look, made], keys, false)).toMatchObject({ state: 'there', values: { a: 'x' }, unknown: [], whole: true })
  })

  test('knows that the log of a new record leaves out what is empty', () => {
    const deep: Logged = { before: null, after: { id: 1, created_at: 5, a: { b: [{}] } }, later: false }
    expect(undoChanges({ ...now, a: { b: [{ c: null }], d: null } }, [deep], keys, false).unknown).toEqual([])
  })

  test('of a record that the log does not know from its beginning goes by what the record says', () => {
    expect(undoChanges(now, [], keys, false)).toMatchObject({ state: 'there', whole: false })
    expect(undoChanges(now, [], keys, true)).toMatchObject({ state: 'absent', whole: false })
  })
})
