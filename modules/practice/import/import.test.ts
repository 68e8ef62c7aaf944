import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserHeaders, upload } from '../../../core/testing/uploads.server.ts'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { screenId } from '../../screens.ts'
import { bankGrant, bankScreen } from '../bank/practice.ts'
import { EDIT_GRANT } from '../label/calls.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { drawing, DRAWINGS } from '../picture/testing.ts'
import type { ImportBatch, ImportItem, ImportLabel } from './calls.ts'

const BASE = '/daoyuan/api/end/practice_imports'

let app: TestApp
let writer: Caller
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
})
afterAll(() => app.close())

const choice = (question: string, answer: string, more = {}) => ({ question: `${question}（ ）\nA．甲方\nB．乙方\nC．丙方\nD．丁方`, answer, analysis: '见课本。', subject: '数学', ...more })
const FILE = [
  choice('下列函数中单调递增的是', 'B', { year: 2021, province: '浙江省', score: 5 }),
  choice('下列图形中对称的是', 'E'),
  { question: '$\\foo{2}$ 等于____', answer: '0.5', subject: '数学', analysis: '略' },
  choice('下列历史事件最早的是', 'A', { subject: '历史' }),
  { question: '', answer: 'A' },
].map((one) => JSON.stringify(one)).join('\n')

async function sent(name: string, content: string, caller = writer): Promise<{ id: number; job_id: number }> {
  const file = await app.http.inject({
    method: 'POST', url: `${BASE}/files`, headers: { ...browserHeaders(caller), 'content-type': 'multipart/form-data; boundary=xx' },
    payload: `--xx\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n${content}\r\n--xx--\r\n`,
  })
  const { body, status } = await caller.post<{ id: number; job_id: number }>(BASE, { file_id: file.json<{ id: string }>().id, level: 0 })
  expect(status).toBe(200)
  return body
}

const batch = async (id: number) => (await writer.get<ImportBatch>(`${BASE}/${id}`)).body
const items = async (id: number, query = {}) => (await writer.get<{ items: ImportItem[]; total: number }>(`${BASE}/${id}/items`, query)).body

test('a file is parsed, shown with its problems, written as one batch and taken back', async () => {
  const { id, job_id } = await sent('数学题.jsonl', FILE)
  await jobOver(writer, job_id, ['done'])
  expect(await batch(id)).toMatchObject({ state: 'ready', mapping: { fields: { stem: ['question'], answer: ['answer'] } }, counts: { all: 5, problem: 3, written: 0 } })
  const shown = (await items(id)).items
  expect(shown[0]).toMatchObject({ place: '第 1 行', question: { type: 1, score: 5, exam_region: '浙江', source_years: [2021] } })
  expect(shown[1]?.warnings.map((warning) => warning.message)).toContain('答案 E 不在选项中')
  expect(shown[2]?.warnings[0]?.message).toMatch(/^题干：公式.*没有「.*」这个命令/)
  expect((await items(id, { state: 'problem' })).total).toBe(3)
  expect((await writer.put(`${BASE}/${id}/items/3`, { skip: true })).body).toEqual({ ord: 3, skip: true })

  const commit = (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: false, alike: false })).body
  expect((await jobOver(writer, commit.job_id, ['done'])).result).toEqual({ written: 1 })
  const [row] = await app.db.query(sql`select p.type, p.score, p.source_years, p.exam_region_id, p.status, p.owner_id, b.content from practice p join practice_body b on b.practice_id = p.id join practice_import_item i on i.practice_id = p.id where i.import_id = ${id}`)
  expect(row).toMatchObject({ type: 1, source_years: [2021], status: 0, owner_id: writer.staffId, content: { answer: { k: 'one', ok: 'o2' } } })

  // Again writes nothing twice; with the problems it writes the rest as drafts.
  const again = (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: true, alike: false })).body
  expect((await jobOver(writer, again.job_id, ['done'])).result).toEqual({ written: 2 })
  expect((await writer.post(`${BASE}/${id}/undo`)).body).toEqual({ removed: 3, kept: 0 })
  expect((await app.db.query(sql`select 1 from practice p join practice_import_item i on i.practice_id = p.id where i.import_id = ${id}`)).length).toBe(0)
  expect(await batch(id)).toMatchObject({ state: 'undone', counts: { written: 0 } })
})

