import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { PaperContent } from './calls.ts'
import { PAPER_STATE, PAPERS, type PaperResource } from './paper.ts'
import type { PointFrequency, SmartOutcome } from './smart/calls.ts'
import { SMART_SCREEN } from './smart/smart-paper.ts'

const base = PAPERS.base[0]?.api.item ?? ''
const MATHS = 1
const single = { name: '单选题', title: '', instruction: '' }

let app: TestApp
let admin: Caller
let ids: number[]
let category: number

/** Questions of the official bank, of rising difficulty; the last one is of the back bank. */
async function insertPractices(): Promise<void> {
  const [kind] = await app.db.query<{ id: number }>(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, '测试单选题', 1, 1) returning id`)
  category = kind?.id ?? 0
  const rows = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, category_id, difficulty, option_layout, status, version_no, source_years, score)
    select 'T1-' || lpad(n::text, 7, '0'), case when n = 31 then 'back' else 'official' end, 0, ${MATHS}, 1, ${category}, 1 + n % 5, 1, 4, 3, array[2020 + n % 7]::bigint[], 5 from generate_series(1, 31) n returning id`)
  ids = rows.map(({ id }) => id)
  const content = { type: 1, stem: { t: 'doc', v: 1, c: [{ t: 'p', c: ['若'] }] }, options: [], option_layout: 1, answer: { k: 'one', ok: null }, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: 5, category: null, children: [] }
  await app.db.query(sql`insert into practice_body (practice_id, content) select unnest(${sql.param(ids)}::bigint[]), ${JSON.stringify(content)}::jsonb`)
}

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  await insertPractices()
})
afterAll(() => app.close())

let made = 0
const newPaper = async (): Promise<number> => {
  const { status, body } = await admin.post<{ id: number }>(base, { name: `试卷 ${++made}`, subject_id: MATHS })
  expect(status).toBe(200)
  return body.id
}
const add = (section: string, practice_id: number, score = 5) => ({ do: 'item', section, item: { practice_id, version_no: 0, score, sub_scores: [] } })
const change = (caller: Caller, id: number, changes: object[]) => caller.post<PaperContent & { detail: string }>(`/daoyuan/api/end/paper/${id}/changes`, { changes })

