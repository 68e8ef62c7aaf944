import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { askCases, filterCases, hasKeyword, searchedKeys, sortedIds } from '../testing/list-model.ts'
import { openSamples, type Samples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { when } from '../testing/when.ts'
import type { FieldKind } from '../field/any-field.ts'
import { askKey, asksOf } from '../query/asks.ts'
import { stretchOf } from '../query/days.ts'
import { maskName } from '../field/person-name.ts'
import { displayKey } from '../field/reference.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { groupKeys, hasMoments, type Groups } from './groups.ts'
import { forgetCounts, type Row } from './list.server.ts'
import { fieldOf, metaFields } from './meta-fields.ts'
import { checkValue } from '../field/check.ts'
import { startOfDay } from '../field/time.ts'

const app = await openTestApp()
const samples: Samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
afterAll(() => app.close())

test('there are resources to look at', () => {
  expect(resources.length).toBeGreaterThan(5)
})

interface Listed {
  items: WireRow[]
  ids: number[]
  total: number
  next: string | undefined
}

/** Most records of a page. */
const MOST = 200

/** The records of a list: a page that is asked for, else all of them. */
async function list(caller: Caller, resource: Resource, query: Record<string, unknown> = {}): Promise<Listed> {
  // Counts are repeated for seconds; the tests write behind the back of the calls.
  forgetCounts(resource.table)
  const answer = await caller.get(resource.api.list, { page_size: MOST, ...query })
  expectSuccess(answer, `${resource.name} ${JSON.stringify(query)}`)
  const { items, total } = resource.api.reply
  const rows = [...answer.body[items] as WireRow[]]
  const isWhole = !['page', 'page_size', 'cursor'].some((key) => key in query)
  for (let page = 1; isWhole && rows.length === page * MOST; page++) rows.push(...(await caller.get(resource.api.list, { page_size: MOST, ...query, page })).body[items] as WireRow[])
  return { items: rows, ids: rows.map((row) => row.id), total: Number(answer.body[total]), next: answer.body['next'] as string | undefined }
}

/** Every page of a list after one another, by cursor. */
async function walk(caller: Caller, resource: Resource, sort: string, pageSize: number): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const page = await list(caller, resource, { sort, page_size: pageSize, ...(cursor && { cursor }) })
    ids.push(...page.ids)
    cursor = page.next
  } while (cursor && ids.length < 1000)
  return ids
}

function sortableKeys(resource: Resource): string[] {
  const own = Object.keys(resource.fields).filter((key) => resource.fields[key]?.sortable && (resource.fields[key].column || resource.fields[key].behind))
  return ['id', 'created_at', 'updated_at', ...own]
}

