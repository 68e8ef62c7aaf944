import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskName } from '../field/person-name.ts'
import { WORKPLACES } from '../grant/grant.ts'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { expectSuccess } from '../testing/expect.server.ts'
import { idsOf, openSamples } from '../testing/sample.server.ts'
import { when } from '../testing/when.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { ownerOf } from './behind.ts'
import { groupKeys, type Groups } from './groups.ts'
import { fieldOf } from './meta-fields.ts'
import { nameKeys, nameTwins } from './names.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
/** Resources that show names of learners, their own or behind references. */
const shown = resources.filter((resource) => nameKeys(resource).length + nameTwins(resource).length > 0)
afterAll(() => app.close())

const setMasking = async (mask_names: boolean) => {
  await app.db.query(sql`insert into installation (key, value) values ('privacy', ${JSON.stringify({ mask_names })}::jsonb) on conflict (key) do update set value = excluded.value`)
  await app.kernel.sessions.changed()
}

/** The place that a record belongs to: what stands at the end of the path of its scope. */
async function placeOf(resource: Resource, path: string, row: Readonly<Record<string, unknown>>): Promise<number | null> {
  const [key = '', ...rest] = path.split('.')
  const id = row[key] === null || row[key] === undefined ? null : Number(row[key])
  if (rest.length === 0 || id === null) return id
  const field = resource.fields[key]
  const target = field && 'target' in field ? resources.find(({ name }) => name === field.target().name) : undefined
  if (!target) throw new Error(`${path} leads nowhere`)
  const [next] = await app.db.query<Record<string, unknown>>(sql`select * from ${sql.identifier(target.table)} where id = ${id}`)
  return next ? placeOf(target, rest.join('.'), next) : null
}

test('names are masked but for their ends', () => {
  expect(['王小明', '王明', '欧阳娜娜', '明', '', '👦小明'].map(maskName)).toEqual(['王*明', '王*', '欧**娜', '*', '*', '👦*明'])
})

test('there are learners in several resources', () => {
  expect(shown.length).toBeGreaterThan(10)
})

describe.each(shown.map((resource) => [resource.name, resource] as const))('names of learners in %s', (_name, resource) => {
  const keys = [...nameKeys(resource), ...nameTwins(resource)]
  let id = 0
  let stored: Record<string, unknown>
  const look = async (caller: Caller) => (await caller.get<WireRow>(`${resource.api.item}/${id}`)).body
  const values = (row: Readonly<Record<string, unknown>>) => keys.flatMap((key) => [row[key]].flat()).filter((value): value is string => typeof value === 'string')
  const whole = (texts: readonly string[]) => texts.filter((text) => !text.includes('*'))
  beforeAll(async () => {
    await setMasking(true)
    // A record whose every name is given.
    const rows = await samples.insert(resource, 6)
    stored = rows.find((row) => values(row).length > 0) ?? rows[0] ?? {}
    id = Number(stored['id'])
  })

  test('are masked for whoever sees all places, the highest role too', async () => {
    const admin = await app.login()
    for (const caller of [await app.staff(idsOf(resource)), ...(app.allGrants.includes(resource.grant) ? [admin] : [])]) {
      const row = await look(caller)
      expect(whole(values(row)), JSON.stringify(values(row))).toEqual([])
      const { body } = await caller.get(resource.api.list, { page_size: 200 })
      expect((body[resource.api.reply.items] as WireRow[]).flatMap((one) => whole(values(one)))).toEqual([])
      expect(Object.keys(row).filter((key) => key.startsWith('responsible_'))).toEqual([])
      for (const key of groupKeys(resource)) {
        const field = fieldOf(resource, key)
        if (!('target' in field && field.target().masksTitle)) continue
        const { body: { groups } } = await caller.get<Groups>(`${resource.api.list}/groups`, { group_by: key })
        expect(groups.flatMap(({ name }) => (name === null ? [] : whole([name]))), key).toEqual([])
      }
    }
  })

  test('are plain for whoever is limited to the place', async () => {
    for (const kind of WORKPLACES.filter((one) => resource.scope[one] !== undefined)) {
      const placed = await placeOf(resource, resource.scope[kind] ?? '', stored)
      // Our own places have no partner.
      if (placed === null) continue
      const clerk = await app.staff(idsOf(resource), { scopes: { [kind]: [placed] } })
      const row = await look(clerk)
      // A name behind a reference is plain where it is plain to this person in its own list.
      const plain = (one: Readonly<Record<string, unknown>>) => values(Object.fromEntries(keys.filter((key) => ownerOf(resource, key).scope[kind] !== undefined).map((key) => [key, one[key]])))
      expect(values(row).length).toBe(values(stored).length)
      expect(whole(values(row))).toEqual(plain(stored))
      expect((await clerk.get<{ items: unknown[] }>(`${resource.api.item}/${id}/history`)).status).toBe(200)
    }
    const elsewhere = await app.staff(idsOf(resource), { scopes: { subject: [1], level: [1] } })
    expect(whole(values(await look(elsewhere)))).toEqual([])
  })

  test('are plain where the setting says so, from the next call on', async () => {
    const clerk = await app.staff(idsOf(resource))
    expect(whole(values(await look(clerk)))).toEqual([])
    await setMasking(false)
    expect(whole(values(await look(clerk)))).toEqual(values(stored))
    await setMasking(true)
    expect(whole(values(await look(clerk)))).toEqual([])
  })

  when(resource.actions.update !== undefined && nameKeys(resource).some((key) => !resource.fields[key]?.readonly && !resource.fields[key]?.createOnly))('never come back masked into the record', async () => {
    const [key = ''] = nameKeys(resource).filter((one) => !resource.fields[one]?.readonly && !resource.fields[one]?.createOnly)
    const clerk = await app.staff(idsOf(resource))
    const answer = await clerk.put(`${resource.api.item}/${id}`, { [key]: (await look(clerk))[key] })
    expect([answer.status, answer.body]).toMatchObject([400, { fields: { [key]: expect.stringContaining('请填写完整姓名') } }])
    expect((await app.db.query(sql`select ${sql.identifier(key)} as name from ${sql.identifier(resource.table)} where id = ${id}`))[0]).toEqual({ name: stored[key] })
  })
})