describe('composing', () => {
  test('questions come with their present version; points, number and difficulty of the paper follow', async () => {
    const id = await newPaper()
    const { status, body } = await change(admin, id, [{ do: 'section', key: 'a', ...single }, add('a', ids[0] ?? 0), add('a', ids[1] ?? 0, 7.5)])
    expect(status).toBe(200)
    expect(body.body.sections[0]?.items).toMatchObject([{ practice_id: ids[0], version_no: 3, score: 5 }, { practice_id: ids[1], version_no: 3, score: 7.5 }])
    const { body: row } = await admin.get<Record<string, unknown>>(`${base}/${id}`)
    expect(row).toMatchObject({ question_count: 2, total_score: 12.5 })
    const { body: list } = await admin.get<{ items: { number: number; paper_score: number }[]; total: number }>(`/daoyuan/api/practice_papers/${id}/practices`)
    expect(list.items.map(({ number, paper_score }) => [number, paper_score])).toEqual([[1, 5], [2, 7.5]])
  })

  test('a question keeps the text that the paper took it with, until somebody takes the new one; back too', async () => {
    const id = await newPaper()
    const [practice = 0, other = 0] = ids.slice(25)
    const text = (words: string) => ({ type: 1, stem: { t: 'doc', v: 1, c: [{ t: 'p', c: [words] }] }, options: [], option_layout: 1, answer: { k: 'one', ok: null }, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: 5, category: null, children: [] })
    await change(admin, id, [{ do: 'section', key: 'a', ...single }, add('a', practice), add('a', other)])
    await app.db.query(sql`insert into practice_version (practice_id, version_no, snapshot) values (${practice}, 3, ${JSON.stringify({ content: text('旧题面') })}::jsonb), (${practice}, 4, ${JSON.stringify({ content: text('新题面') })}::jsonb)`)
    await app.db.query(sql`update practice_body set content = ${JSON.stringify(text('新题面'))}::jsonb where practice_id = ${practice}`)
    await app.db.query(sql`update practice set version_no = 4 where id = any(${sql.param([practice, other])}::bigint[])`)
    const seen = ({ practices }: PaperContent) => practices.map(({ content, version_no, latest }) => [JSON.stringify(content.stem).includes('旧题面') ? '旧' : JSON.stringify(content.stem).includes('新题面') ? '新' : '今', version_no, latest])
    const { body } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${id}/content`)
    // Of the other one nobody kept the version, so it is shown as it is today.
    expect(seen(body)).toEqual([['旧', 3, 4], ['今', 4, 4]])
    const take = (version_no: number) => change(admin, id, [{ do: 'item', section: 'a', item: { practice_id: practice, version_no, score: 5, sub_scores: [] }, instead_of: practice }])
    expect(seen((await take(4)).body)[0]).toEqual(['新', 4, 4])
    expect(seen((await take(3)).body)[0]).toEqual(['旧', 3, 4])
    // A version that never was is not taken at its word.
    expect(seen((await take(7)).body)[0]).toEqual(['新', 4, 4])
    // Taken out and put back, as undoing does.
    await take(3)
    await change(admin, id, [{ do: 'drop-item', practice_id: practice }])
    expect(seen((await change(admin, id, [{ do: 'item', section: 'a', item: { practice_id: practice, version_no: 3, score: 5, sub_scores: [] } }])).body)[1]).toEqual(['旧', 3, 4])
    await app.db.query(sql`update practice set version_no = 3 where id = any(${sql.param([practice, other])}::bigint[])`)
  })

  test('questions know their place in the textbooks, and among how many papers repeats are counted', async () => {
    const [book] = await app.db.query<{ id: number }>(sql`select id from chapter limit 1`)
    expect(book).toBeUndefined()
    const chapter = async (name: string, parent: { id: number; path: string } | null, place: number) => {
      const path = parent ? `${parent.path}${parent.id}/` : '/'
      const [row] = await app.db.query<{ id: number }>(sql`insert into chapter (partwork_id, subject_id, parent_id, name, path, depth, ord) values (1, ${MATHS}, ${parent?.id ?? null}, ${name}, ${path}, ${parent ? 1 : 0}, ${`a${place}`}) returning id`)
      return { id: row?.id ?? 0, path }
    }
    const second = await chapter('第二章', null, 2)
    const first = await chapter('第一章', null, 1)
    const [late, early] = [await chapter('1.2', first, 2), await chapter('1.1', first, 1)]
    const [a = 0, b = 0, c = 0, d = 0] = ids.slice(20)
    for (const [practice, home] of [[a, second], [b, late], [c, early]] as const) await app.db.query(sql`insert into practice_chapter (practice_id, chapter_id) values (${practice}, ${home.id})`)
    const id = await newPaper()
    await change(admin, id, [{ do: 'section', key: 'a', ...single }, ...[a, b, c, d].map((one) => add('a', one))])
    const before = await newPaper()
    await change(admin, before, [{ do: 'section', key: 'a', ...single }, add('a', a)])
    for (let n = 0; n < 2; n++) await newPaper()
    const read = async (recent: number) => (await admin.get<PaperContent>(`/daoyuan/api/end/paper/${id}/content`, { recent })).body.practices
    expect((await read(3)).map(({ chapter: place, repeats }) => [place, repeats])).toEqual([[3, 1], [2, 0], [1, 0], [null, 0]])
    expect((await read(2)).map(({ repeats }) => repeats)).toEqual([0, 0, 0, 0])
  })

  test('a micro paper goes with micro lessons of its own stage', async () => {
    const { api } = PAPERS.micro[0] as PaperResource
    const lesson = async (level: number, subject: number) => (await app.db.query<{ id: number }>(sql`insert into micro_lesson (level, name, subject_id, label_id, video, duration)
      values (${level}, ${`微课 ${level} ${subject}`}, ${subject}, 1, '/daoyuan/api/end/files/11111111-2222-4333-8444-555555555555', 60) returning id`))[0]?.id ?? 0
    const own = await lesson(0, MATHS)
    const { status, body } = await admin.post<{ id: number }>(api.item, { name: '绑定微课的微卷', subject_id: MATHS, lesson_ids: [own] })
    expect(status).toBe(200)
    expect((await admin.get(`${api.item}/${body.id}`)).body).toMatchObject({ lesson_ids: [own], lesson_names: [`微课 0 ${MATHS}`] })
    expect((await admin.get<{ items: { id: number }[] }>(api.list, { lesson_ids: own })).body.items.map(({ id }) => id)).toEqual([body.id])
    expect((await admin.post(api.item, { name: '绑定初中微课的微卷', subject_id: MATHS, lesson_ids: [await lesson(1, 101)] })).status).toBe(400)
  })

  test('two people at once: nothing of either is lost', async () => {
    const id = await newPaper()
    await change(admin, id, [{ do: 'section', key: 'a', ...single }, add('a', ids[0] ?? 0)])
    const colleague = await app.enter(await app.login())
    const answers = await Promise.all([...Array.from({ length: 10 }, (_, index) => change(index % 2 === 0 ? admin : colleague, id, [add('a', ids[index + 1] ?? 0)])), change(colleague, id, [{ do: 'score', practice_id: ids[0], score: 9, sub_scores: [] }])])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${id}/content`)
    expect(body.body.sections[0]?.items.map(({ practice_id }) => practice_id).toSorted((a, b) => a - b)).toEqual(ids.slice(0, 11))
    expect(body.body.sections[0]?.items[0]?.score).toBe(9)
  })

  test('only published questions of the subject; one sentence says why not, and nothing is changed', async () => {
    const id = await newPaper()
    await change(admin, id, [{ do: 'section', key: 'a', ...single }])
    const refused = await change(admin, id, [add('a', ids[0] ?? 0), add('a', ids[30] ?? 0)])
    expect(refused).toMatchObject({ status: 400, body: { detail: '试题 T1-0000031 还没有发布到正式题库，不能组卷' } })
    const { body } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${id}/content`)
    expect(body.body.sections[0]?.items).toEqual([])
  })

  test('shelving makes a version; editing afterwards is a revision that leaves it as it was', async () => {
    const id = await newPaper()
    const act = (name: string) => admin.post<Record<string, unknown> & { detail?: string }>(`${base}/${id}/${name}`, {})
    expect((await act('submit')).body.detail).toBe('试卷还没有试题，不能上架')
    await change(admin, id, [{ do: 'section', key: 'a', ...single }, add('a', ids[0] ?? 0)])
    expect((await act('submit')).status).toBe(200)
    expect((await change(admin, id, [add('a', ids[1] ?? 0)])).body.detail).toBe('试卷待审，不能修改')
    expect((await act('shelve')).body).toMatchObject({ state: PAPER_STATE.shelved })
    const { body } = await change(admin, id, [add('a', ids[1] ?? 0)])
    expect(body.state).toBe(PAPER_STATE.revising)
    const versions = await app.db.query<{ version_no: number; body: { sections: { items: unknown[] }[] } }>(sql`select version_no, body from paper_version where paper_id = ${id}`)
    expect(versions.map(({ version_no, body: kept }) => [version_no, kept.sections[0]?.items.length])).toEqual([[1, 1]])
    const { body: list } = await admin.get<{ items: { version_no: number; question_count: number; total_score: number; staff_name: string | null }[] }>(`/daoyuan/api/end/paper/${id}/versions`)
    expect(list.items).toMatchObject([{ version_no: 1, question_count: 1, total_score: 5, staff_name: expect.any(String) }])
    const { body: first } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${id}/versions/1`)
    expect(first).toMatchObject({ version_no: 1, practices: [{ id: ids[0] }], body: { sections: [{ items: [{ practice_id: ids[0] }] }] } })
    expect((await admin.get(`/daoyuan/api/end/paper/${id}/versions/2`)).status).toBe(404)
  })

  test('who may look may not change, and who is limited to a subject sees no other', async () => {
    const id = await newPaper()
    const screen = PAPERS.base[0]?.grant ?? 0
    const reader = await app.staff([screen, screenId('/papers/detail/:id')])
    const { body } = await reader.get<PaperContent>(`/daoyuan/api/end/paper/${id}/content`)
    expect(body).toMatchObject({ can_edit: false, read_only: '没有「试卷 · 新增和编辑」权限，只能查看' })
    expect((await change(reader, id, [{ do: 'section', key: 'a', ...single }])).status).toBe(403)
    const limited = await app.staff([screen], { scopes: { subject: [2] } })
    expect((await limited.get(`/daoyuan/api/end/paper/${id}/content`)).status).toBe(404)
  })
})

