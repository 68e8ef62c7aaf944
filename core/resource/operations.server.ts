import { badRequest, invalid, notFound, notGranted, wrongState } from '../error/error.ts'
import { untilClear, findAnswer } from '../database/idempotency.server.ts'
import type { Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import { valueLabel, readShelf, type ToggleField } from '../field/choice.ts'
import { attachFiles, refersToFiles } from './attach.server.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import { placeInTree } from './tree-place.server.ts'
import { transitionGrant, type Resource, type Transition } from './define.ts'
import { revertValues } from './history.server.ts'
import { NOTHING_COMPUTED, readOne, type Row } from './list.server.ts'
import { checkRefusal } from './refusal.server.ts'
import { checkSent, showRow } from './regions.server.ts'
import { neededFrom, refuseGone, removeRecords, restoreRecord } from './remove.server.ts'
import { shelfEdge, shelfRefusal, shelves } from './switch.ts'
import { holdTree } from './tree.server.ts'
import type { Registered, Registry } from './uses.server.ts'
import { scopeCondition } from './where.server.ts'
import { checkReferences, checkRev, checkScope, insertAlone, insertRow, lockRow, lockToChange, lockToRemove, referenceCounts, updateRow } from './write.server.ts'

/**
 * What people do to records, whichever way it comes: a call, many at once, a sheet that is taken back, a step that is undone.
 * Each operation has the same steps in the same order:
 *
 * 1. the right, 2. what was sent, 3. the lock inside the person's scope, and `guard`, 4. the revision that the person saw,
 * 5. the state, refusals, references and trees, 6. files and `before`, 7. the write, 8. the scope afterwards,
 * 9. `after` or the effect. Counts of lists follow the commit. A failure of any step undoes all of them.
 */
export interface Pipeline {
  readonly service: Registered
  readonly registry: Registry
  /** All resources by name, for the scopes of what is referred to. */
  readonly targets: ReadonlyMap<string, Resource>
  readonly staff: Staff
}

/** By which operation a change is taken back: the values before, the edge back, the place before, the return of what was removed, a file that comes or goes. */
export type Back =
  | { readonly by: 'change'; readonly values: Values }
  | { readonly by: 'transition'; readonly edge: string }
  | { readonly by: 'move'; readonly parent_id: number | null; readonly before_id?: number }
  | { readonly by: 'restore' }
  /** A way back that the resource's own rules know (`backs`), with what it needs to be told. */
  | { readonly by: 'own'; readonly way: string; readonly values: Sent }
  /** Whether a file that is kept with the record is to be there. */
  | { readonly by: 'file'; readonly file: number; readonly there: boolean }

/** What an operation did: what is needed to show it and to take it back. */
export interface Done {
  /** The record as it is now, with names and computed values; of a removal and its return as it was stored before. */
  readonly record: Row
  /** The record as it was stored before; undefined when it is new. */
  readonly before: Row | undefined
  /** Revision that the operation left: the undo names it, and is refused when somebody wrote since. */
  readonly rev: number
  /** How it is taken back; absent where it cannot be, or where nothing changed. */
  readonly back?: Back
}

type Values = Record<string, unknown>
type Sent = Readonly<Values>

interface Expected {
  /** Revision that the person saw; undefined where nobody saw one. */
  readonly rev?: unknown
}

const done = (record: Row, before: Row | undefined, back?: Back): Done => ({ record, before, rev: record.rev, ...(back && { back }) })
const computedOf = ({ rules }: Registered) => rules.computed ?? NOTHING_COMPUTED

function needRight({ service: { resource }, staff }: Pipeline, id: number | undefined, label: string): void {
  if (!staff.modules.has(id ?? 0)) throw notGranted(`${resource.label} · ${label}`)
}

/** What differs from the stored record: a form sends all its fields, and what a record refers to already is not chosen again. */
const changedValues = (row: Row, values: Sent) =>
  Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(row[key] ?? null) !== JSON.stringify(value ?? null)))

