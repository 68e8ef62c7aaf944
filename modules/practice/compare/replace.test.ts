import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankScreen } from '../bank/practice.ts'
import type { PracticeCard } from '../bank/calls.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import { COMPARE_SCREEN, COMPARE, type ReplaceImpact } from './calls.ts'

const P = '/daoyuan/api/dou_practice/end/practice'

let app: TestApp
let editor: Caller
let ids: number[]
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff(app.servedGrants)
  const label = await knowledgeLabel(app, editor, '替换引用')
  ids = []
  for (const words of ['被替换的题，最小的是', '替换成的题，最大的是', '引用它的题，中间的是']) ids.push((await editor.post<{ id: number }>(P, { ...writtenChoice(label, [words]), level: 0 })).body.id)
  const [from = 0, , owner = 0] = ids
  await app.db.query(sql`insert into practice_similar (practice_id, other_id, kind) values (${owner}, ${from}, 'one2three'), (${from}, ${owner}, 'one2three')`)
  await app.db.query(sql`insert into basket_item (staff_id, practice_id) values (${editor.staffId}, ${from})`)
})
afterAll(() => app.close())

const refs = async (id: number) => (await editor.get<PracticeCard>(`${P}/${id}`)).body.ref_count
const impact = (from: number, to: number, caller = editor) => caller.post<ReplaceImpact>(`${P}/${from}/replace_uses/impact`, { to_id: to })

test('what would happen is told and nothing is changed; then every use follows, what belongs to the question stays, and the log says so', async () => {
  const [from = 0, to = 0, owner = 0] = ids
  expect(await refs(from)).toBe(1)
  expect((await impact(from, to)).body).toMatchObject({ moved: 1, left_alone: 0, refusal: null, uses: [{ kind: '举一反三' }] })
  expect([await refs(from), await refs(to)]).toEqual([1, 0])
  expect((await editor.post(`${P}/${from}/replace_uses`, { to_id: to })).body).toEqual({ moved: 1, left_alone: 0 })
  expect([await refs(from), await refs(to)]).toEqual([0, 1])
  expect(await app.db.query(sql`select practice_id::int as a, other_id::int as b from practice_similar where kind = 'one2three' and (practice_id = any(${sql.param(ids)}::bigint[])) order by 1`)).toEqual([{ a: from, b: owner }, { a: owner, b: to }])
  expect(await app.db.query(sql`select 1 from basket_item where practice_id = ${from}`)).toHaveLength(1)
  const [log] = await app.db.query(sql`select after from audit_log where action = 'replace_uses' and entity = 'practice' and entity_id = ${from}`)
  expect(log).toMatchObject({ after: { moved: 1 } })
})

test('one that cannot stand for the other is refused, as is whoever may not', async () => {
  const [from = 0, to = 0] = ids
  expect((await impact(from, from)).body.refusal).toBe('请选择另一道题')
  await app.db.query(sql`update practice set type = 3 where id = ${to}`)
  expect((await impact(from, to)).body.refusal).toMatch(/题型不同/)
  expect((await editor.post(`${P}/${from}/replace_uses`, { to_id: to })).status).toBe(400)
  expect((await editor.post(`${P}/${from}/replace_uses`, { to_id: 999_999 })).status).toBe(404)
  expect((await impact(from, to, await app.staff([bankScreen('back', 0)]))).status).toBe(403)
  expect((await impact(from, to, await app.staff([COMPARE_SCREEN, COMPARE, bankScreen('back', 1)]))).status).toBe(404)
})
