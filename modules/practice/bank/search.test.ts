import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { knowledgeLabel } from '../edit/testing.server.ts'
import { startWritten } from '../edit/written.ts'
import type { PracticePage } from './calls.ts'
import { bankScreen, STATUS } from './practice.ts'
import { insertPractices } from './write.server.ts'

const DIFFICULTIES = [1, null, 3, 3, null, 5, 2]
let app: TestApp
let reader: Caller
let label: number
let ids: number[]

beforeAll(async () => {
  app = await openTestApp()
  const editor = await app.staff(app.servedGrants)
  reader = await app.staff([bankScreen('back', 0)])
  label = await knowledgeLabel(app, editor, '集合')
  ids = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, DIFFICULTIES.map((difficulty, index) => {
    const start = startWritten(1)
    return { ...start, content: { ...start.content, stem: inlineDoc([`第 ${index} 题`]) }, facts: { ...start.facts, difficulty }, labels: index < 5 ? [{ id: label, main: true }] : [], pool: 'back' as const, level: 0, owner_id: null, status: STATUS.draft }
  })))
}, 120_000)
afterAll(() => app.close())

const search = (body: Record<string, unknown>, who = reader) => who.post<PracticePage>('/daoyuan/api/dou_practice/end/practices', { pool: 'back', cat_id: 1, ...body })

test.each([['difficulty', [1, 2, 3, 3, 5, null, null]], ['-difficulty', [null, null, 5, 3, 3, 2, 1]]])('every question comes once, page by page in the order of %s, those without a difficulty too', async (sort, expected) => {
  const found: { id: number; difficulty: number | null }[] = []
  let cursor: string | undefined
  do {
    const { body } = await search({ sort, page_size: 2, ...(cursor && { cursor }) })
    found.push(...body.items)
    cursor = body.next
  } while (cursor && found.length < 20)
  expect(found.map(({ difficulty }) => difficulty)).toEqual(expected)
  expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
})

test('what carries a label is counted within what the person may see, with other filters and without', async () => {
  expect((await search({ label_ids: [label] })).body.total).toBe(5)
  expect((await search({ label_ids: [label], difficulties: [3] })).body.total).toBe(2)
  expect((await search({ label_ids: [label], cat_id: 3 })).body.total).toBe(0)
  expect((await search({ label_ids: [label], level: 1 })).body.total).toBe(0)
  const physics = await app.staff([bankScreen('back', 0)], { scopes: { subject: [3] } })
  expect((await search({ label_ids: [label] }, physics)).body.total).toBe(0)
})

test('words are found within a bank and a subject, and in all that the person may see; a number by its digits', async () => {
  const found = async (body: Record<string, unknown>, who = reader) => (await search(body, who)).body.items.map(({ id }) => id).sort((a, b) => a - b)
  expect(await found({ keyword: '第 3 题' })).toEqual([ids[3]])
  expect(await found({ keyword: ' 题' })).toEqual(ids)
  expect(await found({ keyword: ' 题', cat_id: undefined })).toEqual(ids)
  expect(await found({ keyword: ' 题', cat_id: 3 })).toEqual([])
  expect(await found({ keyword: ' 题', label_ids: [label], difficulties: [3] })).toEqual(ids.slice(2, 4))
  expect(await found({ keyword: '没有的字' })).toEqual([])
  // What it is narrowed by stands in the same index as the words, and is none of them.
  expect(await found({ keyword: 'back 1' })).toEqual([])
  const [{ no = '' } = {}] = await app.db.query<{ no: string }>(sql`select no from practice where id = ${ids[2]}`)
  expect(await found({ keyword: no })).toEqual([ids[2]])
})
