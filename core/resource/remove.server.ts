import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { AppError, badRequest, stillUsed, targetGone, targetPurged } from '../error/error.ts'
import type { AnyField } from '../field/any-field.ts'
import type { Staff } from '../grant/staff.server.ts'
import { refuseReturn } from './tree-place.server.ts'
import type { Resource, Transition } from './define.ts'
import type { Removal } from './endpoints.ts'
import type { Row } from './list.server.ts'
import { hiddenFromAll, shownName } from './names.ts'
import { checkRefusal } from './refusal.server.ts'
import { isEmpty } from '../field/check.ts'
import { touch } from './touch.server.ts'
import { countUses, namesIt, usedWords, type Registered, type Registry, type Use } from './uses.server.ts'

/** Who removes, and what is known of all records. */
export interface Remover {
  readonly registry: Registry
  readonly staff: Staff
}

const refusing = ({ usedBy }: Registered) => usedBy.filter(({ onRemove }) => onRemove === 'refuse')
const cascading = ({ usedBy }: Registered) => usedBy.filter(({ onRemove }) => onRemove === 'cascade')

/** Sets or clears the mark of records that are locked. */
async function mark(tx: Queryable, resource: Resource, ids: readonly number[], deleted: boolean): Promise<void> {
  try {
    await touch(tx, resource, { deleted_at: deleted ? sql`now()` : sql`null` }, ids)
  } catch (error) {
    // Restoring may collide with a record that took the name in between.
    if (sqlState(error) === '23505') throw badRequest(`已有相同的${resource.label}，无法恢复`)
    throw error
  }
}

/** A record that comes and goes with another, whose id is `along_with`. */
type Along = Row & { along_with: number }

/** Locks what comes and goes with records: what lives, or what went at the same moment as they. */
async function alongWith(tx: Queryable, target: Resource, use: Use, ids: readonly number[], deleted: boolean): Promise<Along[]> {
  const state = deleted ? sql`r.deleted_at = (select deleted_at from ${sql.identifier(target.table)} t where t.id = u.id)` : sql`r.deleted_at is null`
  return tx.query<Along>(sql`select r.*, u.id as along_with from unnest(${sql.param([...ids])}::bigint[]) u (id)
    join ${sql.identifier(use.table)} r on ${namesIt(use)} and ${state} order by r.id for update of r`)
}

/** What comes and goes with records, kind by kind. */
async function allAlong(tx: Queryable, registry: Registry, service: Registered, ids: readonly number[], deleted: boolean): Promise<{ below: Registered; rows: Along[] }[]> {
  const found: { below: Registered; rows: Along[] }[] = []
  for (const use of service.usedBy) {
    const below = use.onRemove === 'cascade' && use.resource && registry.get(use.resource.name)
    if (!below) continue
    const rows = await alongWith(tx, service.resource, use, ids, deleted)
    if (rows.length > 0) found.push({ below, rows })
  }
  return found
}

/**
 * What refuses the removal of each record, as one sentence with what is in the way; of records that nothing refuses there is none.
 * @param rows records that are locked for it: nobody can come to refer to them meanwhile
 */
export async function removalProblems(tx: Queryable, { registry, staff }: Remover, service: Registered, rows: readonly Row[]): Promise<Map<number, AppError>> {
  const problems = new Map<number, AppError>()
  const ids = rows.map(({ id }) => id)
  /** Asks a rule about one record that nothing refuses yet. */
  const ask = async (row: Row, rule: ((change: { tx: Queryable; staff: Staff; row: Row }) => Promise<void>) | undefined): Promise<void> => {
    try {
      if (!problems.has(row.id)) await rule?.({ tx, staff, row })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.set(row.id, error)
    }
  }
  const { guard, beforeRemove } = service.rules
  if (guard) for (const row of rows) await ask(row, guard)
  if (service.rules.refusals) for (const row of rows) await ask(row, () => checkRefusal(service.rules, { db: tx, staff }, row, 'remove'))
  for (const [id, uses] of await countUses(tx, refusing(service), ids.filter((id) => !problems.has(id)))) problems.set(id, stillUsed(service.resource.label, uses.map(usedWords).join('、')))
  if (beforeRemove) for (const row of rows) await ask(row, beforeRemove)
  for (const { below, rows: along } of await allAlong(tx, registry, service, ids, false)) {
    const refused = await removalProblems(tx, { registry, staff }, below, along)
    for (const { id, along_with } of along) {
      const problem = refused.get(id)
      if (problem && !problems.has(along_with)) problems.set(along_with, problem)
    }
  }
  return problems
}