describe.each(resources.map((resource) => [resource.name, resource] as const))('list of %s', (_name, resource) => {
  const caller = samples.caller(resource)
  const whole = when(first.has(resource.name))
  const { reply } = resource.api
  let all: Row[]
  beforeAll(async () => {
    await samples.insert(resource, 26)
    // Values behind a reference differ only as far as the records do that are referred to.
    for (const reference of new Set(Object.values(resource.fields).flatMap(({ behind }) => behind?.path[0] ?? []))) {
      const field = resource.fields[reference]
      const target = resources.find(({ name }) => field && 'target' in field && field.target().name === name)
      for (let n = 0; target && n < 4; n++) await samples.insert(resource, field?.unique ? 1 : 2, { [reference]: (await samples.create(target)).id })
    }
    // They came one after another in the same second: spread them, some together, also where nothing that was written is changed.
    const table = sql.identifier(resource.table)
    const [kept] = await app.db.query(sql`select 1 from pg_trigger where tgrelid = ${resource.table}::regclass and tgname = 'keep'`)
    if (kept) await app.db.query(sql`alter table ${table} disable trigger keep`)
    await app.db.query(sql`update ${table} set created_at = now() - make_interval(days => (id % 7)::int), updated_at = now() - make_interval(hours => (id % 5)::int)`)
    if (resource.list.filters.includes('created_by')) await app.db.query(sql`update ${table} set created_by = ${caller.staffId} where id % 3 = 0`)
    if (kept) await app.db.query(sql`alter table ${table} enable trigger keep`)
    all = await samples.living(resource)
  })

  test('the reply has the shape that the definition names', async () => {
    const answer = await caller.get(resource.api.list, { page_size: 5 })
    expectSuccess(answer)
    expect(Object.keys(answer.body).sort()).toEqual([reply.items, reply.total, 'next'].sort())
    const fields = Object.entries(resource.fields)
    const twins = fields.flatMap(([key, field]) => ('target' in field ? [displayKey(key)] : field.kind === 'region' ? [key.replace(/_code$/, '_name')] : []))
    const wires = fields.flatMap(([, { wire, kind }]) => (wire === undefined ? [] : [wire, ...(kind === 'reference' ? [displayKey(wire)] : [])]))
    const known = new Set([...Object.keys(resource.fields), ...twins, ...wires, ...Object.keys(metaFields), 'rev', 'updated_by', 'can', 'cannot'])
    for (const row of answer.body[reply.items] as WireRow[]) {
      expect(Object.keys(row).filter((key) => !known.has(key)), 'nothing but what the definition has').toEqual([])
      for (const key of [...Object.keys(resource.fields).filter((name) => resource.fields[name]?.kind !== 'segment'), 'id', 'rev', 'created_at', 'created_by_name', 'can']) expect(row).toHaveProperty(key)
    }
  })

  whole('pages count from zero and hold twenty rows unless told', async () => {
    const order = sortedIds(all, resource.list.sort)
    forgetCounts(resource.table)
    const bare = await caller.get(resource.api.list)
    expect((bare.body[reply.items] as WireRow[]).map((row) => row.id)).toEqual(order.slice(0, 20))
    expect(bare.body[reply.total]).toBe(all.length)
    expect((await list(caller, resource, { page: 1, page_size: 7 })).ids).toEqual(order.slice(7, 14))
    expect((await list(caller, resource, { page: 999, page_size: 7 })).ids).toEqual([])
    // domain 0.1: page_size=0 is all of it.
    const whole = await list(caller, resource, { page_size: 0 })
    expect([whole.ids, whole.total]).toEqual([order, order.length])
    for (const query of [{ page: -1 }, { page: 'x' }, { page: 0.5 }, { page_size: -5 }, { page_size: 'many' }]) {
      expectRefusal(await caller.get(resource.api.list, query), 400, JSON.stringify(query))
    }
  })

  whole.each(sortableKeys(resource))('sorted by %s, each record comes once, whichever way and page by page', async (key) => {
    for (const sort of [key, `-${key}`]) {
      const order = sortedIds(all, sort, resource.fields[key]?.behind?.path[0])
      expect((await list(caller, resource, { sort })).ids, sort).toEqual(order)
      expect(await walk(caller, resource, sort, 9), `${sort} by cursor`).toEqual(order)
    }
  })

  whole('what cannot be sorted by is refused', async () => {
    const fixed = Object.keys(resource.fields).filter((key) => !resource.fields[key]?.sortable)
    for (const key of [...fixed, 'nothing', 'deleted_at', '__proto__', 'constructor', 'id desc', '"']) {
      expectRefusal(await caller.get(resource.api.list, { sort: key }), 400, key)
    }
    for (const cursor of ['x', 'bnVsbA', Buffer.from('[{},1]').toString('base64url'), Buffer.from('["x",1.5]').toString('base64url')]) {
      expectRefusal(await caller.get(resource.api.list, { cursor, sort: 'created_at' }), 400, cursor)
    }
  })

  // What the groups of a segment mean its own module knows and tests; here each is only asked for.
  whole.each(resource.list.filters.filter((key) => fieldOf(resource, key).kind === 'segment'))('each group of %s answers, and no other', async (key) => {
    const field = fieldOf(resource, key)
    for (const { value } of field.kind === 'segment' ? field.choices : []) expectSuccess(await caller.get(resource.api.list, { [key]: value }))
    expectRefusal(await caller.get(resource.api.list, { [key]: 'no such group' }), 400)
  })

  /** Narrowed by a moment that has an index, a list goes by it unless another order is asked for. */
  const byMoment = (key: string) => resource.list.sort === '-id' && fieldOf(resource, key).column === 'timestamptz' && resource.indexes.some(([leading]) => leading === key)

  whole.each(resource.list.filters.filter((key) => fieldOf(resource, key).kind !== 'segment'))('filtered by %s', async (key) => {
    const cases = filterCases(resource, key, all)
    expect(cases.length, `no record has a ${key} to filter by`).toBeGreaterThan(0)
    const kept = new Set<number>()
    for (const { query, keeps } of cases) {
      const expected = sortedIds(all.filter(keeps), byMoment(key) ? `-${key}` : resource.list.sort)
      kept.add(expected.length)
      const found = await list(caller, resource, query)
      expect(found.ids, JSON.stringify(query)).toEqual(expected)
      expect(found.total).toBe(expected.length)
    }
    expect([...kept].some((count) => count > 0 && count < all.length), 'no case narrows the list').toBe(true)
  })

  whole.each(resource.list.filters.filter((key) => asksOf(fieldOf(resource, key)).length > 0))('asked of %s in words: what has none, what has one, days as they are today', async (key) => {
    for (const { word, query, keeps } of askCases(resource, key, Date.now() / 1000)) {
      const expected = sortedIds(all.filter(keeps), byMoment(key) && stretchOf(word, 0) ? `-${key}` : resource.list.sort)
      const found = await list(caller, resource, query)
      expect(found.ids, JSON.stringify(query)).toEqual(expected)
      expect(found.total).toBe(expected.length)
    }
    expectRefusal(await caller.get(resource.api.list, { [askKey(key)]: 'nothing' }), 400)
  })

  whole('alternatives: a record fits that fulfils one of them, and what else is asked', async () => {
    const asked = resource.list.filters.flatMap((key) => filterCases(resource, key, all).slice(0, 1)).filter(({ keeps }) => all.some(keeps))
    const text = ({ query }: { query: Record<string, unknown> }) => Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value].flat().map(String)]))
    for (const [place, one] of asked.entries()) {
      const other = asked[(place + 1) % asked.length] ?? one
      const third = asked[(place + 2) % asked.length] ?? one
      const any = JSON.stringify([text(one), { ...text(other), ...text(third) }])
      const either = all.filter((row) => one.keeps(row) || (other.keeps(row) && third.keeps(row)))
      expect((await list(caller, resource, { any })).ids.toSorted(), any).toEqual(either.map(({ id }) => id).toSorted())
      expect((await list(caller, resource, { any, ...third.query })).ids.toSorted(), any).toEqual(either.filter(third.keeps).map(({ id }) => id).toSorted())
    }
    for (const any of ['x', '{}', '[]', '[{}]', '[1]', '[{"id":[]}]', `[{"${resource.list.filters[0] ?? 'x'}":[""]}]`, '[{"nothing":["1"]}]', '[{"keyword":["1"]}]', '[{"__proto__":["1"]}]', '[{"any":["[]"]}]']) {
      const answer = await caller.get(resource.api.list, { any })
      expectRefusal(answer, 400, any)
    }
  })

  whole('sorted by several columns, each record comes once, page by page', async () => {
    const keys = sortableKeys(resource).filter((key) => key !== 'id' && !resource.fields[key]?.behind)
    // Each column takes part once.
    for (let place = 0; place < keys.length; place += 3) {
      const [one = 'created_at', two = 'id', three = 'id'] = keys.slice(place, place + 3)
      for (const sort of [`-${one},${two}`, `${two},-${one}`, ...(three === 'id' ? [`${one},-id`] : [`${three},-${two},${one}`])]) expect(await walk(caller, resource, sort, 12), sort).toEqual(sortedIds(all, sort))
    }
    for (const sort of ['id,id', 'created_at,', 'created_at,nothing', 'id,created_at,updated_at,-id']) expectRefusal(await caller.get(resource.api.list, { sort }), 400, sort)
    expectRefusal(await caller.get(resource.api.list, { sort: 'created_at,updated_at', cursor: Buffer.from('[["x"],1]').toString('base64url') }), 400)
  })

  whole('an empty filter does not narrow, one that is unknown is refused by its name', async () => {
    const empty = Object.fromEntries(resource.list.filters.flatMap((key) => [[key, ''], [`${key}_start`, ''], [`${key}_end`, '']]))
    expect((await list(caller, resource, { ...empty, keyword: '  ', _: 1 })).total).toBe(all.length)
    // A range has two bounds; its bare key would narrow nothing.
    const ranges = resource.list.filters.filter((key) => fieldOf(resource, key).filter === 'range')
    for (const unknown of ['nothing', 'constructor', '__proto__x', ...ranges]) {
      for (const path of [resource.api.list, `${resource.api.list}/summary`]) {
        const answer = await caller.get(path, { [unknown]: 'x' })
        expectRefusal(answer, 400, unknown)
        expect(answer.body['detail']).toBe(`没有「${unknown}」这个筛选条件`)
      }
    }
  })

  const mobiles = Object.keys(resource.fields).filter((key) => resource.fields[key]?.kind === 'mobile')
  when(mobiles.length > 0)('a hidden number is not found out piece by piece', async () => {
    for (const key of mobiles) {
      const whole = String(all.find((row) => typeof row[key] === 'string')?.[key])
      for (const part of [whole.slice(0, 10), whole.slice(3), `${whole.slice(0, 3)}%`, '%', '_'.repeat(11), `${whole.slice(0, 3)}****${whole.slice(-4)}`]) {
        if (resource.list.filters.includes(key)) expect((await list(caller, resource, { [key]: part })).ids, part).toEqual([])
        const found = await list(caller, resource, { keyword: part })
        expect(found.ids, part).toEqual(sortedIds(all.filter((row) => hasKeyword(resource, row, part)), resource.list.sort))
      }
      const found = await list(caller, resource, { keyword: whole })
      expect(found.ids.length).toBeGreaterThan(0)
      for (const row of found.items) expect(row[key] ?? '').not.toMatch(/\d{8}/)
      for (const sort of [key, `-${key}`]) expectRefusal(await caller.get(resource.api.list, { sort }), 400, sort)
    }
  })

  const names = searchedKeys(resource).filter((key) => resource.fields[key]?.kind === 'person_name')
  const open = searchedKeys(resource).filter((key) => !names.includes(key))

  when(names.length > 0)('a name that is hidden is found by the whole of it, never by a part, and orders nothing', async () => {
    for (const key of names) {
      const whole = String(all.find((row) => typeof row[key] === 'string')?.[key])
      expect((await list(caller, resource, { keyword: whole })).ids).toEqual(sortedIds(all.filter((row) => hasKeyword(resource, row, whole)), resource.list.sort))
      expect((await list(caller, resource, { keyword: whole })).ids.length).toBeGreaterThan(0)
      for (const part of [whole.slice(0, 2), whole.slice(1), whole.slice(0, -1), whole[0] ?? '']) {
        const found = await list(caller, resource, { keyword: part })
        expect(found.ids, part).toEqual(sortedIds(all.filter((row) => hasKeyword(resource, row, part)), resource.list.sort))
        for (const row of found.items) expect(String(row[key] ?? '')).not.toBe(whole)
      }
      for (const sort of [key, `-${key}`]) expectRefusal(await caller.get(resource.api.list, { sort }), 400, sort)
    }
  })

  when(open.length > 0 && first.has(resource.name))('the keyword finds words of two characters, of one, and signs that mean themselves', async () => {
    const [key = ''] = open
    const field = resource.fields[key]
    // Signs can only be looked for where the field's own rules take them.
    const words = field && 'message' in checkValue(field, '100%纯 A_b\\c') ? ['sam', 'e_1', 'SAMPLE', '1000', 'app'] : ['王明', '明', '1', 'A_B', '%', '0%', '_', '\\', '纯 a', '１００％', '王%明', '没有这样的词']
    if (words.includes('%')) {
      // Resources may share a table, where a unique value can be used once.
      const place = resources.indexOf(resource)
      await samples.insert(resource, 1, { [key]: `100%纯 A_b\\c${place}` })
      await samples.insert(resource, 1, { [key]: `1001纯 Acb${place}` })
      all = await samples.living(resource)
    }
    for (const keyword of [...words, String(all.at(-1)?.[key]).slice(-2), String(all[0]?.[key]).slice(0, 3)]) {
      const expected = sortedIds(all.filter((row) => hasKeyword(resource, row, keyword)), resource.list.sort)
      const found = await list(caller, resource, { keyword })
      expect(found.ids, keyword).toEqual(expected)
      expect(found.total).toBe(expected.length)
    }
    expect(words.some((word) => all.some((row) => hasKeyword(resource, row, word)))).toBe(true)
  })

  whole('options can be searched by the name and fetched by their ids', async () => {
    const title = resource.title
    const { body } = await caller.get<{ items: { id: number; name: string }[] }>(resource.optionsPath)
    expect(body.items.map((item) => item.id)).toEqual(sortedIds(all, '-id').slice(0, 50))
    for (const item of body.items) {
      expect(Object.keys(item).sort()).toEqual(['id', 'name'])
      const name = all.find((row) => row.id === item.id)?.[title]
      expect(item.name).toBe(resource.masksTitle && typeof name === 'string' ? maskName(name) : name)
    }
    const [one, two] = all
    const wanted = [one?.id, two?.id].sort()
    expect((await caller.get<{ items: { id: number }[] }>(resource.optionsPath, { ids: wanted })).body.items.map((item) => item.id).sort()).toEqual(wanted)
    const keyword = String(one?.[title] ?? '').slice(0, resource.masksTitle ? undefined : 2)
    const found = await caller.get<{ items: { id: number }[] }>(resource.optionsPath, { keyword })
    const expected = all.filter((row) => (resource.masksTitle ? row[title] === keyword : String(row[title]).toLowerCase().includes(keyword.toLowerCase())))
    expect(found.body.items.map((item) => item.id)).toEqual(sortedIds(expected, '-id').slice(0, 50))
    expect((await caller.get<{ items: unknown[] }>(resource.optionsPath, { keyword: '%_%' })).body.items).toEqual([])
  })

  // Narrowed to what a group says, the list holds as many as the group says.
  whole.each(groupKeys(resource))('grouped by %s, the groups come to what the list holds', async (key) => {
    const unit = hasMoments(resource, key) ? { group_unit: 'day' } : {}
    const valueOf = (row: Row) => (row[key] === null || row[key] === undefined ? null : hasMoments(resource, key) ? startOfDay(Number(row[key])) : row[key])
    const [filter] = resource.list.filters
    for (const { query, keeps } of [{ query: {}, keeps: () => true }, ...(filter ? filterCases(resource, filter, all) : [])]) {
      const { body } = await caller.get<Groups>(`${resource.api.list}/groups`, { ...query, group_by: key, ...unit })
      const kept = all.filter(keeps)
      const shown = body.groups.map(({ value }) => value)
      expect([body.total, new Set(shown).size, body.groups.reduce((sum, { count }) => sum + count, body.rest?.count ?? 0)], JSON.stringify(query)).toEqual([kept.length, shown.length, kept.length])
      for (const { value, count, sums, name } of body.groups) {
        const those = kept.filter((row) => valueOf(row) === value)
        expect([count, sums], `${key} = ${value}`).toEqual([those.length, Object.fromEntries(resource.list.summary.map((sum) => [sum, those.reduce((so, row) => so + Number(row[sum] ?? 0), 0)]))])
        const field = fieldOf(resource, key)
        if (value === null) continue
        const narrowed = hasMoments(resource, key) ? { [`${key}_start`]: value, [`${key}_end`]: Number(value) + 86_399 } : { [key]: value }
        if (Object.keys(query).length === 0) expect((await list(caller, resource, narrowed)).total, JSON.stringify(narrowed)).toBe(count)
        if ('target' in field && name !== null && (await list(caller, resource, narrowed)).items.some((row) => row[displayKey(key)] !== name)) expect(field.target().masksTitle, 'a name differs from that of the rows').toBe(true)
      }
    }
  })

  whole('what cannot be grouped by is refused, and so is what the list cannot be asked', async () => {
    const wrong: Record<string, unknown>[] = [{}, { group_by: '' }, { group_by: 'id' }, { group_by: '__proto__' }, ...groupKeys(resource).flatMap((key): Record<string, unknown>[] => (hasMoments(resource, key)
      ? [{ group_by: key }, { group_by: key, group_unit: 'year' }, { group_by: key, group_unit: 'day', group_samples: 3 }, { group_by: key, group_unit: 'day', group_samples: 99 }, { group_by: key, group_unit: 'day', group_samples: 3, [`${key}_start`]: 0 }]
      : [{ group_by: key, group_unit: 'day' }, { group_by: key, group_samples: 3 }, { group_by: key, nothing: 1 }]))]
    for (const query of wrong) {
      if (groupKeys(resource).length > 0) expectRefusal(await caller.get(`${resource.api.list}/groups`, query), 400, JSON.stringify(query))
    }
  })

  whole('the summary is the sum over the rows that the filters leave', async () => {
    const [filter] = resource.list.filters
    const cases = [{ query: {}, keeps: () => true }, ...(filter ? filterCases(resource, filter, all) : [])]
    for (const { query, keeps } of cases) {
      const { body } = await caller.get<Record<string, number>>(`${resource.api.list}/summary`, query)
      const kept = all.filter(keeps)
      expect(body, JSON.stringify(query)).toEqual(Object.fromEntries(resource.list.summary.map((key) => [key, kept.reduce((sum, row) => sum + Number(row[key] ?? 0), 0)])))
    }
  })
})

