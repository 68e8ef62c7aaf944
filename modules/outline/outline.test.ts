import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../core/testing/expect.server.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { ALL_PAPERS } from '../paper/module.ts'
import { userOfMobile } from '../user/door.server.ts'
import { anyChanges } from './arbitrary.ts'
import type { OriginNews, OutlineContent, OutlineNews, OutlineSource, PublishedBody } from './calls.ts'
import { applyAll, type Change } from './changes.ts'
import { bodyOf, draftOf, EMPTY, livingBody, type Draft } from './draft.ts'
import { addBlockKind, addOutlineUser, blocksShowing, createOutline, outlineHealth, outlinesOf, progressOf, publishedOf } from './door.server.ts'
import { MAX_LEVELS, newBlock, newNode } from './node.ts'
import { readStored } from './store.server.ts'
import { addTestOwner, TEST_GRANTS } from './testing.server.ts'

addTestOwner()
addBlockKind({
  kind: 'song', label: '歌曲',
  target: {
    describe: (_db, ids) => Promise.resolve(ids.filter((id) => id < 100).map((id) => ({ id, name: `第 ${id} 首`, note: '', minutes: 3, health: { tone: 'ok', words: '可用' }, version_no: null, cover: null, path: null }))),
    find: () => Promise.resolve([]),
  },
})
const published: number[] = []
addOutlineUser({
  impact: (db, id) => db.query<{ id: number }>(sql`select owner_id as id from outline where id = ${id}`).then(([row]) => [{ label: '在售课程', live: 1, printed: 0, learners: 0, rows: [{ title: `课程 ${row?.id}`, path: null }] }]),
  published: (_tx, id) => Promise.resolve(void published.push(id)),
})

let app: TestApp
let admin: Caller
let other: Caller
let books = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff([...new Set([...app.allGrants, ...Object.values(TEST_GRANTS)])])
  other = await app.staff([TEST_GRANTS.view, TEST_GRANTS.edit, TEST_GRANTS.publish])
})
afterAll(() => app.close())

const newOutline = () => app.db.transaction({ staff_id: null }, (tx) => createOutline(tx, { kind: 'test_book', id: ++books }))
const at = (id: number, more = '') => `/daoyuan/api/end/outlines/${id}${more}`
const read = async (id: number) => (await admin.get<OutlineContent>(at(id))).body
const change = (caller: Caller, id: number, rev: number, changes: readonly Change[]) => caller.post<Pick<OutlineNews, keyof OutlineNews> & { detail: string }>(at(id, '/changes'), { rev, changes })
const node = (key: string, parent: string | null = null, more: Parameters<typeof newNode>[1] = { name: key }, ord = `a${key.charCodeAt(0) % 10}`) => newNode({ key, parent, ord }, more)
const add = (...nodes: ReturnType<typeof newNode>[]): Change => ({ do: 'add', nodes })
const bind = (key: string, to: string, kind: string, ref_id: number, more = {}): Change => ({ do: 'bind', blocks: [newBlock({ key, node: to, ord: 'a0', kind, ref_id }, more)] })
const publish = async (caller: Caller, id: number, note = '') => {
  const { body } = await caller.get<{ token: string }>(at(id, '/impact'))
  return caller.post<{ no: number; detail: string }>(at(id, '/publish'), { note, token: body.token })
}
const names = (draft: Draft) => livingBody(draft).nodes.map(({ name }) => name)
const sorted = (draft: Draft) => ({ nodes: bodyOf(draft).nodes.toSorted((a, b) => a.key.localeCompare(b.key)), blocks: bodyOf(draft).blocks.toSorted((a, b) => a.key.localeCompare(b.key)) })

async function makePaper(state: number): Promise<number> {
  const { body } = await admin.post<{ id: number }>(ALL_PAPERS[0]?.api.item ?? '', { name: `随堂卷 ${++books}`, subject_id: 1 })
  await app.db.query(sql`update paper set state = ${state}, version_no = 1, duration = 20 where id = ${body.id}`)
  return body.id
}
const learner = () => app.db.transaction({ staff_id: null }, (tx) => userOfMobile(tx, null, { mobile: `139${String(10_000_000 + ++books)}`, name: `学员 ${books}` }))

