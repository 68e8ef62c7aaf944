import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '../../../core/testing/uploads.server.ts'
import { seededRandom } from '../../../core/setup/random.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { screenId } from '../../screens.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { startWritten } from '../edit/written.ts'
import type { SheetReport } from '../../../core/tree/sheet-calls.ts'
import type { LabelNode } from './calls.ts'

let app: TestApp
let editor: Caller
let root: number
const END = '/daoyuan/api/end'
const SEARCH = '/daoyuan/api/dou_practice/end/practices'

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff(app.servedGrants)
  const [row] = await app.db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = 1 and parent_id is null`)
  root = row?.id ?? 0
})
afterAll(() => app.close())

async function label(name: string, parent = root): Promise<number> {
  const answer = await editor.post<{ id: number }>(`${END}/knowledge_label`, { subject_id: 1, parent_id: parent, name })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}
let nth = 0
async function question(ids: number[]): Promise<number> {
  const start = startWritten(1)
  const options = ['1', '2', '3', '4'].map((one, index) => ({ id: `o${index + 1}`, doc: inlineDoc([one]) }))
  const answer = await editor.post<{ id: number }>('/daoyuan/api/dou_practice/end/practice', {
    ...start, level: 0, content: { ...start.content, stem: inlineDoc([`第 ${++nth} 题`]), options, answer: { k: 'one', ok: 'o1' } }, facts: { ...start.facts, difficulty: (nth % 5) + 1 }, labels: ids.map((id, index) => ({ id, main: index === 0 })),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}
const found = async (labelId: number) => (await editor.post<{ items: { id: number }[] }>(SEARCH, { pool: 'back', cat_id: 1, label_ids: [labelId], page_size: 200 })).body.items.map(({ id }) => id)

/** The index of questions under labels beside what it follows from. */
async function expectClosure(): Promise<void> {
  const wrong = await app.db.query(sql`
    with right_one as (select distinct above.id as label_id, p.pool, p.id as practice_id from practice p join practice_label pl on pl.practice_id = p.id join label l on l.id = pl.label_id
      cross join lateral (select l.id union all select u.id::bigint from unnest(string_to_array(trim(both '/' from l.path), '/')) u(id) where u.id <> '') above where p.deleted_at is null)
    (select * from right_one except select label_id, pool, practice_id from practice_label_tree) union all (select label_id, pool, practice_id from practice_label_tree except select * from right_one)`)
  expect(wrong).toEqual([])
}

test('whatever is moved and merged, every question is reached by every label that it was given, under its old id too', async () => {
  const random = seededRandom(11)
  const labels: number[] = []
  for (let top = 0; top < 3; top++) {
    const above = await label(`主题${top}`)
    labels.push(above)
    // The same names under each topic, so that merging topics merges their children too.
    for (const name of ['概念', '性质', '应用']) {
      const sub = await label(name, above)
      labels.push(sub, await label('基础', sub))
    }
  }
  const given = new Map<number, number[]>()
  for (let i = 0; i < 24; i++) {
    const ids = [...new Set([random.pick(labels), random.pick(labels)])]
    given.set(await question(ids), ids)
  }
  let done = 0
  for (let step = 0; step < 40; step++) {
    const [one, other] = [random.pick(labels), random.pick(labels)]
    const answer = random.chance(0.5)
      ? await editor.post(`${END}/knowledge_label/${one}/move`, { parent_id: random.chance(0.2) ? root : other })
      : await editor.post(`${END}/knowledge_label/${one}/merge`, { into_id: other })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    if (answer.status === 200) done++
  }
  expect(done).toBeGreaterThan(8)
  for (const [id, ids] of given) for (const one of ids) expect(await found(one), `question ${id} under ${one}`).toContain(id)
  await expectClosure()
  const broken = await app.db.query(sql`select l.id from label l where l.deleted_at is null and l.parent_id is not null and l.path <> (select a.path || a.id || '/' from label a where a.id = l.parent_id)`)
  expect(broken).toEqual([])
  const chains = await app.db.query(sql`select a.id from label a join label b on b.id = a.merged_into where b.deleted_at is not null`)
  expect(chains).toEqual([])
})

test('a label is divided by conditions; a trial changes nothing', async () => {
  const whole = await label('待拆分')
  const ids = [await question([whole]), await question([whole]), await question([whole])]
  const trial = await editor.post<{ rest: number }>(`${END}/labels/${whole}/split`, { dry: true, parts: [{ name: '拆出', keyword: `第 ${nth} 题` }] })
  expect(trial.body).toMatchObject({ parts: [{ name: '拆出', label_id: null, practices: 1 }], rest: 2 })
  expect(await found(whole)).toHaveLength(3)
  const split = await editor.post<{ parts: { label_id: number }[]; rest: number }>(`${END}/labels/${whole}/split`, { parts: [{ name: '拆出', keyword: `第 ${nth} 题` }] })
  expect(split.body.rest).toBe(2)
  expect(await found(split.body.parts[0]?.label_id ?? 0)).toEqual([ids[2]])
  await expectClosure()
})

test('a sheet is counted before it is written, adds to the tree or takes its place, and never loses a question', async () => {
  const physics = 3
  const sheet = async (text: string, mode: string, write: boolean) => {
    const { body } = await upload(app, editor, 'file', 'labels.csv', text)
    return editor.post<SheetReport & { detail?: string }>(`${END}/knowledge_labels/tree/sheet`, { group: { subject_id: physics }, file_id: body.id, mode, write })
  }
  const names = async () => (await app.db.query<{ name: string }>(sql`select name from label where kind = 'knowledge' and subject_id = ${physics} and parent_id is not null and deleted_at is null order by name`)).map(({ name }) => name)
  const first = '一级,二级,编码,别名,考频\n力学,牛顿定律,L1,牛二；惯性,高频\n,功和能,L2,,中频\n电学,欧姆定律,,,\n'
  expect((await sheet(first, 'add', false)).body).toMatchObject({ nodes: 5, problems: [], effect: { added: 5, changed: 0 }, written: false })
  expect(await names()).toEqual([])
  expect((await sheet(first, 'add', true)).body.effect.added).toBe(5)
  expect((await names()).sort()).toEqual(['力学', '功和能', '欧姆定律', '牛顿定律', '电学'].sort())
  expect((await sheet(first, 'add', true)).body.effect).toMatchObject({ added: 0, changed: 0 })
  const [newton] = await app.db.query<{ id: number; alias: string[]; exam_freq: number; path: string }>(sql`select id, alias, exam_freq, path from label where name = '牛顿定律' and subject_id = ${physics}`)
  expect(newton).toMatchObject({ alias: ['牛二', '惯性'], exam_freq: 3 })
  await app.db.query(sql`insert into practice_label (practice_id, label_id, main) values (999999, ${newton?.id}, true)`)
  // Written again without mechanics: what carries a question stays, with everything above it.
  const anew = await sheet('一级,二级\n电学,欧姆定律\n热学,\n', 'rebuild', true)
  expect(anew.body.effect).toMatchObject({ added: 1, missing: 3, used: 2 })
  expect((await names()).sort()).toEqual(['力学', '欧姆定律', '热学', '牛顿定律', '电学'].sort())
  const wrong = await sheet('一级,考频\n光学,偶尔\n', 'add', true)
  expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('1 处问题') } })
  await app.db.query(sql`delete from practice_label where practice_id = 999999`)
  const out = await editor.get(`${END}/knowledge_labels/tree/sheet`, { subject_id: physics })
  expect(out.status).toBe(200)
  expect(out.headers['content-type']).toContain('spreadsheetml')
})

test('trees outside a person\'s subjects are neither shown nor changed', async () => {
  const one = await label('别人的')
  const physics = await app.staff(app.servedGrants, { scopes: { subject: [3] } })
  expect((await physics.get(`${END}/labels/${one}`)).status).toBe(404)
  expect((await physics.post(`${END}/knowledge_label/${one}/move`, { parent_id: root })).status).toBe(404)
  expect((await physics.get(`${END}/knowledge_labels/tree/sheet`, { subject_id: 1 })).status).toBe(400)
  const viewer = await app.staff([screenId('/practice/knowledge-label')])
  expect((await viewer.get<{ node: LabelNode }>(`${END}/labels/${one}`)).body.node.name).toBe('别人的')
  expect((await viewer.post(`${END}/knowledge_label/${one}/move`, { parent_id: root })).status).toBe(403)
})
