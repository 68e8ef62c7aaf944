import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { upload } from '../testing/uploads.server.ts'
import { seededRandom } from '../setup/random.ts'
import { openTestApp } from '../testing/app.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { treeEndpoints, type FoundNode, type NodeWithPath, type TreeNode } from './calls.ts'
import type { SheetReport } from './sheet-calls.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const trees = [...app.kernel.registry.values()].flatMap(({ resource }) => (resource.tree ? [{ name: resource.name, resource, tree: resource.tree }] : []))

test('the walk meets trees with and without a hidden root, groups, merging and sheets', () => {
  expect(trees.length).toBeGreaterThan(4)
  expect(new Set(trees.map(({ tree }) => tree.rooted))).toEqual(new Set([true, false]))
  expect(new Set(trees.map(({ tree }) => tree.merges))).toEqual(new Set([true, false]))
  expect(new Set(trees.map(({ tree }) => tree.group.length > 0))).toEqual(new Set([true, false]))
})

describe.each(trees)('$name', ({ resource, tree }) => {
  const caller = samples.caller(resource)
  const { list, item } = resource.api
  const table = sql.identifier(resource.table)
  let names = 0
  let group: Record<string, unknown> = {}
  const add = async (parent: number | null) => {
    const row = await samples.create(resource, { ...group, parent_id: parent, [resource.title]: `节点${++names}` }) as { id: number; [key: string]: unknown }
    group = Object.fromEntries(tree.group.map((key) => [key, row[key]]))
    return row.id
  }
  const move = (id: number, parent_id: number | null, before_id?: number) => caller.post<TreeNode & { detail?: string }>(`${item}/${id}/move`, { parent_id, ...(before_id && { before_id }) })
  const level = async (parent?: number) => (await caller.get<{ items: TreeNode[] }>(`${list}/tree`, { ...group, ...(parent && { parent_id: parent }) })).body.items
  const order = async (parent: number, ids: readonly number[]) => (await level(parent)).map(({ id }) => id).filter((id) => ids.includes(id))

  /** Paths, depths and parents agree, nothing hangs too deep, and the records of a tree hang together. */
  const expectForest = async () => {
    const wrong = await app.db.query(sql`select l.id from ${table} l left join ${table} a on a.id = l.parent_id
      where l.deleted_at is null${sql.join(Object.entries(resource.where).map(([key, value]) => sql` and l.${sql.identifier(key)} = ${value}`))} and (l.path is distinct from coalesce(a.path || a.id || '/', '/') or l.depth is distinct from coalesce(a.depth + 1, 0) or l.depth + ${tree.rooted ? 0 : 1} > ${tree.levels} or (l.parent_id is not null and a.id is null))`)
    expect(wrong).toEqual([])
  }

  test('random moves leave a forest in which every node stands once, and in the order that was asked', async () => {
    const random = seededRandom(7)
    const ids: number[] = []
    for (let n = 0; n < 10; n++) {
      const parent = n > 2 && random.chance(0.5) ? random.pick(ids.slice(0, 3)) : null
      ids.push(await add(parent))
    }
    let done = 0
    for (let step = 0; step < 40; step++) {
      const [id, parent, before] = [random.pick(ids), random.chance(0.2) ? null : random.pick(ids), random.chance(0.5) ? random.pick(ids) : undefined]
      const answer = await move(id, parent, before)
      expect(answer.status, JSON.stringify(answer.body)).toBeOneOf([200, 400])
      if (answer.status !== 200) continue
      done++
      const siblings = parent === null ? await level() : await level(parent)
      const place = siblings.findIndex((one) => one.id === id)
      const next = siblings.findIndex((one) => one.id === before && before !== id)
      expect(place).toBe(next < 0 ? siblings.length - 1 : next - 1)
    }
    expect(done).toBeGreaterThan(10)
    await expectForest()
    const [counted] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from ${table} where id = any(${sql.param(ids)}::bigint[]) and deleted_at is null`)
    expect(counted?.n).toBe(ids.length)
  }, 30_000)

  test('nothing moves below itself or deeper than the tree goes; what stands below comes along', async () => {
    const chain = [await add(null)]
    for (let depth = 1; depth < tree.levels; depth++) chain.push(await add(chain.at(-1) ?? null))
    const [top = 0, second = 0] = chain
    expect(await move(top, second)).toMatchObject({ status: 400, body: { detail: '不能移动到自己的下级' } })
    const other = await add(null)
    expect(await move(top, other)).toMatchObject({ status: 400, body: { detail: `${resource.label}最多 ${tree.levels} 级` } })
    expect((await move(second, other)).status).toBe(200)
    const path = (await caller.get<NodeWithPath>(`${list}/tree/${chain.at(-1)}`)).body.above.map(({ id }) => id)
    expect(path).toEqual([other, ...chain.slice(1, -1)])
    expect((await level()).find(({ id }) => id === other)?.below).toBe(tree.levels - 1)
    await expectForest()
  })

  test('a hundred insertions at one spot keep the order and short keys', async () => {
    const parent = await add(null)
    const ids = [await add(parent), await add(parent), await add(parent)]
    const [, middle = 0, last = 0] = ids
    for (let n = 0; n < 100; n++) await move(n % 2 ? last : middle, parent, n % 2 ? middle : last)
    expect(await order(parent, ids)).toEqual([ids[0], last, middle])
    const [longest] = await app.db.query<{ n: number }>(sql`select max(length(ord))::int as n from ${table} where parent_id = ${parent}`)
    expect(longest?.n).toBeLessThan(70)
    // Keys that were written by hand: the same twice, and none.
    await app.db.query(sql`update ${table} set ord = case when id = ${last} then null else 'a5' end where parent_id = ${parent}`)
    expect((await move(last, parent, middle)).status).toBe(200)
    expect(await order(parent, ids)).toEqual([ids[0], last, middle])
  }, 30_000)

  test('two moves at once never close a circle', async () => {
    const [a, b] = [await add(null), await add(null)]
    const answers = await Promise.all([move(a, b), move(b, a)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    await expectForest()
  })

  test('nodes are found by name with the way to them', async () => {
    const top = await add(null)
    const below = await add(top)
    const found = await caller.get<{ items: FoundNode[] }>(`${list}/tree/find`, { ...group, keyword: `节点${names}` })
    expect(found.body.items[0]).toEqual({ id: below, name: `节点${names}`, above: [`节点${names - 1}`] })
  })

  test.runIf(tree.merges)('a merged node\'s id means what took its place; children of one name become one', async () => {
    const [from, into] = [await add(null), await add(null)]
    const [twin, same] = [await add(from), await add(into)]
    const [name] = await app.db.query<{ name: string }>(sql`select ${sql.identifier(resource.title)} as name from ${table} where id = ${same}`)
    await app.db.query(sql`update ${table} set ${sql.identifier(resource.title)} = ${name?.name} where id = ${twin}`)
    const alone = await add(from)
    expect(await caller.post(`${item}/${from}/merge`, { into_id: from })).toMatchObject({ status: 400 })
    expect((await caller.post(`${item}/${from}/merge`, { into_id: into })).status).toBe(200)
    for (const [old, today] of [[from, into], [twin, same]] as const) expect((await caller.get<NodeWithPath>(`${list}/tree/${old}`)).body.node.id).toBe(today)
    expect((await level(into)).map(({ id }) => id)).toEqual([same, alone])
    expect((await caller.post(`${item}/${from}/restore`)).status).toBe(400)
    await expectForest()
  })

  test.runIf(treeEndpoints(resource).readSheet)('what goes out as a sheet comes in again, in its order', async () => {
    const top = await add(null)
    const ids = [await add(top), await add(top)]
    const [first, second] = (await level(top)).map(({ name }) => name)
    const [head] = (await level()).filter(({ id }) => id === top)
    const { body } = await upload(app, caller, 'file', 'tree.csv', `一级,二级\n${head?.name},${second}\n,${first}\n,新的一项\n`)
    const read = (write: boolean) => caller.post<SheetReport>(`${list}/tree/sheet`, { file_id: body.id, mode: 'add', write, group })
    expect((await read(false)).body).toMatchObject({ problems: [], effect: { added: 1 }, written: false })
    expect(await order(top, ids)).toEqual(ids)
    expect((await read(true)).body).toMatchObject({ effect: { added: 1 }, written: true })
    expect((await level(top)).map(({ name }) => name)).toEqual([second, first, '新的一项'])
    expect((await caller.get(`${list}/tree/sheet`, group)).status).toBe(200)
    await expectForest()
  })
})
