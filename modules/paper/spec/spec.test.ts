import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SheetRow } from '../../../core/sheet/cell.ts'
import { readSheet } from '../../../core/sheet/read.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { PAPERS } from '../paper.ts'
import type { SmartOutcome } from '../smart/calls.ts'
import type { PaperSpec } from './calls.ts'
import { readSpec, writeSpec } from './sheet.server.ts'
import { recoverLines, sectionsOf, type SpecSection } from './spec.ts'

const MATHS = 1
const folder = mkdtempSync(join(tmpdir(), 'spec-'))
let app: TestApp
let admin: Caller
let kind = 0
let other = 0
const labels: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  const category = async (name: string, type: number) => (await app.db.query<{ id: number }>(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, ${name}, ${type}, 1) returning id`))[0]?.id ?? 0
  kind = await category('细目单选题', 1)
  other = await category('细目解答题', 4)
  const label = async (name: string, parent: string | undefined) => {
    const [above] = parent ? await app.db.query<{ path: string }>(sql`select path from label where id = ${labels[parent]}`) : []
    const path = parent ? `${above?.path}${labels[parent]}/` : '/'
    const [row] = await app.db.query<{ id: number }>(sql`insert into label (kind, subject_id, parent_id, name, path, depth, status)
      values ('knowledge', ${MATHS}, ${parent ? labels[parent] : null}, ${name}, ${path}, ${path.split('/').length - 2}, 1) returning id`)
    labels[parent ? `${parent} ${name}` : name] = row?.id ?? 0
  }
  await label('根', undefined)
  await label('函数', '根')
  await label('数列', '根')
  await label('应用', '根 函数')
  await label('应用', '根 数列')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const rowsOf = async (file: string) => {
  const rows: SheetRow[] = []
  for await (const row of readSheet(file)) rows.push(row)
  return rows
}

test('a table written to a workbook is read again as it was, labels of the same name apart', async () => {
  const sections: SpecSection[] = [
    { name: '单选题', category_ids: [kind], count: 8, score: 5, rows: [
      { count: 3, label_ids: [labels['根 函数 应用'] ?? 0, labels['根 数列'] ?? 0], bands: ['easy', 'medium'], cognitive: '理解' }, { count: 2, label_ids: [labels['根 数列 应用'] ?? 0] },
    ] },
    { name: '解答题', category_ids: [other, kind], count: 2, score: 12.5, rows: [] },
  ]
  const file = join(folder, 'table.xlsx')
  await writeSpec(app.db, createWriteStream(file), MATHS, sections)
  const { sections: again, problems } = await readSpec(app.db, MATHS, await rowsOf(file))
  expect(problems).toEqual([])
  expect(again.map(({ rows, ...section }) => ({ ...section, rows: rows ?? [] }))).toEqual(sections)
})

test('what is wrong is said row by row; empty section, kind and points are those above', async () => {
  const sheet = (...rows: (string | number | null)[][]): SheetRow[] => [['大题', '题型', '每题分值', '题数', '知识点', '难度', '认知层次'], ...rows].map((cells, at) => ({ rowNumber: at + 1, cells }))
  const good = await readSpec(app.db, MATHS, sheet(['选择', '细目单选题', 5, 2, '函数', '难', ''], [null, null, null, 3, '数列>应用', '', '']))
  expect(good).toEqual({ problems: [], sections: [{ name: '选择', category_ids: [kind], score: 5, count: 5, rows: [{ count: 2, label_ids: [labels['根 函数']], bands: ['hard'] }, { count: 3, label_ids: [labels['根 数列 应用']] }] }] })
  const { problems } = await readSpec(app.db, MATHS, sheet(
    ['', '细目单选题', 5, 2, '', '', ''], ['选择', '不存在的题型', 5, 2, '', '', ''], ['选择', '细目单选题', 5.3, 2, '', '', ''], ['选择', '细目单选题', 5, '两', '', '', ''],
    ['选择', '细目单选题', 5, 2, '应用', '', ''], ['选择', '细目单选题', 5, 2, '几何', '', ''], ['选择', '细目单选题', 5, 2, '', '偏难', ''], ['选择', '细目单选题', 5, 2, '', '', '懂'],
  ))
  expect(problems.map(({ row, message }) => `${row} ${message}`)).toEqual([
    '2 请填写大题', '3 该学科没有题型「不存在的题型」', '4 每题分值应为 0.5 到 300，以 0.5 分为单位', '5 题数应为 1 到 100 的整数',
    expect.stringMatching(/^6 知识点「应用」有 2 个，请连上级一起写/), '7 没有知识点「几何」', '8 难度应为 易、中、难', expect.stringMatching(/^9 认知层次应为/),
  ])
  expect((await readSpec(app.db, MATHS, [{ rowNumber: 1, cells: ['甲', '乙'] }])).problems[0]?.message).toContain('缺少列')
})

test('a recovered table counts every question once', () => {
  const question = (section: string, score: number, label_id: number | null) => ({ section, score, category_ids: [1], label_id, band: 'medium' as const, cognitive: null })
  const sections = sectionsOf(recoverLines([question('单选题', 5, 1), question('单选题', 5, 2), question('单选题', 5, 1), question('解答题', 12, 1), question('解答题', 15, null)]))
  expect(sections.map(({ name, score, count, rows }) => [name, score, count, rows?.map((row) => row.count)])).toEqual([['单选题', 5, 3, [2, 1]], ['解答题', 12, 1, [1]], ['解答题', 15, 1, [1]]])
})

test('the table of a paper finds the paper again, and a parallel without any of its questions', async () => {
  const rows = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, category_id, difficulty, option_layout, status, version_no, score)
    select 'S1-' || lpad(n::text, 7, '0'), 'official', 0, ${MATHS}, 1, ${kind}, case when n % 2 = 0 then 3 else 4 end, 1, 4, 1, 5 from generate_series(1, 24) n returning id`)
  const ids = rows.map(({ id }) => id)
  const content = { type: 1, stem: { t: 'doc', v: 1, c: [] }, options: [], option_layout: 1, answer: { k: 'one', ok: null }, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: 5, category: null, children: [] }
  await app.db.query(sql`insert into practice_body (practice_id, content) select unnest(${sql.param(ids)}::bigint[]), ${JSON.stringify(content)}::jsonb`)
  const { body: paper } = await admin.post<{ id: number }>(PAPERS.base[0]?.api.item ?? '', { name: '原卷', subject_id: MATHS })
  const chosen = ids.slice(0, 8)
  await admin.post(`/daoyuan/api/end/paper/${paper.id}/changes`, { changes: [{ do: 'section', key: 'a', name: '单选题', title: '', instruction: '' }, ...chosen.map((practice_id) => ({ do: 'item', section: 'a', item: { practice_id, version_no: 0, score: 5, sub_scores: [] } }))] })
  const { status, body: spec } = await admin.get<PaperSpec>(`/daoyuan/api/end/paper/${paper.id}/spec`)
  expect(status).toBe(200)
  expect(spec).toMatchObject({ subject_id: MATHS, practice_ids: chosen, sections: [{ name: '单选题', count: 8, score: 5, category_ids: [kind], rows: [{ bands: ['easy'], count: 4 }, { bands: ['medium'], count: 4 }] }] })
  const compose = (exclude_ids: number[]) => admin.post<SmartOutcome>('/micro_material/api/end/smart_test_paper/preview', { subject_id: MATHS, rule: { sections: spec.sections, exclude_ids, seed: 3 } })
  const twin = await compose(chosen)
  expect(twin.body.unmet).toEqual([])
  const picked = twin.body.versions[0]?.chosen.map(({ practice_id }) => practice_id) ?? []
  expect(picked).toHaveLength(8)
  expect(picked.filter((id) => chosen.includes(id))).toEqual([])
  const { body: same } = await compose(ids.slice(8))
  expect(same.versions[0]?.chosen.map(({ practice_id }) => practice_id).toSorted((a, b) => a - b)).toEqual(chosen)
  const sheet = await admin.post<{ url: string }>('/micro_material/api/end/smart_test_paper/spec_sheets', { subject_id: MATHS, sections: spec.sections })
  expect(sheet.status).toBe(200)
  const { body: read } = await admin.post<{ sections: SpecSection[] }>('/micro_material/api/end/smart_test_paper/spec_sheets/read', { subject_id: MATHS, file_id: sheet.body.url.split('/').at(-1) })
  expect(read.sections).toEqual(spec.sections)
})
