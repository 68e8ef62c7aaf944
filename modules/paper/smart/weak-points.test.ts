import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { LESSONS } from '../lesson/lesson.ts'
import type { SmartMaterial, WeakPoint } from './calls.ts'

const MATHS = 1
const MICRO = '/micro_material/api/end'
let app: TestApp
let admin: Caller
let labels: number[]
let practices: number[]

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  labels = (await app.db.query<{ id: number }>(sql`insert into label (kind, subject_id, name, status) select 'knowledge', ${MATHS}, '点' || n, 1 from generate_series(1, 3) n returning id`)).map(({ id }) => id)
  practices = (await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, difficulty, option_layout, status, version_no)
    select 'W-' || n, 'official', 0, ${MATHS}, 1, 3, 1, 4, 1 from generate_series(1, 4) n returning id`)).map(({ id }) => id)
  const link = (practice: number, label: number) => app.db.query(sql`insert into practice_label (practice_id, label_id, main) values (${practices[practice]}, ${labels[label]}, true)`)
  for (const [practice, label] of [[0, 0], [1, 0], [2, 1], [3, 2]] as const) await link(practice, label)
  const stat = (practice: number, attempts: number, facility: number) => app.db.query(sql`insert into practice_stat (practice_id, attempts, facility) values (${practices[practice]}, ${attempts}, ${facility})`)
  await stat(0, 60, 0.9)
  await stat(1, 20, 0.5)
  await stat(2, 40, 0.3)
  // So few answers say nothing.
  await stat(3, 10, 0.1)
  const answer = (practice: number, score: number) => app.db.query(sql`insert into practice_answer (sitting, practice_id, score, max) values (77, ${practices[practice]}, ${score}, 5)`)
  await answer(0, 1)
  await answer(2, 5)
})
afterAll(() => app.close())

const weak = async (query: object) => (await admin.get<{ items: WeakPoint[] }>(`${MICRO}/smart_weak_points`, { cat_id: MATHS, ...query })).body.items.map(({ name, attempts, facility }) => [name, attempts, facility])

test('the weakest knowledge comes first, weighed by answers; of one sitting every answer counts', async () => {
  expect(await weak({})).toEqual([['点2', 40, 0.3], ['点1', 80, 0.8]])
  expect(await weak({ sitting: 77 })).toEqual([['点1', 1, 0.2], ['点2', 1, 1]])
  expect(await weak({ sitting: 78 })).toEqual([])
  expect((await admin.get(`${MICRO}/smart_weak_points`, { cat_id: MATHS, sitting: 'x' })).status).toBe(400)
})

test('lessons, papers and questions go with a smart paper, in the order in which they were added', async () => {
  const [category] = await app.db.query<{ id: number }>(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, '弱点单选题', 1, 1) returning id`)
  await app.db.query(sql`update practice set category_id = ${category?.id} where id = any(${sql.param(practices)}::bigint[])`)
  const rule = { sections: [{ name: '单选题', category_ids: [category?.id], count: 2, score: 5 }], seed: 1 }
  const { body: smart } = await admin.post<{ id: number }>(`${MICRO}/smart_test_paper`, { name: '弱点卷', subject_id: MATHS, rule })
  const [lesson] = await app.db.query<{ id: number }>(sql`insert into micro_lesson (level, name, subject_id, label_id, video, duration)
    values (0, '函数微课', ${MATHS}, ${labels[0]}, '/daoyuan/api/end/files/11111111-2222-4333-8444-555555555555', 60) returning id`)
  expect(LESSONS[0]?.table).toBe('micro_lesson')
  const add = (kind: string, ref_id: number | undefined, ord: number) => admin.post<{ id: number }>(`${MICRO}/smart_test_material`, { paper_id: smart.id, kind, ref_id, ord })
  expect((await add('lesson', lesson?.id, 2)).status).toBe(200)
  expect((await add('practice', practices[0], 1)).status).toBe(200)
  expect((await add('lesson', 999_999, 3)).status).toBe(400)
  const list = async () => (await admin.get<{ items: SmartMaterial[] }>(`${MICRO}/list/smart_test_material/${smart.id}`)).body.items
  expect((await list()).map(({ kind, name }) => [kind, name])).toEqual([['practice', 'W-1'], ['lesson', '函数微课']])
  await admin.delete(`${MICRO}/smart_test_paper_material/remove?id=${(await list())[0]?.id}`)
  expect((await list()).map(({ kind }) => kind)).toEqual(['lesson'])
})
