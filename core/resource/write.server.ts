import { sql, type SQL } from 'drizzle-orm'
import { sqlState, violatedConstraint, type Actor, type Queryable } from '../database/database.server.ts'
import type { IdempotencyKey } from '../database/idempotency.server.ts'
import { AppError, badRequest, duplicate, invalid, notFound, outOfScope, staleWrite, type Holder } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import { ownReferences } from './behind.ts'
import type { Resource } from './define.ts'
import { recordsWritten, withNames, type ComputedSql, type Row } from './list.server.ts'
import type { ResourceService } from './serve.server.ts'
import { hiddenFromAll, shownName } from './names.ts'
import { isEmpty } from '../field/check.ts'
import { columnField, setClause, STAMP, toColumn } from './touch.server.ts'
import { listCondition, pickableCondition, scopeCondition } from './where.server.ts'

/** Values that a new record starts with beside those that were sent: fixed ones and initials of read-only fields. */
export function startValues(resource: Resource): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(resource.fields)) {
    if (field.readonly && field.column && field.initial !== undefined) values[key] = field.initial
    else if (field.readonly && field.column === 'bigint' && !field.refers) values[key] = 0
  }
  return { ...values, ...resource.where }
}

interface ReferenceCount {
  key: string
  label: string
  /** How many records the value names. */
  count: number
  /** SQL that counts those of them that the person may name. */
  found: SQL
  /** SQL that counts those that the person may name in some record; what `found` lacks of it belongs elsewhere. */
  anywhere: SQL
  /** The fields that narrow what may be named, and their labels. */
  narrowing: readonly string[]
  narrowedBy: string
}

/** The value of a reference that a change has to answer for: the one it sets, or the one it keeps while what narrows it moves. */
function namedValue(key: string, within: Readonly<Record<string, string>>, values: Readonly<Record<string, unknown>>, row: Readonly<Record<string, unknown>> | undefined): unknown {
  if (key in values) return values[key]
  return row && Object.keys(within).some((own) => own in values && values[own] !== row[own]) ? row[key] : undefined
}

/**
 * What has to be counted to know that all references lead to records that the person may name, and that belong to what the
 * record's other fields say.
 * @param row the record as stored before the change
 */
export function referenceCounts(
  resource: Resource, targets: ReadonlyMap<string, Resource>, staff: Staff, values: Readonly<Record<string, unknown>>, row?: Readonly<Record<string, unknown>>,
): ReferenceCount[] {
  const counts: ReferenceCount[] = []
  const known = { ...row, ...values, ...resource.where }
  for (const [key, field] of ownReferences(resource)) {
    const value = namedValue(key, field.within, values, row)
    const ids = Array.isArray(value) ? value : isEmpty(value) ? [] : [value]
    if (ids.length === 0) continue
    const target = targets.get(field.target().name)
    const those = ids.length === 1 ? sql`id = ${ids[0]}` : sql`id = any(${sql.param(ids)}::bigint[])`
    const narrowing = Object.entries(field.within).filter(([own]) => !isEmpty(known[own]))
    const nameable = sql`select 1 from ${sql.identifier(field.target().table)} where ${those} and ${target ? pickableCondition(target, staff) : sql`deleted_at is null`}`
    counts.push({
      key, label: field.label, count: ids.length, anywhere: sql`(select count(*) from (${nameable}) x)`,
      // Locked until the write is done: a removal waits for it, and then finds the record that refers.
      found: sql`(select count(*) from (${nameable}${sql.join(narrowing.map(([own, other]) => sql` and ${sql.identifier(other)} = ${known[own]}`))} for key share) held)`,
      narrowing: narrowing.map(([own]) => own), narrowedBy: narrowing.map(([own]) => resource.fields[own]?.label ?? own).join('、'),
    })
  }
  return counts
}

/**
 * Refuses references to records that do not exist, that the person cannot see, or that belong to another subject, school or
 * whatever narrows them, and keeps those that are good from being removed until the transaction ends. One query, whatever
 * their number.
 * @param row the record as stored before the change
 */
export async function checkReferences(
  db: Queryable, resource: Resource, targets: ReadonlyMap<string, Resource>, staff: Staff, values: Readonly<Record<string, unknown>>, row?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const counts = referenceCounts(resource, targets, staff, values, row)
  if (counts.length === 0) return
  const count = async (what: 'found' | 'anywhere', of: readonly ReferenceCount[]) =>
    (await db.query<Record<string, number>>(sql`select ${sql.join(of.map((one) => sql`${one[what]} as ${sql.identifier(one.key)}`), sql`, `)}`))[0] ?? {}
  const found = await count('found', counts)
  const lacking = counts.filter((one) => (found[one.key] ?? 0) < one.count)
  if (lacking.length === 0) return
  const anywhere = await count('anywhere', lacking)
  throw invalid(Object.fromEntries(lacking.flatMap((one) => {
    if ((anywhere[one.key] ?? 0) < one.count) return [[one.key, `${one.label}不存在或已被删除，请重新选择`]]
    // Where what narrows it is wrong itself, nothing is known yet of where it belongs.
    return one.narrowing.some((own) => lacking.some(({ key }) => key === own)) ? [] : [[one.key, `${one.label}不属于该${one.narrowedBy}，请重新选择`]]
  })))
}

