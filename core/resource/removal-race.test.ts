import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../testing/app.server.ts'
import { REMOVABLE } from '../testing/removable.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { writableKeys } from './rules.ts'
import { BELOW_ITSELF, treeKeys } from './tree.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
/** Every reference that a call of its own writes and that refuses the removal of its target. */
const pairs = resources.filter(({ name, actions }) => actions.create && first.has(name)).flatMap((referrer) => writableKeys(referrer).flatMap((key) => {
  const field = referrer.fields[key]
  const target = field && 'target' in field && field.onRemove === 'refuse' ? app.kernel.registry.get(field.target().name)?.resource : undefined
  // Parcels of orders and what hangs below itself need more than their reference to be written.
  return target?.actions.remove !== undefined && target.name !== referrer.name && Object.keys(field && 'within' in field ? field.within : {}).length === 0
    ? [{ name: `${referrer.name}.${key} → ${target.name}`, referrer, key, target, isList: field?.kind === 'reference_list', states: field && 'neededWhile' in field ? Object.entries(field.neededWhile) : [] }] : []
}))

test('the walk meets single references and lists', () => {
  expect(new Set(pairs.map(({ isList }) => isList))).toEqual(new Set([true, false]))
  expect(pairs.length).toBeGreaterThan(15)
})

test('two moves that would close a circle together are not both made', async () => {
  for (const resource of resources.filter((one) => treeKeys(one).some((key) => writableKeys(one).includes(key) && !one.fields[key]?.createOnly))) {
    const [key = ''] = treeKeys(resource)
    const caller = samples.caller(resource)
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await samples.create(resource, { [key]: null }), await samples.create(resource, { [key]: null })]
      const answers = await Promise.all([
        caller.put<{ detail: string }>(`${resource.api.item}/${a.id}`, { [key]: b.id }), caller.put<{ detail: string }>(`${resource.api.item}/${b.id}`, { [key]: a.id }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)?.body.detail).toBe(BELOW_ITSELF)
    }
  }
})

describe.each(pairs)('$name', ({ referrer, key, target, isList, states }) => {
  test('whoever comes to refer to a record while it is removed is refused, or the removal is', async () => {
    const orphans: string[] = []
    for (let round = 0; round < 3; round++) {
      const [record] = await samples.insert(target, 1, REMOVABLE[target.table])
      const id = record?.id ?? 0
      const inputs: Record<string, unknown>[] = []
      while (inputs.length < 3) inputs.push(await samples.input(referrer, { [key]: isList ? [id] : id }))
      const from = samples.caller(target)
      const by = samples.caller(referrer)
      const create = (input: Record<string, unknown> | undefined) => by.post(referrer.api.item, input)
      const answers = await Promise.all([create(inputs[0]), create(inputs[1]), from.delete(`${target.api.item}/${id}`), create(inputs[2])])
      for (const { status, body } of answers) expect([200, 400, 409], JSON.stringify(body)).toContain(status)
      const names = isList ? sql`${sql.identifier(key)} @> array[${id}]::bigint[]` : sql`${sql.identifier(key)} = ${id}`
      const needed = states.map(([state, values]) => sql` and ${sql.identifier(state)} = any(${sql.param([...values])}::int[])`)
      orphans.push(...(await app.db.query<{ id: number }>(sql`select r.id from ${sql.identifier(referrer.table)} r
        where ${names}${sql.join(needed)} and r.deleted_at is null and not exists (select 1 from ${sql.identifier(target.table)} t where t.id = ${id} and t.deleted_at is null)`)).map((row) => `${referrer.name} ${row.id}`))
    }
    expect(orphans).toEqual([])
  })
})