test('an item is mended in the preview, and only what is chosen is written', async () => {
  const { id, job_id } = await sent('待修.jsonl', [choice('下列植物属于乔木的是', 'E'), choice('下列动物属于鸟类的是', 'A'), choice('下列矿物属于金属的是', 'C')].map((one) => JSON.stringify(one)).join('\n'))
  await jobOver(writer, job_id, ['done'])
  const [wrong] = (await items(id, { state: 'problem' })).items
  expect(wrong?.question?.answer).toEqual({ k: 'one', ok: null })
  const mend = (question: unknown, caller = writer, ord: unknown = wrong?.ord) => caller.put<ImportItem>(`${BASE}/${id}/items/${String(ord)}/question`, { question })
  expect((await mend({ ...wrong?.question, answer: { k: 'one', ok: 'o9' } })).body.state).toBe('problem')
  expect((await mend({ ...wrong?.question, stem: 'text' })).status).toBe(400)
  expect((await mend(wrong?.question, writer, 77)).status).toBe(404)
  const mended = await mend({ ...wrong?.question, answer: { k: 'one', ok: wrong?.question?.options[1]?.id } })
  expect(mended.body).toMatchObject({ state: 'good', warnings: [] })
  // Everything is left out, then two are taken in.
  expect((await writer.put(`${BASE}/${id}/items`, { skip: true })).body).toEqual({ changed: 3 })
  for (const ord of [0, 2]) await writer.put(`${BASE}/${id}/items/${ord}`, { skip: false })
  const commit = (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: false, alike: true })).body
  expect((await jobOver(writer, commit.job_id, ['done'])).result).toEqual({ written: 2 })
  const stored = await app.db.query<{ answer: unknown }>(sql`select b.content->'answer' as answer from practice_body b join practice_import_item i on i.practice_id = b.practice_id where i.import_id = ${id} order by i.ord`)
  expect(stored.map(({ answer }) => answer)).toEqual([{ k: 'one', ok: 'o2' }, { k: 'one', ok: 'o3' }])
  expect((await mend(wrong?.question)).status).toBe(404)
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  expect((await mend(wrong?.question, other)).status).toBe(404)
  await writer.post(`${BASE}/${id}/undo`)
})

test('an answer that may belong to another question waits for somebody who looks', async () => {
  const { id, job_id } = await sent('期中数学卷.txt', '数学期中\n一、选择题\n1．下列最大的是（　　）\nA．0　B．1\n二、填空题\n1．计算 2+3= ____．\n参考答案\n1．B\n1．5\n')
  await jobOver(writer, job_id, ['done'])
  const found = (await items(id)).items
  expect(found.map((item) => [item.state, item.warnings[0]?.part, item.warnings[0]?.guess])).toEqual([['problem', 'answer', 'B'], ['problem', 'answer', '5']])
  const [first] = found
  const confirmed = await writer.put<ImportItem>(`${BASE}/${id}/items/0/question`, { question: { ...first?.question, subject: '数学' } })
  expect(confirmed.body.warnings.map((warning) => warning.message)).toEqual(['没有解析'])
})

test('a file of many questions is written part by part', async () => {
  const many = Array.from({ length: 230 }, (_, index) => JSON.stringify({ question: `${index} + ${index * 7} = ____`, answer: String(index * 8), subject: '数学', analysis: '略' })).join('\n')
  const { id, job_id } = await sent('多题.jsonl', many)
  await jobOver(writer, job_id, ['done'])
  const commit = (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: true, alike: true })).body
  expect((await jobOver(writer, commit.job_id, ['done'])).result).toEqual({ written: 230 })
  expect((await writer.post(`${BASE}/${id}/undo`)).body).toEqual({ removed: 230, kept: 0 })
})