/**
 * Keeps records that a call of its own is about to refer to from being removed until the transaction ends.
 * @throws AppError when one of them is gone
 */
export async function holdTargets(tx: Queryable, { table, label }: Pick<Resource, 'table' | 'label'>, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const held = await tx.query(sql`select id from ${sql.identifier(table)} where id = any(${sql.param(wanted)}::bigint[]) and deleted_at is null order by id for key share`)
  if (held.length < wanted.length) throw notFound(label)
}

/**
 * Refuses to leave a record where the person who wrote it could not see it any more.
 * @throws AppError when it lies outside the person's data scope
 */
export async function checkScope(tx: Queryable, resource: Resource, staff: Staff, id: number): Promise<void> {
  const scope = scopeCondition(resource, staff)
  if (!scope) return
  const [row] = await tx.query(sql`select 1 from ${sql.identifier(resource.table)} where id = ${id} and ${scope}`)
  if (!row) throw outOfScope(resource.label)
}

/** Turns a violated unique index into a sentence that names field and value. */
export function explainViolation(resource: Resource, error: unknown, values: Readonly<Record<string, unknown>>): AppError | undefined {
  const state = sqlState(error)
  // Too long a number, a malformed value: input that the rules let through and the database did not.
  if (state?.startsWith('22')) return badRequest('提交的内容超出允许范围')
  if (state !== '23505') return undefined
  const name = violatedConstraint(error) ?? ''
  // Of a table that is kept by month the database names the index of the month, which it called by the columns.
  const violates = (keys: readonly string[]) => name === `${resource.table}_${keys.join('_')}_u` || (resource.monthly !== undefined && name.startsWith(`${resource.table}_`) && name.endsWith(`_${keys.join('_')}_idx`))
  const key = Object.keys(resource.fields).find((candidate) => violates([candidate])) ?? resource.unique.find(violates)?.at(-1)
  const field = key ? resource.fields[key] : undefined
  if (!key || !field) return duplicate(resource.label, '')
  const value = String(values[key] ?? '')
  return duplicate(field.label, hiddenFromAll(field, value), key)
}

/**
 * Names the record that has a unique value already, to a person who may open it; nobody else learns who it is.
 * @param db outside of the transaction that failed
 * @returns the same error when there is nothing to add
 */
export async function nameHolder(db: Queryable, resource: Resource, staff: Staff, error: unknown, values: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'duplicate' || !staff.modules.has(resource.grant)) return error
  const [key] = Object.keys(error.fields ?? {})
  const field = key ? resource.fields[key] : undefined
  if (!key || !field || isEmpty(values[key])) return error
  // Where the value is unique together with others, those others say whose it is.
  const group = field.unique ? [key] : resource.unique.find((keys) => keys.includes(key)) ?? []
  if (group.length === 0 || group.some((one) => isEmpty(values[one]))) return error
  const same = group.map((one) => sql`${sql.identifier(one)} = ${toColumn(columnField(resource, one), values[one])}`)
  const [holder] = await db.query<Holder>(sql`select id, ${sql.identifier(resource.title)}::text as name from ${sql.identifier(resource.table)} where ${pickableCondition(resource, staff)} and ${sql.join(same, sql` and `)} limit 1`)
  const value = String(values[key])
  return holder ? duplicate(field.label, hiddenFromAll(field, value), key, { ...holder, name: shownName(resource, staff, holder.name) }) : error
}

/** Columns of a new record and their values. */
function newRecord(resource: Resource, staffId: number | null, all: Readonly<Record<string, unknown>>): { columns: SQL; parameters: SQL } {
  const keys = Object.keys(all)
  return {
    columns: sql.join([...keys.map((key) => sql.identifier(key)), sql`created_by`, sql`updated_by`], sql`, `),
    parameters: sql.join([...keys.map((key) => toColumn(columnField(resource, key), all[key])), sql`${staffId}`, sql`${staffId}`], sql`, `),
  }
}

/** Inserts one record and returns it with names and computed values, in one statement. */
export async function insertRow(
  tx: Queryable, resource: Resource, staffId: number | null, values: Readonly<Record<string, unknown>>, computed: ComputedSql,
): Promise<Row> {
  const all = { ...startValues(resource), ...values }
  const { columns, parameters } = newRecord(resource, staffId, all)
  try {
    const [row] = await tx.query<Row>(withNames(resource, computed, sql`insert into ${sql.identifier(resource.table)} (${columns}) values (${parameters}) returning *`))
    if (!row) throw new Error(`insert into ${resource.table} returned nothing`)
    recordsWritten(tx, resource.table)
    return row
  } catch (error) {
    throw explainViolation(resource, error, all) ?? error
  }
}