/**
 * Refuses to take away a record in whose place another stands, while anything still needs it.
 * @throws AppError that names what is in the way
 */
export async function refuseRemoval(tx: Queryable, remover: Remover, name: string, id: number): Promise<void> {
  const service = remover.registry.get(name)
  if (!service) throw new Error(`no resource ${name}`)
  const [used] = (await countUses(tx, refusing(service), [id])).values()
  if (used) throw stillUsed(service.resource.label, used.map(usedWords).join('、'))
}

/** Removes records that are locked and that nothing refuses, and what goes with them. */
export async function takeAway(tx: Queryable, { registry, staff }: Remover, service: Registered, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await mark(tx, service.resource, ids, true)
  for (const { below, rows: along } of await allAlong(tx, registry, service, ids, false)) await takeAway(tx, { registry, staff }, below, along)
}

/**
 * Removes records that are locked, and what goes with them.
 * @throws AppError that names what is in the way
 */
export async function removeRecords(tx: Queryable, remover: Remover, service: Registered, rows: readonly Row[]): Promise<void> {
  for (const problem of (await removalProblems(tx, remover, service, rows)).values()) throw problem
  await takeAway(tx, remover, service, rows)
}

/** What the removal of a record would do, for the person who is about to do it. */
export async function previewRemoval(tx: Queryable, remover: Remover, service: Registered, row: Row): Promise<Removal> {
  const used = await countUses(tx, refusing(service), [row.id])
  const along = await countUses(tx, cascading(service), [row.id])
  const problems = await removalProblems(tx, remover, service, [row])
  return {
    refusal: problems.get(row.id)?.message ?? null,
    uses: (used.get(row.id) ?? []).map(usedWords),
    along: (along.get(row.id) ?? []).map(usedWords),
  }
}

/** Whether a record of these values needs what a field of it refers to. */
function needs(field: AnyField, row: Row): field is Extract<AnyField, { target: unknown }> {
  return 'target' in field && field.onRemove !== 'keep' && Object.entries(field.neededWhile).every(([key, states]) => states.includes(row[key] as string | number))
}

/** What a record is called, hidden as on every screen. */
function titleOf(resource: Resource | undefined, staff: Staff, { id, name }: { id: number; name: string | null }): string {
  if (!resource || name === null) return String(id)
  return hiddenFromAll(resource.fields[resource.title], shownName(resource, staff, name))
}

/**
 * Refuses to let a record live whose targets do not, and keeps those from being removed until the transaction ends.
 * @param keys fields that are looked at; all by default
 * @throws AppError that names the target
 */
export async function refuseGone(tx: Queryable, { registry, staff }: Remover, resource: Resource, row: Row, keys: readonly string[] = Object.keys(resource.fields)): Promise<void> {
  for (const key of keys) {
    const field = resource.fields[key]
    if (!field || !needs(field, row) || isEmpty(row[key])) continue
    const target = field.target()
    const ids = [row[key]].flat() as number[]
    const found = await tx.query<{ id: number; name: string | null; gone: boolean }>(sql`select id, ${sql.identifier(target.title)}::text as name, deleted_at is not null as gone
      from ${sql.identifier(target.table)} where id = any(${sql.param(ids)}::bigint[]) order by id for key share`)
    const gone = found.find((one) => one.gone)
    if (gone) throw targetGone(field.label, titleOf(registry.get(target.name)?.resource, staff, gone))
    if (found.length < new Set(ids).size) throw targetPurged(field.label)
  }
}

/**
 * Takes the removal of a locked record back, and of what went with it.
 * @throws AppError when a guard refuses, when it names a record that is gone, or collides with another
 */
export async function restoreRecord(tx: Queryable, { registry, staff }: Remover, service: Registered, row: Row): Promise<void> {
  await service.rules.guard?.({ tx, staff, row })
  await checkRefusal(service.rules, { db: tx, staff }, row, 'restore')
  await refuseGone(tx, { registry, staff }, service.resource, row)
  await refuseReturn(tx, service.resource, row)
  const along = await allAlong(tx, registry, service, [row.id], true)
  await mark(tx, service.resource, [row.id], false)
  for (const { below, rows } of along) for (const one of rows) await restoreRecord(tx, { registry, staff }, below, one)
}

/** References that a record comes to need by a step of its state machine. */
export function neededFrom(resource: Resource, { field, to }: Pick<Transition, 'field' | 'to'>): string[] {
  return Object.entries(resource.fields).flatMap(([key, one]) => ('target' in one && one.neededWhile[field]?.includes(to) ? [key] : []))
}
