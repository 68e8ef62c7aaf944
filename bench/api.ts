/** Lists, search, one record and create over a million rows: the product beside a bare handler, in one run. */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { migrate } from '../core/database/migrate.server.ts'
import { openPostgres } from '../core/database/postgres.server.ts'
import { withPostgres } from '../scripts/postgres.ts'
import { loadStudents } from './load.ts'
import { alternate, line, measure } from './measure.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const PASSWORD = 'Bench-pass1'
const root = join(import.meta.dirname, '..')
const LIST = '/daoyuan/api/end/self_study_room/school_students'
const ONE = '/daoyuan/api/end/self_study_room/school_student'

async function login(base: string): Promise<Record<string, string>> {
  const answer = await fetch(`${base}/daoyuan/api/end_access_token`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ account: 'admin', pwd: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = cookies.find((cookie) => cookie.startsWith('csrf='))?.slice(5) ?? ''
  return { cookie: cookies.join('; '), 'x-csrf-token': csrf }
}

async function until(base: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await fetch(`${base}/daoyuan/api/end/staff`).then(() => true, () => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not start')
}

function start(file: string, args: string[], env: Record<string, string>): ChildProcess {
  return fork(join(root, file), args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

await withPostgres(async (url) => {
  const db = await openPostgres(url)
  await migrate(db)
  const product = start('main.server.ts', [], { DATABASE_URL: url, PORT: '5899', DEMO: '0', ADMIN_PASSWORD: PASSWORD, DATA_DIR: '/tmp/daoyuan-bench' })
  const bare = start('bench/bare.ts', [url, '5898'], {})
  try {
    await until('http://127.0.0.1:5899')
    const loading = Date.now()
    await loadStudents(db, ROWS)
    console.log(`\nPostgreSQL, ${ROWS.toLocaleString('en')} rows (loaded in ${((Date.now() - loading) / 1000).toFixed(0)} s), 10 clients, two cores`)
    const headers = await login('http://127.0.0.1:5899')
    const ours = 'http://127.0.0.1:5899'
    const theirs = 'http://127.0.0.1:5898'
    // A status is worth two hundred thousand hits; alternating values keep one cached total from answering everything.
    const list = await alternate({
      product: { url: `${ours}${LIST}?status=0`, headers },
      counting: { url: `${theirs}/count?status=0` },
      bare: { url: `${theirs}/list?status=0` },
    })
    console.log('list of 20, newest first, filter, capped total')
    const ratio = (a: string, b: string) => `${((list[a]?.perSecond ?? 0) / (list[b]?.perSecond ?? 1)).toFixed(2)}×`
    if (list['product']) line('product (session, grants, total)', list['product'])
    if (list['counting']) line('bare handler, counts each time', list['counting'], `product ${ratio('product', 'counting')}`)
    if (list['bare']) line('bare handler, does not count', list['bare'], `product ${ratio('product', 'bare')}`)

    const search = await alternate({ product: { url: `${ours}${LIST}?keyword=${encodeURIComponent('欣怡')}`, headers }, bare: { url: `${theirs}/search?keyword=${encodeURIComponent('欣怡')}` } }, 3, 3)
    console.log('contains-search in Chinese, two characters, with total')
    if (search['product']) line('product', search['product'])
    if (search['bare']) line('bare handler', search['bare'], `product ${((search['product']?.perSecond ?? 0) / (search['bare'].perSecond || 1)).toFixed(2)}×`)

    const one = await alternate({ product: { url: `${ours}${ONE}/${Math.floor(ROWS / 2)}`, headers }, bare: { url: `${theirs}/one/${Math.floor(ROWS / 2)}` } })
    console.log('one record')
    if (one['product']) line('product', one['product'])
    if (one['bare']) line('bare handler', one['bare'], `product ${((one['product']?.perSecond ?? 0) / (one['bare'].perSecond || 1)).toFixed(2)}×`)

    const body = (n: number) => JSON.stringify({ name: '新同学', mobile: `19${String(100_000_000 + n).slice(0, 9)}`, school_id: 1 + (n % 200), grade: 7 })
    const create = await alternate({
      product: { url: `${ours}${ONE}`, method: 'POST', headers, body, headersOf: (n) => ({ 'idempotency-key': `bench ${process.pid} ${n}` }) },
      bare: { url: `${theirs}/create`, method: 'POST', body },
    })
    console.log('create with audit')
    if (create['product']) line('product (idempotent, references checked)', create['product'])
    if (create['bare']) line('bare handler (insert and log)', create['bare'], `product ${((create['product']?.perSecond ?? 0) / (create['bare'].perSecond || 1)).toFixed(2)}×`)

    const cursor = Buffer.from(JSON.stringify([30, 30])).toString('base64url')
    const first = await measure({ url: `${ours}${LIST}`, headers }, 4)
    const last = await measure({ url: `${ours}${LIST}?cursor=${cursor}`, headers }, 4)
    console.log('keyset paging')
    line('first page', first)
    line('last page', last, `p99 ${(last.p99 / first.p99).toFixed(2)}× of the first`)
  } finally {
    product.kill()
    bare.kill()
    await db.close()
  }
}, (reason) => console.log(`PostgreSQL: skipped, ${reason}`), ['fsync=on', 'synchronous_commit=on', 'shared_buffers=1GB'])
