import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted, tooMany } from '../../core/error/error.ts'
import { regionName } from '../../core/field/region.server.ts'
import type { JobInfo } from '../../core/job/calls.ts'
import { findJob, type JobRequest } from '../../core/job/queue.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { rateLimit } from '../../core/endpoint/rate.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { NOTHING_COMPUTED, present, readOne, type Row } from '../../core/resource/list.server.ts'
import { checkRecord } from '../../core/resource/rules.ts'
import { pickableCondition } from '../../core/resource/where.server.ts'
import { checkReferences, checkRev, checkScope } from '../../core/resource/write.server.ts'
import { chosenQuery } from '../../core/transfer/chosen.server.ts'
import { findCode, UNKNOWN_CODE } from './activate.server.ts'
import { batchProblems } from './batch-rules.ts'
import { codeEndpoints } from './calls.ts'
import { keepBack } from './back.server.ts'
import { actionOf, changeCodes, refusedAction } from './change.server.ts'
import { CODE_ACTIONS, CODE_STATUS } from './code-state.ts'
import { exchangeCodes } from './exchange.server.ts'
import { PASSWORD_USE } from './export.server.ts'
import type { ServedFamily } from './hooks.server.ts'
import { appendCodes, issueCodes } from './issue.server.ts'
import { actKind, checkTerms, exportKind } from './jobs.server.ts'
import { vaultOf } from './vault.server.ts'


