import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { browserHeaders } from '../../../core/testing/uploads.server.ts'
import type { PaperContent } from '../calls.ts'
import { PAPERS } from '../paper.ts'
import { paperUses } from '../uses.server.ts'
import type { ImportedPaper } from './calls.ts'
import { planPaper, type PlannedItem } from './plan.ts'

const IMPORTS = '/daoyuan/api/end/practice_imports'
const MATHS = 1
const choice = (n: number, words: string, key: string) => `${n}．${words}（　　）\nA．甲方${n}\nB．乙方${n}\nC．丙方${n}\nD．丁方${n}\n【答案】${key}\n【解析】见课本第 ${n} 页。`
/** A paper as schools write them. */
const paperText = (mark: string, more = '') => `绝密★启用前
${mark}高三数学第一次联考
本试卷满分 32 分，考试时间 90 分钟
注意事项：
1．答卷前填写姓名和考号。
2．用黑色签字笔作答。
第Ⅰ卷（选择题 共15分）
一、单选题：本题共3小题，每小题5分，共15分。在每小题给出的四个选项中，只有一项是符合题目要求的。
${choice(1, `${mark}的城市中位于长江沿岸且人口最多的是哪一座`, 'A')}
${choice(2, `${mark}所在省份的最高山峰海拔超过三千米的是哪一座`, 'B')}
${choice(3, `${mark}附近的湖泊按照面积从大到小排列正确的是哪一组`, 'C')}
第Ⅱ卷（非选择题 共17分）
二、填空题：本题共1小题，每小题5分，共5分。
4．${mark}的运动会中参加接力的班级一共有______个。
【答案】12
【解析】数一数即可。
三、解答题：共12分。解答应写出文字说明、证明过程或演算步骤。
5．（12分）请说明${mark}的图书馆为什么在周末延长开放时间，并给出两条理由。
【答案】读者多；考试近。
【解析】言之成理即可。
${more}`

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  await app.db.query(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, '单选题', 1, 1), (${MATHS}, '填空题', 3, 1), (${MATHS}, '解答题', 4, 1) on conflict do nothing`)
})
afterAll(() => app.close())

async function sent(text: string, caller = admin): Promise<number> {
  const file = await app.http.inject({
    method: 'POST', url: `${IMPORTS}/files`, headers: { ...browserHeaders(caller), 'content-type': 'multipart/form-data; boundary=xx' },
    payload: `--xx\r\ncontent-disposition: form-data; name="file"; filename="联考.txt"\r\ncontent-type: application/octet-stream\r\n\r\n${text}\r\n--xx--\r\n`,
  })
  const { body } = await caller.post<{ id: number; job_id: number }>(IMPORTS, { file_id: file.json<{ id: string }>().id, level: 0, subject_id: MATHS })
  await jobOver(caller, body.job_id, ['done'])
  return body.id
}
const place = (id: number) => `/daoyuan/api/end/paper_imports/${id}`
type Made = { id: number; detail: string; written: number; reused: number }
const make = (id: number, more: object = {}, caller = admin) => caller.post<Made>(place(id), { name: '联考试卷', problems: false, ...more })

test('a whole paper comes in as a paper: its parts, headings, order, points, notices; the bank has what is in it afterwards', async () => {
  const id = await sent(paperText('武汉'))
  const { body: plan } = await admin.get<ImportedPaper>(place(id))
  expect(plan).toMatchObject({ made: null, name: '武汉高三数学第一次联考', minutes: 90, secret: '绝密★启用前', notices: ['1．答卷前填写姓名和考号。', '2．用黑色签字笔作答。'], problems: [], alike: [], notes: [] })
  expect(plan.sections).toEqual([
    { part: '第Ⅰ卷（选择题 共15分）', title: '一、单选题：本题共3小题，每小题5分，共15分', questions: 3, points: 15 },
    { part: '第Ⅱ卷（非选择题 共17分）', title: '二、填空题：本题共1小题，每小题5分，共5分', questions: 1, points: 5 },
    { part: '', title: '三、解答题：共12分', questions: 1, points: 12 },
  ])
  const made = await make(id)
  expect(made).toMatchObject({ status: 200, body: { written: 5, reused: 0 } })
  const { body: paper } = await admin.get<PaperContent>(`/daoyuan/api/end/paper/${made.body.id}/content`)
  expect(paper).toMatchObject({ duration: 90, body: { front: { secret: '绝密★启用前', notices: '1．答卷前填写姓名和考号。\n2．用黑色签字笔作答。' } } })
  expect(paper.body.sections.map(({ name, instruction, items }) => [name, instruction, items.map(({ score }) => score)])).toEqual([
    ['单选题', '在每小题给出的四个选项中，只有一项是符合题目要求的。', [5, 5, 5]], ['填空题', '', [5]], ['解答题', '解答应写出文字说明、证明过程或演算步骤。', [12]],
  ])
  expect(paper.practices.map(({ pool, content }) => [pool, JSON.stringify(content.stem).includes('武汉')])).toEqual(Array.from({ length: 5 }, () => ['back', true]))
  // Once; and what it stands on is not taken back under it.
  expect((await make(id)).body).toMatchObject({ detail: '这个文件已经成卷「联考试卷」' })
  expect((await admin.post(`${IMPORTS}/${id}/undo`)).body).toMatchObject({ detail: '这次导入已经成卷「联考试卷」，请先删除试卷' })
  // Nobody publishes a paper of drafts.
  expect((await admin.post<{ detail: string }>(`${PAPERS.base[0]?.api.item}/${made.body.id}/submit`, { rev: 2 })).status).toBe(400)

  // The same file once more: the bank has every one of them.
  const again = await sent(paperText('武汉'))
  expect((await admin.get<ImportedPaper>(place(again))).body.alike.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'same'))
  expect((await make(again, { name: '再来一份' })).body).toMatchObject({ written: 0, reused: 5 })

  // What was a draft is published: papers have the official question in its place from then on.
  const [draft = 0] = paper.practices.map((card) => card.id)
  const [official] = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, difficulty, option_layout, status, version_no, score) values ('F1-0000001', 'official', 0, ${MATHS}, 1, 3, 1, 4, 1, 5) returning id`)
  await app.db.transaction({ staffId: null, requestId: 'test' } as never, (tx) => paperUses.published?.(tx, draft, official?.id ?? 0) ?? Promise.resolve())
  const [first] = await app.db.query<{ practice_id: number; score: number }>(sql`select practice_id, score from paper_item where paper_id = ${made.body.id} order by ord limit 1`)
  expect(first).toEqual({ practice_id: official?.id, score: 5 })
})

