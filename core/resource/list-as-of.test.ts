import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import type { Resource } from './define.ts'
import type { PastList, WireRow } from './endpoints.ts'

const app = await openTestApp()
await app.kernel.jobs.stop()
const samples = await openSamples(app)
const audited = [...app.kernel.registry.values()].map(({ resource }) => resource).filter(({ audit }) => audit)
afterAll(() => app.close())

async function pastList(caller: Caller, resource: Resource, query: Record<string, unknown>): Promise<PastList> {
  const answer = await caller.get<PastList & Record<string, unknown>>(`${resource.api.list}/as_of`, query)
  expectSuccess(answer, resource.name)
  return answer.body
}
async function list(caller: Caller, resource: Resource, query: Record<string, unknown> = {}): Promise<WireRow[]> {
  const answer = await caller.get<Record<string, unknown>>(resource.api.list, query)
  expectSuccess(answer, resource.name)
  return answer.body[resource.api.reply.items] as WireRow[]
}
const clock = async () => Number((await app.db.query<{ now: number }>(sql`select extract(epoch from clock_timestamp())::float8 as now`))[0]?.now)

const students = audited.find(({ name }) => name === 'school_student')
if (!students) throw new Error('no students')
const student = students
const caller = samples.caller(student)
const path = (id: number, action = '') => `${student.api.item}/${id}${action && `/${action}`}`

describe.each(audited.map((one) => [one.name, one] as const))('the list of %s as of now', (_name, one) => {
  test('is the list, in its order; long ago it was empty', async () => {
    if (one.actions.create) await samples.create(one)
    else await samples.insert(one, 1)
    const mine = samples.caller(one)
    const [rows, past] = [await list(mine, one, { page_size: 50 }), await pastList(mine, one, { page_size: 50, past: await clock() })]
    expect(past.items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(past).toMatchObject({ unsure: 0, purged: 0 })
    expect(past.items.flatMap(({ changed }) => changed)).toEqual([])
    expect(await pastList(mine, one, { past: 1 })).toMatchObject({ total: 0, items: [] })
  })
})

test('whatever was done to records, their list reads as it was read at each moment, narrowed or searched', async () => {
  const first = await samples.create(student, { student_no: '甲0' })
  const within = { school_id: String(first['school_id']) }
  const queries = [within, { ...within, status: '1' }, { ...within, keyword: '甲' }, { ...within, sort: 'student_no' }, { ...within, deleted: '1' }]
  const read = async () => Promise.all(queries.map(async (query) => (await list(caller, student, { ...query, page_size: 50 })).map((row) => [row.id, row['student_no'] ?? null, row['status']])))
  const step = fc.record({ does: fc.constantFrom('create', 'change', 'stop', 'resume', 'remove', 'restore'), nth: fc.nat(5), text: fc.constantFrom('甲', '乙', '丙') })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
    const ids = [first.id]
    const seen: { at: number; lists: Awaited<ReturnType<typeof read>> }[] = []
    for (const { does, nth, text } of steps) {
      const id = ids[nth % ids.length] ?? 0
      if (does === 'create') ids.push((await samples.create(student, { school_id: first['school_id'] })).id)
      else if (does === 'change') await caller.put(path(id), { student_no: `${text}${id}` })
      else if (does === 'remove') await caller.delete(path(id))
      else await caller.post(path(id, does), { reason: '测试原因' })
      seen.push({ lists: await read(), at: await clock() })
    }
    for (const { at, lists } of seen) {
      for (const [n, query] of queries.entries()) {
        const past = await pastList(caller, student, { ...query, past: at, page_size: 50 })
        expect(past.items.map(({ id, values }) => [id, values['student_no'] ?? null, values['status']]), JSON.stringify(query)).toEqual(lists[n])
        expect(past.total).toBe(lists[n]?.length)
      }
    }
  }), { numRuns: 5 })
})

test('a record of which nobody wrote down what is asked is counted as uncertain, not guessed', async () => {
  const { id, school_id, gender } = await samples.create(student, { student_no: '起3' })
  const at = await clock()
  await app.db.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`update school_student set student_no = '悄悄3' where id = ${id}`))
  expectSuccess(await caller.put(path(id), { gender: gender === 1 ? 2 : 1 }))
  expect(await pastList(caller, student, { past: at, keyword: '起3', school_id: String(school_id) })).toMatchObject({ items: [], unsure: 1 })
  expect((await pastList(caller, student, { past: at, ids: String(id) })).items).toMatchObject([{ id, unknown: expect.arrayContaining(['student_no']) }])
})

test('pages follow one another and tell the whole number', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push((await samples.create(student)).id)
  const query = { past: await clock(), ids, page_size: 2 }
  const pages = await Promise.all([0, 1, 2].map((page) => pastList(caller, student, { ...query, page })))
  expect(pages.map(({ total, items }) => [total, items.length])).toEqual([[5, 2], [5, 2], [5, 1]])
  expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(5)
})

test('the smallest rights see no more of the past than of today; names stay hidden', async () => {
  const { id, school_id } = await samples.create(student)
  const past = await clock()
  expectRefusal(await (await app.staff([])).get(`${student.api.list}/as_of`, { past }), 403)
  expectRefusal(await app.nobody().get(`${student.api.list}/as_of`, { past }), 401)
  const elsewhere = await app.staff([student.grant], { scopes: { school: [Number(school_id) + 100_000] } })
  expect(await pastList(elsewhere, student, { past })).toMatchObject({ total: 0, items: [] })
  const seeing = await app.staff([student.grant], { scopes: { school: [Number(school_id)] } })
  const [row] = (await pastList(seeing, student, { past, ids: String(id) })).items
  const [now] = await list(seeing, student, { ids: String(id) })
  expect([row?.values['name'], row?.values['mobile']]).toEqual([now?.['name'], now?.['mobile']])
})

test('bad moments, filters of today alone and unknown filters are refused in words', async () => {
  for (const past of ['x', '-1', String(Date.now())]) expect((await caller.get(`${student.api.list}/as_of`, { past })).body, past).toMatchObject({ detail: '请选择过去的时间' })
  expectRefusal(await caller.get(`${student.api.list}/as_of`, { past: 1, nonsense: '1' }), 400)
  const learners = audited.find(({ list: { filters }, fields }) => filters.some((key) => fields[key]?.kind === 'segment'))
  const key = learners?.list.filters.find((one) => learners.fields[one]?.kind === 'segment') ?? ''
  const field = learners?.fields[key]
  const value = field && 'choices' in field ? field.choices[0]?.value : ''
  expect(learners, 'no list with segments').toBeDefined()
  if (learners) expect((await samples.caller(learners).get(`${learners.api.list}/as_of`, { past: 1, [key]: value })).body).toMatchObject({ detail: expect.stringContaining('按今天的数据计算') })
})
