import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import { openTestApp } from '../testing/app.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import type { Row } from './list.server.ts'
import { change, create, remove, restore, revert, transition, type Done, type Pipeline } from './operations.server.ts'
import { writableKeys } from './rules.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const { registry } = app.kernel
const caller = await app.staff(app.servedGrants)
const staff: Staff = { id: caller.staffId, account: 'a', name: 'a', role: 'staff', modules: new Set(app.servedGrants), scopes: {}, masksNames: false }
const targets = new Map([...registry].map(([name, { resource }]) => [name, resource]))

/** A resource that can be created, changed and removed and has a plain text to write: which one does not matter. */
const found = [...registry.values()].flatMap((service) => {
  const { resource } = service
  const key = writableKeys(resource).find((candidate) => {
    const field = resource.fields[candidate]
    return (field?.kind === 'long_text' || field?.kind === 'text') && !field.required && !field.unique && !field.createOnly && field.max >= 60
  })
  return key && resource.actions.create && resource.actions.update && resource.actions.remove ? [{ service, key }] : []
})[0]
if (!found) throw new Error('no resource to write to')
const { service, key } = found
const { resource } = service
const pipeline: Pipeline = { service, registry, targets, staff }

const run = <Result>(work: Parameters<typeof app.db.transaction<Result>>[1]) => app.db.transaction({ staff_id: staff.id }, work)
const stored = async (id: number) => (await app.db.query<Row>(sql`select * from ${sql.identifier(resource.table)} where id = ${id}`))[0]
const refusal = (work: Promise<unknown>) => work.then(() => undefined, (error: unknown) => (error instanceof AppError ? error.code : error))

test('an operation says what was there before and which revision it left, and that is enough to take it back', async () => {
  const row = await samples.create(resource, { [key]: '原来' })
  const first: Done = await run((tx) => change(tx, pipeline, row.id, { [key]: '改过' }, { rev: row.rev }))
  expect(first.before).toMatchObject({ id: row.id, rev: row.rev, [key]: '原来' })
  expect(first.record).toMatchObject({ id: row.id, [key]: '改过' })
  expect(first.rev).toBe((await stored(row.id))?.rev)
  const back = await run((tx) => change(tx, pipeline, row.id, { [key]: first.before?.[key] }, { rev: first.rev }))
  expect(await stored(row.id)).toMatchObject({ [key]: '原来', rev: back.rev, updated_by: staff.id })
  // Somebody has written since: the first change is not taken back a second time.
  expect(await refusal(run((tx) => change(tx, pipeline, row.id, { [key]: '原来' }, { rev: first.rev })))).toBe('stale_write')
})

test('a removal and its return leave the revision that they say', async () => {
  const row = await samples.create(resource, {})
  const gone = await run((tx) => remove(tx, pipeline, row.id, { rev: row.rev }))
  expect(await stored(row.id)).toMatchObject({ rev: gone.rev })
  expect((await stored(row.id))?.['deleted_at']).not.toBeNull()
  expect(await refusal(run((tx) => change(tx, pipeline, row.id, { [key]: 'x' })))).toBe('not_found')
  const again = await run((tx) => restore(tx, pipeline, row.id))
  expect(await stored(row.id)).toMatchObject({ rev: again.rev, deleted_at: null })
  expect(again.rev).toBe(gone.rev + 1)
})

test('every operation asks for the right of its own; without a right a record of another scope is as unknown as none', async () => {
  const nobody: Pipeline = { ...pipeline, staff: { ...staff, modules: new Set([resource.grant]) } }
  const [withEdge] = [...registry.values()].filter((one) => one.resource.transitions.length > 0)
  const edge = withEdge?.resource.transitions[0]
  if (!withEdge || !edge) throw new Error('no resource with transitions')
  const row = await samples.create(resource, { [key]: '原来' })
  const works: Parameters<typeof run>[0][] = [
    (tx) => create(tx, nobody, {}), (tx) => change(tx, nobody, row.id, { [key]: 'x' }), (tx) => revert(tx, nobody, 0, 0),
    (tx) => remove(tx, nobody, 0), (tx) => restore(tx, nobody, 0), (tx) => transition(tx, { ...nobody, service: withEdge }, 0, edge),
  ]
  for (const work of works) expect(await refusal(run(work))).toBe('not_granted')
  expect(await refusal(run((tx) => change(tx, nobody, 0, { [key]: 'x' })))).toBe('not_found')
})

test('what one step refuses leaves nothing of the steps before it', async () => {
  const row = await samples.create(resource, { [key]: '原来' })
  const after: Pipeline = { ...pipeline, service: { ...service, rules: { ...service.rules, after: () => Promise.reject(new AppError('late', 400, '太晚了')) } } }
  expect(await refusal(run((tx) => change(tx, after, row.id, { [key]: '改过' })))).toBe('late')
  expect(await stored(row.id)).toMatchObject({ [key]: '原来', rev: row.rev })
})

test('the rules run in one order: guard, before, write, after', async () => {
  const row = await samples.create(resource, { [key]: '原来' })
  const order: string[] = []
  const step = (name: string) => async ({ tx }: { tx: { query: typeof app.db.query } }) => {
    const [now] = await tx.query<Record<string, unknown>>(sql`select ${sql.identifier(key)} as v from ${sql.identifier(resource.table)} where id = ${row.id}`)
    order.push(`${name} ${String(now?.['v'])}`)
  }
  const watched: Pipeline = { ...pipeline, service: { ...service, rules: { ...service.rules, guard: step('guard'), before: step('before'), after: step('after') } } }
  await run((tx) => change(tx, watched, row.id, { [key]: '改过' }))
  expect(order).toEqual(['guard 原来', 'before 原来', 'after 改过'])
})