/** The values that a locked record had before these are written, as a change that sets them again. */
function valuesBack(row: Row, values: Sent): Back | undefined {
  const keys = Object.keys(changedValues(row, values))
  return keys.length > 0 ? { by: 'change', values: Object.fromEntries(keys.map((key) => [key, row[key] ?? null])) } : undefined
}

/**
 * The edge by which a step of a state machine is taken back: it leads to where the record stood. There is none for what has no
 * way back, such as money that was posted, and none for what a second person decided.
 */
function edgeBack({ transitions, policies }: Resource, { name, field, to }: Transition, before: unknown): Back | undefined {
  if (policies.some(({ policy, of }) => policy === 'another' && of.includes(name))) return undefined
  const back = transitions.find((edge) => edge.field === field && edge.to === before && edge.from.includes(to))
  return back && { by: 'transition', edge: back.name }
}

/** Writes checked values of a new or a locked record with everything that the resource asks for. */
async function write(tx: Queryable, { service, targets, staff }: Pipeline, row: Row | undefined, values: Values): Promise<Done> {
  const { resource, rules } = service
  const computed = computedOf(service)
  if (row) await checkRefusal(rules, { db: tx, staff }, row, 'edit')
  // The check travels together with the write, which a wrong reference undoes with the transaction.
  const checked = checkReferences(tx, resource, targets, staff, row ? changedValues(row, values) : values, row)
  // It may be refused while the write is still under way; it is awaited below.
  checked.catch(() => {})
  const back = row && valuesBack(row, values)
  let moved = false
  const saved = await (async () => {
    moved = await placeInTree(tx, resource, row, values)
    await attachFiles(tx, resource, values, staff.id)
    await rules.before?.({ tx, staff, values, row })
    return row ? updateRow(tx, resource, row.id, values, computed) : insertRow(tx, resource, staff.id, values, computed)
  })().catch(async (error: unknown) => {
    // What is wrong with a reference says more than what came of it.
    await checked
    throw error
  })
  await checked
  await checkScope(tx, resource, staff, saved.id)
  if (moved) await rules.tree?.moved?.({ tx, staff, node: saved })
  if (!rules.after) return done(saved, row, back)
  await rules.after({ tx, staff, values, row, saved })
  return done(await readOne(tx, resource, staff, saved.id, computed) ?? saved, row, back)
}

/** Whether nothing is written beside a new record and nothing of it is judged afterwards: it takes one statement then. */
function isPlain({ resource, rules }: Registered, staff: Staff, values: Sent): boolean {
  return !resource.tree && (!rules.before || rules.beforeOnlyReads === true) && !rules.after && !scopeCondition(resource, staff) && !refersToFiles(resource, values)
}

/** @throws AppError that names every value that is wrong */
function checkNew(resource: Resource, sent: Sent): Values {
  const { values, errors } = checkSent(resource, sent, false)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return values
}

/** Creates a record. @throws AppError when a value is wrong or a rule refuses */
export async function create(tx: Queryable, pipeline: Pipeline, sent: Sent): Promise<Done> {
  needRight(pipeline, pipeline.service.resource.actions.create, STANDARD_ACTIONS.edit.title)
  return write(tx, pipeline, undefined, checkNew(pipeline.service.resource, sent))
}

/**
 * The short cut of {@link create} for a call: a record beside which nothing is written takes one statement, which is its own
 * transaction and keeps the idempotency key (0.4 of the time of a transaction of several).
 * @returns the record, or what the first of repeated calls answered; undefined where the record is not plain
 */
