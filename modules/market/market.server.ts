import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { create, type Pipeline } from '../../core/resource/operations.server.ts'
import { checkPolicy } from '../../core/resource/refusal.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { serveApply, type ApplyRow } from '../apply/door.server.ts'
import { APPLY_STATUS } from '../apply/module.ts'
import { previewList, readList, recallMarket, replaceList, requestOpenings, type ListRow } from './calls.ts'
import { countsOf, judgePasted, openable, shownRows, type Judged } from './judge.server.ts'
import { judgeNamed, marketEffect } from './market-effect.server.ts'
import { MARKET_PATH, marketApply } from './market-apply.ts'
import { marketUser, OPENING } from './opening.ts'
import { boughtAfter, readQuota } from './quota.server.ts'
import { reachActive, recallOpenings } from './recall.server.ts'

const { draft, waiting } = APPLY_STATUS

const people = (states: string) => sql.raw(`(select count(*)::int from market_grant g where g.apply_id = t.id and g.deleted_at is null${states})`)

/** Requests of the market: who asked is who pays for it with their quota, and an empty list asks for nothing. */
export const requests = serveApply({
  kind: 'market_virtual', resource: marketApply, path: MARKET_PATH, effect: marketEffect, called: 'org', notes: ['staff_id', 'offer_id', 'people_cnt'],
  rules: {
    computed: { people_cnt: people(''), in_force: people(` and g.state = ${OPENING.active}`) },
    before({ staff, values, row }) {
      if (!row) Object.assign(values, { staff_id: staff.id })
      // Whoever changed last what waits has handed it in: somebody else approves that.
      else if (row['status'] === waiting) Object.assign(values, { submitted_by: staff.id })
    },
  },
})

const paid = sql`(select sum(o.paid - o.refunded)::float8 from orders o where o.user_id = t.user_id and o.virtual = 0 and o.paid > o.refunded and o.paid_at > t.start_at and o.deleted_at is null)`
const bought = sql`exists (select 1 from market_grant g where g.id = market_grant.id and exists (${boughtAfter}))`
const active = sql`market_grant.state = ${sql.raw(String(OPENING.active))} and market_grant.expire_at <= now()`

/** When openings end, for groups of those that are in force. */
export const dueSegment = { 7: sql`${active} + interval '7 days'`, 30: sql`${active} + interval '30 days'` }

export const marketUsers = serve(marketUser)({ computed: { bought: paid }, segments: { won: { yes: bought, no: sql`market_grant.start_at is not null and not ${bought}` }, due: dueSegment } })

/** Keeps the list of a request: those who can be opened for; the others are told. @throws AppError when nobody is left */
async function keepList(tx: Queryable, request: { id: number; offer_id: number; staff_id: number }, judged: readonly Judged[], staff: Staff): Promise<{ named: number; left_out: ListRow[] }> {
  const good = openable(judged)
  if (good.length === 0) throw invalid({ lines: '名单中没有可以开通的人，请检查核对结果' })
  await insertMany(tx, marketUser, good.map(({ mobile, name }) => ({ kind: 'market', apply_id: request.id, offer_id: request.offer_id, staff_id: request.staff_id, mobile, name: name ?? '学员', state: OPENING.named })))
  return { named: good.length, left_out: shownRows(judged.filter((one) => !good.includes(one)), staff) }
}

/** A request that the person sees. @throws notFound */
async function requestOf(db: Queryable, staff: Staff, id: number): Promise<ApplyRow & { offer_id: number; staff_id: number }> {
  const row = await readOne(db, marketApply, staff, id, requests.service.rules.computed ?? {})
  if (!row) throw notFound(marketApply.label)
  return row as ApplyRow & { offer_id: number; staff_id: number }
}

/** The calls of requests and openings. */
export const marketCalls = ({ registry }: Pick<Kernel, 'registry'>): Served[] => [
  ...requests.calls,
  handle(previewList, async (call) => {
    const judged = await judgePasted(call.db, call.input.lines, { offerId: call.input.offer_id, staff: call.staff })
    return { rows: shownRows(judged, call.staff), counts: countsOf(judged), quota: await readQuota(call.db, call.staff.id) ?? null }
  }),
  handle(requestOpenings, (call) => call.transaction(async (tx) => {
    const { lines, ...values } = call.input
    const service = registry.get(marketApply.name)
    if (!service) throw new Error(`${marketApply.name} is not served`)
    const pipeline: Pipeline = { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff: call.staff }
    const { record } = await create(tx, pipeline, values)
    const judged = await judgePasted(tx, lines, { offerId: values.offer_id, applyId: record.id, staff: call.staff })
    const kept = await keepList(tx, { id: record.id, offer_id: values.offer_id, staff_id: call.staff.id }, judged, call.staff)
    await touch(tx, marketApply, { status: waiting, submitted_by: call.staff.id }, record.id)
    return { id: record.id, ...kept }
  }, { action: 'request' })),
  handle(readList, async (call) => {
    const row = await requestOf(call.db, call.staff, idParam(call))
    const open = row.status === draft || row.status === waiting
    const { judged } = await judgeNamed(call.db, row)
    return {
      rows: shownRows(judged, call.staff), counts: countsOf(judged), quota: await readQuota(call.db, row.staff_id) ?? null, problems: open ? await marketEffect.problems(call.db, row) : [],
    }
  }),
  handle(replaceList, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, marketApply, call.staff, idParam(call))
    await checkRev(tx, row, call.input.rev, (stale) => present(marketApply, call.staff, stale))
    checkPolicy(marketApply, call.staff, row, 'edit')
    const request = { id: row.id, offer_id: Number(row['offer_id']), staff_id: Number(row['staff_id']) }
    const judged = await judgePasted(tx, call.input.lines, { offerId: request.offer_id, applyId: row.id, staff: call.staff })
    await touch(tx, marketUser, { deleted_at: sql`now()` }, sql`t.apply_id = ${row.id} and t.state = ${OPENING.named} and t.deleted_at is null`)
    const kept = await keepList(tx, request, judged, call.staff)
    // Whoever looked at the list before does not approve another one.
    await touch(tx, marketApply, row['status'] === waiting ? { submitted_by: call.staff.id } : {}, row.id)
    return kept
  }, { action: 'set_people' })),
  handle(recallMarket, (call) => call.transaction(async (tx) => {
    const { ids } = await reachActive(tx, call.staff, marketUser, call.input.ids)
    const recalled = await recallOpenings(tx, call.staff, ids, call.input.reason)
    if (recalled === 0) throw badRequest('选中的用户刚被收回，请刷新')
    return { recalled }
  }, { action: 'recall', reason: call.input.reason })),
]
