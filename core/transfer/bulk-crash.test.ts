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
import { loginTo, startProduct, type Product, type Remote } from '../testing/process.server.ts'
import { STUDENTS } from '../testing/transfer.server.ts'

const ROWS = 3000
const ACCOUNT = { ADMIN_ACCOUNT: 'admin', ADMIN_PASSWORD: 'Admin-pass1' }
const BEFORE = 7
const AFTER = 8

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-crash-'))
let product: Product | undefined
afterAll(async () => {
  await product?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const job = async (call: Remote, id: number) => (await call<JobInfo>('GET', `/daoyuan/api/end/jobs/${id}`)).body
const isOver = ({ status }: JobInfo) => status !== 'waiting' && status !== 'running'

async function until(call: Remote, id: number, reached: (job: JobInfo) => boolean): Promise<JobInfo> {
  for (;;) {
    const now = await job(call, id)
    if (reached(now) || isOver(now)) return now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('jobs that are killed on their way go on where they stopped: each record is handled once, and those that waited are done', async () => {
  const prepared = process.env['TEST_DATABASE_URL'] ? await openTestDatabase() : undefined
  const env = { ...ACCOUNT, DATA_DIR: folder, ...(prepared?.url && { DATABASE_URL: prepared.url, SECRET_KEY: 'x'.repeat(40) }) }
  /** Looks into the database while no process serves it. */
  const inside = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
    const db = prepared?.url ? await openPostgres(prepared.url) : await openEmbedded(folder)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  const begin = async (): Promise<Remote> => {
    product = await startProduct(env)
    return loginTo(product, ACCOUNT.ADMIN_ACCOUNT, ACCOUNT.ADMIN_PASSWORD)
  }
  const state = () => inside(async (db) => {
    const [row] = await db.query<{ changed: number; twice: number; logged: number; kept: { done: number } | null }>(sql`select
      (select count(*) from school_student where grade = ${AFTER}) as changed, (select count(*) from school_student where rev <> case when grade = ${AFTER} then 2 else 1 end) as twice,
      (select count(*) from audit_log where entity = 'school_student' and action = 'update') as logged, (select saved from job where kind = 'bulk') as kept`)
    return row
  })

  await begin()
  product?.child.kill('SIGTERM')
  await once(product?.child ?? process, 'exit')
  await inside((db) => db.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`insert into school_student (name, mobile, school_id, grade, status, unit_ids)
    select '学生' || i, '150' || lpad(i::text, 8, '0'), 1, ${BEFORE}, 1, '{}' from generate_series(1, ${sql.raw(String(ROWS))}) i`)))

  let call = await begin()
  const { body: { job: { id } } } = await call<{ job: JobInfo }>('POST', `${STUDENTS}/bulk`, { action: 'update', query: { grade: [BEFORE] }, values: { grade: AFTER } })
  const started = await Promise.all([1, 2, 3].map(() => call<{ job: JobInfo }>('POST', `${STUDENTS}/export`, { format: 'csv', columns: ['name'] })))
  const waiting = started.map(({ body }) => body.job.id)

  let before = 0
  for (let kill = 0; kill < 2; kill++) {
    const seen = await until(call, id, ({ done }) => done > before)
    expect(isOver(seen), `over before it could be killed: ${JSON.stringify(seen)}`).toBe(false)
    await product?.kill()
    const left = await state()
    // What was done, what was logged and how far the job thinks it came are one.
    expect(left?.twice).toBe(0)
    expect(left?.changed).toBeGreaterThanOrEqual(before)
    expect(left?.changed).toBeLessThan(ROWS)
    expect({ logged: left?.logged, kept: left?.kept?.done ?? 0 }).toEqual({ logged: left?.changed, kept: left?.changed })
    before = left?.changed ?? 0
    call = await begin()
  }
  expect(await until(call, id, isOver)).toMatchObject({ status: 'done', result: { done: ROWS, skipped: 0 } })
  for (const one of waiting) expect(await until(call, one, isOver)).toMatchObject({ status: 'done', result: { rows: ROWS } })
  product?.child.kill('SIGTERM')
  await once(product?.child ?? process, 'exit')
  expect(await state()).toMatchObject({ changed: ROWS, twice: 0, logged: ROWS })
  await prepared?.close()
  // On PostgreSQL a process that died is noticed by the next after a quarter of a minute.
}, 300_000)
