import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../database/database.server.ts'
import { openEmbedded } from '../database/embedded.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import type { JobInfo } from '../job/calls.ts'
import { openTestDatabase } from '../testing/database.server.ts'
import { startProduct, type Product } from '../testing/process.server.ts'
import { STUDENTS } from '../testing/transfer.server.ts'

const ROWS = 10_000
const ADMIN = { account: 'admin', pwd: 'Admin-pass1' }
const BASE = '/daoyuan/api/end/self_study_room'

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-crash-'))
let product: Product | undefined
afterAll(async () => {
  await product?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** A person who is logged in to a server. */
async function login(base: string) {
  const answer = await fetch(`${base}/daoyuan/api/end_access_token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ADMIN) })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const headers = { cookie: cookies.join('; '), 'x-csrf-token': cookies.find((cookie) => cookie.startsWith('csrf='))?.slice(5) ?? '' }
  return async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const form = body instanceof FormData
    const answer = await fetch(`${base}${path}`, {
      method, headers: { ...headers, ...(body && !form && { 'content-type': 'application/json' }) }, ...(body && { body: form ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Body
  }
}

type Send = Awaited<ReturnType<typeof login>>

async function jobOver(send: Send, id: number): Promise<JobInfo> {
  for (;;) {
    const job = await send<JobInfo>('GET', `/daoyuan/api/end/jobs/${id}`)
    if (job.status !== 'waiting' && job.status !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Uploads and checks the sheet of one school. */
async function checkedSheet(send: Send): Promise<number> {
  const { items: [type] } = await send<{ items: { id: number }[] }>('GET', `${BASE}/room_types`)
  const partner = await send<{ id: number }>('POST', `${BASE}/partner`, {
    name: '启航', contact: '王', mobile: '13800138000', region_code: '320102', level: 4, type_id: type?.id, sign_at: 1_760_000_000, expire_at: 1_860_000_000,
  })
  const school = await send<{ id: number }>('POST', `${BASE}/app_school`, {
    name: '一中', partner_id: partner.id, type_id: type?.id, region_code: '320102', address: '人民路', manager: '李', mobile: '13800138001', expire_at: 1_860_000_000,
  })
  const lines = Array.from({ length: ROWS }, (_, index) => `张三${index},${15_000_000_000 + index},初一`)
  const form = new FormData()
  form.append('file', new File([['姓名,手机,年级', ...lines].join('\n')], '学生.csv'))
  const { id: file_id } = await send<{ id: string }>('POST', '/daoyuan/api/end/files?kind=file', form)
  const { job } = await send<{ job: JobInfo }>('POST', `${STUDENTS}/import`, { file_id, fixed: { school_id: school.id } })
  expect(await jobOver(send, job.id)).toMatchObject({ status: 'done', result: { counts: { new: ROWS, bad: 0 } } })
  return job.id
}

test('an import that is killed while it writes leaves all or nothing, and what was acknowledged is finished', async () => {
  const prepared = process.env['TEST_DATABASE_URL'] ? await openTestDatabase() : undefined
  const open = (): Promise<Database> => (prepared?.url ? openPostgres(prepared.url) : openEmbedded(folder))
  const counts = async () => {
    const db = await open()
    const [row] = await db.query(sql`select (select count(*) from school_student) as students, (select count(*) from audit_log where action = 'import' and entity = 'school_student') as logged`)
    await db.close()
    return row
  }
  const nothing = { students: 0, logged: 0 }
  const all = { students: ROWS, logged: ROWS }

  const env = {
    DATA_DIR: folder, ADMIN_ACCOUNT: ADMIN.account, ADMIN_PASSWORD: ADMIN.pwd, ...(prepared?.url && { DATABASE_URL: prepared.url, SECRET_KEY: 'x'.repeat(40) }),
  }

  product = await startProduct(env)
  const send = await login(product.url)
  const check = await checkedSheet(send)
  const { job: exported } = await send<{ job: JobInfo }>('POST', `${STUDENTS}/export`, { format: 'csv', columns: ['name'] })
  const { job: commit } = await send<{ job: JobInfo }>('POST', `${STUDENTS}/import_commit`, { job_id: check })
  // Killed while it writes for the first time, and again while it makes up for that.
  for (const delay of [100, 500]) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    await product.kill()
    expect([nothing, all]).toContainEqual(await counts())
    product = await startProduct(env)
  }
  const again = await login(product.url)
  expect(await jobOver(again, commit.id)).toMatchObject({ status: 'done', result: { created: ROWS } })
  expect((await jobOver(again, exported.id)).status).toBe('done')
  product.child.kill('SIGTERM')
  await once(product.child, 'exit')
  expect(await counts()).toEqual(all)
  await prepared?.close()
  // On PostgreSQL a process that died is noticed by the next after a quarter of a minute.
})
