import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../core/setup/random.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankScreen, STATUS } from '../bank/practice.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import type { VerifyEntry, Waiting } from './calls.ts'
import { CHECKLIST, ROUNDS, VERIFY_SCREEN } from './state.ts'
import { passPractice, rejectPractice } from './testing.ts'

let app: TestApp
let writer: Caller
let readers: Caller[]
let label: number
let nth = 0
const V = '/daoyuan/api/end/practice_verifies'
const P = '/daoyuan/api/dou_practice/end/practice'

beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  readers = [await app.staff(app.servedGrants), await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  label = await knowledgeLabel(app, writer, '集合')
})
afterAll(() => app.close())

const written = (text: string) => writtenChoice(label, [text])
async function draft(): Promise<number> {
  const answer = await writer.post<{ id: number }>(P, { ...written(`第 ${++nth} 题，下列各数中最小的是`), level: 0 })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}
const statusOf = async (id: number) => (await app.db.query<{ status: number; verifier1_id: number | null; origin_id: number | null }>(sql`select status, verifier1_id, origin_id from practice where id = ${id}`))[0]
const submit = (id: number) => writer.put(`${P}/${id}/status`, { action: 'submit' })

test('a question passes three rounds, the second by another person, and is published as a version', async () => {
  const id = await draft()
  expect((await passPractice(readers[0]!, id)).status).toBe(409)
  expect((await submit(id)).status).toBe(200)
  expect(await passPractice(writer, id)).toMatchObject({ status: 400, body: { detail: '不能校对自己录入的试题' } })
  expect((await passPractice(readers[0]!, id)).body).toMatchObject({ status: STATUS.second })
  expect(await passPractice(readers[0]!, id)).toMatchObject({ status: 400, body: { detail: '二校应由一校以外的人完成' } })
  expect((await passPractice(readers[1]!, id)).body).toMatchObject({ status: STATUS.final })
  const done = await passPractice<{ official_id: number }>(readers[2]!, id)
  expect(done.status).toBe(200)
  const [official] = await app.db.query(sql`select p.pool, p.status, v.published from practice p join practice_version v on v.practice_id = p.id where p.id = ${done.body.official_id}`)
  expect(official).toEqual({ pool: 'official', status: STATUS.published, published: true })
  // Revised, it keeps its id and gets its next version.
  const revision = await writer.post<{ id: number; rev: number }>(`${P}/${done.body.official_id}/revise`)
  expect(revision.status).toBe(200)
  expect((await statusOf(done.body.official_id))?.status).toBe(STATUS.revising)
  expect((await writer.put(`${P}/${revision.body.id}`, { ...written('改过的题干，下列各数中最大的是'), rev: revision.body.rev })).status).toBe(200)
  expect((await submit(revision.body.id)).status).toBe(200)
  for (const reader of readers) expect((await passPractice(reader, revision.body.id)).status).toBe(200)
  const [again] = await app.db.query(sql`select status, version_no::int as version_no, search_text from practice where id = ${done.body.official_id}`)
  expect(again).toMatchObject({ status: STATUS.published, version_no: 2 })
  expect(String(again?.['search_text'])).toContain('改过的题干')
})

test('a decision needs the claim and, to pass, a look at everything that is to be checked', async () => {
  const id = await draft()
  await submit(id)
  const pass = (body: Record<string, unknown>) => readers[0]!.post(`${V}/${id}/pass`, body)
  for (const refused of [await pass({ checked: [...CHECKLIST] }), await readers[0]!.post(`${V}/${id}/reject`, { reason: '答案不对', errors: ['答案错'] })]) {
    expect(refused).toMatchObject({ status: 409, body: { detail: '请先领取该题再校对' } })
  }
  expect((await readers[0]!.post(`${V}/${id}/claim`)).status).toBe(200)
  expect(await pass({})).toMatchObject({ status: 400, body: { detail: `请先核对：${CHECKLIST.join('、')}` } })
  expect(await pass({ checked: CHECKLIST.slice(1) })).toMatchObject({ status: 400, body: { detail: '请先核对：题干' } })
  expect((await pass({ checked: ['没有这一项'] })).status).toBe(400)
  expect(await statusOf(id)).toMatchObject({ status: STATUS.first })
  expect((await pass({ checked: [...CHECKLIST] })).body).toMatchObject({ status: STATUS.second })
  // The claim was for that round alone.
  expect((await readers[1]!.post(`${V}/${id}/pass`, { checked: [...CHECKLIST] })).status).toBe(409)
})