test('what the bank has already is named and left out', async () => {
  const first = await sent('一.json', JSON.stringify([choice('下列哪一个数是整数且大于一百小于二百', 'B')]))
  await jobOver(writer, first.job_id, ['done'])
  await jobOver(writer, (await writer.post<{ job_id: number }>(`${BASE}/${first.id}/commit`, { problems: false, alike: false })).body.job_id, ['done'])
  const second = await sent('二.json', JSON.stringify([choice('下列哪一个数是整数，且大于一百小于二百', 'B')]))
  await jobOver(writer, second.job_id, ['done'])
  expect((await items(second.id)).items[0]).toMatchObject({ like_kind: 'same', like_no: expect.any(String) })
  const { job_id } = (await writer.post<{ job_id: number }>(`${BASE}/${second.id}/commit`, { problems: false, alike: false })).body
  expect((await jobOver(writer, job_id, ['done'])).result).toEqual({ written: 0 })
})

test('a picture that the bank has already is named, and one that it has not is told from it', async () => {
  const quiz = (words: string, picture: Buffer) => `<?xml version="1.0" encoding="UTF-8"?><quiz><question type="category"><category><text>$course$/top/高中数学</text></category></question>
    <question type="essay"><questiontext format="html"><text><![CDATA[<p>${words}<img src="@@PLUGINFILE@@/a.png" alt="图"></p>]]></text><file name="a.png" path="/" encoding="base64">${picture.toString('base64')}</file></questiontext><graderinfo format="html"><text>略</text></graderinfo></question></quiz>`
  const made = (name: string) => sharp(Buffer.from(drawing(DRAWINGS[name] ?? '')))
  const first = await sent('图一.xml', quiz('看图作答', await made('star').png().toBuffer()))
  await jobOver(writer, first.job_id, ['done'])
  await jobOver(writer, (await writer.post<{ job_id: number }>(`${BASE}/${first.id}/commit`, { problems: true, alike: false })).body.job_id, ['done'])
  const second = await sent('图二.xml', quiz('写出它的名称', await made('star').resize(150).png().toBuffer()))
  await jobOver(writer, second.job_id, ['done'])
  const [item] = (await items(second.id)).items
  expect(item).toMatchObject({ like_kind: 'suspected', like_no: expect.any(String) })
  const { body } = await upload(app, writer, 'image', 'b.png', await made('slope').png().toBuffer())
  const mended = await writer.put<ImportItem>(`${BASE}/${second.id}/items/${item?.ord}/question`, { question: { ...item?.question, stem: inlineDoc(['看图作答', { t: 'img', asset: body.url, alt: '图' }]) } })
  expect(mended.body).toMatchObject({ like_kind: 'variant' })
})

test('another mapping reads the file anew', async () => {
  const { id, job_id } = await sent('别的名字.json', JSON.stringify([{ t: '1+1=____', d: '2', why: '略' }]))
  await jobOver(writer, job_id, ['done'])
  expect((await batch(id)).counts).toMatchObject({ all: 1, problem: 1 })
  const again = await writer.post<{ job_id: number }>(`${BASE}/${id}/parse`, { mapping: { fields: { stem: ['t'], answer: ['d'], solution: ['why'] }, subject: '数学', type: null, score_of_each: null, scale: null } })
  await jobOver(writer, again.body.job_id, ['done'])
  expect((await items(id)).items[0]).toMatchObject({ state: 'good', question: { type: 3 } })
})

test('broken and foreign files are refused with a sentence; other people see nothing', async () => {
  const broken = await sent('坏.json', '{"question": 甲')
  await jobOver(writer, broken.job_id, ['done'])
  expect((await items(broken.id)).items[0]).toMatchObject({ question: null, state: 'problem' })
  const foreign = await sent('a.md', '# 1. 题')
  expect((await jobOver(writer, foreign.job_id, ['failed'])).error).toMatch(/Markdown.*改为 .txt/)
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  expect((await other.get(`${BASE}/${broken.id}`)).status).toBe(404)
  expect((await other.post(`${BASE}/${broken.id}/commit`, { problems: true, alike: true })).status).toBe(404)
  const junior = await app.staff([bankScreen('back', 1), bankGrant('back', 1, 'import')])
  expect((await junior.post(BASE, { file_id: '0f8fad5b-d9cb-469f-a165-70867728950e', level: 0 })).status).toBe(403)
})