describe('two editors', () => {
  test('whatever both send in whatever order leaves the forest that the pure changes say, with paths of ancestors', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), anyChanges), { minLength: 1, maxLength: 6 }), async (sent) => {
      const id = await newOutline()
      let expected: Draft = EMPTY
      for (const [mine, changes] of sent) {
        const { status, body } = await change(mine ? admin : other, id, 0, changes)
        expect(status, JSON.stringify(body)).toBe(200)
        expected = applyAll(expected, changes)
      }
      const { draft } = await readStored(app.db, id)
      expect(sorted(draft)).toEqual(sorted(expected))
      const rows = await app.db.query<{ id: number; parent_id: number | null; path: string }>(sql`select id, parent_id, path from outline_node where outline_id = ${id}`)
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const { parent_id, path } of rows) {
        const parent = parent_id === null ? undefined : byId.get(parent_id)
        expect(path).toBe(parent ? `${parent.path}${parent.id}/` : '/')
        expect(path.split('/').length - 1).toBeLessThanOrEqual(MAX_LEVELS)
      }
      const { body: news } = await admin.get<OutlineNews>(at(id, '/changes'), { rev: '0' })
      expect(sorted(news.changes?.reduce((so, one) => applyAll(so, one.changes), EMPTY) ?? EMPTY)).toEqual(sorted(expected))
    }), { numRuns: 25 })
  })

  test('at once lose nothing, and each hears of what the other did', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a'), node('b'))])
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => change(n % 2 === 0 ? admin : other, id, 1, [add(node(`n${n}`, 'a'))])))
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const content = await read(id)
    expect(content.rev).toBe(11)
    expect(content.body.nodes.length).toBe(12)
  })

  test('who moves what the other removed is told who did it', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a'), node('b'), node('c', 'a'))])
    await change(other, id, 1, [{ do: 'remove', keys: ['a'] }])
    const { body } = await change(admin, id, 1, [{ do: 'move', parent: 'b', nodes: [{ key: 'c', ord: 'a0' }] }, { do: 'set', keys: ['a'], values: { name: '改' } }])
    expect(body.clashes).toMatchObject([{ key: 'a', did: 'removed' }])
    expect(body.clashes[0]?.staff_name).toMatch(/^staff_/)
  })
})