test('a claimed question is the claimer\'s for half an hour', async () => {
  const id = await draft()
  await submit(id)
  expect((await readers[0]!.post(`${V}/${id}/claim`)).status).toBe(200)
  expect((await passPractice(readers[1]!, id)).status).toBe(409)
  await app.db.query(sql`update verify_claim set until = now() - interval '1 second' where practice_id = ${id}`)
  expect((await passPractice(readers[1]!, id)).status).toBe(200)
})

test('what is sent back says why, and returns after it was mended; two editors lose nothing', async () => {
  const id = await draft()
  await submit(id)
  expect((await rejectPractice(readers[0]!, id, { reason: '答案不对', errors: [] })).status).toBe(400)
  expect((await rejectPractice(readers[0]!, id, { reason: '答案不对', errors: ['答案错'] })).status).toBe(200)
  const { rev } = (await writer.get<{ rev: number }>(`${P}/${id}`)).body
  expect((await writer.put(`${P}/${id}`, { ...written('先保存的人写的'), rev })).status).toBe(200)
  const late = await readers[2]!.put(`${P}/${id}`, { ...written('后保存的人写的'), rev })
  expect(late).toMatchObject({ status: 409, body: { current: { id } } })
  expect((await submit(id)).status).toBe(200)
})

test('whatever several people do, a question is only where the rules lead', async () => {
  const random = seededRandom(7)
  const ids = [await draft(), await draft(), await draft()]
  for (let step = 0; step < 60; step++) {
    const id = random.pick(ids)
    const who = random.pick([writer, ...readers])
    const before = await statusOf(id)
    const answer = await random.pick([
      () => who.put(`${P}/${id}/status`, { action: random.pick(['submit', 'withdraw', 'reopen']) }), () => who.put(`${P}/${id}/status`, { action: 'void', reason: '不要了' }),
      () => passPractice(who, id), () => rejectPractice(who, id, { reason: '再看看', errors: ['题干错'] }), () => who.post(`${V}/${id}/claim`), () => who.post(`${V}/${id}/release`),
    ])()
    const after = await statusOf(id)
    expect(answer.status).toBeLessThan(500)
    if (answer.status !== 200) expect(after).toEqual(before)
    const allowed: Record<number, number[]> = { 0: [0, 1, 8], 1: [0, 1, 2, 5, 8], 2: [2, 3, 5, 8], 3: [3, 4, 5, 8], 4: [4], 5: [1, 5, 8], 8: [0, 8] }
    expect(allowed[before?.status ?? -1]).toContain(after?.status)
    if (after?.status === STATUS.second && before?.status === STATUS.first) expect(after.verifier1_id).not.toBe(writer.staffId)
    if (after?.status === STATUS.final && before?.status === STATUS.second) expect(before.verifier1_id).not.toBe(who.staffId)
  }
})

test('a person sees the banks of their screens and subjects only', async () => {
  const id = await draft()
  const other = await app.staff([bankScreen('back', 1)])
  expect((await other.get(`${P}/${id}`)).status).toBe(404)
  const physics = await app.staff([bankScreen('back', 0)], { scopes: { subject: [3] } })
  expect((await physics.get(`${P}/${id}`)).status).toBe(404)
  expect((await physics.post<{ items: unknown[] }>('/daoyuan/api/dou_practice/end/practices', { pool: 'back' })).body.items).toEqual([])
  const mine = await app.staff([bankScreen('back', 0)], { scopes: { subject: [1], level: [0] } })
  expect((await mine.get(`${P}/${id}`)).status).toBe(200)
  expect((await mine.put(`${P}/${id}`, { ...written('x'), rev: 1 })).status).toBe(403)
})