export async function createAlone(call: Pick<Call, 'db' | 'actor' | 'once'>, pipeline: Pipeline, sent: Sent): Promise<{ record: Row } | { answer: unknown } | { id: number } | undefined> {
  const { service, targets, staff } = pipeline
  const { resource, rules } = service
  needRight(pipeline, resource.actions.create, STANDARD_ACTIONS.edit.title)
  const values = checkNew(resource, sent)
  if (!isPlain(service, staff, values)) return undefined
  let problem: unknown
  try {
    await rules.before?.({ tx: call.db, staff, values, row: undefined })
    const record = await untilClear(() => insertAlone(call.db, resource, call, referenceCounts(resource, targets, staff, values), values, computedOf(service)))
    if (record) return { record }
  } catch (error) {
    problem = error
  }
  const known = call.once && await findAnswer(call.db, call.once)
  if (known) return known.recordId === null ? { answer: known.result } : { id: known.recordId }
  await checkReferences(call.db, resource, targets, staff, values)
  throw problem ?? badRequest('引用的记录刚刚被修改，请重试')
}

/** A switch of states as it was sent. */
interface Switched {
  readonly key: string
  readonly field: ToggleField
  readonly value: 1 | 0
  readonly edge: Transition
}

/** The switch of states among what was sent; setting it runs a transition. @throws AppError when it is neither 1 nor 0 */
export function switchIn(resource: Resource, sent: Sent): Switched | undefined {
  for (const [key, field] of shelves(resource)) {
    if (!(key in sent)) continue
    const value = sent[key]
    if (value !== 1 && value !== 0) throw invalid({ [key]: `${field.label}应为 1（${field.on}）或 0（${field.off}）` })
    const edge = shelfEdge(resource, field, value)
    if (edge) return { key, field, value, edge }
  }
  return undefined
}

/**
 * Sets fields of a record, and the switch of states among them.
 * @throws AppError when a value is wrong, somebody wrote since `rev`, or a rule refuses
 */
export async function change(tx: Queryable, pipeline: Pipeline, id: number, sent: Sent, { rev }: Expected = {}): Promise<Done> {
  const { service, staff } = pipeline
  const { resource } = service
  const switched = switchIn(resource, sent)
  const { values, errors } = checkSent(resource, sent, true)
  const others = Object.keys(values).length > 0
  await holdTree(tx, resource, values)
  const row = await lockToChange(tx, service, staff, id)
  // Who may run the switch alone got this far; a record that is out of their sight is unknown to them, whatever they sent.
  if (others || !switched) needRight(pipeline, resource.actions.update, STANDARD_ACTIONS.edit.title)
  // What is wrong with a record that exists is judged beside what it holds already.
  if (Object.keys(errors).length > 0) {
    const again = checkSent(resource, sent, true, [row])
    if (Object.keys(again.errors).length > 0) throw invalid(again.errors)
    Object.assign(values, again.values)
  }
  await checkRev(tx, row, rev, (stale) => showRow(resource, staff, stale))
  if (!switched) return write(tx, pipeline, row, values)
  const written = others ? await write(tx, pipeline, row, values) : undefined
  const now = written ? await lockRow(tx, resource, staff, row.id) : row
  const turned = await runSwitch(tx, pipeline, now, switched)
  const saved = await readOne(tx, resource, staff, row.id, computedOf(service))
  if (!saved) throw notFound(resource.label)
  return done(saved, row, bothBack(switched, written?.back, turned))
}

/** Values and a switch that were set together are set back together, or not at all. */
function bothBack({ key, value }: Switched, values: Back | undefined, turned: Done | undefined): Back | undefined {
  if (!turned) return values
  if (!turned.back) return undefined
  return { by: 'change', values: { ...(values?.by === 'change' && values.values), [key]: value === 1 ? 0 : 1 } }
}

/** Gives a record the values that it had before an entry of its history. @throws AppError as {@link change} does */
export async function revert(tx: Queryable, pipeline: Pipeline, id: number, changeId: number): Promise<Done> {
  const { service, staff } = pipeline
  needRight(pipeline, service.resource.actions.update, STANDARD_ACTIONS.edit.title)
  await holdTree(tx, service.resource)
  const row = await lockToChange(tx, service, staff, id)
  const { values, errors } = checkSent(service.resource, await revertValues(tx, service.resource, id, changeId), true)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return write(tx, pipeline, row, values)
}

