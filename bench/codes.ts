/**
 * Making a batch of 20,000 codes beside `COPY` of the same rows, and the list of codes over 2.4 million of them by every
 * filter, on PostgreSQL. BENCH_ROUNDS makes it shorter.
 */
import { join } from 'node:path'
import type { Database } from '../core/database/database.server.ts'
import { loadCodes, loadPlaces, VOLUMES } from './business.ts'
import { measureFilters, type Asked } from './filters.ts'
import { compare, median } from './measure.ts'
import { OURS, THEIRS } from './servers.ts'
import { loaded, onVolume } from './volume.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const COUNT = 20_000
const BASE = '/daoyuan/api/end/self_study_room'
const LIST = `${BASE}/activation_codes`
const now = Math.floor(Date.now() / 1000)
const DAY = 86_400
const period = (key: string, from: number) => (n: number) => `${key}_start=${now + (from + (n % 300)) * DAY}&${key}_end=${now + (from + 30 + (n % 300)) * DAY}`

const asked: Asked = {
  'none': () => '',
  'status': (n) => `status=${n % 4}`,
  'frozen (none are)': () => 'status=4',
  'batch': (n) => `group_id=${1 + (n * 31) % VOLUMES.batches}`,
  'batch and status': (n) => `group_id=${1 + (n * 31) % VOLUMES.batches}&status=${n % 4}`,
  'partner': (n) => `partner_id=${1 + (n * 31) % VOLUMES.partners}`,
  'partner and status': (n) => `partner_id=${1 + (n * 31) % VOLUMES.partners}&status=${n % 4}`,
  'unit': (n) => `unit_id=${1 + (n % 12)}`,
  'school': (n) => `school_id=${1 + (n * 31) % VOLUMES.schools}`,
  'student': (n) => `student_id=${1 + (n * 31) % VOLUMES.students}`,
  'mobile': (n) => `mobile=13${String(1 + (n * 7919) % VOLUMES.students).padStart(9, '0')}`,
  'activated in a month': period('activated_at', -330),
  'expires in a month': period('expire_at', 10),
  'redeemable until a month': period('redeem_before', -20),
  'status and activated': (n) => `status=1&${period('activated_at', -330)(n)}`,
  'page 250': () => 'page=249&page_size=20',
}

/** Seconds of making one batch through the product, and of `COPY` of its rows into the same tables. */
async function makeAndCopy(db: Database, headers: Record<string, string>, folder: string, round: number): Promise<{ made: number; copied: number }> {
  const began = performance.now()
  const answer = await fetch(`${OURS}${BASE}/activation_code_group`, {
    method: 'POST', headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `基准 ${round}`, partner_id: 1 + round, unit_id: 1, count: COUNT, code_len: 12, valid_months: 12, redeem_before: now + 200 * DAY, purpose: 1 }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const made = (performance.now() - began) / 1000
  const { id } = (await answer.json()) as { id: number }
  const [rows, secrets] = [join(folder, `rows-${round}`), join(folder, `secrets-${round}`)]
  await db.script(`copy (select * from activation_code where group_id = ${id}) to '${rows}'; copy (select * from code_secret where code_id in (select id from activation_code where group_id = ${id})) to '${secrets}';
    delete from code_secret where code_id in (select id from activation_code where group_id = ${id}); delete from activation_code where group_id = ${id};`)
  const again = performance.now()
  await db.script(`begin; copy activation_code from '${rows}'; copy code_secret from '${secrets}'; commit;`)
  return { made, copied: (performance.now() - again) / 1000 }
}

await onVolume((db) => loaded(db, `${VOLUMES.codes.toLocaleString('en')} codes`, async () => {
  await loadPlaces(db)
  await loadCodes(db)
}), async ({ db, headers, folder }) => {
  const missed = await measureFilters('codes, 20 of them with a total, by', LIST, headers, asked, 3)
  await compare('by one state, with a total that stops at 10,001', {
    'product: session, grants, masking; a total is repeated for 5 s': { url: (n) => `${OURS}${LIST}?status=${n % 2}`, headers },
    'bare: the same SQL, counts each time': { url: (n) => `${THEIRS}/codes?status=${n % 2}` },
  }, ROUNDS)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await makeAndCopy(db, headers, folder, round))
  const [made, copied, ratio] = [rounds.map((one) => one.made), rounds.map((one) => one.copied), rounds.map((one) => one.made / one.copied)].map(median)
  console.log(`a batch of ${COUNT.toLocaleString('en')} codes   product ${made?.toFixed(2)} s   COPY of the same rows ${copied?.toFixed(2)} s   ${ratio?.toFixed(1)}×`)
  console.log(missed.length === 0 ? 'every filter within 80 ms' : `over 80 ms: ${missed.join(', ')}`)
})