test('labels that nobody knows are decided before anything is written, and the result says what became of each', async () => {
  const [root] = await app.db.query<{ id: number; subject_id: number }>(sql`select l.id, l.subject_id from label l join subject s on s.id = l.subject_id where s.name = '数学' and s.level = 0 and l.kind = 'knowledge' and l.parent_id is null and l.deleted_at is null`)
  const editor = await app.staff([screenId('/practice/knowledge-label'), EDIT_GRANT.knowledge])
  const label = async (name: string) => (await editor.post<{ id: number }>('/daoyuan/api/end/knowledge_label', { subject_id: root?.subject_id, parent_id: root?.id, name })).body.id
  const [series, motion] = [await label('等差数列的通项'), await label('抛物线的性质')]
  const { id, job_id } = await sent('知识点.jsonl', [
    { ...choice('下列哪项属于甲类知识', 'A'), knowledge: ['数列->等差数列的通项'] }, { ...choice('下列哪项属于乙类知识', 'B'), knowledge: ['圆锥曲线->抛物线性质'] }, { ...choice('下列哪项属于丙类知识', 'C'), knowledge: ['拓展思维->火柴棍'] },
  ].map((one) => JSON.stringify(one)).join('\n'))
  await jobOver(writer, job_id, ['done'])
  const labels = async () => (await writer.get<{ items: ImportLabel[] }>(`${BASE}/${id}/labels`)).body.items
  const before = await labels()
  expect(before.map(({ path, fate }) => [path.at(-1), fate])).toEqual(expect.arrayContaining([['等差数列的通项', 'known'], ['抛物线性质', 'open'], ['火柴棍', 'open']]))
  const near = before.find(({ path }) => path.at(-1) === '抛物线性质')
  expect(near?.suggestions[0]).toMatchObject({ id: motion })
  const commit = () => writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: true, alike: true })
  const refused = await commit()
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('还有 2 个知识点没有决定去向')])
  const decide = (path: string[] | undefined, to: number | null, caller = writer) => caller.put(`${BASE}/${id}/labels`, { decisions: [{ subject_id: root?.subject_id, path, to }] })
  expect((await decide(near?.path, 2_000_000_000)).status).toBe(400)
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  expect((await decide(near?.path, motion, other)).status).toBe(404)
  expect((await other.get(`${BASE}/${id}/labels`)).status).toBe(404)
  expect((await decide(near?.path, motion)).status).toBe(200)
  expect((await decide(['拓展思维', '火柴棍'], null)).status).toBe(200)
  await jobOver(writer, (await commit()).body.job_id, ['done'])
  const stored = await app.db.query<{ label_id: number | null }>(sql`select l.label_id from practice_import_item i left join practice_label l on l.practice_id = i.practice_id where i.import_id = ${id} order by i.ord`)
  expect(stored.map(({ label_id }) => label_id)).toEqual([series, motion, null])
  expect((await labels()).map(({ path, fate }) => [path.at(-1), fate])).toEqual(expect.arrayContaining([['抛物线性质', 'mapped'], ['火柴棍', 'left']]))
  await writer.post(`${BASE}/${id}/undo`)
})

test('a mapping is remembered for files of the same fields, for the person', async () => {
  const file = (text: string) => JSON.stringify([{ tt: `${text}=____`, dd: '2', why: '略' }])
  const first = await sent('一.json', file('1+1'))
  await jobOver(writer, first.job_id, ['done'])
  expect(await batch(first.id)).toMatchObject({ mapping_kept: false, counts: { problem: 1 } })
  const again = await writer.post<{ job_id: number }>(`${BASE}/${first.id}/parse`, { mapping: { fields: { stem: ['tt'], answer: ['dd'], solution: ['why'] }, subject: '数学', type: null, score_of_each: null } })
  await jobOver(writer, again.body.job_id, ['done'])
  const second = await sent('二.json', file('4-2'))
  await jobOver(writer, second.job_id, ['done'])
  expect(await batch(second.id)).toMatchObject({ mapping_kept: true, mapping: { fields: { stem: ['tt'] } }, counts: { good: 1 } })
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  const third = await sent('三.json', file('5-3'), other)
  await jobOver(other, third.job_id, ['done'])
  expect((await other.get<ImportBatch>(`${BASE}/${third.id}`)).body.mapping_kept).toBe(false)
})

