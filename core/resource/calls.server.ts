import { spendReveal } from '../audit/privacy.server.ts'
import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import { peekRelated, readRelated } from './related.server.ts'
import { keepUndo } from './keep-undo.server.ts'
import { readListAsOf } from './list-as-of.server.ts'
import { readAsOf } from './as-of.server.ts'
import type { ActionWords } from './action-words.server.ts'
import { resourceEndpoints, type WireRow } from './endpoints.ts'
import { readGroups } from './groups.server.ts'
import { readHistory } from './history.server.ts'
import { NOTHING_COMPUTED, readCountedPage, readOne, readPage, readStates, readSummary, type Page, type Row } from './list.server.ts'
import { seesNamesOf, shownName } from './names.ts'
import { change, create, createAlone, remove, restore, revert, switchIn, transition, type Done, type Pipeline } from './operations.server.ts'
import { optionsStatement } from './options.server.ts'
import { tellRefusals } from './refusal.server.ts'
import { checkSent, showRow } from './regions.server.ts'
import { previewRemoval } from './remove.server.ts'
import type { Registered, Registry } from './uses.server.ts'
import { checkQuery, first, type Query } from './where.server.ts'
import { nameHolder } from './write.server.ts'

/** Screens whose forms pick records of each resource. */
export function referrersOf(registry: Registry, name: string): number[] {
  return [...registry.values()].flatMap(({ resource }) =>
    Object.values(resource.fields).some((field) => 'target' in field && field.target().name === name) ? [resource.grant] : [],
  )
}

