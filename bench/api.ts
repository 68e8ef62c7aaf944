/**
 * Lists, search, one record, create and export over a million rows: the product beside a bare handler, in one run, on
 * PostgreSQL and on the embedded database. Usage: api.ts [postgres|embedded]; BENCH_ROWS and BENCH_ROUNDS make it shorter.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openEmbedded } from '../core/database/embedded.server.ts'
import { migrate } from '../core/database/migrate.server.ts'
import { openPostgres } from '../core/database/postgres.server.ts'
import { withPostgres } from '../scripts/postgres.ts'
import { measureExport } from './export.ts'
import { BARE_SESSION, forBare, loadStudents } from './load.ts'
import { CLIENTS, compare, line, measure, summary, type Measured } from './measure.ts'
import { login, OURS, THEIRS, withServers } from './servers.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const LIST = `${OURS}/daoyuan/api/end/self_study_room/school_students`
const ONE = `${OURS}/daoyuan/api/end/self_study_room/school_student`

/** Everything that is measured, on two servers that run. */
async function measureAll(pid: number): Promise<void> {
  const headers = await login()
  // First, while the server has done nothing else.
  await measureExport(OURS, pid, headers, LIST, [{ grade: [7] }, {}])
  const status = (n: number) => `status=${n % 2}`
  const keyword = `keyword=${encodeURIComponent('欣怡')}`
  const id = (n: number) => 1 + (n * 7919) % ROWS
  const body = (n: number) => JSON.stringify({ name: '新同学', mobile: `19${String(100_000_000 + n).slice(0, 9)}`, school_id: 1 + (n % 200), grade: 7 })
  await compare('list of 20, newest first, filtered, with a total that stops at 10,001', {
    'product: session, grants; a total is repeated for 5 s': { url: (n) => `${LIST}?${status(n)}`, headers },
    'bare: the same SQL, counts each time': { url: (n) => `${THEIRS}/count?${status(n)}` },
    'bare: the same SQL, no total': { url: (n) => `${THEIRS}/list?${status(n)}` },
  }, ROUNDS)
  await compare('contains-search for two Chinese characters, with total', {
    'product: session, grants; a total is repeated for 5 s': { url: () => `${LIST}?${keyword}`, headers },
    'bare: the same SQL and index, counts each time': { url: () => `${THEIRS}/search?${keyword}` },
  }, ROUNDS)
  await compare('one record with the names that it refers to', {
    'product: session, grants, masking, what may be done with it': { url: (n) => `${ONE}/${id(n)}`, headers },
    'bare: looks up a session, then the same SQL': { url: (n) => `${THEIRS}/one/${id(n)}`, headers: { 'x-session': BARE_SESSION } },
  }, ROUNDS)
  await compare('create with audit', {
    'product: session, grants, rules, references, once only, log': {
      url: () => ONE, method: 'POST', headers, body, headersOf: (n) => ({ 'idempotency-key': `bench ${process.pid} ${n}` }),
    },
    'bare: insert and log in a transaction, nothing checked': { url: () => `${THEIRS}/create`, method: 'POST', body },
  }, ROUNDS)
  const cursor = Buffer.from(JSON.stringify([30, 30])).toString('base64url')
  const pages: Record<'first' | 'last', Measured[]> = { first: [], last: [] }
  for (let round = 0; round < ROUNDS; round++) {
    pages.first.push(await measure({ url: () => LIST, headers }))
    pages.last.push(await measure({ url: () => `${LIST}?cursor=${cursor}`, headers }))
  }
  const [first, last] = [summary(pages.first), summary(pages.last)]
  console.log('keyset paging')
  line('product: first page, with total', first)
  line('product: last page', last, `p99 ${(last.p99 / first.p99).toFixed(2)}× of the first`)
}

function heading(kind: string, began: number): void {
  console.log(`\n${kind}, ${ROWS.toLocaleString('en')} rows (loaded in ${((Date.now() - began) / 1000).toFixed(0)} s), ${CLIENTS} clients, ${availableParallelism()} cores for all, medians of ${ROUNDS} rounds`)
}

async function onPostgres(folder: string): Promise<void> {
  await withPostgres(async (url) => {
    const began = Date.now()
    const db = await openPostgres(url)
    await db.query(sql`create database bench`)
    const own = url.replace(/\/postgres$/, '/bench')
    const bench = await openPostgres(own)
    await migrate(bench)
    await loadStudents(bench, ROWS)
    await bench.close()
    await db.query(sql`create database bare template bench`)
    await db.query(sql`checkpoint`)
    await db.close()
    const theirs = url.replace(/\/postgres$/, '/bare')
    const bare = await openPostgres(theirs)
    await forBare(bare)
    await bare.close()
    heading('PostgreSQL', began)
    await withServers({ DATABASE_URL: own, DATA_DIR: folder }, ['postgres', theirs], measureAll)
  }, (reason) => console.log(`PostgreSQL: skipped, ${reason}`), ['fsync=on', 'synchronous_commit=on', 'shared_buffers=1GB', 'max_wal_size=4GB'])
}

async function onEmbedded(folder: string): Promise<void> {
  const began = Date.now()
  const [own, theirs] = [join(folder, 'own'), join(folder, 'theirs')]
  const bench = await openEmbedded(own)
  await migrate(bench)
  await loadStudents(bench, ROWS)
  await bench.close()
  cpSync(own, theirs, { recursive: true })
  const bare = await openEmbedded(theirs)
  await forBare(bare)
  await bare.close()
  heading('Embedded', began)
  await withServers({ DATA_DIR: own }, ['embedded', join(theirs, 'pg')], measureAll)
}

const wanted = process.argv[2]
for (const [name, run] of [['postgres', onPostgres], ['embedded', onEmbedded]] as const) {
  if (wanted && wanted !== name) continue
  const folder = mkdtempSync(join(tmpdir(), 'daoyuan-bench-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
