/**
 * Import of 50,000 students beside COPY of the same rows into the same table, on PostgreSQL and on the embedded database.
 * Usage: transfer.ts [postgres|embedded]; BENCH_IMPORT and BENCH_ROUNDS make it shorter.
 * The export of a million rows is measured where a million rows are: in api.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'
import { openEmbedded } from '../core/database/embedded.server.ts'
import { migrate } from '../core/database/migrate.server.ts'
import { openPostgres } from '../core/database/postgres.server.ts'
import { openTestApp } from '../core/testing/app.server.ts'
import { check, commit, STUDENTS } from '../core/testing/transfer.server.ts'
import { withPostgres } from '../scripts/postgres.ts'
import { loadStudents } from './load.ts'
import { median } from './measure.ts'

const ROWS = Number(process.env['BENCH_IMPORT'] ?? 50_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
/** What the sheet gives, and what all its rows share. */
const COLUMNS = 'name, mobile, parent_mobile, student_no, gender, school_id, grade, cell_id, expire_at, status, unit_ids, created_by, updated_by'

/** Students of the first school, as a school sends them. */
function studentSheet(): Buffer {
  const lines = Array.from({ length: ROWS }, (_unused, i) => {
    const cell = 200 * (1 + (i % 10))
    return `张三${i},${13_000_000_000 + i},${15_000_000_000 + i},S${i},${i % 2 ? '男' : '女'},初${'一二三'[i % 3]},${cell}班,2028-08-${String(1 + (i % 28)).padStart(2, '0')}`
  })
  return Buffer.from(['姓名,手机,家长手机,学号,性别,年级,班级,有效期', ...lines].join('\n'))
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const report = (name: string, times: readonly number[], note = '') =>
  console.log(`  ${name.padEnd(62)} ${median(times).toFixed(2).padStart(6)} s  ${note}`)

async function measureImport(kind: string, db: Database): Promise<void> {
  const app = await openTestApp({}, { ...db, url: undefined })
  const admin = await app.login()
  const sheet = studentSheet()
  const [place] = await db.query<{ folder: string }>(sql`select setting as folder from pg_settings where name = 'data_directory'`)
  const file = `${place?.folder ?? ''}/students.csv`
  const times = { checked: [] as number[], written: [] as number[], logged: [] as number[], bare: [] as number[] }
  const copy = () => db.transaction({ staff_id: 1, action: 'import' }, (tx) => tx.query(sql.raw(`copy school_student (${COLUMNS}) from '${file}' csv`)))
  const empty = () => db.script('truncate school_student, audit_log, import_row')
  for (let round = 0; round < ROUNDS; round++) {
    await empty()
    let jobId = 0
    times.checked.push(await seconds(async () => {
      const { id, result } = await check(app, admin, STUDENTS, sheet, { fixed: { school_id: 1 } }, '学生.csv')
      if (result.counts.good !== ROWS) throw new Error(`rows were refused: ${JSON.stringify(result.problems.slice(0, 3))}`)
      jobId = id
    }))
    times.written.push(await seconds(() => commit(admin, STUDENTS, jobId)))
    await db.script(`copy (select ${COLUMNS} from school_student order by id) to '${file}' csv`)
    await empty()
    times.logged.push(await seconds(copy))
    await empty()
    await db.script('alter table school_student disable trigger user')
    times.bare.push(await seconds(copy))
    await db.script('alter table school_student enable trigger user')
  }
  const over = (other: readonly number[]) => `product ${(median(times.written) / median(other)).toFixed(2)}× its time`
  console.log(`\n${kind}: ${ROWS.toLocaleString('en')} students, ${availableParallelism()} cores for all, medians of ${ROUNDS} rounds`)
  report('product: upload, read, check every row', times.checked)
  report('product: judge the checked rows again and write them, with log', times.written)
  report('COPY of the same rows, with indexes and log', times.logged, over(times.logged))
  report('COPY of the same rows, with indexes, no log', times.bare, `${over(times.bare)} (limit 10×)`)
  await app.close()
}

async function onPostgres(): Promise<void> {
  await withPostgres(async (url) => {
    const db = await openPostgres(url)
    await migrate(db)
    await loadStudents(db, 0)
    await measureImport('PostgreSQL', db)
  }, (reason) => console.log(`PostgreSQL: skipped, ${reason}`), ['fsync=on', 'synchronous_commit=on', 'shared_buffers=1GB', 'max_wal_size=4GB'])
}

async function onEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daoyuan-bench-'))
  try {
    const db = await openEmbedded(folder)
    await migrate(db)
    await loadStudents(db, 0)
    await measureImport('Embedded', db)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const wanted = process.argv[2]
if (wanted !== 'embedded') await onPostgres()
if (wanted !== 'postgres') await onEmbedded()
