import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { describeBlocks } from '../outline/door.server.ts'
import { QR_HEALTH, type QrFamily } from './qr-code.ts'

/** Codes that are looked at together. */
const PART = 500
/** Addresses outside that one night asks. */
const MOST_ASKED = 200

interface Looked { id: number; kind: string; ref_id: number | null; url: string | null }

/** What is wrong with what a code leads to; null where nothing is. */
async function noteOf(kernel: Pick<Kernel, 'outgoing'>, url: string): Promise<string | null | undefined> {
  try {
    const { status } = await kernel.outgoing.fetch('qr_check', url, { method: 'HEAD', redirect: 'follow' })
    return status < 400 ? null : `网页返回 ${status}`
  } catch {
    // Not to be reached from here says nothing about those who scan.
    return undefined
  }
}

async function write(db: Database, family: QrFamily, found: readonly { id: number; note: string | null }[]): Promise<void> {
  const [codes] = family.lists
  if (!codes || found.length === 0) return
  await db.transaction({ staff_id: null, action: 'check' }, (tx) => setDerived(tx, codes, { health: sql`case when f.note is null then ${QR_HEALTH.good}::integer else ${QR_HEALTH.broken}::integer end`, health_note: sql`f.note`, checked_at: sql`now()` },
    sql`t.id = f.id`, { from: sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (id bigint, note text)` }))
}

/** Looks at what every code leads to: those who scan must not be the first to see that it is gone. */
export async function checkHealth(kernel: Pick<Kernel, 'db' | 'outgoing'>, family: QrFamily): Promise<void> {
  let asked = 0
  for (let last = 0; ;) {
    const rows = await kernel.db.query<Looked & Record<string, unknown>>(sql`select id, target_kind as kind, ref_id, url from qr_target where id > ${last} and target_kind is not null and deleted_at is null order by id limit ${PART}`)
    const facts = new Map((await describeBlocks(kernel.db, rows.flatMap(({ kind, ref_id }) => (ref_id === null ? [] : [{ kind, ref_id }])))).map((fact) => [`${fact.kind} ${fact.id}`, fact]))
    const found: { id: number; note: string | null }[] = []
    for (const { id, kind, ref_id, url } of rows) {
      if (url !== null) {
        const note = asked++ < MOST_ASKED ? await noteOf(kernel, url) : undefined
        if (note !== undefined) found.push({ id, note })
        continue
      }
      const fact = facts.get(`${kind} ${ref_id}`)
      found.push({ id, note: fact ? (fact.health.tone === 'bad' ? fact.health.words : null) : '内容已被删除' })
    }
    await write(kernel.db, family, found)
    if (rows.length < PART) return
    last = rows.at(-1)?.id ?? last
  }
}
