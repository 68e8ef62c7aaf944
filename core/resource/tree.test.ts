import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { jobOver } from '../testing/jobs.server.ts'
import { openTestApp } from '../testing/app.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { BELOW_ITSELF, circular, treeKeys } from './tree.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const trees = [...app.kernel.registry.values()].map(({ resource }) => resource).flatMap((resource) => treeKeys(resource).map((key) => ({ name: `${resource.name}.${key}`, resource, key })))

test('a resource that lists itself as a tree hangs by a reference that is known as one', () => {
  const listed = [...app.kernel.registry.values()].map(({ resource }) => resource).filter(({ tree }) => tree !== undefined)
  expect(listed.length).toBeGreaterThan(2)
  expect(listed.filter((resource) => !treeKeys(resource).includes('parent_id')).map(({ name }) => name)).toEqual([])
})

describe.each(trees)('$name', ({ resource, key }) => {
  const caller = samples.caller(resource)
  const put = (id: number, parent: number) => caller.put<{ detail?: string }>(`${resource.api.item}/${id}`, { [key]: parent })
  /** Three records, each below the one before. */
  const chain = async () => {
    const top = await samples.create(resource, { [key]: null })
    // What hangs together shares what the tree is of.
    const fixed = Object.fromEntries(Object.keys(('within' in (resource.fields[key] ?? {}) && (resource.fields[key] as { within?: object }).within) || {}).map((own) => [own, top[own]]))
    const middle = await samples.create(resource, { ...fixed, [key]: top.id })
    return [top.id, middle.id, (await samples.create(resource, { ...fixed, [key]: middle.id })).id] as const
  }
  const circles = async (ids: readonly number[]) => circular(app.db, resource, key, ids)

  test('nothing hangs below itself after a save', async () => {
    const ids = await chain()
    const [top, middle, low] = ids
    const [stored] = await app.db.query<{ parent: number | null }>(sql`select ${sql.identifier(key)} as parent from ${sql.identifier(resource.table)} where id = ${top}`)
    for (const parent of [top, middle, low]) {
      const answer = await put(top, parent)
      // A field that is fixed stays as it is, whatever is sent.
      if (resource.fields[key]?.createOnly) expect(answer.status).toBe(200)
      else expect(answer).toMatchObject({ status: 400, body: { detail: BELOW_ITSELF } })
    }
    expect(await circles(ids)).toEqual([])
    const [row] = await app.db.query<{ parent: number | null }>(sql`select ${sql.identifier(key)} as parent from ${sql.identifier(resource.table)} where id = ${top}`)
    // At the top of a tree with a hidden root this is that root.
    expect(row?.parent).toBe(stored?.parent)
  })

  test('nor after a bulk change', async () => {
    const ids = await chain()
    const answer = await caller.post<{ job?: { id: number } }>(`${resource.api.list}/bulk`, { action: 'update', ids: [ids[0]], values: { [key]: ids[2] } })
    if (resource.fields[key]?.createOnly) expect(answer.status).toBe(400)
    else expect((await jobOver(caller, answer.body.job?.id)).result).toMatchObject({ done: 0, skipped: 1, reasons: [{ reason: BELOW_ITSELF }] })
    expect(await circles(ids)).toEqual([])
  })

  test('a circle that was stored is found', async () => {
    const [top, , low] = await chain()
    await app.db.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(key)} = ${low} where id = ${top}`)
    expect(await circles([top])).toEqual([top])
    await app.db.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(key)} = null where id = ${top}`)
  })
})