/** Removes a record and what goes with it. @throws AppError that names what is in the way */
export async function remove(tx: Queryable, pipeline: Pipeline, id: number, { rev }: Expected = {}): Promise<Done> {
  const { service, staff } = pipeline
  needRight(pipeline, service.resource.actions.remove, STANDARD_ACTIONS.remove.title)
  const row = await lockToRemove(tx, service.resource, staff, id)
  await checkRev(tx, row, rev, (stale) => showRow(service.resource, staff, stale))
  await removeRecords(tx, pipeline, service, [row])
  return { record: row, before: row, rev: row.rev + 1, back: { by: 'restore' } }
}

/** Takes a removal back, and that of what went with it. @throws AppError when it names what is gone or collides with another */
export async function restore(tx: Queryable, pipeline: Pipeline, id: number, { rev }: Expected = {}): Promise<Done> {
  const { service, staff } = pipeline
  needRight(pipeline, service.resource.actions.remove, STANDARD_ACTIONS.remove.title)
  await holdTree(tx, service.resource)
  const row = await lockRow(tx, service.resource, staff, id, true)
  await checkRev(tx, row, rev, (stale) => showRow(service.resource, staff, stale))
  await restoreRecord(tx, pipeline, service, row)
  return { record: row, before: row, rev: row.rev + 1 }
}

/** Writes the state of a locked record and runs what the edge brings about. */
async function takeEdge(tx: Queryable, { service, registry, staff }: Pipeline, row: Row, edge: Transition, reason: string | undefined): Promise<Done> {
  const { resource, rules } = service
  await checkRefusal(rules, { db: tx, staff }, row, edge.name)
  await refuseGone(tx, { registry, staff }, resource, { ...row, [edge.field]: edge.to }, neededFrom(resource, edge))
  const saved = await updateRow(tx, resource, row.id, { [edge.field]: edge.to }, computedOf(service))
  const effect = rules.effects?.[edge.name]
  const back = edgeBack(resource, edge, row[edge.field])
  if (!effect) return done(saved, row, back)
  await effect({ tx, staff, row, transition: edge, reason })
  // What the effect wrote of the record belongs to it.
  return done(await readOne(tx, resource, staff, row.id, computedOf(service)) ?? saved, row, back)
}

/** Runs the edge that a switch stands for; one that already stands as it should changes nothing. */
async function runSwitch(tx: Queryable, pipeline: Pipeline, row: Row, { field, value, edge }: Switched): Promise<Done | undefined> {
  const { resource } = pipeline.service
  needRight(pipeline, transitionGrant(resource, edge), edge.label)
  const state = row[edge.field]
  if (field.shelf && readShelf(field.shelf, state) === value) return undefined
  const refused = shelfRefusal(resource, field, state, value)
  if (refused) throw wrongState(refused.action, refused.state)
  return takeEdge(tx, pipeline, row, edge, undefined)
}

/** Moves a record to another state. @throws AppError when it is not in a state from which it can be, or a rule refuses */
export async function transition(tx: Queryable, pipeline: Pipeline, id: number, edge: Transition, { rev, reason }: Expected & { readonly reason?: string | undefined } = {}): Promise<Done> {
  const { service, staff } = pipeline
  const { resource } = service
  needRight(pipeline, transitionGrant(resource, edge), edge.label)
  if (edge.reason && !reason) throw badRequest('请填写原因')
  const row = await lockToChange(tx, service, staff, id)
  const state = row[edge.field]
  const field = resource.fields[edge.field]
  if (!edge.from.includes(state as string | number)) throw wrongState(edge.label, valueLabel(field, state))
  await checkRev(tx, row, rev, (stale) => showRow(resource, staff, stale))
  return takeEdge(tx, pipeline, row, edge, reason)
}