test.each(resources.filter(({ responsible }) => responsible.length > 0).flatMap((resource) => resource.responsible.map((path) => [resource.name, path, resource] as const)))('whoever is responsible for one of %s by %s sees the name of that one alone', async (_name, path, resource) => {
  const [key = '', behind = ''] = path.split('.')
  const field = resource.fields[key]
  const target = resources.find(({ name }) => field && 'target' in field && field.target().name === name)
  if (!target) throw new Error(`${path} leads to nobody`)
  const caller = await app.staff(idsOf(resource))
  const [teacher] = behind === 'id' ? [{ id: caller.staffId }] : await samples.insert(target, 1, { [behind]: caller.staffId })
  const [stranger] = behind === 'id' ? [{ id: (await app.staff([])).staffId }] : await samples.insert(target, 1)
  const given: Record<string, unknown> = Object.fromEntries(Object.entries(field && 'within' in field ? field.within : {}).map(([own, theirs]) => [own, teacher?.[theirs as keyof typeof teacher]]))
  // Names that stand in a list of references are there where the list is.
  for (const [many, one] of Object.entries(resource.fields)) {
    const named = 'target' in one && one.refers === 'many' && one.target().masksTitle && resources.find(({ name }) => name === one.target().name)
    if (named) given[many] = (await samples.insert(named, 1)).map(({ id }) => id)
  }
  const [own] = await samples.insert(resource, 1, { ...given, [key]: teacher?.id })
  const [other] = await samples.insert(resource, 1, { ...given, [key]: stranger?.id })
  const { body } = await caller.get(resource.api.list, { ids: [own?.id, other?.id] })
  const names = (id: unknown) => (body[resource.api.reply.items] as WireRow[]).filter((row) => row.id === id).flatMap((row) => [...nameKeys(resource), ...nameTwins(resource)].flatMap((one) => row[one] ?? []))
  expect(names(own?.id).length).toBeGreaterThan(0)
  expect(names(own?.id).filter((name) => String(name).includes('*'))).toEqual([])
  expect(names(other?.id).filter((name) => !String(name).includes('*'))).toEqual([])
})

test('a page of names costs no more statements than one name', async () => {
  const [resource] = shown.filter((one) => nameKeys(one).length > 0 && app.allGrants.includes(one.grant))
  if (!resource) throw new Error('no resource')
  const { statementCount } = await import('../database/database.server.ts')
  await samples.insert(resource, 30)
  const caller = samples.caller(resource)
  const cost = async (page_size: number) => {
    await caller.get(resource.api.list, { page_size })
    const before = statementCount()
    expectSuccess(await caller.get(resource.api.list, { page_size, page: 0 }))
    return statementCount() - before
  }
  expect(await cost(20)).toBeLessThanOrEqual(await cost(1) + 1)
})