/** The calls of one resource, answered. @param words for the actions of its log */
export function resourceCalls(service: Registered, registry: Registry, words: ActionWords): Served[] {
  const { resource, rules } = service
  const computed = rules.computed ?? NOTHING_COMPUTED
  const endpoints = resourceEndpoints(resource, referrersOf(registry, resource.name))
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  const pipeline = (call: Pick<Call, 'staff'>): Pipeline => ({ service, registry, targets, staff: call.staff })
  /** Rows as they go over the wire, with what this person may not do with each of them, and why. */
  const tell = async (call: Pick<Call, 'staff'>, db: Queryable, rows: readonly Row[]): Promise<WireRow[]> => {
    const shown = rows.map((row) => showRow(resource, call.staff, row))
    await tellRefusals(rules, { db, staff: call.staff }, shown)
    return shown
  }
  const tellOne = async (call: Pick<Call, 'staff'>, db: Queryable, row: Row): Promise<WireRow> => {
    const [shown = showRow(resource, call.staff, row)] = await tell(call, db, [row])
    return shown
  }
  /** Keeps how a change is taken back, and says by which number, beside what is answered. */
  const withUndo = async (call: Pick<Call, 'staff'>, tx: Queryable, action: string, all: Done): Promise<{ undo?: number }> => {
    const undo = await keepUndo(tx, { resource, staff: call.staff, action }, [all])
    return undo === undefined ? {} : { undo }
  }
  const reread = async (call: Call, id: number): Promise<WireRow> => {
    const row = await readOne(call.db, resource, call.staff, id, computed)
    if (!row) throw notFound(resource.label)
    return tellOne(call, call.db, row)
  }
  /** Names the record that holds a unique value; asked after the transaction: in one that failed nothing can be read. */
  const named = (call: Call, partial: boolean) => async (error: unknown): Promise<never> => {
    throw await nameHolder(call.db, resource, call.staff, error, checkSent(resource, call.input as Record<string, unknown>, partial).values)
  }
  /** A person who may see the record may see its past; nobody else learns that it exists. */
  const readSeen = async (call: Call, id: number): Promise<Row> => {
    const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
    if (!row) throw notFound(resource.label)
    if (rules.guardsHistory) await rules.guard?.({ tx: call.db, staff: call.staff, row })
    return row
  }
  const createOne = async (call: Call): Promise<WireRow> => {
    const alone = await createAlone(call, pipeline(call), call.input as Record<string, unknown>)
    if (!alone) return call.transaction(async (tx) => tellOne(call, tx, (await create(tx, pipeline(call), call.input as Record<string, unknown>)).record))
    if ('record' in alone) return tellOne(call, call.db, alone.record)
    return 'id' in alone ? reread(call, alone.id) : alone.answer as WireRow
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
    ...(endpoints.groups ? [handle(endpoints.groups, (call) => readGroups(call.db, resource, call.staff, call.input as Query, { computed, targets }))] : []),
    handle(endpoints.one, async (call) => {
      const id = idParam(call)
      const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
      if (!row) throw notFound(resource.label)
      return tellOne(call, call.db, row)
    }),
    handle(endpoints.related, async (call) => {
      const id = idParam(call)
      const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
      if (!row) throw notFound(resource.label)
      const { of } = call.input
      const [items, records] = await Promise.all([readRelated(call.db, registry, call.staff, service, id), of === undefined ? [] : peekRelated(call.db, call.staff, service, id, of)])
      return { items, records }
    }),
    handle(endpoints.history, async (call) => {
      const id = idParam(call)
      const row = await readSeen(call, id)
      return readHistory(call.db, words, resource, id, call.input as Query, seesNamesOf(resource, call.staff, row))
    }),
  ]

  if (endpoints.asOf) {
    const sharing = [...registry.values()].flatMap((one) => (one.resource.table === resource.table ? [one.resource] : []))
    served.push(handle(endpoints.asOf, async (call) => {
      const id = idParam(call)
      const row = await readSeen(call, id)
      return readAsOf(call.db, { resource, sharing }, seesNamesOf(resource, call.staff, row), id, call.input)
    }))
  }
  if (endpoints.listAsOf) {
    const sharing = [...registry.values()].flatMap((one) => (one.resource.table === resource.table ? [one.resource] : []))
    served.push(handle(endpoints.listAsOf, (call) => {
      const { past: _moment, ...query } = call.input as Query
      checkQuery(resource, query)
      return readListAsOf(call.db, { resource, sharing, service }, call.staff, call.input as Query)
    }))
  }
  if (endpoints.create) served.push(handle(endpoints.create, (call) => createOne(call).catch(named(call, false))))
  if (endpoints.update) {
    served.push(handle(endpoints.update, (call) => {
      const switched = switchIn(resource, call.input)
      return call.transaction(async (tx) => {
        const done = await change(tx, pipeline(call), idParam(call), call.input, { rev: call.input['rev'] })
        return { ...await tellOne(call, tx, done.record), ...await withUndo(call, tx, switched?.edge.name ?? 'update', done) }
      }, switched && { action: switched.edge.name })
        .catch(named(call, true))
    }))
  }
  if (endpoints.revert) {
    served.push(handle(endpoints.revert, (call) =>
      call.transaction(async (tx) => {
        const done = await revert(tx, pipeline(call), idParam(call), call.input.change_id)
        return { ...await tellOne(call, tx, done.record), ...await withUndo(call, tx, 'revert', done) }
      }, { action: 'revert' })))
  }
  if (endpoints.remove) {
    served.push(handle(endpoints.remove, (call) => call.transaction(async (tx) => {
      return withUndo(call, tx, 'remove', await remove(tx, pipeline(call), idParam(call), { rev: call.input['rev'] }))
    })))
  }
  if (endpoints.removal) {
    served.push(handle(endpoints.removal, async (call) => {
      const row = await readOne(call.db, resource, call.staff, idParam(call), computed)
      if (!row) throw notFound(resource.label)
      return previewRemoval(call.db, { registry, staff: call.staff }, service, row)
    }))
  }
  if (endpoints.restore) {
    served.push(handle(endpoints.restore, async (call) => reread(call, await call.transaction(async (tx) => (await restore(tx, pipeline(call), idParam(call))).record.id))))
  }
  if (endpoints.reveal) {
    served.push(handle(endpoints.reveal, async (call) => {
      const key = call.input.field
      if (!(Object.hasOwn(resource.fields, key) && resource.fields[key]?.hidden)) throw badRequest('该字段没有隐藏内容')
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
  for (const { transition: edge, endpoint } of endpoints.transitions) {
    served.push(handle(endpoint, async (call) => {
      const { reason, rev } = call.input
      const { id, ...undo } = await call.transaction(async (tx) => {
        const done = await transition(tx, pipeline(call), idParam(call), edge, { rev, reason })
        return { id: done.record.id, ...await withUndo(call, tx, edge.name, done) }
      }, { action: edge.name, ...(reason && { reason }) })
      return { ...await reread(call, id), ...undo }
    }))
  }
  return served
}