describe('publishing', () => {
  test('keeps the draft of that moment, whatever is edited afterwards, and forgets what no learner saw', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a', null, { name: '第一章', kind: 2 }), node('b', 'a', { name: '集合' }), node('x', 'a', { name: '写错了' })), { do: 'remove', keys: ['x'] }, bind('t', 'b', 'text', 0, { title: '导语' })])
    expect((await publish(admin, id, '首版')).body).toEqual({ no: 1 })
    const first = await publishedOf(app.db, id)
    expect(first?.body.nodes.map(({ name }) => name)).toEqual(['第一章', '集合'])
    expect(first?.body.blocks).toMatchObject([{ key: 't', name: '导语' }])
    expect((await read(id)).body.nodes.map(({ key }) => key).sort()).toEqual(['a', 'b'])
    await change(admin, id, 1, [{ do: 'set', keys: ['b'], values: { name: '集合与逻辑' } }])
    expect(await read(id)).toMatchObject({ state: 2, version_no: 1 })
    expect(await publishedOf(app.db, id)).toEqual(first)
    expect((await publish(admin, id)).body).toEqual({ no: 2 })
    // Nothing is different: no version more.
    expect((await publish(admin, id)).body).toEqual({ no: 2 })
  })

  test('a node that learners saw stays as a tombstone with its content, so that nobody falls back', async () => {
    const [id, person] = [await newOutline(), await learner()]
    const paper = await makePaper(2)
    await change(admin, id, 0, [add(node('a'), node('b')), bind('p', 'a', 'paper', paper, { slot: 1 }), bind('q', 'b', 'paper', paper, { slot: 1 })])
    await publish(admin, id)
    const seen = (await publishedOf(app.db, id))?.body.nodes ?? []
    const nodeId = seen.find(({ key }) => key === 'a')?.id ?? 0
    const key = await makeAppKey(app, ['learn_records', 'learn_content'])
    const send = (records: object[], idempotency: string) => app.nobody().post<{ received: number; unknown: number[]; unknown_users: number[] }>('/daoyuan/api/end/learn_records', { records }, { authorization: `Bearer ${key}`, 'idempotency-key': idempotency })
    const record = { user_id: person, node_id: nodeId, seconds: 60, done: true, at: 1_790_000_000 }
    expect((await send([record, { ...record, at: record.at + 60, done: false }, { ...record, node_id: 999_999_999 }, { ...record, user_id: 999_999_999 }], 'learn-0001')).body).toEqual({ received: 2, unknown: [999_999_999], unknown_users: [999_999_999] })
    // Sent again under another key: it counts once.
    expect((await send([record], 'learn-0002')).body).toEqual({ received: 0, unknown: [], unknown_users: [] })
    const [before] = await progressOf(app.db, id, [person])
    expect(before).toMatchObject({ share: 0.5, seconds: 120 })
    await change(admin, id, 1, [{ do: 'remove', keys: ['a'] }])
    expect((await publish(admin, id)).body).toEqual({ no: 2 })
    const body = (await publishedOf(app.db, id))?.body
    expect(body?.nodes.find((one) => one.key === 'a')).toMatchObject({ id: nodeId, gone: true, gone_since: 2 })
    expect(body?.blocks.some((block) => block.node === 'a')).toBe(true)
    const [after] = await progressOf(app.db, id, [person])
    expect(after?.share).toBeGreaterThanOrEqual(before?.share ?? 1)
    const { body: told } = await app.nobody().call<{ no: number; body: PublishedBody }>('GET', `/daoyuan/api/end/learn_outlines/${id}`, undefined, { authorization: `Bearer ${key}` })
    expect(told).toEqual(await publishedOf(app.db, id))
  })

  test('progress never falls, whatever is edited and published', async () => {
    await fc.assert(fc.asyncProperty(anyChanges, anyChanges, async (first, then) => {
      const [id, person] = [await newOutline(), await learner()]
      await change(admin, id, 0, [add(node('a'), node('b'), node('c', 'b')), ...first.filter((one) => one.do !== 'remove')])
      await publish(admin, id)
      const nodes = (await publishedOf(app.db, id))?.body.nodes ?? []
      await app.db.query(sql`insert into learn_stat (user_id, node_id, outline_id, seconds, done, last_at) select ${person}, n, ${id}, 1, true, now() from unnest(${sql.param(nodes.map((one) => one.id))}::bigint[]) n`)
      await change(admin, id, 1, then)
      await publish(admin, id)
      const kept = new Set((await publishedOf(app.db, id))?.body.nodes.map((one) => one.id))
      expect(nodes.filter((one) => !kept.has(one.id))).toEqual([])
    }), { numRuns: 15 })
  })

  test('needs the token of exactly what was seen', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a'))])
    expect((await admin.post(at(id, '/publish'), {})).status).toBe(200)
    await change(admin, id, 1, [add(node('b'))])
    const { body: seen } = await admin.get<{ token: string }>(at(id, '/impact'))
    await change(other, id, 2, [add(node('c'))])
    const refused = await admin.post<{ impact: { token: string } }>(at(id, '/publish'), { token: seen.token })
    expectRefusal(refused, 409)
    expectRefusal(await admin.post(at(id, '/publish'), {}), 409)
    expect((await admin.post(at(id, '/publish'), { token: refused.body.impact.token })).body).toEqual({ no: 2 })
  })

  test('is refused while something that learners would get is not in order, by its name', async () => {
    const id = await newOutline()
    const paper = await makePaper(0)
    await change(admin, id, 0, [add(node('a')), bind('p', 'a', 'paper', paper, { slot: 1 })])
    const refused = await publish(admin, id)
    expectRefusal(refused, 400)
    expect(refused.body.detail).toMatch(/^「随堂卷 \d+」试卷草稿，没有上架，处理后再发布$/)
    await app.db.query(sql`update paper set state = 2 where id = ${paper}`)
    expect((await publish(admin, id)).status).toBe(200)
    // What learners see keeps it, also when nobody edits with it any more.
    await change(admin, id, 1, [{ do: 'unbind', keys: ['p'] }])
    await app.db.query(sql`update paper set state = 3 where id = ${paper}`)
    const removal = await admin.delete<{ detail: string }>(`${ALL_PAPERS[0]?.api.item}/${paper}`)
    expectRefusal(removal, 409)
    expect(removal.body.detail).toContain('1 个已发布的课程目录')
    expect((await outlineHealth(app.db, 'test_book', [(await app.db.query<{ owner_id: number }>(sql`select owner_id from outline where id = ${id}`))[0]?.owner_id ?? 0])).values().next().value).toMatchObject({ version: 1, lessons: 1, problems: [expect.stringContaining('试卷已下架')] })
  })

  test('is compared, given up, and rolled back', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a', null, { name: '甲' }), node('b', null, { name: '乙' }))])
    await publish(admin, id, '首版')
    await change(admin, id, 1, [{ do: 'set', keys: ['a'], values: { name: '甲二' } }, { do: 'remove', keys: ['b'] }, add(node('c', null, { name: '丙' }))])
    expect((await admin.post(at(id, '/discard'))).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 1 })
    expect(names(draftOf((await read(id)).body))).toEqual(['甲', '乙'])
    expectRefusal(await admin.post(at(id, '/discard')), 400)
    await change(admin, id, 2, [{ do: 'remove', keys: ['b'] }])
    await publish(admin, id, '去掉乙')
    const { body: seen } = await admin.get<{ token: string }>(at(id, '/impact'))
    expect((await admin.post(at(id, '/versions/1/restore'), { token: seen.token })).body).toEqual({ no: 3 })
    expect((await publishedOf(app.db, id))?.body.nodes.filter(({ gone }) => !gone).map(({ name }) => name).sort()).toEqual(['乙', '甲'])
    const { body: versions } = await admin.get<{ items: { no: number; note: string; lessons: number }[] }>(at(id, '/versions'))
    expect(versions.items).toMatchObject([{ no: 3, note: '回滚到 v1', lessons: 2 }, { no: 2, note: '去掉乙', lessons: 1 }, { no: 1, note: '首版', lessons: 2 }])
    expect((await admin.get<{ body: PublishedBody }>(at(id, '/versions/2'))).body.body.nodes.length).toBe(2)
    expectRefusal(await admin.get(at(id, '/versions/9')), 404)
  })
})

