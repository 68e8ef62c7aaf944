import { spendReveal } from '../audit/privacy.server.ts'
import type { Queryable } from '../database/database.server.ts'
import { findAnswer, untilClear } from '../database/idempotency.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted, wrongState } from '../error/error.ts'
import { choiceLabel, readShelf, type ToggleField } from '../field/choice.ts'
import { regionName } from '../field/region.server.ts'
import { regionNameKey } from '../field/region.ts'
import { attachFiles, refersToFiles } from '../file/attach.server.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { ActionWords } from './action-words.server.ts'
import { HIDDEN, transitionGrant, type Resource, type Transition } from './define.ts'
import { resourceEndpoints, type WireRow } from './endpoints.ts'
import { readHistory, revertValues } from './history.server.ts'
import { forgetCounts, NOTHING_COMPUTED, present, readCountedPage, readOne, readPage, readStates, readSummary, type Page, type Row } from './list.server.ts'
import { keysOfKind } from './memo.ts'
import { seesNamesOf, shownName } from './names.ts'
import { optionsStatement } from './options.server.ts'
import { checkRefusal, tellRefusals } from './refusal.server.ts'
import { checkSent } from './regions.server.ts'
import { neededFrom, previewRemoval, refuseGone, removeRecords, restoreRecord } from './remove.server.ts'
import type { ResourceService } from './serve.server.ts'
import { shelfEdge, shelfRefusal, shelves } from './switch.ts'
import { holdTree, refuseCycle } from './tree.server.ts'
import type { Registered, Registry } from './uses.server.ts'
import { checkQuery, first, type Query, scopeCondition } from './where.server.ts'
import { checkReferences, checkRev, checkScope, insertAlone, insertRow, lockRow, lockToChange, lockToRemove, nameHolder, referenceCounts, updateRow } from './write.server.ts'

/** Screens whose forms pick records of each resource. */
export function referrersOf(registry: Registry, name: string): number[] {
  return [...registry.values()].flatMap(({ resource }) =>
    Object.values(resource.fields).some((field) => 'target' in field && field.target().name === name) ? [resource.grant] : [],
  )
}

const regions = keysOfKind('region')

/** Adds names of regions to a row. */
function nameRegions(resource: Resource, row: Row): void {
  for (const key of regions(resource)) {
    const code = row[key]
    if (typeof code === 'string') row[regionNameKey(key)] = regionName(code)
  }
}

/** Whether nothing is written beside a new record and nothing of it judged afterwards: it takes one statement then. */
function isPlain({ resource, rules }: ResourceService, staff: Staff, values: Readonly<Record<string, unknown>>): boolean {
  return (!rules.before || rules.beforeOnlyReads === true) && !rules.after && !scopeCondition(resource, staff) && !refersToFiles(resource, values)
}

/** What differs from the stored record: a form sends all its fields, and what a record refers to already is not chosen anew. */
const changedValues = (row: Row, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(row[key] ?? null) !== JSON.stringify(value ?? null)))

/** A switch of states as it was sent. */
interface Switched {
  field: ToggleField
  value: 1 | 0
  edge: Transition
}

/** The switch of states among what was sent. @throws AppError when it is neither 1 nor 0 */
function switchIn(resource: Resource, input: Readonly<Record<string, unknown>>): Switched | undefined {
  for (const [key, field] of shelves(resource)) {
    if (!(key in input)) continue
    const value = input[key]
    if (value !== 1 && value !== 0) throw invalid({ [key]: `${field.label}应为 1（${field.on}）或 0（${field.off}）` })
    const edge = shelfEdge(resource, field, value)
    if (edge) return { field, value, edge }
  }
  return undefined
}

