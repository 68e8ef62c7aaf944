import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import type { PaperContent } from '../calls.ts'
import { PAPERS } from '../paper.ts'
import type { PaperSource } from './calls.ts'

const MATHS = 1
const SOURCES = '/daoyuan/api/end/paper_sources'
let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  const kind = async (name: string, type: number) => (await app.db.query<{ id: number }>(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, ${name}, ${type}, 1) returning id`))[0]?.id ?? 0
  const [single, written] = [await kind('来源单选题', 1), await kind('来源解答题', 4)]
  // Written ones first, so that only the order rule and the numbers of the source can put them right.
  await app.db.query(sql`insert into practice (no, pool, level, subject_id, type, category_id, difficulty, option_layout, status, version_no, score, source, source_paper, source_order, source_years)
    select 'Q1-' || lpad(n::text, 7, '0'), case when n = 20 then 'back' else 'official' end, 0, ${MATHS}, case when n <= 3 then 4 else 1 end, case when n <= 3 then ${written}::bigint else ${single}::bigint end, 3, 1, 4, 1,
      case when n <= 3 then 12 else 5 end, 'college_entrance_exam_paper', '（新课标Ⅰ）', 20 - n, array[case when n <= 15 then 2022 else 2021 end]::bigint[] from generate_series(1, 20) n`)
})
afterAll(() => app.close())

test('the questions of a source become the paper that it was: its order, its points, its year; once', async () => {
  const { body } = await admin.get<{ items: PaperSource[] }>(SOURCES, { cat_id: MATHS })
  expect(body.items).toEqual([{ source_paper: '（新课标Ⅰ）', year: 2022, question_count: 15, paper_id: null }, { source_paper: '（新课标Ⅰ）', year: 2021, question_count: 4, paper_id: null }])
  const made = await admin.post<{ id: number; name: string; question_count: number }>(`${SOURCES}/papers`, { cat_id: MATHS, source_paper: '（新课标Ⅰ）', year: 2022 })
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({ question_count: 15, name: expect.stringMatching(/^2022 年新课标Ⅰ/) })
  const { body: paper } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${made.body.id}/content`)
  expect(paper.body.sections.map(({ name, items }) => [name, items.length, items[0]?.score])).toEqual([['单选题', 12, 5], ['解答题', 3, 12]])
  const orders = await app.db.query<{ source_order: number }>(sql`select p.source_order::int as source_order from paper_item i join practice p on p.id = i.practice_id where i.paper_id = ${made.body.id} and p.type = 1 order by i.ord`)
  expect(orders.map(({ source_order }) => source_order)).toEqual(Array.from({ length: 12 }, (_, index) => 5 + index))
  expect((await admin.get(`${PAPERS.base[0]?.api.item}/${made.body.id}`)).body).toMatchObject({ source_year: 2022, source: 'college_entrance_exam_paper', total_score: 96, question_count: 15 })
  expect((await admin.get<{ items: PaperSource[] }>(SOURCES, { cat_id: MATHS })).body.items[0]?.paper_id).toBe(made.body.id)
  expect((await admin.post<{ detail: string }>(`${SOURCES}/papers`, { cat_id: MATHS, source_paper: '（新课标Ⅰ）', year: 2022 })).body.detail).toContain('已有试卷')
  expect((await admin.post(`${SOURCES}/papers`, { cat_id: MATHS, source_paper: '没有这份', year: 2022 })).status).toBe(400)
})

test('a name written with another numeral is the same paper; a question without a kind stands where its type does', async () => {
  await app.db.query(sql`insert into practice_category (subject_id, name, type, status, sort) values (${MATHS}, '来源实验题', 4, 1, -1)`)
  await app.db.query(sql`insert into practice (no, pool, level, subject_id, type, difficulty, option_layout, status, version_no, score, source_paper, source_order, source_years)
    select 'Q2-' || n, 'official', 0, ${MATHS}, case when n = 1 then 4 else 6 end, 3, 1, 4, 1, 10, case n when 1 then '（全国ⅲ）' when 2 then '(全国Ⅲ)' else '（全国III）' end, n, array[2019]::bigint[] from generate_series(1, 3) n`)
  const { body } = await admin.get<{ items: PaperSource[] }>(SOURCES, { cat_id: MATHS, keyword: '全国' })
  expect(body.items).toMatchObject([{ year: 2019, question_count: 3 }])
  const made = await admin.post<{ id: number }>(`${SOURCES}/papers`, { cat_id: MATHS, source_paper: body.items[0]?.source_paper, year: 2019 })
  const { body: paper } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${made.body.id}/content`)
  expect(paper.body.sections.map(({ name, items }) => [name, items.length])).toEqual([['解答题', 1], ['综合题', 2]])
})

test('who is limited to another subject finds nothing here', async () => {
  const limited = await app.staff([PAPERS.base[0]?.grant ?? 0, (PAPERS.base[0]?.grant ?? 0) * 100 + 1], { scopes: { subject: [2] } })
  expect((await limited.get(SOURCES, { cat_id: MATHS })).status).toBe(400)
  expect((await limited.post(`${SOURCES}/papers`, { cat_id: MATHS, source_paper: '（新课标Ⅰ）', year: 2021 })).status).toBe(400)
})