describe('modules that hand something over', () => {
  test('have their content bound, their places in the impact, and hear of each version', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a')), bind('s', 'a', 'song', 7)])
    expect((await change(admin, id, 1, [bind('t', 'a', 'song', 100)])).body.detail).toBe('歌曲不存在或已被删除，请重新选择')
    expect((await admin.get<{ groups: object[] }>(at(id, '/impact'))).body.groups).toMatchObject([{ label: '在售课程', live: 1 }])
    await publish(admin, id)
    expect(published).toContain(id)
    const [row] = await app.db.query<{ owner_id: number }>(sql`select owner_id from outline where id = ${id}`)
    expect((await outlinesOf(app.db, 'test_book', [row?.owner_id ?? 0])).get(row?.owner_id ?? 0)).toMatchObject({ id, version_no: 1, state: 1 })
    expect(await app.db.query(blocksShowing('song', 7))).toMatchObject([{ outline_id: id, name: 'a' }])
    expect((await publishedOf(app.db, id))?.body.nodes).toMatchObject([{ minutes: 3 }])
  })

  test('nothing is bound that the index does not find: uses by index are those of a full scan', async () => {
    const all = await app.db.query<{ kind: string; ref_id: number; n: number }>(sql`select kind, ref_id, count(*)::int as n from outline_block where ref_id > 0 group by 1, 2`)
    expect(all.length).toBeGreaterThan(0)
    for (const { kind, ref_id, n } of all) {
      const bodies = await app.db.query<{ id: number }>(sql`select id from outline`)
      let count = 0
      for (const { id } of bodies) count += [...(await readStored(app.db, id)).draft.blocks.values()].filter((block) => block.kind === kind && block.ref_id === ref_id).length
      expect(count).toBe(n)
    }
  })
})