/**
 * Inserts one record by one statement that is its own transaction: it names the actor for the log, keeps the idempotency
 * key, and writes only when all references are good.
 * @param references from `referenceCounts`
 * @returns the record with names and computed values; undefined, and nothing written, when a reference is not good
 */
export async function insertAlone(
  db: Queryable, resource: Resource, { actor, once }: { actor: Actor; once: IdempotencyKey | undefined }, references: readonly ReferenceCount[],
  values: Readonly<Record<string, unknown>>, computed: ComputedSql,
): Promise<Row | undefined> {
  const all = { ...startValues(resource), ...values }
  const { columns, parameters } = newRecord(resource, actor.staff_id, all)
  const conditions = references.map(({ found, count }) => sql` and ${found} = ${count}`)
  const before = sql`actor as materialized (select set_config('app.actor', ${JSON.stringify(actor)}, true) as name)`
  const record = sql`insert into ${sql.identifier(resource.table)} (${columns}) select ${parameters} from actor where name <> ''${sql.join(conditions)} returning *`
  const after = once && sql`kept as (insert into request_once (key, fingerprint, record_id) select ${once.key}, ${once.fingerprint}, id from t)`
  try {
    const [row] = await db.query<Row>(withNames(resource, computed, record, { before, ...(after && { after }) }))
    if (row) recordsWritten(db, resource.table)
    return row
  } catch (error) {
    throw explainViolation(resource, error, all) ?? error
  }
}

async function lock<Found extends Row, Input extends Record<string, unknown>>(
  tx: Queryable, resource: Resource<Found, Input>, staff: Staff, id: number, deleted: boolean, how: 'for update' | 'for no key update',
): Promise<Found> {
  const condition = listCondition(resource, staff, { ids: String(id), ...(deleted && { deleted: '1' }) })
  const [row] = await tx.query<Found>(sql`select * from ${sql.identifier(resource.table)} where ${condition} ${sql.raw(how)}`)
  if (!row) throw notFound(resource.label)
  return row
}

/**
 * Locks one living record inside the person's scope. Others may come to refer to it meanwhile: a transaction that refers to a record and
 * then changes it would otherwise wait for the next one who does the same, and that one for them.
 * @throws notFound when there is none
 */
export function lockRow<Found extends Row, Input extends Record<string, unknown>>(
  tx: Queryable, resource: Resource<Found, Input>, staff: Staff, id: number, deleted = false,
): Promise<Found> {
  return lock(tx, resource, staff, id, deleted, 'for no key update')
}

/**
 * Locks one living record inside the person's scope to remove it: nobody comes to refer to it until the transaction ends.
 * @throws notFound when there is none
 */
export function lockToRemove<Found extends Row, Input extends Record<string, unknown>>(tx: Queryable, resource: Resource<Found, Input>, staff: Staff, id: number): Promise<Found> {
  return lock(tx, resource, staff, id, false, 'for update')
}

/**
 * Locks one living record inside the person's scope, to do something to it.
 * @param deleted a removed record instead, to restore it
 * @throws AppError when there is none, or the resource's guard refuses
 */
export async function lockToChange(tx: Queryable, { resource, rules }: ResourceService, staff: Staff, id: number, deleted = false): Promise<Row> {
  const row = await lockRow(tx, resource, staff, id, deleted)
  await rules.guard?.({ tx, staff, row })
  return row
}

/** Changes one record that is locked and returns it with names and computed values; where neither is needed, `touch` is enough. */
export async function updateRow(tx: Queryable, resource: Resource, id: number, values: Readonly<Record<string, unknown>>, computed: ComputedSql): Promise<Row> {
  try {
    const [row] = await tx.query<Row>(withNames(resource, computed, sql`update ${sql.identifier(resource.table)} t
      set ${sql.join([...setClause(resource, values), STAMP], sql`, `)} where t.id = ${id} returning *`))
    if (!row) throw notFound(resource.label)
    recordsWritten(tx, resource.table)
    return row
  } catch (error) {
    throw explainViolation(resource, error, values) ?? error
  }
}

/**
 * Refuses a write that was started from an older state.
 * @param rev revision that the person saw; absent for callers that do not know of it (spec 4: toggles)
 */
export async function checkRev(tx: Queryable, row: Row, rev: unknown, show: (row: Row) => Row): Promise<void> {
  if (rev === undefined || rev === null || Number(rev) === row.rev) return
  const [by] = await tx.query<{ name: string }>(sql`select name from staff where id = ${row['updated_by'] ?? null}`)
  throw staleWrite(by?.name, show({ ...row }))
}
