import { sql, type SQL } from 'drizzle-orm'
import { Late, type Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { AssetUse } from './calls.ts'

/** What a module that refers to assets hands over: where one is used there, and how another takes its place. */
export interface AssetUser {
  /** SQL that counts, whoever looks, the places that need the asset of this id. */
  count(id: SQL): SQL
  /** Places that the person may see, at most a hundred. */
  list(db: Queryable, staff: Staff, assetId: number): Promise<AssetUse[]>
  /**
   * Lets one asset take the place of another, in the caller's transaction.
   * @returns how many places followed, and how many the person may not change
   */
  move(tx: Queryable, staff: Staff, from: number, to: number): Promise<{ moved: number; left_alone: number }>
}

const users: AssetUser[] = []

/** Tells the library who else refers to its assets; called once by each such module's server half. */
export function addAssetUser(user: AssetUser): void {
  users.push(user)
}

/**
 * SQL that counts the places that need an asset. Written out when a statement is made, since modules that use assets are
 * loaded after this one.
 */
export function countUses(id: SQL): SQL {
  return sql`${new Late(() => (users.length === 0 ? sql`0` : sql`(${sql.join(users.map((user) => user.count(id)), sql` + `)})`))}`
}

/** Everything that uses an asset and that the person may see. */
export async function usesOf(db: Queryable, staff: Staff, assetId: number): Promise<AssetUse[]> {
  const found: AssetUse[][] = []
  for (const user of users) found.push(await user.list(db, staff, assetId))
  return found.flat()
}

/** Everything that used one asset uses another from now on. */
export async function moveUses(tx: Queryable, staff: Staff, from: number, to: number): Promise<{ moved: number; left_alone: number }> {
  const done = { moved: 0, left_alone: 0 }
  for (const user of users) {
    const one = await user.move(tx, staff, from, to)
    done.moved += one.moved
    done.left_alone += one.left_alone
  }
  return done
}

/** Places that a refusal names. */
const NAMED = 5

/**
 * Refuses to take away an asset that is used.
 * @throws AppError that counts the places and names the first of those that the person may see
 */
export async function refuseUsed(tx: Queryable, staff: Staff, asset: { readonly id: number; readonly name: string }): Promise<void> {
  const [counted] = await tx.query<{ n: number }>(sql`select ${countUses(sql`u.id`)}::int as n from (select ${asset.id}::bigint as id) u`)
  const n = counted?.n ?? 0
  if (n === 0) return
  const uses = (await usesOf(tx, staff, asset.id)).slice(0, NAMED)
  const names = uses.length > 0 ? `（${uses.map(({ kind, title }) => `${kind}「${title}」`).join('、')}${n > uses.length ? ' 等' : ''}）` : ''
  throw new AppError('asset_used', 409, `「${asset.name}」还被 ${n} 处使用${names}，不能删除`, { extra: { uses } })
}