/** Makes the values of a column differ in copies of one record; undefined where a copy would collide. */
const DISTINCT: Partial<Record<FieldKind, (column: SQL) => SQL>> = {
  text: (column) => sql`${column} || g`,
  mobile: () => sql`'151' || lpad(g::text, 8, '0')`,
}

test('a page holds 200 rows at most, and counting stops at 10,001', async () => {
  const resource = resources.find(({ fields, unique }) =>
    Object.values(fields).every((field) => !field.unique || field.kind in DISTINCT)
    && unique.every((keys) => keys.some((key) => (fields[key]?.kind ?? '') in DISTINCT)))
  if (!resource) throw new Error('no resource can be copied')
  const distinct = new Set([...Object.keys(resource.fields).filter((key) => resource.fields[key]?.unique), ...resource.unique.flat()])
  const keys = Object.keys(resource.fields).filter((key) => resource.fields[key]?.column)
  const values = keys.map((key) => {
    const column = sql.identifier(key) as unknown as SQL
    const change = distinct.has(key) ? DISTINCT[resource.fields[key]?.kind ?? 'json'] : undefined
    return change ? change(column) : column
  })
  const [row] = await samples.insert(resource, 1)
  await app.db.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`insert into ${sql.identifier(resource.table)} (${sql.join(keys.map((key) => sql.identifier(key)), sql`, `)})
    select ${sql.join(values, sql`, `)} from ${sql.identifier(resource.table)}, generate_series(1, 10050) g where id = ${row?.id}`))
  const caller = samples.caller(resource)
  const most = await list(caller, resource, { page_size: 1000 })
  expect(most.ids.length).toBe(200)
  expect(most.total).toBe(10_001)
  // A part of a list never passes for all of it.
  const whole = await caller.get(resource.api.list, { page_size: 0 })
  expectRefusal(whole, 400)
  expect(whole.body['detail']).toBe('记录超过 10,000 条，请分页读取')
  expect((await list(caller, resource, { ids: [row?.id] })).total).toBe(1)
  const deep = await list(caller, resource, { page: 50 })
  expect(deep.ids).toEqual(sortedIds(await samples.living(resource), resource.list.sort).slice(10_000, 10_200))
})