describe('copies', () => {
  test('take what the origin changed node by node, keep theirs, or skip a version', async () => {
    const origin = await newOutline()
    await change(admin, origin, 0, [add(node('a', null, { name: '甲' }), node('b', null, { name: '乙' }), node('c', null, { name: '丙' }))])
    await publish(admin, origin)
    const copy = await newOutline()
    const sources = (caller: Caller, keyword: string) => caller.get<{ items: OutlineSource[] }>(at(copy, '/sources'), { keyword })
    expect((await sources(admin, `第 ${books - 1} 册`)).body.items).toEqual([{ id: origin, title: `第 ${books - 1} 册`, note: '测试', label: '测试教材', lessons: 3, version_no: 1 }])
    expect((await sources(admin, `第 ${books} 册`)).body.items).toEqual([])
    expectRefusal(await sources(await app.staff([TEST_GRANTS.view]), ''), 403)
    expect((await admin.post(at(copy, '/copy'), { from_id: origin })).status).toBe(200)
    expectRefusal(await admin.post(at(copy, '/copy'), { from_id: origin }), 400)
    await change(admin, copy, 1, [{ do: 'set', keys: ['b'], values: { name: '我的乙' } }])
    await change(admin, origin, 1, [{ do: 'set', keys: ['a'], values: { name: '新甲' } }, { do: 'set', keys: ['b'], values: { name: '新乙' } }, { do: 'remove', keys: ['c'] }, add(node('d', 'a', { name: '丁' })), bind('t', 'd', 'text', 0, { title: '字' })])
    await publish(admin, origin)
    expect((await read(copy)).origin).toEqual({ id: origin, no: 1, latest: 2 })
    const { body: news } = await admin.get<OriginNews>(at(copy, '/origin'))
    expect(news.open.sort()).toEqual(['a', 'b', 'c', 'd'])
    const decide = (latest: number, decisions: object[]) => admin.post<Pick<OutlineNews, keyof OutlineNews>>(at(copy, '/origin'), { rev: 0, latest, decisions })
    expectRefusal(await decide(1, [{ key: 'a', take: 'accept' }]), 400)
    expect((await decide(2, [{ key: 'd', take: 'accept' }, { key: 'a', take: 'accept' }, { key: 'b', take: 'keep' }])).status).toBe(200)
    expect((await admin.get<OriginNews>(at(copy, '/origin'))).body.open).toEqual(['c'])
    expect((await decide(2, [{ key: 'c', take: 'skip' }])).status).toBe(200)
    const after = await read(copy)
    expect(names(draftOf(after.body)).sort()).toEqual(['丁', '丙', '我的乙', '新甲'].sort())
    expect(after.body.blocks).toMatchObject([{ key: 't', node: 'd', title: '字' }])
    expect(after.origin).toEqual({ id: origin, no: 2, latest: 2 })
    // Kept for ever: b is not asked for again; c was skipped and comes again when it changes.
    await change(admin, origin, 2, [{ do: 'set', keys: ['b'], values: { name: '更新乙' } }, { do: 'restore', keys: ['c'] }])
    await publish(admin, origin)
    expect((await admin.get<OriginNews>(at(copy, '/origin'))).body.open).toEqual(['c'])
  })
})

describe('who may what', () => {
  test('without the id nobody looks, edits or publishes', async () => {
    const id = await newOutline()
    const viewer = await app.staff([TEST_GRANTS.view])
    expect((await viewer.get<OutlineContent>(at(id))).body).toMatchObject({ can_edit: false, read_only: '没有「测试教材 · 新增和编辑」权限，只能查看' })
    expectRefusal(await change(viewer, id, 0, [add(node('a'))]), 403)
    const editor = await app.staff([TEST_GRANTS.view, TEST_GRANTS.edit])
    expect((await change(editor, id, 0, [add(node('a'))])).status).toBe(200)
    expectRefusal(await editor.post(at(id, '/publish'), {}), 403)
    expectRefusal(await admin.get(at(999_999_999)), 404)
  })

  test('what is bound has to be there, and of a kind that this owner offers', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a'))])
    const strange = await change(admin, id, 1, [bind('v', 'a', 'word_list', 1)])
    expectRefusal(strange, 400)
    expect(strange.body.detail).toBe('「测试教材」的目录不能放「词表」')
    expect((await change(admin, id, 1, [bind('v', 'a', 'paper', 999_999_999)])).body.detail).toBe('试卷不存在或已被删除，请重新选择')
    expect((await change(admin, id, 1, [{ do: 'set', keys: ['a'], values: { label_ids: [999_999_999] } }])).body.detail).toBe('标签不存在或已被删除，请重新选择')
    const paper = await makePaper(2)
    const { body } = await admin.get<{ items: { id: number; health: { tone: string } }[] }>(at(id, '/targets'), { kind: 'paper', keyword: '随堂卷' })
    expect(body.items.find((one) => one.id === paper)).toMatchObject({ health: { tone: 'ok' } })
  })

  test('names of files find their lessons', async () => {
    const id = await newOutline()
    await change(admin, id, 0, [add(node('a', null, { name: '第三章 函数', kind: 2 }), node('b', 'a', { name: '第1讲 函数的概念' }), node('c', 'a', { name: '第2讲 单调性' }))])
    const { body } = await admin.post<{ items: { guesses: { key: string; confidence: number }[] }[] }>(at(id, '/guess'), { names: ['第2讲-单调性.mp4', '乱七八糟.mp4'] })
    expect(body.items[0]?.guesses[0]).toMatchObject({ key: 'c' })
    expect(body.items[0]?.guesses[0]?.confidence).toBeGreaterThanOrEqual(0.75)
    expect(body.items[1]?.guesses).toEqual([])
  })
})
