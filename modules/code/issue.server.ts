import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import type { Secrets } from '../../core/session/secret.server.ts'
import { CODE_STATUS } from './code-state.ts'
import { endOfDay } from './code-time.ts'
import { quotaProblem } from './batch-rules.ts'
import { MAX_BATCH, type CodeFamily } from './family.ts'
import { sealedCodes, type SealedCode } from './vault.server.ts'

/** Codes that are made and written at a time; between two such parts the process answers others. */
const PART = 2500

/** What a batch says about its codes, as far as making them asks for it. */
interface Group {
  readonly id: number
  readonly owner: number
  readonly product: number
  readonly prefix: string
  readonly code_len: number
  /** Unix seconds. */
  readonly redeem_before: number
}

/** Runs work whose rows come by the ten thousand and stay out of the log; the log has the batch that they belong to. */
async function silently<Result>(tx: Queryable, work: () => Promise<Result>): Promise<Result> {
  const [setting] = await tx.query<{ actor: string | null }>(sql`select current_setting('app.actor', true) as actor`)
  const actor = setting?.actor || '{}'
  await tx.query(sql`select set_config('app.actor', ${JSON.stringify({ ...(JSON.parse(actor) as object), silent: true })}, true)`)
  const result = await work()
  // Not after a failure: the transaction is over then.
  await tx.query(sql`select set_config('app.actor', ${actor}, true)`)
  return result
}

/** Writes codes that exist nowhere yet; one that happens to exist is left out. @returns how many were written */
async function writeCodes(tx: Queryable, family: CodeFamily, staffId: number | null, group: Group, made: readonly SealedCode[]): Promise<number> {
  const table = family.code.table
  const column = (key: 'hash' | 'sealed' | 'mask') => sql`${sql.param(made.map((code) => code[key]))}::text[]`
  const [written] = await tx.query<{ n: number }>(sql`with given as (
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id, hash, sealed, mask from unnest(${column('hash')}, ${column('sealed')}, ${column('mask')}) u (hash, sealed, mask)
    ), kept as (
      insert into code_secret (hash, sealed, family, code_id) select hash, sealed, ${table}, id from given on conflict (hash) do nothing returning code_id
    ), made as (
      insert into ${sql.identifier(table)} (id, code, group_id, ${sql.identifier(family.owner.key)}, ${sql.identifier(family.product.key)}, status, redeem_before, unbind_count, created_by, updated_by)
      select g.id, g.mask, ${group.id}, ${group.owner}, ${group.product}, ${CODE_STATUS.unused}, to_timestamp(${group.redeem_before}), 0, ${staffId}::bigint, ${staffId}::bigint
      from given g join kept k on k.code_id = g.id order by g.id returning 1
    ) select count(*) as n from made`)
  return written?.n ?? 0
}

/** Makes all codes of a batch, in one transaction; a part is made while the database writes the one before it. */
async function fillGroup(tx: Queryable, family: CodeFamily, secrets: Secrets, staffId: number | null, group: Group, count: number): Promise<void> {
  const make = (left: number) => sealedCodes(secrets, Math.min(PART, left), group.prefix, group.code_len)
  await silently(tx, async () => {
    let part = make(count)
    for (let left = count; left > 0;) {
      const writing = writeCodes(tx, family, staffId, group, part)
      // It may fail while the next part is still being made; the caller that waits below is told.
      writing.catch(() => {})
      // What is to be sent leaves before anything else is worked out.
      await nextTurn()
      part = make(left - part.length)
      left -= await writing
    }
  })
  recordsWritten(tx, family.code.table)
}

/**
 * Takes codes off their owner's quota; the owner's record is locked until the transaction ends.
 * @throws AppError when it is too small
 */
async function takeQuota(tx: Queryable, family: CodeFamily, owner: number, count: number): Promise<void> {
  const { quota, target } = family.owner
  if (!quota) return
  const [table, used, total] = [target().table, quota.used, quota.total].map((name) => sql.identifier(name))
  const after = sql`coalesce(t.${used}, 0) + ${count}`
  const taken = await setDerived(tx, target(), { [quota.used]: after }, sql`t.id = ${owner} and ${after} <= t.${total}`)
  if (taken.length > 0) return
  const [row] = await tx.query<{ left: number }>(sql`select coalesce(${total}, 0) - coalesce(${used}, 0) as left from ${table} where id = ${owner}`)
  throw invalid({ count: quotaProblem(row?.left ?? 0) })
}

/** Values of a new batch in wire form; what is absent gets the field's initial value. */
export type NewBatch = Readonly<Record<string, unknown>>

/**
 * Makes a batch with all its codes, in the caller's transaction: both come, or neither.
 * @param values checked values of the batch: its owner, product, count, prefix, code_len, terms and name
 * @param quota whether it counts against the owner's quota; an exchange gives back as many as it takes
 * @returns id of the batch
 * @throws AppError when the quota is too small
 */
export async function issueCodes(
  tx: Queryable, { family, secrets }: { family: CodeFamily; secrets: Secrets }, staffId: number | null, values: NewBatch, quota = true,
): Promise<number> {
  const count = Number(values['count'])
  const owner = Number(values[family.owner.key])
  if (quota) await takeQuota(tx, family, owner, count)
  const redeem_before = endOfDay(Number(values['redeem_before']))
  const until = values['valid_until']
  const row = await insertRow(tx, family.batch, staffId, {
    ...values, redeem_before, ...(until != null && { valid_until: endOfDay(Number(until)) }), total: count, left: count,
  }, {})
  await fillGroup(tx, family, secrets, staffId, {
    id: row.id, owner, product: Number(values[family.product.key]), prefix: String(row['prefix'] ?? ''), code_len: Number(row['code_len']), redeem_before,
  }, count)
  return row.id
}

/**
 * Adds codes to a batch that is there, on its own terms.
 * @throws AppError when the batch or the quota has no room for them
 */
export async function appendCodes(
  tx: Queryable, { family, secrets }: { family: CodeFamily; secrets: Secrets }, staffId: number | null, id: number, count: number, now: number,
): Promise<void> {
  const batch = sql.identifier(family.batch.table)
  const [owner] = await tx.query<{ id: number }>(sql`select ${sql.identifier(family.owner.key)} as id from ${batch} where id = ${id}`)
  // The owner first, then the batch: in the order in which everybody locks them.
  await takeQuota(tx, family, owner?.id ?? 0, count)
  const [row] = await touch(tx, family.batch, { total: sql`t.total + ${count}`, left: sql`t."left" + ${count}` }, id, {
    returning: [family.owner.key, family.product.key, 'prefix', 'code_len', 'redeem_before', 'total'],
  })
  if (!row) throw new Error('the batch went away')
  const [total, redeem_before] = [Number(row['total']), Number(row['redeem_before'])]
  if (total > MAX_BATCH) throw invalid({ count: `每批最多 ${MAX_BATCH.toLocaleString('zh-CN')} 个，还能追加 ${(MAX_BATCH - total + count).toLocaleString('zh-CN')} 个` })
  if (redeem_before < now) throw invalid({ count: '该批次已过兑换截止，不能追加' })
  await fillGroup(tx, family, secrets, staffId, {
    id, owner: Number(row[family.owner.key]), product: Number(row[family.product.key]), prefix: String(row['prefix'] ?? ''), code_len: Number(row['code_len']), redeem_before,
  }, count)
}