test('举一反三 is added, listed and taken away', async () => {
  const [one, two, three] = [await draft(), await draft(), await draft()]
  expect((await writer.post('/daoyuan/api/end/practice_one_2_three', { practice_id: one, child_ids: [two, three] })).body).toEqual({ count: 2 })
  expect((await writer.post('/daoyuan/api/end/practice_one_2_three', { practice_id: one, child_ids: [one] })).status).toBe(400)
  expect((await writer.get<{ total: number }>(`/daoyuan/api/end/practice_one_2_three/list/${one}`)).body.total).toBe(2)
  expect((await writer.post('/daoyuan/api/end/practice_one_2_three/remove', { practice_id: one, child_ids: [two] })).body).toEqual({ count: 1 })
})

test('the home page counts the queue of the rounds that a person checks in, in the banks that they may open', async () => {
  const waiting = async (caller: Caller) => {
    const { body } = await caller.get<{ waiting: { name: string; count: number }[] }>('/daoyuan/api/end/dashboard')
    return body.waiting.find(({ name }) => name === 'practice_verify')?.count
  }
  const queued = async (caller: Caller) => (await caller.get<{ total: number }>(V)).body.total
  const first = await app.staff([VERIFY_SCREEN, ROUNDS[0]!.grant, bankScreen('back', 0)])
  const before = await queued(first)
  await submit(await draft())
  expect(await queued(first)).toBe(before + 1)
  expect(await waiting(first)).toBe(before + 1)
  expect(await waiting(await app.staff([VERIFY_SCREEN, ROUNDS[0]!.grant, bankScreen('back', 1)]))).toBeUndefined()
  expect(await waiting(await app.staff([VERIFY_SCREEN, bankScreen('back', 0)]))).toBeUndefined()
  expect(await waiting(await app.staff([bankScreen('back', 0)]))).toBeUndefined()
})

test('a machine looks before a person does: formulas, explanations, words, pictures, and questions that are there already', async () => {
  const create = async (content: Record<string, unknown>, text = `机检 ${++nth}，下列说法正确的是`) => (await writer.post<{ id: number }>(P, { ...written(text), content: { ...written(text).content, ...content }, level: 0 })).body.id
  const refused = async (id: number) => (await submit(id)).body['detail']
  const settings = { needs_analysis: true, banned: ['机密'], duplicate_from: 0.85, tiers: [], blind_second: false }
  expect((await writer.put(`${V}/settings`, settings)).status).toBe(200)
  expect(await refused(await create({ stem: inlineDoc(['求值 ', { t: 'tex', tex: '\\frac{1}{' }]) }))).toContain('公式有误')
  expect(await refused(await create({ analysis: written('x').content.analysis, stem: inlineDoc(['机密 ', String(nth)]) }))).toContain('禁用词')
  // All that is wrong is told at once, by its place.
  const faults = (await submit(await create({ stem: inlineDoc(['机密 求值 ', { t: 'tex', tex: '\\frac{1}{' }]), analysis: { hint: null, solution: null, comment: null, pitfall: null } }))).body as unknown as { fields: Record<string, string> }
  expect(Object.keys(faults.fields).slice(0, 2)).toEqual(['题干', '解析'])
  expect(faults.fields['题干']).toMatch(/公式有误.*；.*禁用词|禁用词.*；.*公式有误/)
  const bare = await create({ analysis: { hint: null, solution: null, comment: null, pitfall: null } })
  expect(await refused(bare)).toContain('没有解析')
  expect((await writer.put(`${V}/settings`, { ...settings, needs_analysis: false })).status).toBe(200)
  expect((await submit(bare)).status).toBe(200)
  // The same words again are a duplicate; other numbers make a variant, which is none.
  const text = '已知集合中共有若干个元素，从中任取一个元素，则取到的元素恰为奇数的概率等于下列哪一个数'
  const one = await create({}, text)
  const twin = await create({}, text)
  const variant = await create({}, `${text}（共 5 个元素）`)
  expect(await refused(twin)).toMatch(/相似 100%，请先在试题比对中确认/)
  expect((await writer.get<{ items: { place: string; level: string }[] }>(`${P}/${twin}/check`)).body.items.filter(({ place, level }) => place === '查重' && level === 'error').length).toBeGreaterThan(0)
  await app.db.query(sql`insert into practice_similar (practice_id, other_id, kind) values (${one}, ${twin}, 'distinct'), (${variant}, ${twin}, 'distinct')`)
  expect((await submit(twin)).status).toBe(200)
  expect((await writer.put(`${V}/settings`, settings)).status).toBe(200)
})

