import { randomInt } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { serve, type Change, type ResourceService } from '../../core/resource/serve.server.ts'
import type { RowType } from '../../core/resource/define.ts'
import { LOCKED_BASE } from './base-url.server.ts'
import { QR_CHANNEL, QR_HEALTH, QR_STATE, type QrResource } from './qr-code.ts'
import { newCode, targetProblem } from './qr-text.ts'

/** A code as stored. */
export type QrRow = RowType<QrResource>

const PRINTED = sql.raw(String(QR_STATE.printed))

/** Scans of a code since so many days. */
const since = (days: number) => sql`(select coalesce(sum(h.n), 0)::int from qr_hit_day h where h.qr_id = t.id and h.day > now() - make_interval(days => ${sql.raw(String(days))}))`

export const QR_COMPUTED = {
  code_url: sql`select ${LOCKED_BASE} || '/q/' || t.code`,
  scans: sql`select coalesce(sum(h.n), 0)::int from qr_hit_day h where h.qr_id = t.id`,
  scans_30: since(30),
}

/** A code that was never one of anything, those that were removed too. */
export async function freshCode(tx: Queryable): Promise<string> {
  for (;;) {
    const code = newCode(randomInt)
    const [taken] = await tx.query(sql`select 1 from qr_target where code = ${code} and deleted_at is null union all select 1 from qr_target where code = ${code} and deleted_at is not null limit 1`)
    if (!taken) return code
  }
}

/** What a code is given when it is made: itself, and the address that it leads to. */
async function begin({ tx, values, row }: Change<QrRow, Record<string, unknown>>): Promise<void> {
  const url = values['url']
  if (row) return
  values['code'] = await freshCode(tx)
  if (typeof url !== 'string') return
  const problem = targetProblem(url)
  if (problem) throw invalid({ url: problem })
  Object.assign(values, { target_kind: 'url', target_name: new URL(url).host })
}

/** Serves one list of codes. @param computed SQL of what its module computes beside */
export function serveList(codes: QrResource, computed: Readonly<Record<string, SQL>> = QR_COMPUTED): ResourceService {
  const told = ({ tx, row }: { tx: Queryable; row: QrRow }) => tx.query(sql`select pg_notify(${QR_CHANNEL}, ${row.code})`).then(() => undefined)
  return serve(codes)({
    computed,
    segments: {
      needs: {
        empty: sql`qr_target.target_kind is null`,
        broken: sql`qr_target.health = ${sql.raw(String(QR_HEALTH.broken))}`,
        // A book is on sale for a month before nobody's looking says something.
        quiet: sql`qr_target.state = ${PRINTED} and qr_target.updated_at < now() - interval '30 days' and not exists (select 1 from qr_hit_day h where h.qr_id = qr_target.id)`,
        // Three times as much as in a usual day of the four weeks before, and not by chance.
        rising: sql`exists (select 1 from qr_hit_day h where h.qr_id = qr_target.id and h.day > now() - interval '48 hours' and h.n >= 20
          and h.n > 3 * (select coalesce(sum(b.n), 0) / 28.0 from qr_hit_day b where b.qr_id = h.qr_id and b.day < h.day and b.day > h.day - interval '29 days'))`,
      },
    },
    before: begin,
    async after({ tx, saved }) {
      await told({ tx, row: saved })
    },
    effects: { stop: told, resume: told },
  })
}