test('questions that are like one of the bank are asked about, uncertain ones keep the paper waiting, what was left out is said', async () => {
  await make(await sent(paperText('长沙')), { name: '底卷' })
  // Another number makes a variant; a choice without its answer is a problem.
  const id = await sent(paperText('长沙', '').replace('一共有______个', '一共 7 班有______个').replace('4．长沙的运动会中参加', '4．长沙的运动会 3 次中参加').replace('【答案】C', '【答案】E'))
  const { body: plan } = await admin.get<ImportedPaper>(place(id))
  expect(plan.problems).toEqual(['第 3 题'])
  const open = plan.alike.filter(({ kind }) => kind !== 'same')
  const choices = open.map(({ ord }) => ({ ord, use: 'new' }))
  if (open.length > 0) expect((await make(id)).body).toMatchObject({ detail: expect.stringContaining('请选择用题库的题还是作为新题') })
  const third = plan.alike.find(({ place: at }) => at === '第 3 题')
  const fresh = third ? [...choices.filter(({ ord }) => ord !== third.ord), { ord: third.ord, use: 'new' }] : choices
  expect((await make(id, { choices: fresh })).body).toMatchObject({ detail: expect.stringContaining('还有 1 道题有问题（第 3 题）') })
  await admin.put(`${IMPORTS}/${id}/items/2`, { skip: true })
  const { body: without } = await admin.get<ImportedPaper>(place(id))
  expect(without).toMatchObject({ problems: [], left_out: ['第 3 题'], notes: expect.arrayContaining(['「单选题」写明 3 小题，现有 2 小题', '全卷写明 32 分，现有 27 分']) })
  const made = await make(id, { choices })
  expect(made.status).toBe(200)
  const [count] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from paper_item where paper_id = ${made.body.id}`)
  expect(count?.n).toBe(4)
})

test('only who may import and edit papers makes one, of their own file, and one question does not stand for two', async () => {
  const id = await sent(paperText('南昌'))
  const grant = PAPERS.base[0]?.grant ?? 0
  const editor = await app.staff([grant, standardId(grant, 'edit')])
  expect((await make(id, {}, editor)).status).toBe(404)
  expect((await (await app.staff([grant])).get(place(id))).status).toBe(403)
  // Questions of a list are no paper.
  const list = await sent('1．只有一道题，没有大题（　　）\nA．甲\nB．乙\nC．丙\nD．丁\n【答案】A')
  expect((await admin.get(place(list))).body).toMatchObject({ detail: '这个文件不是整份试卷，请用“入库”' })
  // The same question twice in one paper.
  await make(id)
  const twice = await sent(paperText('南昌').replace('2．南昌所在省份的最高山峰海拔超过三千米的是哪一座（　　）\nA．甲方2\nB．乙方2\nC．丙方2\nD．丁方2\n【答案】B', '2．南昌的城市中位于长江沿岸且人口最多的是哪一座（　　）\nA．甲方1\nB．乙方1\nC．丙方1\nD．丁方1\n【答案】A'))
  expect((await make(twice, { choices: [0, 1, 2].map((ord) => ({ ord, use: 'bank' })) })).body).toMatchObject({ detail: expect.stringContaining('对应题库的同一道题') })
})

test('points that cannot be used are left open and said, those of parts are kept where they add up', () => {
  const section = { at: 0, part: '', name: '解答题', title: '', instruction: '', count: 3, total: 30 }
  const item = (ord: number, score: number | null, parts: (number | null)[] = []): PlannedItem => ({ ord, place: `第 ${ord} 题`, score, parts, section })
  const { sections, notes } = planPaper([item(1, 10, [4, 6]), item(2, null), item(3, 3.3)], 30)
  expect(sections[0]?.items).toEqual([{ ord: 1, score: 10, sub_scores: [4, 6] }, { ord: 2, score: 0, sub_scores: [] }, { ord: 3, score: 0, sub_scores: [] }])
  expect(notes).toEqual(['「解答题」写明 3 小题，现有 4 小题', '「解答题」写明共 30 分，现有 10 分', '第 2 题、第 3 题没有读出分值', '全卷写明 30 分，现有 10 分'])
})
