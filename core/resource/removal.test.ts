import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { AnyField } from '../field/any-field.ts'
import { maskName } from '../field/person-name.ts'
import { displayKey } from '../field/reference.ts'
import { openTestApp } from '../testing/app.server.ts'
import { REMOVABLE } from '../testing/removable.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { when } from '../testing/when.ts'
import type { Resource } from './define.ts'
import type { Removal, WireRow } from './endpoints.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
const overlap = (a: Resource, b: Resource) => Object.entries(a.where).every(([key, value]) => !(key in b.where) || b.where[key] === value)
type Reference = Extract<AnyField, { target: unknown }>

/** Every kind of record that can be removed, with every field of every other that may name one. */
const pairs = resources.filter(({ actions }) => actions.remove !== undefined).flatMap((target) => resources.filter(({ name, isView }) => first.has(name) && !isView).flatMap((referrer) =>
  Object.entries(referrer.fields).flatMap(([key, field]) => {
    if (!('target' in field) || !field.column || field.target().table !== target.table) return []
    const named = app.kernel.registry.get(field.target().name)?.resource
    return named && overlap(named, target) ? [{ name: `${referrer.name}.${key} → ${target.name}`, target, referrer, key, field }] : []
  })))

const path = (resource: Resource, id: number) => `${resource.api.item}/${id}`
const alive = async (resource: Resource, id: number) => {
  const [row] = await app.db.query<{ living: boolean }>(sql`select deleted_at is null as living from ${sql.identifier(resource.table)} where id = ${id}`)
  return row?.living
}
const drop = (resource: Resource, id: number, hours = 1) => app.db.query(sql`update ${sql.identifier(resource.table)} set deleted_at = now() - ${`${hours} hours`}::interval where id = ${id}`)

/** A record, and one that names it in the field; `state` are further values of that one. */
async function make({ target, referrer, key, field }: (typeof pairs)[number], state: Readonly<Record<string, unknown>> = {}) {
  const [named] = await samples.insert(target, 1, REMOVABLE[target.table] ?? {})
  const id = named?.id ?? 0
  // What depends on the same record would come with records of its own, which name it too.
  const beside = Object.fromEntries(Object.entries(referrer.fields).flatMap(([other, one]) => ('within' in one && key in one.within && !one.required ? [[other, null]] : [])))
  const [row] = await samples.insert(referrer, 1, { ...beside, ...(referrer.table === target.table ? REMOVABLE[target.table] : {}), [key]: field.kind === 'reference_list' ? [id] : id, ...state })
  const title = String(named?.[target.title])
  return { id, title: target.masksTitle ? maskName(title) : title, by: row?.id ?? 0 }
}

/** A state of the referring record in which it needs what it names, or one in which it does not. */
function stateOf(referrer: Resource, field: Reference, needed: boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(field.neededWhile).map(([key, states]) => {
    const choices = referrer.fields[key]
    const other = choices && 'choices' in choices ? choices.choices.map(({ value }) => value).find((value) => !states.includes(value)) : undefined
    return [key, needed ? states[0] : other]
  }))
}

test('the walk meets references of every kind', () => {
  expect(pairs.length).toBeGreaterThan(60)
  expect(new Set(pairs.map(({ field }) => field.onRemove))).toEqual(new Set(['refuse', 'keep', 'cascade']))
})

describe.each(pairs)('$name', (pair) => {
  const { target, referrer, key, field } = pair
  const caller = samples.caller(target)
  const remove = (id: number) => caller.delete<{ detail: string }>(path(target, id))

  when(field.onRemove === 'refuse')('refuses the removal of what is needed, and says by what', async () => {
    const { id, by } = await make(pair, stateOf(referrer, field, true))
    const noun = referrer.tree && key === 'parent_id' && referrer.table === target.table ? `下级${referrer.label}` : referrer.label
    const sentence = `该${target.label}还被 1 ${referrer.measure}${noun}使用，不能删除`
    expect(await remove(id)).toMatchObject({ status: 409, body: { detail: sentence } })
    expect((await caller.get<Removal>(`${path(target, id)}/removal`)).body).toEqual({ refusal: sentence, uses: [`1 ${referrer.measure}${noun}`], along: [] })
    expect(await alive(target, id)).toBe(true)
    await drop(referrer, by)
    expect((await caller.get<Removal>(`${path(target, id)}/removal`)).body).toMatchObject({ refusal: null, uses: [] })
    expect((await remove(id)).status).toBe(200)
  })

  when(Object.keys(field.neededWhile).length > 0)('lets go what is needed no more, whose name stays', async () => {
    const { id, title, by } = await make(pair, stateOf(referrer, field, false))
    expect((await remove(id)).status).toBe(200)
    const { body } = await samples.caller(referrer).get<WireRow>(path(referrer, by))
    expect(JSON.stringify(body[displayKey(key)])).toContain(title)
  })

  when(field.onRemove === 'keep')('keeps the name', async () => {
    const { id, title, by } = await make(pair)
    expect((await remove(id)).status).toBe(200)
    expect(await alive(referrer, by)).toBe(true)
    const { body } = await samples.caller(referrer).get<WireRow>(path(referrer, by))
    expect(JSON.stringify(body[displayKey(key)])).toContain(title)
  })

  when(field.onRemove === 'cascade')('goes along, logged, and comes back along', async () => {
    const { id, by } = await make(pair)
    expect((await caller.get<Removal>(`${path(target, id)}/removal`)).body).toMatchObject({ refusal: null, along: [`1 ${referrer.measure}${referrer.label}`] })
    expect((await remove(id)).status).toBe(200)
    expect(await alive(referrer, by)).toBe(false)
    const logged = await app.db.query(sql`select action from audit_log where entity = ${referrer.table} and entity_id = ${by} order by id desc limit 1`)
    expect(logged).toEqual([{ action: 'remove' }])
    expect((await caller.post(`${path(target, id)}/restore`)).status).toBe(200)
    expect(await alive(referrer, by)).toBe(true)
  })

  when(field.onRemove !== 'keep' && referrer.actions.remove !== undefined)('is not restored without what it names', async () => {
    const { id, title, by } = await make(pair, stateOf(referrer, field, true))
    await drop(referrer, by, 2)
    await drop(target, id)
    const back = () => samples.caller(referrer).post<{ detail: string }>(`${path(referrer, by)}/restore`)
    expect(await back()).toMatchObject({ status: 409, body: { detail: `${field.label}「${title}」已被删除，请先恢复它` } })
    expect(await alive(referrer, by)).toBe(false)
    expect(await caller.post(`${path(target, id)}/restore`)).toMatchObject({ status: 200 })
    expect((await back()).status).toBe(200)
  })
})