/** The calls of one resource, answered. @param words in which its log is told */
export function resourceCalls(service: Registered, registry: Registry, words: ActionWords): Served[] {
  const { resource, rules } = service
  const computed = rules.computed ?? NOTHING_COMPUTED
  const endpoints = resourceEndpoints(resource, referrersOf(registry, resource.name))
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  const show = (call: Pick<Call, 'staff'>, row: Row): WireRow =>
    present(resource, call.staff, row, (shown) => nameRegions(resource, shown))
  /** The same with what this person may not do with each of them, and why. */
  const tell = async (call: Pick<Call, 'staff'>, db: Queryable, rows: readonly Row[]): Promise<WireRow[]> => {
    const shown = rows.map((row) => show(call, row))
    await tellRefusals(rules, { db, staff: call.staff }, shown)
    return shown
  }
  const tellOne = async (call: Pick<Call, 'staff'>, db: Queryable, row: Row): Promise<WireRow> => {
    const [shown = show(call, row)] = await tell(call, db, [row])
    return shown
  }
  const reread = async (call: Call, id: number): Promise<WireRow> => {
    const row = await readOne(call.db, resource, call.staff, id, computed)
    if (!row) throw notFound(resource.label)
    return tellOne(call, call.db, row)
  }
  /** Writes checked values of a new or a locked record with everything that the resource asks for, and answers with it. */
  const write = async (call: Call, tx: Queryable, row: Row | undefined, values: Record<string, unknown>): Promise<WireRow> => {
    // The check travels together with the write, which a wrong reference undoes with the transaction.
    const checked = checkReferences(tx, resource, targets, call.staff, row ? changedValues(row, values) : values, row)
    // It may be refused while the write is still under way; whoever waits below is told.
    checked.catch(() => {})
    const saved = await (async () => {
      if (row) await refuseCycle(tx, resource, row.id, values)
      await attachFiles(tx, resource, values, call.staff.id)
      await rules.before?.({ tx, staff: call.staff, values, row })
      return row ? updateRow(tx, resource, row.id, values, computed) : insertRow(tx, resource, call.staff.id, values, computed)
    })().catch(async (error: unknown) => {
      // What is wrong with a reference says more than what came of it.
      await checked
      throw error
    })
    await checked
    await checkScope(tx, resource, call.staff, saved.id)
    if (!rules.after) return tellOne(call, tx, saved)
    await rules.after({ tx, staff: call.staff, values, row, saved })
    return tellOne(call, tx, (await readOne(tx, resource, call.staff, saved.id, computed)) ?? saved)
  }
  /** Moves a locked record along an edge of its state machine. */
  const move = async (call: Pick<Call, 'staff'>, tx: Queryable, row: Row, transition: Transition, reason: string | undefined): Promise<void> => {
    await checkRefusal(rules, { db: tx, staff: call.staff }, row, transition.name)
    await refuseGone(tx, { registry, staff: call.staff }, resource, { ...row, [transition.field]: transition.to }, neededFrom(resource, transition))
    await updateRow(tx, resource, row.id, { [transition.field]: transition.to }, computed)
    await rules.effects?.[transition.name]?.({ tx, staff: call.staff, row, transition, reason })
  }
  /** Runs the edge that a switch stands for; one that already stands as it should changes nothing. */
  const runSwitch = async (call: Call, tx: Queryable, row: Row, { field, value, edge }: Switched): Promise<void> => {
    if (!call.staff.modules.has(transitionGrant(resource, edge))) throw notGranted(`${resource.label} · ${edge.label}`)
    const state = row[edge.field]
    if (field.shelf && readShelf(field.shelf, state) === value) return
    const refused = shelfRefusal(resource, field, state, value)
    if (refused) throw wrongState(refused.action, refused.state)
    await move(call, tx, row, edge, undefined)
  }
  /** Creates a record with which nothing else is written. A repeated request gets the record that the first one made. */
  const createPlain = async (call: Call, values: Record<string, unknown>): Promise<WireRow> => {
    let problem: unknown
    try {
      await rules.before?.({ tx: call.db, staff: call.staff, values, row: undefined })
      const saved = await untilClear(() => insertAlone(call.db, resource, call, referenceCounts(resource, targets, call.staff, values), values, computed))
      if (saved) return tellOne(call, call.db, saved)
    } catch (error) {
      problem = error
    }
    const known = call.once && await findAnswer(call.db, call.once)
    if (known) return known.recordId === null ? known.result as WireRow : reread(call, known.recordId)
    await checkReferences(call.db, resource, targets, call.staff, values)
    throw problem ?? badRequest('引用的记录刚刚被修改，请重试')
  }
  /** Checks and saves what was sent. */
  const save = async (call: Call, id: number | undefined, input: Readonly<Record<string, unknown>>): Promise<WireRow> => {
    const checked = checkSent(resource, input, id !== undefined)
    const { values } = checked
    // What is wrong with a record that exists is judged beside what it holds already.
    if (id === undefined && Object.keys(checked.errors).length > 0) throw invalid(checked.errors)
    // Asked after the transaction: in one that failed nothing can be read.
    const named = async (error: unknown): Promise<never> => {
      throw await nameHolder(call.db, resource, call.staff, error, values)
    }
    if (id === undefined && isPlain(service, call.staff, values)) return createPlain(call, values).catch(named).finally(() => forgetCounts(resource.table))
    const switched = id === undefined ? undefined : switchIn(resource, input)
    return call.transaction(async (tx) => {
      if (id !== undefined) await holdTree(tx, resource, values)
      const row = id === undefined ? undefined : await lockToChange(tx, service, call.staff, id)
      if (row && Object.keys(checked.errors).length > 0) {
        const again = checkSent(resource, input, true, [row])
        if (Object.keys(again.errors).length > 0) throw invalid(again.errors)
        Object.assign(values, again.values)
      }
      if (row) await checkRev(tx, row, input['rev'], (stale) => show(call, stale))
      const others = Object.keys(values).length > 0
      if (row && (others || !switched) && !call.staff.modules.has(resource.actions.update ?? 0)) throw notGranted(`${resource.label} · ${STANDARD_ACTIONS.edit.title}`)
      if (!row || !switched) return write(call, tx, row, values)
      if (others) await write(call, tx, row, values)
      await runSwitch(call, tx, others ? await lockRow(tx, resource, call.staff, row.id) : row, switched)
      const saved = await readOne(tx, resource, call.staff, row.id, computed)
      if (!saved) throw notFound(resource.label)
      return show(call, saved)
    }, switched && { action: switched.edge.name }).catch(named).finally(() => forgetCounts(resource.table))
  }

  const served: Served[] = [
    handle(endpoints.list, async (call) => {
      const query = call.input as Query
      checkQuery(resource, query)
      const { items, total: totalKey } = resource.api.reply
      const page: Page & { total?: number } = await (first(query, 'cursor') ? readPage : readCountedPage)(call.db, resource, call.staff, query, computed)
      return { [items]: await tell(call, call.db, page.rows), ...(page.total !== undefined && { [totalKey]: page.total }), ...(page.next && { next: page.next }) }
    }),
    handle(endpoints.options, async (call) => {
      const items = await call.db.query<{ id: number; name: string | null }>(optionsStatement(registry, resource, call.staff, call.input as Query))
      return { items: items.map(({ id, name }) => ({ id, name: name && shownName(resource, call.staff, name) })) as { id: number; name: string }[] }
    }),
    handle(endpoints.summary, (call) => {
      checkQuery(resource, call.input as Query)
      return readSummary(call.db, resource, call.staff, call.input as Query, computed)
    }),
    ...(endpoints.states ? [handle(endpoints.states, (call) => {
      checkQuery(resource, call.input as Query)
      return readStates(call.db, resource, call.staff, call.input as Query)
    })] : []),
    handle(endpoints.one, async (call) => {
      const id = idParam(call)
      const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
      if (!row) throw notFound(resource.label)
      return tellOne(call, call.db, row)
    }),
    handle(endpoints.history, async (call) => {
      const id = idParam(call)
      // Whoever may see the record may see its history; nobody else learns that it exists.
      const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
      if (!row) throw notFound(resource.label)
      if (rules.guardsHistory) await rules.guard?.({ tx: call.db, staff: call.staff, row })
      return readHistory(call.db, words, resource, id, call.input as Query, seesNamesOf(resource, call.staff, row))
    }),
  ]

  if (endpoints.create) served.push(handle(endpoints.create, (call) => save(call, undefined, call.input)))
  if (endpoints.update) {
    served.push(handle(endpoints.update, (call) => save(call, idParam(call), call.input)))
  }
  if (endpoints.revert) {
    served.push(handle(endpoints.revert, async (call) => {
      const id = idParam(call)
      return call.transaction(async (tx) => {
        const row = await lockToChange(tx, service, call.staff, id)
        const { values, errors } = checkSent(resource, await revertValues(tx, resource, id, call.input.change_id), true)
        if (Object.keys(errors).length > 0) throw invalid(errors)
        return write(call, tx, row, values)
      }, { action: 'revert' })
    }))
  }
  if (endpoints.remove) {
    served.push(handle(endpoints.remove, async (call) => {
      await call.transaction(async (tx) => {
        const row = await lockToRemove(tx, resource, call.staff, idParam(call))
        await checkRev(tx, row, call.input['rev'], (stale) => show(call, stale))
        await removeRecords(tx, { registry, staff: call.staff }, service, [row])
        return {}
      })
      forgetCounts(resource.table)
      return {}
    }))
  }
  if (endpoints.removal) {
    served.push(handle(endpoints.removal, async (call) => {
      const row = await readOne(call.db, resource, call.staff, idParam(call), computed)
      if (!row) throw notFound(resource.label)
      return previewRemoval(call.db, { registry, staff: call.staff }, service, row)
    }))
  }
  if (endpoints.restore) {
    served.push(handle(endpoints.restore, async (call) => {
      const id = await call.transaction(async (tx) => {
        const row = await lockRow(tx, resource, call.staff, idParam(call), true)
        await restoreRecord(tx, { registry, staff: call.staff }, service, row)
        return row.id
      })
      forgetCounts(resource.table)
      return reread(call, id)
    }))
  }
  if (endpoints.reveal) {
    served.push(handle(endpoints.reveal, async (call) => {
      const key = call.input.field
      if (!HIDDEN.has(resource.fields[key]?.kind ?? '')) throw badRequest('该字段没有隐藏内容')
      const row = await readOne(call.db, resource, call.staff, idParam(call), computed)
      if (!row) throw notFound(resource.label)
      // The value stays out of the transaction, which keeps its answer for repetitions.
      await call.transaction(async (tx) => {
        await spendReveal(tx, call, { table: resource.table, id: row.id, field: key })
        return {}
      })
      return { value: String(row[key] ?? '') }
    }))
  }
  for (const { transition, endpoint } of endpoints.transitions) {
    served.push(handle(endpoint, async (call) => {
      const { reason, rev } = call.input
      const id = await call.transaction(async (tx) => {
        const row = await lockToChange(tx, service, call.staff, idParam(call))
        const state = row[transition.field]
        const field = resource.fields[transition.field]
        if (!transition.from.includes(state as string | number)) {
          throw wrongState(transition.label, field?.kind === 'choice' ? choiceLabel(field.choices, state) : String(state))
        }
        await checkRev(tx, row, rev, (stale) => show(call, stale))
        await move(call, tx, row, transition, reason)
        return row.id
      }, { action: transition.name, ...(reason && { reason }) })
      forgetCounts(resource.table)
      return reread(call, id)
    }))
  }
  return served
}