/** Codes that exist nowhere, which one person may look for in ten minutes: enough for typing errors, useless for guessing. */
const MISSES = 30
const MISSES_WITHIN = 10 * 60_000

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The calls of a kind of code, answered. */
export function codeCalls(kernel: Kernel, served: ServedFamily): Served[] {
  const { family, secrets, hooks } = served
  const { batch, code, owner, label } = family
  const endpoints = codeEndpoints(family)
  const vault = vaultOf(secrets)
  const targets = new Map([...kernel.registry].map(([name, known]) => [name, known.resource]))
  const mayMiss = rateLimit(MISSES, MISSES_WITHIN)

  const read = async (db: Queryable, call: Pick<Call, 'staff'>, resource: Resource, id: number): Promise<Row> => {
    const row = await readOne(db, resource, call.staff, id, NOTHING_COMPUTED)
    if (!row) throw notFound(resource.label)
    return row
  }
  const show = async (db: Queryable, call: Pick<Call, 'staff'>, resource: Resource, id: number): Promise<WireRow> => present(resource, call.staff, await read(db, call, resource, id))
  const log = (tx: Queryable, call: Pick<Call, 'staff' | 'ip' | 'requestId'>, action: string, entity: string, id: number, after: object) => tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after)
    values (${call.staff.id}, ${call.ip}, ${call.requestId}, ${action}, ${entity}, ${id}, ${JSON.stringify(after)}::jsonb)`)

  /** Checked values of a new batch. */
  const newBatch = async (tx: Queryable, call: Pick<Call, 'staff'>, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> => {
    const { values, errors } = checkRecord(batch, input, false)
    const all = { ...batchProblems(values, nowSeconds()), ...errors }
    if (Object.keys(all).length > 0) throw invalid(all)
    await checkReferences(tx, batch, targets, call.staff, values)
    await hooks.check?.(tx, values)
    return values
  }
  const start = async (call: Call<unknown>, prepare: (tx: Queryable) => JobRequest | Promise<JobRequest>): Promise<{ job: JobInfo }> => {
    const { id } = await call.transaction(async (tx) => ({ id: await kernel.jobs.add(tx, call, await prepare(tx)) }))
    const job = await findJob(call.db, id)
    if (!job) throw notFound('任务')
    return { job }
  }
  const checkOwner = (db: Queryable, call: Pick<Call, 'staff'>, id: number | undefined) => (id === undefined ? undefined : checkReferences(db, batch, targets, call.staff, { [owner.key]: id }))

  return [
    handle(endpoints.create, (call) => call.transaction(async (tx) => {
      const id = await issueCodes(tx, served, call.staff.id, await newBatch(tx, call, call.input))
      await checkScope(tx, batch, call.staff, id)
      return show(tx, call, batch, id)
    })),
    handle(endpoints.append, (call) => call.transaction(async (tx) => {
      const { id } = await read(tx, call, batch, idParam(call))
      await appendCodes(tx, served, call.staff.id, id, call.input.count, nowSeconds())
      return show(tx, call, batch, id)
    }, { action: 'code_append' })),
    handle(endpoints.exchange, (call) => call.transaction(async (tx) => {
      const old = await read(tx, call, batch, idParam(call))
      // The new batch is the old owner's, and what it is not told otherwise it takes from the old one.
      const kept = Object.keys(family.batchFields).concat(family.product.key, 'purpose', 'per_user_limit', 'price')
      const values = await newBatch(tx, call, { ...Object.fromEntries(kept.map((key) => [key, old[key]])), ...call.input, [owner.key]: old[owner.key] })
      const { id, fee } = await exchangeCodes(tx, served, call.staff, old.id, values)
      return { batch: await show(tx, call, batch, id), fee }
    }, { action: 'code_exchange' })),
    handle(endpoints.quota, async (call) => {
      const target = targets.get(owner.target().name)
      const { quota } = owner
      const id = Number(call.input.owner)
      if (!quota || !target) throw notFound('名额')
      const [row] = await call.db.query<{ total: number; used: number }>(sql`select coalesce(${sql.identifier(quota.total)}, 0) as total, coalesce(${sql.identifier(quota.used)}, 0) as used
        from ${sql.identifier(target.table)} where id = ${id} and ${pickableCondition(target, call.staff)}`)
      if (!row) throw notFound(owner.label)
      return { ...row, left: Math.max(0, row.total - row.used), fee: (await hooks.fee?.(call.db, id)) ?? 0 }
    }),
    handle(endpoints.activity, async (call) => {
      const { id } = await read(call.db, call, batch, idParam(call))
      const of = sql`from ${sql.identifier(code.table)} where group_id = ${id} and activated_at is not null and status <> ${CODE_STATUS.cancelled} and deleted_at is null`
      const [days, [burst], places] = await Promise.all([
        call.db.query<{ day: number; n: number }>(sql`select (floor((extract(epoch from activated_at) + 28800) / 86400) * 86400 - 28800)::float8 as day, count(*) as n ${of} group by 1 order by 1`),
        call.db.query<{ at: number; n: number }>(sql`select date_trunc('hour', activated_at) as at, count(*) as n ${of} group by 1 order by 2 desc, 1 limit 1`),
        hooks.places?.(call.db, id) ?? [],
      ])
      return { days, burst: burst ?? null, places: places.map((place) => ({ ...place, name: regionName(place.region) })) }
    }),
    handle(endpoints.labels, async (call) => {
      const { id } = await read(call.db, call, batch, idParam(call))
      const { after = 0, count } = call.input
      const rows = await call.db.query<{ id: number; hash: string; sealed: string }>(sql`select t.id, s.hash, s.sealed
        from (select id from ${sql.identifier(code.table)} where group_id = ${id} and status = ${CODE_STATUS.unused} and id > ${Math.min(after, Number.MAX_SAFE_INTEGER)} and deleted_at is null order by id limit ${count}) t
        join code_secret s on s.family = ${code.table} and s.code_id = t.id order by t.id`)
      // What is told of codes is written down first. The answer stays out of the transaction, which keeps its own for repetitions.
      await call.transaction(async (tx) => {
        await log(tx, call, 'code_print', batch.table, id, { rows: rows.length, ids: [rows[0]?.id ?? null, rows.at(-1)?.id ?? null] })
        return {}
      })
      return { items: rows.map(({ id: one, hash, sealed }) => ({ id: one, code: vault.open(sealed, hash) })) }
    }),
    handle(endpoints.find, async (call) => {
      const id = await findCode(call.db, served, call.input.code)
      const row = id === undefined ? undefined : await readOne(call.db, code, call.staff, id, NOTHING_COMPUTED)
      if (row) return { id: row.id }
      if (!mayMiss(String(call.staff.id))) throw tooMany('查找次数过多，请 10 分钟后再试')
      throw invalid({ code: UNKNOWN_CODE })
    }),
    handle(endpoints.reveal, async (call) => {
      const { id } = await read(call.db, call, code, idParam(call))
      await call.transaction(async (tx) => {
        await log(tx, call, 'reveal', code.table, id, { field: 'code' })
        return {}
      })
      const [secret] = await call.db.query<{ hash: string; sealed: string }>(sql`select hash, sealed from code_secret where family = ${code.table} and code_id = ${id}`)
      if (!secret) throw notFound(label)
      return { value: vault.open(secret.sealed, secret.hash) }
    }),
    ...CODE_ACTIONS.map(({ name }) => handle(endpoints.act[name], async (call) => {
      const { reason, rev, ...terms } = call.input
      const id = idParam(call)
      const { undo } = await call.transaction(async (tx) => {
        const row = await read(tx, call, code, id)
        checkTerms(name, terms, nowSeconds())
        await checkOwner(tx, call, terms.owner)
        await checkRev(tx, row, rev, (stale) => present(code, call.staff, stale))
        const acted = await changeCodes(tx, served, call.staff, name, [id], terms, nowSeconds())
        const { done, refused: [problem] } = acted
        if (problem) throw refusedAction(problem.reason)
        if (done === 0) throw notFound(label)
        return { undo: await keepBack(tx, served, call.staff, name, acted) }
      }, { action: `code_${name}`, reason })
      return { ...await show(call.db, call, code, id), ...(undo !== undefined && { undo }) }
    })),
    handle(endpoints.bulk, (call) => start(call, async (tx) => {
      const { action, ids, query, reason, ...terms } = call.input
      const { right, label: words } = actionOf(action)
      if (!call.staff.modules.has(code.rights.id(right))) throw notGranted(words)
      if (!ids && !query) throw badRequest('请选择要处理的记录')
      checkTerms(action, terms, nowSeconds())
      await checkOwner(tx, call, terms.owner)
      return { kind: actKind(served), title: `${words}${label}`, input: { action, reason, ...terms, query: chosenQuery(code, call.staff, query, ids) } }
    })),
    handle(endpoints.export, (call) => start(call, () => {
      const { ids, query, password } = call.input
      return {
        kind: exportKind(served), title: `导出完整${label}`,
        input: { query: chosenQuery(code, call.staff, query, ids), ...(password !== undefined && { password: secrets.encrypt(password, PASSWORD_USE) }) },
      }
    })),
  ]
}