test('of what good writers write only the drawn part is read twice', async () => {
  const good = await app.staff(app.servedGrants)
  for (let i = 0; i < 12; i++) await app.db.query(sql`insert into practice_verify (practice_id, round, staff_id, owner_id, passed, errors, version_no) values (${700_000 + i}, 1, ${readers[0]!.staffId}, ${good.staffId}, 1, '{}', 1)`)
  expect((await writer.put(`${V}/settings`, { needs_analysis: true, banned: [], duplicate_from: 1, tiers: [{ first_pass: 0.9, checked: 10, percent: 40 }], blind_second: false })).status).toBe(200)
  const after: number[] = []
  for (let i = 0; i < 20; i++) {
    const { body } = await good.post<{ id: number }>(P, { ...written(`抽检 ${++nth} 题`), level: 0 })
    expect((await good.put(`${P}/${body.id}/status`, { action: 'submit' })).status).toBe(200)
    after.push(Number((await passPractice(readers[0]!, body.id)).body['status']))
  }
  expect(new Set(after)).toEqual(new Set([STATUS.second, STATUS.final]))
  expect(after.filter((status) => status === STATUS.second).length).toBeLessThan(15)
  // A person who has not shown anything yet is read twice.
  const id = await draft()
  await submit(id)
  expect((await passPractice(readers[0]!, id)).body['status']).toBe(STATUS.second)
  const cards = await writer.get<{ items: { owner_id: number; sample_percent: number }[] }>(`${V}/score_cards`)
  expect(cards.body.items.find(({ owner_id }) => owner_id === good.staffId)?.sample_percent).toBe(40)
})

test('a blind second reader learns who wrote and read before, and what was noted, after the decision', async () => {
  const settings = { needs_analysis: true, banned: [], duplicate_from: 1, tiers: [], blind_second: true }
  expect((await writer.put(`${V}/settings`, settings)).status).toBe(200)
  const id = await draft()
  await submit(id)
  const found = async (caller: Caller) => (await caller.get<{ items: Waiting[] }>(V)).body.items.find(({ practice }) => practice.id === id)
  const noted = async (caller: Caller) => (await caller.get<{ items: VerifyEntry[] }>(`${V}/${id}/history`)).body.items.map(({ round, note }) => [round, note])
  expect(await found(readers[1]!)).toMatchObject({ blind: false, practice: { owner_id: writer.staffId } })
  expect((await passPractice(readers[0]!, id, { note: '选项可以再短些' })).status).toBe(200)
  expect(await found(readers[1]!)).toMatchObject({ blind: true, round: 2, practice: { owner_id: null, owner_name: null, verifier1_name: null } })
  expect(await noted(readers[1]!)).toEqual([])
  expect(await noted(readers[0]!)).toEqual([[1, '选项可以再短些']])
  expect((await passPractice(readers[1]!, id)).status).toBe(200)
  expect(await noted(readers[2]!)).toEqual([[2, null], [1, '选项可以再短些']])
  expect((await found(readers[2]!))?.practice.owner_id).toBe(writer.staffId)
  expect((await writer.put(`${V}/settings`, { ...settings, blind_second: false })).status).toBe(200)
})
