import { sql, type SQL } from 'drizzle-orm'
import { AppError } from '../../core/error/error.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import type { Companion } from './companion.ts'
import type { PackItem } from './pack-item.ts'
import type { PackTerm } from './pack-term.ts'
import { PACK_STATE } from './pack.ts'

/** Condition that items or terms of `p`, or of the version of it that learners have, name the asset. */
function names(id: SQL): SQL {
  const inItems = (column: SQL) => sql`${column} @> jsonb_build_array(jsonb_build_object('asset_id', ${id}))`
  const inTerms = (column: SQL) => sql`(${column} @> jsonb_build_array(jsonb_build_object('sound_id', ${id})) or ${column} @> jsonb_build_array(jsonb_build_object('picture_id', ${id})))`
  return sql`(${inItems(sql`p.items`)} or ${inTerms(sql`p.terms`)} or exists (select 1 from pack_version v where v.pack_id = p.id and v.version = p.version and (${inItems(sql`v.items`)} or ${inTerms(sql`v.terms`)})))`
}

/** The packs of a business as users of the library: what an item plays, what a term sounds and looks like. */
export function packsAsUsers({ packs, kind }: Companion): AssetUser {
  const own = sql`lesson_pack p where p.kind = ${kind.value} and p.deleted_at is null`
  return {
    count: (id) => sql`(select count(*) from ${own} and ${names(sql`(${id})::bigint`)})`,
    async list(db, staff, assetId) {
      if (!staff.modules.has(packs.grant)) return []
      const rows = await db.query<{ id: number; name: string; state: number }>(sql`select p.id, p.name, p.state from ${own} and ${names(sql`${assetId}::bigint`)} and p.id in (select id from lesson_pack where ${listCondition(packs, staff, {})}) order by p.id desc limit 100`)
      return rows.map(({ id, name, state }) => ({ kind: packs.label, title: name, path: kind.screens.tutor ? `${kind.screens.packs}/${id}` : `${kind.screens.packs}?open=${id}`, live: state === PACK_STATE.shelved }))
    },
    async move(tx, staff, from, to) {
      const done = { moved: 0, left_alone: 0 }
      for (const { id } of await tx.query<{ id: number }>(sql`select p.id from ${own} and ${names(sql`${from}::bigint`)} order by p.id`)) {
        try {
          const row = await lockRow(tx, packs, staff, id)
          const swap = (value: number | null | undefined) => (value === from ? to : value)
          const items = ((row.items ?? []) as PackItem[]).map((item) => ({ ...item, asset_id: swap(item.asset_id) }))
          const terms = ((row.terms ?? []) as PackTerm[]).map((term) => ({ ...term, sound_id: swap(term.sound_id), picture_id: swap(term.picture_id) }))
          // What a published version holds stays: the next one has the other asset.
          if (row.state === PACK_STATE.waiting || !staff.modules.has(packs.actions.update ?? 0)) { done.left_alone++; continue }
          await touch(tx, packs, { items, terms } as object, id)
          done.moved++
        } catch (error) {
          // Refused before anything is written: what lies outside the person's scopes.
          if (!(error instanceof AppError)) throw error
          done.left_alone++
        }
      }
      return done
    },
  }
}