test('subject, difficulty and source are set for the whole preview where the file says nothing', async () => {
  const { id, job_id } = await sent('无学科.jsonl', [{ question: '甲处是（ ）\nA．一\nB．二', answer: 'A', analysis: '略' }, { question: '乙处是（ ）\nA．三\nB．四', answer: 'B', analysis: '略', subject: '物理', year: 2020 }].map((one) => JSON.stringify(one)).join('\n'))
  await jobOver(writer, job_id, ['done'])
  expect((await items(id)).items.map(({ state }) => state)).toEqual(['problem', 'good'])
  const [maths] = await app.db.query<{ id: number }>(sql`select id from subject where name = '数学' and level = 0`)
  const set = (facts: Record<string, unknown>, caller = writer) => caller.post<{ job_id: number }>(`${BASE}/${id}/facts`, facts)
  await jobOver(writer, (await set({ subject_id: maths?.id, difficulty: 2, source_years: [2024], all: false })).body.job_id, ['done'])
  expect((await items(id)).items.map(({ state, question }) => [state, question?.subject, question?.difficulty, question?.source_years])).toEqual([['good', '数学', 2, [2024]], ['good', '物理', 2, [2020]]])
  await jobOver(writer, (await set({ difficulty: 5, all: true })).body.job_id, ['done'])
  expect((await items(id)).items.map(({ state, question }) => [state, question?.difficulty])).toEqual([['good', 5], ['good', 5]])
  expect((await set({ level: 1, all: false })).status).toBe(403)
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  expect((await set({ difficulty: 1, all: true }, other)).status).toBe(404)
})

test('a question that stands in a file twice is said, and one that another file has brought since is not written again', async () => {
  const rows = (...more: object[]) => more.map((one) => JSON.stringify(one)).join('\n')
  const one = choice('两个文件里都有的题是', 'A')
  const first = await sent('甲.jsonl', rows(one, one, choice('同题不同答案的题是', 'B'), choice('同题不同答案的题是', 'C')))
  const second = await sent('乙.jsonl', rows(one))
  for (const { job_id } of [first, second]) await jobOver(writer, job_id, ['done'])
  const shown = (await items(first.id)).items
  expect(shown.map(({ like_kind }) => like_kind)).toEqual([null, 'same', null, null])
  expect(shown[1]?.warnings.map(({ message }) => message)).toContain('与本文件的「第 1 行」是同一道题')
  expect(shown[3]?.warnings.map(({ message }) => message)).toContain('与本文件的「第 3 行」题目相同，答案不同，其中一个有误')
  expect(shown[3]?.state).toBe('problem')
  const write = async (id: number) => (await jobOver(writer, (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: false, alike: false })).body.job_id, ['done'])).result
  expect(await write(first.id)).toEqual({ written: 2 })
  expect(await write(second.id)).toEqual({ written: 0, there: 1 })
  expect((await items(second.id)).items[0]).toMatchObject({ like_kind: 'same', practice_id: null })
})

test('chapters are found by their names, and those that are not are named before anything is written', async () => {
  const [book] = await app.db.query<{ name: string }>(sql`select c.name from chapter c join subject s on s.id = c.subject_id where s.level = 0 and s.name = '数学' and c.deleted_at is null group by c.name having count(*) = 1 order by c.name limit 1`)
  const { id, job_id } = await sent('章节.jsonl', [choice('第一个有章节的题是', 'A', { chapter: book?.name }), choice('第二个有章节的题是', 'A', { chapter: '没有这一章' })].map((one) => JSON.stringify(one)).join('\n'))
  await jobOver(writer, job_id, ['done'])
  expect((await batch(id)).notes.map(({ message }) => message).join()).toContain('1 个章节在教材目录中没有，或有几个同名，入库时不写：没有这一章')
  await jobOver(writer, (await writer.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: false, alike: false })).body.job_id, ['done'])
  const written = await app.db.query(sql`select c.name from practice_chapter x join practice_import_item i on i.practice_id = x.practice_id join chapter c on c.id = x.chapter_id where i.import_id = ${id}`)
  expect(written).toEqual(book ? [{ name: book.name }] : [])
})