describe('smart papers', () => {
  const path = '/micro_material/api/end/smart_test_paper'
  const rule = (over: object = {}) => ({ sections: [{ name: '单选题', category_ids: [category], count: 8, score: 5 }], coef: 0.6, seed: 5, ...over })

  test('a rule gives a paper with a reason for each question; the same seed gives the same one', async () => {
    const first = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule() })
    expect(first.status).toBe(200)
    const [version] = first.body.versions
    expect(version?.chosen).toHaveLength(8)
    expect(version?.chosen.every(({ reasons }) => reasons.length > 0)).toBe(true)
    expect(version?.penalty).toBeGreaterThanOrEqual(version?.bound ?? 1)
    expect(version?.terms.coef).toBeLessThan(0.03)
    const again = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule() })
    expect(again.body.versions).toEqual(first.body.versions)
  })

  test('what the bank lacks is said beforehand, with what would help', async () => {
    const { body } = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule({ sections: [{ name: '单选题', category_ids: [category], count: 20, score: 5, rows: [{ bands: ['medium'], count: 20 }] }] }) })
    expect(body.versions).toEqual([])
    expect(body.unmet).toMatchObject([{ section: 0, row: 0, need: 20, have: 6, relax: [{ key: 'bands', have: 30 }] }])
  })

  test('the wish of the whole paper that is to blame is named, with what dropping it buys', async () => {
    const { body } = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule({ year_from: 2026, has_video: true, sections: [{ name: '单选题', category_ids: [category], count: 6, score: 5 }] }) })
    // None of them has a video, and only some are of that year: no single wish helps but one that leaves the other met.
    expect(body.unmet).toMatchObject([{ need: 6, have: 0, relax: [], wishes: [{ key: 'has_video', label: '有视频', have: 4 }] }])
    const years = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule({ year_from: 2026, sections: [{ name: '单选题', category_ids: [category], count: 6, score: 5 }] }) })
    expect(years.body.unmet).toMatchObject([{ need: 6, have: 4, wishes: [{ key: 'years', label: '年份', have: 30 }] }])
  })

  test('reasons name the points, what no paper has yet is offered first, and how often a point came is counted by years', async () => {
    const [label] = await app.db.query<{ id: number }>(sql`insert into label (kind, subject_id, name, status) values ('knowledge', ${MATHS}, '函数的单调性', 1) returning id`)
    const point = label?.id ?? 0
    await app.db.query(sql`insert into practice_label (practice_id, label_id, main) select unnest(${sql.param(ids.slice(0, 12))}::bigint[]), ${point}, true`)
    await app.db.query(sql`insert into practice_label_tree (label_id, pool, practice_id) select ${point}, 'official', unnest(${sql.param(ids.slice(0, 12))}::bigint[])`)
    const { body } = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule({ scope: [{ label_id: point, weight: 1 }], sections: [{ name: '单选题', category_ids: [category], count: 2, score: 5, rows: [{ label_ids: [point], bands: ['hard'], count: 2 }] }] }) })
    const chosen = body.versions[0]?.chosen ?? []
    expect(chosen).toHaveLength(2)
    expect(chosen[0]?.reasons).toEqual(expect.arrayContaining(['满足细目表：「函数的单调性」 · 难', '考查「函数的单调性」']))
    const used = new Set((await app.db.query<{ id: number }>(sql`select i.practice_id as id from paper_item i join paper p on p.id = i.paper_id where p.deleted_at is null`)).map(({ id }) => id))
    for (const { replacements, fresh = [] } of chosen) {
      expect(fresh.every((id) => replacements.includes(id) && !used.has(id))).toBe(true)
      // Those that nobody has had stand first.
      expect(replacements.slice(0, fresh.length)).toEqual(fresh)
    }
    await app.db.query(sql`update practice set source_paper = '模拟' where id = any(${sql.param(ids.slice(0, 12))}::bigint[])`)
    const frequency = await admin.get<{ items: PointFrequency[] }>('/micro_material/api/end/smart_point_frequency', { cat_id: MATHS, label_ids: String(point) })
    expect(frequency.body.items).toMatchObject([{ label_id: point, name: '函数的单调性', years: [{ year: 2026 }, { year: 2025 }, { year: 2024 }] }])
    const [count] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from practice where id = any(${sql.param(ids.slice(0, 12))}::bigint[]) and source_years && array[2024, 2025, 2026]::bigint[]`)
    expect(frequency.body.items[0]?.years.reduce((sum, { questions }) => sum + questions, 0)).toBe(count?.n)
  })

  test('parallel papers differ as far as the bank allows, locked questions stand in each', async () => {
    const lock = ids[4] ?? 0
    const { body } = await admin.post<SmartOutcome>(`${path}/preview`, { subject_id: MATHS, rule: rule({ versions: 3, locked: [{ practice_id: lock, section: 0 }] }) })
    const chosen = body.versions.map((version) => version.chosen.map(({ practice_id }) => practice_id))
    for (const one of chosen) expect(one).toContain(lock)
    const others = chosen.flat().filter((id) => id !== lock)
    expect(new Set(others).size).toBe(others.length)
  })

  test('kept, it becomes a paper to edit', async () => {
    const created = await admin.post<{ id: number }>(path, { name: '智能月考', subject_id: MATHS, rule: rule({ versions: 2 }) })
    expect(created.status).toBe(200)
    const { body } = await admin.post<{ papers: { id: number; name: string }[] }>(`${path}/${created.body.id}/papers`, {})
    expect(body.papers.map(({ name }) => name)).toEqual(['智能月考（A卷）', '智能月考（B卷）'])
    const { body: paper } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${body.papers[0]?.id}/content`)
    expect(paper.body.sections[0]?.items).toHaveLength(8)
    const looker = await app.staff([SMART_SCREEN])
    expect((await looker.post(`${path}/${created.body.id}/papers`, {})).status).toBe(403)
  })
})

