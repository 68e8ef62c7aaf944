import { sql, type SQL } from 'drizzle-orm'
import { Late, type Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { TableUse } from '../../core/resource/uses.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import type { PracticeUser } from '../practice/door.server.ts'
import type { CombinationUse } from './calls.ts'
import { combination, detailPath } from './combination.ts'
import type { CombinationItem } from './items.ts'

/** What a module that uses combinations hands over: printed places, codes, lessons. */
export interface CombinationUser {
  /** SQL that counts, whoever looks, the places that need the combination of this id. */
  count(id: SQL): SQL
  /** Places that the person may see, at most a hundred. */
  list(db: Queryable, staff: Staff, combinationId: number): Promise<readonly CombinationUse[]>
}

const users: CombinationUser[] = []

/** Adds a module that uses combinations; called once by its server half. */
export function addCombinationUser(user: CombinationUser): void {
  users.push(user)
}

/** SQL that counts the places that need a combination, written out when a statement is made: modules that use them are loaded later. */
export const countUses = (id: SQL): SQL => sql`${new Late(() => (users.length === 0 ? sql`0` : sql`(${sql.join(users.map((user) => user.count(id)), sql` + `)})`))}`

/** Everything that uses a combination and that the person may see. */
export async function usesOf(db: Queryable, staff: Staff, combinationId: number): Promise<CombinationUse[]> {
  const found: (readonly CombinationUse[])[] = []
  for (const user of users) found.push(await user.list(db, staff, combinationId))
  return found.flat()
}

/** @throws AppError that counts the places that need a combination and names the first of those that the person may see */
export async function refuseUsed(tx: Queryable, staff: Staff, row: { readonly id: number; readonly name: string }): Promise<void> {
  const [counted] = await tx.query<{ n: number }>(sql`select ${countUses(sql`u.id`)}::int as n from (select ${row.id}::bigint as id) u`)
  const n = counted?.n ?? 0
  if (n === 0) return
  const named = (await usesOf(tx, staff, row.id)).slice(0, 5).map(({ kind, title }) => `${kind}「${title}」`)
  throw new AppError('combination_used', 409, `「${row.name}」还被 ${n} 处使用${named.length > 0 ? `（${named.join('、')}${n > named.length ? ' 等' : ''}）` : ''}，不能删除`)
}

const living = sql`join combination c on c.id = s.combination_id and c.deleted_at is null`

/** What keeps a record from being removed while a combination shows it. */
export const usedByCombinations = (kind: string, target: Resource): TableUse => ({
  target, table: 'combination_use', label: '素材组合', measure: '个',
  when: sql`r.kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id and exists (select 1 from combination c where c.id = r.combination_id and c.deleted_at is null)`,
})

interface Using { id: number; name: string; live: boolean }

const using = (kinds: SQL, staff: Staff, refId: number) => sql`select c.id, c.name, s.live from combination_use s ${living} where s.kind in (${kinds}) and s.ref_id = ${refId}
  and c.id in (select id from combination where ${listCondition(combination, staff, {})}) order by c.id desc limit 100`

async function listUsing(kinds: SQL, db: Queryable, staff: Staff, refId: number) {
  if (!staff.modules.has(combination.grant)) return []
  return (await db.query<Using & Record<string, unknown>>(using(kinds, staff, refId))).map(({ id, name, live }) => ({ kind: combination.label, title: name, path: detailPath(id), live }))
}

/** One thing takes the place of another in what is edited; what is published follows when it is published. */
async function moveUsing(kinds: readonly string[], listed: SQL, tx: Queryable, staff: Staff, from: number, to: number) {
  const done = { moved: 0, left_alone: 0 }
  const rows = await tx.query<{ id: number }>(sql`select c.id from combination_use s ${living} where s.kind in (${listed}) and s.ref_id = ${from} order by c.id`)
  for (const { id } of rows) {
    if (!staff.modules.has(combination.actions.update ?? 0)) {
      done.left_alone++
      continue
    }
    try {
      const row = await lockRow(tx, combination, staff, id)
      const items = (row.items ?? []) as CombinationItem[]
      const next = items.map((item) => (kinds.includes(item.kind) && item.ref_id === from ? { ...item, ref_id: to } : item))
      if (!next.some((item, at) => item !== items[at])) {
        done.left_alone++
        continue
      }
      await touch(tx, combination, { items: next }, id)
      await writeUses(tx, id, next, (row.published ?? []) as CombinationItem[])
      done.moved++
    } catch (error) {
      // Refused before anything is written: what lies outside the person's scopes.
      if (!(error instanceof AppError)) throw error
      done.left_alone++
    }
  }
  return done
}

const ASSET_KINDS = ['video', 'audio', 'image', 'file']
const listed = (kinds: readonly string[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))

/** Combinations as users of assets. */
export const assetUses: AssetUser = {
  count: (id) => sql`(select count(*) from combination_use s ${living} where s.kind in (${listed(ASSET_KINDS)}) and s.ref_id = ${id})`,
  list: (db, staff, id) => listUsing(listed(ASSET_KINDS), db, staff, id),
  move: (tx, staff, from, to) => moveUsing(ASSET_KINDS, listed(ASSET_KINDS), tx, staff, from, to),
}

/** Combinations as users of questions. */
export const practiceUses: PracticeUser = {
  count: (id) => sql`(select count(*) from combination_use s ${living} where s.kind = 'practice' and s.ref_id = ${id})`,
  list: (db, staff, id) => listUsing(listed(['practice']), db, staff, id),
  move: (tx, staff, from, to) => moveUsing(['practice'], listed(['practice']), tx, staff, from, to),
}

/** Writes down what a combination shows, in the transaction that writes its items. */
export async function writeUses(tx: Queryable, id: number, items: readonly CombinationItem[], published: readonly CombinationItem[]): Promise<void> {
  const shown = new Map<string, { kind: string; ref_id: number; live: boolean }>()
  for (const [list, live] of [[items, false], [published, true]] as const) {
    for (const { kind, ref_id } of list) if (ref_id > 0) shown.set(`${kind} ${ref_id}`, { kind, ref_id, live })
  }
  await tx.query(sql`delete from combination_use where combination_id = ${id}`)
  if (shown.size > 0) {
    await tx.query(sql`insert into combination_use (combination_id, kind, ref_id, live)
      select ${id}::bigint, r.kind, r.ref_id, r.live from jsonb_to_recordset(${JSON.stringify([...shown.values()])}::jsonb) as r (kind text, ref_id bigint, live boolean)`)
  }
}
