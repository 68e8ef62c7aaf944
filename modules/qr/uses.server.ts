import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { TableUse } from '../../core/resource/uses.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import { openBlocks } from '../outline/door.server.ts'
import { QR_CHANNEL, QR_STATE, type QrFamily, type QrResource } from './qr-code.ts'

/** What keeps content from being removed while a code leads to it. */
export function usedByCodes(kind: string, targets: readonly Resource[]): TableUse[] {
  return targets.map((target) => ({ target, table: 'qr_target', when: sql`r.target_kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id and r.deleted_at is null`, label: '二维码', measure: '个' }))
}

const seen = (codes: QrResource, staff: Staff) => listCondition(codes, staff, {})

/** Codes of a list that lead to a film, as far as a person sees them. */
async function listOf(db: Queryable, staff: Staff, codes: QrResource, id: number) {
  if (!staff.modules.has(codes.grant)) return []
  const rows = await db.query<{ id: number; code: string; name: string; state: number }>(sql`select id, code, name, state from qr_target where ${seen(codes, staff)} and target_kind = 'video' and ref_id = ${id} order by id desc limit 100`)
  return rows.map(({ code, name, state }) => ({ kind: '二维码', title: `${name}（${code}${state === QR_STATE.draft ? '' : '，已印'}）`, path: null, live: state !== QR_STATE.draft }))
}

async function moveOf(tx: Queryable, staff: Staff, codes: QrResource, from: number, to: number) {
  const done = { moved: 0, left_alone: 0 }
  const level = codes.where['level']
  for (const { id } of await tx.query<{ id: number }>(sql`select id from qr_target where level = ${level} and target_kind = 'video' and ref_id = ${from} and deleted_at is null order by id`)) {
    if (!staff.modules.has(codes.rights.id('retarget'))) {
      done.left_alone++
      continue
    }
    try {
      const row = await lockRow(tx, codes, staff, id)
      await touch(tx, codes, { ref_id: to, target_name: sql`(select left(name, 120) from asset where id = ${to})` }, row.id)
      await openBlocks(tx, [{ kind: 'video', ref_id: to }], codes.grant)
      await tx.query(sql`select pg_notify(${QR_CHANNEL}, ${row.code})`)
      done.moved++
    } catch (error) {
      // Refused before anything is written: what lies outside the person's scopes.
      if (!(error instanceof AppError)) throw error
      done.left_alone++
    }
  }
  return done
}

/** Codes as users of films. */
export const codesAsUsers = ({ lists }: QrFamily): AssetUser => ({
  count: (id) => sql`(select count(*) from qr_target s where s.target_kind = 'video' and s.ref_id = ${id} and s.deleted_at is null)`,
  async list(db, staff, id) {
    const found = []
    for (const codes of lists) found.push(...(await listOf(db, staff, codes, id)))
    return found
  },
  async move(tx, staff, from, to) {
    const done = { moved: 0, left_alone: 0 }
    for (const codes of lists) {
      const one = await moveOf(tx, staff, codes, from, to)
      done.moved += one.moved
      done.left_alone += one.left_alone
    }
    return done
  },
})