test('the spec\'s own calls of micro papers: create with questions, change them, put on the shelf and take off', async () => {
  const micro = '/micro_material/api/end'
  const created = await admin.post<{ id: number }>(`${micro}/micro/paper`, { name: '集合过关', cat_id: MATHS, practices: [{ id: ids[0], score: 5 }, { id: ids[1], score: 5 }] })
  expect(created.status).toBe(200)
  const { id } = created.body
  expect((await admin.put(`${micro}/paper/update/${id}`, { duration: 15, practices: [{ id: ids[1], score: 4 }, { id: ids[2], score: 6 }] })).status).toBe(200)
  const { body } = await admin.get<{ items: { id: number; paper_score: number }[] }>(`${micro}/knowledge_paper_practice/${id}`)
  expect(body.items.map((one) => [one.id, one.paper_score])).toEqual([[ids[1], 4], [ids[2], 6]])
  expect((await admin.put(`${micro}/paper/status`, { id, status: 1 })).status).toBe(200)
  expect((await admin.put(`${micro}/paper/status`, { id, status: 1 })).body).toMatchObject({ detail: '当前状态为「已上架」，不能上架' })
  expect((await admin.put(`${micro}/knowledge_paper_practice/list/edit/${id}/${ids[1]}`, { score: 8 })).status).toBe(200)
  expect((await admin.delete(`${micro}/knowledge_paper_practice/list/edit/${id}/${ids[2]}`)).status).toBe(200)
  const { body: list } = await admin.get<{ items: { id: number; question_count: number; total_score: number }[] }>(`${micro}/micro/paper`, { cat_id: MATHS })
  expect(list.items.find((one) => one.id === id)).toMatchObject({ question_count: 1, total_score: 8 })
})
