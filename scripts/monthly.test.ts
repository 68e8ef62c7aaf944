import { sql } from 'drizzle-orm'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { number } from '../core/field/number.ts'
import { text } from '../core/field/text.ts'
import { time } from '../core/field/time.ts'
import { makeMonths } from '../core/job/sweep.server.ts'
import { api, defineResource, type Resource } from '../core/resource/define.ts'
import { tableOf } from '../core/resource/table.server.ts'
import { insertRow } from '../core/resource/write.server.ts'
import { openTestDatabase, type TestDatabase } from '../core/testing/database.server.ts'
import { besideOf, triggerChanges } from './migration.ts'
import { keepByMonth } from './monthly.ts'

const definition = {
  name: 'probe_answer', label: '作答', grant: 9901, api: api('/test', 'answers', 'answer'),
  fields: { no: text('编号', { required: true }), at: time('作答时间', { required: true, createOnly: true }), score: number('得分') },
  list: { columns: ['no', 'at'], filters: ['at'] }, monthly: 'at', unique: [['at', 'no']],
} as const
const answer = defineResource(definition) as unknown as Resource

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
  const generated = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ answer: tableOf(answer) }))
  const statements = [...keepByMonth(generated, { probe_answer: 'at' }), ...triggerChanges({}, besideOf([answer], {}))]
  await db.script(`begin; ${statements.join('\n')}; commit`)
})
afterAll(async () => {
  await db.script('drop table if exists probe_answer')
  await db.close()
})

const insert = (no: string, at: number) => db.transaction({ staff_id: null }, (tx) => insertRow(tx, answer, null, { no, at }, {}))
const parts = async () => (await db.query<{ name: string }>(sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'probe_answer'::regclass order by 1`)).map(({ name }) => name)
const partOf = async (id: number) => (await db.query<{ name: string }>(sql`select tableoid::regclass::text as name from probe_answer where id = ${id}`))[0]?.name
/** A moment of a month from now on, in China. */
const inMonth = (months: number) => {
  const china = new Date(Date.now() + 8 * 3_600_000)
  const start = Date.UTC(china.getUTCFullYear(), china.getUTCMonth() + months, 1) / 1000 - 8 * 3600
  return { start, name: `probe_answer_${new Date((start + 8 * 3600) * 1000).toISOString().slice(0, 7).replace('-', '')}` }
}

test('this month and the next three are there, and a record lies in the month of its moment', async () => {
  const months = [0, 1, 2, 3].map(inMonth)
  expect(await parts()).toEqual([...months.map(({ name }) => name), 'probe_answer_rest'].toSorted())
  const [now, next] = months
  if (!now || !next) throw new Error('no months')
  for (const [at, name] of [[now.start, now.name], [next.start - 1, now.name], [next.start, next.name], [now.start - 1, 'probe_answer_rest']] as const) {
    const { id } = await insert(`n${at}`, at)
    expect(await partOf(id)).toBe(name)
  }
})

test('what is unique holds, and every change is logged', async () => {
  const { start } = inMonth(0)
  const { id } = await insert('twice', start + 60)
  await expect(insert('twice', start + 60)).rejects.toThrow('编号「twice」')
  await db.transaction({ staff_id: null }, (tx) => tx.query(sql`update probe_answer set score = 5 where id = ${id}`))
  const log = await db.query<{ action: string }>(sql`select action from audit_log where entity = 'probe_answer' and entity_id = ${id} order by id`)
  expect(log.map(({ action }) => action)).toEqual(['create', 'update'])
})

test('a list that is narrowed by the moment reads the months that it asks for', async () => {
  const { start, name } = inMonth(1)
  const plan = await db.query<Record<string, string>>(sql`explain select * from probe_answer where at >= to_timestamp(${start}) and at < to_timestamp(${start + 86_400})`)
  const said = plan.map((row) => Object.values(row)[0]).join('\n')
  expect(said).toContain(name)
  expect(said).not.toContain(inMonth(0).name)
})

test('the sweep makes months ahead, again and again, and leaves a month alone that the rest holds something of', async () => {
  const { start, name } = inMonth(2)
  await db.script(`drop table ${name}`)
  const { id } = await insert('late', start + 60)
  expect(await partOf(id)).toBe('probe_answer_rest')
  await makeMonths(db)
  expect(await parts()).not.toContain(name)
  await db.script(`delete from probe_answer where id = ${id}`)
  await makeMonths(db)
  await makeMonths(db)
  expect(await parts()).toContain(name)
})

test('a definition whose months cannot be told, and a table that is there already, are refused', () => {
  expect(() => defineResource({ ...definition, unique: [['no']] })).toThrow('what is unique has to hold at, and no does not')
  expect(() => defineResource({ ...definition, unique: [], monthly: 'no' })).toThrow('probe_answer is kept by the month of no')
  expect(() => keepByMonth([], { probe_answer: 'at' })).toThrow('probe_answer is there already')
  expect(keepByMonth([], { probe_answer: 'at' }, { probe_answer: 'at' })).toEqual([])
})
