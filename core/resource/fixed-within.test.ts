import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { expectFieldRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { when } from '../testing/when.ts'
import { check, xlsxOf } from '../testing/transfer.server.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { writableKeys } from './rules.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
afterAll(() => app.close())

/** References that are narrowed by a value that all records of their resource have. */
const narrowed = resources.flatMap((resource) => writableKeys(resource).flatMap((key) => {
  const field = resource.fields[key]
  const target = field && 'target' in field ? resources.find(({ name }) => name === field.target().name) : undefined
  if (!field || !('within' in field) || !target || !resource.actions.create) return []
  return Object.entries(field.within).filter(([own]) => own in resource.where).map(([own, other]) => [resource.name, key, { resource, target, other, value: resource.where[own] }] as const)
}))

test('there are such references', () => {
  expect(narrowed.length).toBeGreaterThan(3)
})

/** Two records of the same name: one that fits, and one that belongs to another value. */
async function twins(target: Resource, key: string, value: unknown): Promise<{ name: string; fits: number; other: number }> {
  const field = target.fields[key]
  const others = field && 'choices' in field ? field.choices.map((choice) => choice.value) : []
  const another = others.find((one) => one !== value)
  const name = `同名${samples.next()}`
  const [fits] = await samples.insert(target, 1, { [target.title]: name, [key]: value })
  const [other] = await samples.insert(target, 1, { [target.title]: name, [key]: another })
  return { name, fits: fits?.id ?? 0, other: other?.id ?? 0 }
}

/** Nothing for what is narrowed by this key in turn: where the key is wrong there are no records to choose from. */
const dependents = (resource: Resource, key: string) => Object.fromEntries(writableKeys(resource).flatMap((other) => {
  const field = resource.fields[other]
  return field && 'within' in field && key in field.within && !field.required ? [[other, null]] : []
}))

describe.each(narrowed)('%s.%s', (_name, key, { resource, target, other, value }) => {
  const caller: Caller = samples.caller(resource)

  test('is refused where it belongs to another', async () => {
    const pair = await twins(target, other, value)
    expectFieldRefusal(await caller.post(resource.api.item, await samples.input(resource, { ...dependents(resource, key), [key]: pair.other })), 400, key)
    const created = await caller.post<WireRow>(resource.api.item, await samples.input(resource, { [key]: pair.fits }))
    expectSuccess(created)
    expect(created.body[key]).toBe(pair.fits)
  })

  when(resource.import?.columns.includes(key))('is found by its name in a sheet, though another has the same', async () => {
    const pair = await twins(target, other, value)
    const columns = resource.import?.columns.filter((column) => resource.fields[column]?.required || column === key) ?? []
    const cells = columns.map((column) => (column === key ? pair.name : `表格${samples.next()}`))
    const { result } = await check(app, caller, resource.api.list, await xlsxOf([columns.map((column) => resource.fields[column]?.label ?? ''), cells]))
    expect(result).toMatchObject({ counts: { good: 1, bad: 0 } })
    const [staged] = await app.db.query<{ id: number }>(sql`select (values->>${key})::bigint as id from import_row order by job_id desc limit 1`)
    expect(staged?.id).toBe(pair.fits)
  })
})

/** References that are narrowed by another field of the same record: a subject, a school, a book. */
const narrowedByOwn = resources.flatMap((resource) => writableKeys(resource).flatMap((key) => {
  const field = resource.fields[key]
  const target = field && 'target' in field ? resources.find(({ name }) => name === field.target().name) : undefined
  if (!field || !('within' in field) || !target || !resource.actions.create) return []
  return Object.entries(field.within).flatMap(([own, other]) => {
    const by = resource.fields[own]
    const parent = by && 'target' in by ? resources.find(({ name }) => name === by.target().name) : undefined
    return parent && !(own in resource.where) ? [[`${resource.name}.${key}`, { resource, key, target, other, parent, by, list: field.kind === 'reference_list' }] as const] : []
  })
}))

test('there are such references too', () => {
  expect(narrowedByOwn.length).toBeGreaterThan(5)
})

test.each(narrowedByOwn)('%s is refused where it belongs to another', async (_name, { resource, key, target, other, parent, by, list }) => {
  const caller = samples.caller(resource)
  const fixed = Object.fromEntries(Object.entries(parent.fields).flatMap(([field]) => (field in resource.where ? [[field, resource.where[field]]] : [])))
  const [elsewhere] = await samples.insert(parent, 1, fixed)
  const [stranger] = await samples.insert(target, 1, { ...fixed, [other]: elsewhere?.id })
  const answer = await caller.post(resource.api.item, { ...await samples.input(resource), [key]: list ? [stranger?.id] : stranger?.id })
  expectFieldRefusal(answer, 400, key)
  expect((answer.body['fields'] as Record<string, string>)[key]).toBe(`${resource.fields[key]?.label}不属于该${by?.label}，请重新选择`)
})
