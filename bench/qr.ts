/**
 * Scanning printed codes: `GET /q/{code}` with counting after the answer, beside a bare Fastify handler that sends a page of
 * the same size and does nothing else. On PostgreSQL, 320,000 codes. BENCH_ROUNDS makes it shorter.
 */
import { sql } from 'drizzle-orm'
import { newCode } from '../modules/qr/qr-text.ts'
import { compare, measure } from './measure.ts'
import { OURS, THEIRS } from './servers.ts'
import { loaded, onVolume } from './volume.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
/** teaching.md 3: codes of all books. */
const CODES = 320_000
/** Few codes are scanned often: so many of them by nearly everybody. */
const OFTEN = 2000
/** What the design asks for. */
const P95 = 5
const PER_SECOND = 3000

/** Numbers from a seed, so that both runs load the same codes. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = numbers(19)
const codes = [...new Set(Array.from({ length: CODES }, () => newCode(random)))]

await onVolume((db) => loaded(db, `${codes.length.toLocaleString('en')} codes`, async () => {
  await db.query(sql`insert into book (name, isbn, level, subject_id, answers_open, print_no, copies, state, rev, created_at, updated_at) values ('基准练习册', '9787000000000', 0, 1, 1, 1, 1000, 3, 1, now(), now())`)
  for (let at = 0; at < codes.length; at += 20_000) {
    const part = codes.slice(at, at + 20_000).map((code, n) => ({ code, name: `例 ${at + n} 讲解`, page: 1 + ((at + n) % 300) }))
    await db.query(sql`insert into qr_target (level, book_id, code, name, page_no, place, target_kind, url, target_name, state, printed_in, health, rev, created_at, updated_at)
      select 0, 1, r.code, r.name, r.page, 3, 'url', 'https://www.example.org/' || r.code, 'www.example.org', 1, 1, 1, 1, now(), now() from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as r (code text, name text, page integer)`)
  }
}), async ({ db }) => {
  const often = (n: number) => `${OURS}/q/${codes[(n * 7919) % OFTEN]}`
  const page = await (await fetch(often(0))).text()
  await compare(`a scan, ${OFTEN.toLocaleString('en')} codes`, {
    'product: looks up, answers, counts scans and people': { url: often },
    'bare: sends the same page': { url: () => `${THEIRS}/page/${Buffer.byteLength(page)}` },
  }, ROUNDS)
  const { perSecond, p95, failed } = await measure({ url: often })
  console.log(`${Math.round(perSecond)}/s, p95 ${p95.toFixed(1)} ms, ${failed} failed: ${perSecond >= PER_SECOND && p95 <= P95 ? 'within' : 'beyond'} ${PER_SECOND}/s and ${P95} ms`)
  const any = await measure({ url: (n) => `${OURS}/q/${codes[(n * 7919) % codes.length]}` })
  console.log(`codes that nobody scanned before: ${Math.round(any.perSecond)}/s, p95 ${any.p95.toFixed(1)} ms, ${any.failed} failed`)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const [counted] = await db.query<{ n: number }>(sql`select coalesce(sum(n), 0)::int as n from qr_hit_day`)
  console.log(`${counted?.n.toLocaleString('en')} scans counted`)
})
