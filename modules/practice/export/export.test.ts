import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { browserHeaders } from '../../../core/testing/uploads.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankGrant, bankScreen } from '../bank/practice.ts'
import { EXPORT_FORMATS } from './formats.ts'

const BASE = '/daoyuan/api/end/practice_imports'
const EXPORTS = '/daoyuan/api/end/practice_exports'

let app: TestApp
let staff: Caller
beforeAll(async () => {
  app = await openTestApp()
  staff = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import'), bankGrant('back', 0, 'export')])
})
afterAll(() => app.close())

async function upload(name: string, content: Buffer | string): Promise<number> {
  const head = `--xx\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const file = await app.http.inject({
    method: 'POST', url: `${BASE}/files`, headers: { ...browserHeaders(staff), 'content-type': 'multipart/form-data; boundary=xx' }, payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--xx--\r\n')]),
  })
  const { body } = await staff.post<{ id: number; job_id: number }>(BASE, { file_id: file.json<{ id: string }>().id, level: 0 })
  await jobOver(staff, body.job_id, ['done'])
  return body.id
}

/** A picture that questions show: a red point. */
const DATA = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const SET = [
  { question: `设 $x^2=4$，如图<img src="${DATA}">，则（ ）`, options: ['$x=1$', '$x=2$', '$x=\\pm 2$', '无解'], answer: 'C', analysis: '开方即可。', subject: '数学', year: 2021, province: '浙江省', score: 5 },
  { question: '水的化学式是____。', answer: '$\\mathrm{H_2O}$', analysis: '略', subject: '化学' },
]

let ids: number[] = []
beforeAll(async () => {
  const id = await upload('一.json', JSON.stringify(SET))
  const { body } = await staff.post<{ job_id: number }>(`${BASE}/${id}/commit`, { problems: true, alike: true })
  await jobOver(staff, body.job_id, ['done'])
  ids = (await app.db.query<{ id: number }>(sql`select practice_id as id from practice_import_item where import_id = ${id} order by ord`)).map((row) => row.id)
})

test.each(EXPORT_FORMATS.filter(({ value }) => !['aiken', 'gift', 'xlsx'].includes(value)).map(({ value, ending }) => [value, ending] as const))('%s: what is exported is imported again, found to be the same', async (format, ending) => {
  const { body } = await staff.post<{ job_id: number }>(EXPORTS, { pool: 'back', level: 0, format, ids })
  const { result } = await jobOver(staff, body.job_id, ['done'])
  expect(result).toMatchObject({ rows: 2, notes: [] })
  const file = await app.http.inject({ method: 'GET', url: String(result?.['url']), headers: browserHeaders(staff) })
  const id = await upload(`再来.${ending}`, file.rawPayload)
  const items = await app.db.query(sql`select state, warnings, like_kind, question from practice_import_item where import_id = ${id} order by ord`)
  expect(items).toMatchObject([
    { state: 'good', warnings: [], like_kind: 'same', question: { type: 1, score: 5, answer: { ok: 'o3' }, source_years: [2021], exam_region: '浙江', subject: '数学' } },
    { state: 'good', warnings: [], like_kind: 'same', question: { type: 3, subject: '化学' } },
  ])
  expect(JSON.stringify(items[0])).toContain('/daoyuan/api/end/files/')
})

test('filters choose as the list does; others are refused', async () => {
  const { body } = await staff.post<{ job_id: number }>(EXPORTS, { pool: 'back', level: 0, format: 'jsonl', search: { types: [3] } })
  expect((await jobOver(staff, body.job_id, ['done'])).result).toMatchObject({ rows: 1 })
  const none = await staff.post<{ job_id: number }>(EXPORTS, { pool: 'back', level: 0, format: 'jsonl', search: { types: [6] } })
  expect((await jobOver(staff, none.body.job_id, ['failed'])).error).toBe('没有可导出的试题')
  expect((await staff.post(EXPORTS, { pool: 'official', level: 0, format: 'jsonl', ids })).status).toBe(403)
  expect((await staff.post(EXPORTS, { pool: 'back', level: 0, format: 'pdf', ids })).status).toBe(400)
})
