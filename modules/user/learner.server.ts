import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { JobDefinition } from '../../core/job/define.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { keepOwnUndo } from '../../core/resource/keep-undo.server.ts'
import { serve, type OwnBack, type ResourceService } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { ENTITLEMENT_COMPUTED } from './entitlement.server.ts'
import { ENTITLEMENT_SOURCES, ENTITLEMENT_STATES, ENTITLEMENT_STATUS, entitlement } from './entitlement.ts'
import { userOfMobile } from './find-user.server.ts'
import { endInTurn, extendInTurn, holdLearners, shortenInTurn } from './in-turn.server.ts'
import { learnerEndpoints, UNDO_SECONDS, type Opening, type OpenPreview, type Origin } from './learner-calls.ts'
import { judgeLines, openJob, openKind, readMobiles, refsOfOpening, type OpenJob, type OpenResult, type PlanOpening } from './learner-open.server.ts'
import type { LearnerLine, LearnerResource } from './learner.ts'
import { appUser, USER_STATUS } from './user.ts'

/** Says what opened something, from the id in its reference; undefined when that is gone. */
export type OriginReader = (db: Queryable, id: number) => Promise<Pick<Origin, 'title' | 'path' | 'at' | 'staff_name'> | undefined>

/** What the owner of a line hands over for its learners. */
export interface LearnerParts {
  readonly plan: PlanOpening
  /** By the first word of a reference: `order_item`, `activation_code`. Openings by staff are known here. */
  readonly origins: Readonly<Record<string, OriginReader>>
  /** Computed fields of the line's own; `t` is the entitlement. */
  readonly computed?: Readonly<Record<string, SQL>> | undefined
}

/** The learners of a line as its module serves them. */
export interface ServedLearners {
  readonly services: readonly ResourceService[]
  calls(kernel: Kernel): Served[]
  readonly jobs: readonly JobDefinition[]
}

const NOW = sql`now()`
const SELF = sql`entitlement`
const ON = sql`${SELF}.status = ${sql.raw(String(ENTITLEMENT_STATUS.active))}`
const due = (days: number) => sql`${ON} and ${SELF}.expire_at > ${NOW} and ${SELF}.expire_at <= ${NOW} + make_interval(days => ${sql.raw(String(days))})`

/** What the groups mean by which learners are narrowed. */
const SEGMENTS = {
  phase: {
    running: sql`${ON} and ${SELF}.start_at <= ${NOW} and ${SELF}.expire_at > ${NOW}`,
    coming: sql`${ON} and ${SELF}.start_at > ${NOW}`,
    over: sql`${SELF}.expire_at <= ${NOW}`,
  },
  due: { 7: due(7), 30: due(30) },
}

/** Openings by staff that stand in the list of those that can be taken back. */
const SHOWN_OPENINGS = 20

interface JobRow {
  id: number
  input: OpenJob
  result: OpenResult | null
  staff_name: string | null
  finished_at: number
  undone: boolean
}

/** Finished openings of a line that can still be taken back, the newest first. */
async function readOpenings(db: Queryable, resource: LearnerResource, id?: number): Promise<JobRow[]> {
  const rows = await db.query<Omit<JobRow, 'undone'> & Record<string, unknown>>(sql`select j.id, j.input, j.result, s.name as staff_name, extract(epoch from j.finished_at)::float8 as finished_at
    from job j left join staff s on s.id = j.staff_id where j.kind = ${openKind(resource)} and j.status = 'done' and j.finished_at > now() - make_interval(secs => ${UNDO_SECONDS})
      ${id === undefined ? sql`` : sql`and j.id = ${id}`} order by j.id desc limit ${sql.raw(String(SHOWN_OPENINGS))}`)
  return Promise.all(rows.map(async (row) => {
    const refs = refsOfOpening(row.id, row.input.mobiles.length, row.result?.offers ?? [])
    const [standing] = await db.query(sql`select 1 from entitlement where source = ${row.input.source} and ref = any(${sql.param(refs)}::text[]) and deleted_at is null limit 1`)
    return { ...row, undone: standing === undefined }
  }))
}

/** The opening by staff that a reference names. */
const readOpen: OriginReader = async (db, id) => {
  const [row] = await db.query<{ at: number; staff_name: string | null; reason: string | null }>(sql`select extract(epoch from j.created_at)::float8 as at, s.name as staff_name, j.input->>'reason' as reason
    from job j left join staff s on s.id = j.staff_id where j.id = ${id}`)
  return row && { title: row.reason ? `批量开通：${row.reason}` : '批量开通', path: null, at: Math.floor(row.at), staff_name: row.staff_name }
}

const shared: Record<string, OriginReader> = { open: readOpen }

/** Tells of openings that may belong to any line what opened something, by the first word of their references. */
export function addOrigin(kind: string, read: OriginReader): void {
  shared[kind] = read
}

/** Takes the time back that somebody was given; what follows it moves with its end. */
const extendBack = (resource: LearnerResource): OwnBack => ({
  grant: () => resource.rights.id('open'),
  async run({ tx, id, values, lock }) {
    const read = () => tx.query<{ user_id: number; expire_at: number }>(sql`select user_id, expire_at from entitlement where id = ${id}`)
    await holdLearners(tx, (await read()).map(({ user_id }) => user_id))
    await lock()
    await endInTurn(tx, (await read()).map(({ expire_at }) => ({ id, end: expire_at - Number(values['by']), follows: true })))
  },
})

/**
 * Serves the learners of a line.
 * @param line the row that the definition was made from
 */
export function serveLearners(line: LearnerLine, resource: LearnerResource, { plan, origins, computed: own }: LearnerParts): ServedLearners {
  const computed = { ...ENTITLEMENT_COMPUTED, ...own }
  const endpoints = learnerEndpoints(resource)
  const show = async (call: { db: Queryable; staff: Call['staff'] }, id: number) => {
    const row = await readOne(call.db, resource, call.staff, id, computed)
    if (!row) throw notFound(resource.label)
    return row
  }
  const calls = ({ jobs }: Pick<Kernel, 'jobs'>): Served[] => [
    handle(endpoints.preview, async (call): Promise<OpenPreview> => {
      const opens = await plan(call.db, call.staff, call.input.offer_id)
      const judged = await judgeLines(call.db, call.staff, line.code, opens, readMobiles(call.input.mobiles))
      const counts: OpenPreview['counts'] = { new: 0, known: 0, goes_on: 0, bad: 0 }
      for (const { state } of judged) counts[state] += 1
      return { rows: judged.map(({ user_id: _account, ...row }) => row), counts }
    }),
    handle(endpoints.open, (call) => call.transaction(async (tx) => {
      const { offer_id, mobiles, source, reason } = call.input
      const opens = await plan(tx, call.staff, offer_id)
      const judged = await judgeLines(tx, call.staff, line.code, opens, readMobiles(mobiles))
      if (judged.every(({ state }) => state === 'bad')) throw invalid({ mobiles: '没有可以开通的手机号，请检查预览' })
      const input: OpenJob = { offer_id, mobiles, source: source as OpenJob['source'], reason }
      return { job_id: await jobs.add(tx, call, { kind: openKind(resource), title: `开通${line.name}：${opens[0]?.product ?? ''}`, input }) }
    })),
    handle(endpoints.openings, async (call) => {
      const rows = await readOpenings(call.db, resource)
      const names = await call.db.query<{ id: number; name: string }>(sql`select distinct on (offer_id) offer_id as id, product as name from entitlement where line = ${line.code} and offer_id = any(${sql.param(rows.map(({ input }) => input.offer_id))}::bigint[]) order by offer_id, id desc`)
      return {
        items: rows.map(({ id, input, result, staff_name, finished_at, undone }): Opening => ({
          job_id: id, product: names.find((one) => one.id === input.offer_id)?.name ?? '', opened: result?.opened ?? 0, at: Math.floor(finished_at), staff_name, undo_until: Math.floor(finished_at) + UNDO_SECONDS, undone,
        })),
      }
    }),
    handle(endpoints.undo, (call) => call.transaction(async (tx) => {
      const [opening] = await readOpenings(tx, resource, idParam(call, 'job_id'))
      if (!opening) throw badRequest('只能撤销 24 小时内完成的开通')
      if (opening.undone) throw wrongState('撤销', '已撤销')
      const refs = refsOfOpening(opening.id, opening.input.mobiles.length, opening.result?.offers ?? [])
      return { closed: await shortenInTurn(tx, opening.input.source, refs, { undone: true }) }
    }, { action: 'undo_open', reason: call.input.reason })),
    handle(endpoints.extend, (call) => call.transaction(async (tx) => {
      const ids = [...new Set(call.input.ids)]
      const rows = await tx.query<{ id: number; status: number }>(sql`select id, status from entitlement where ${listCondition(resource, call.staff, {})} and id = any(${sql.param(ids)}::bigint[])`)
      if (rows.length < ids.length) throw notFound(resource.label)
      const odd = rows.find(({ status }) => status !== ENTITLEMENT_STATUS.active)
      if (odd) throw wrongState('延期', choiceLabel(ENTITLEMENT_STATES, odd.status))
      const more = await extendInTurn(tx, ids, call.input.days)
      const undo = await keepOwnUndo(tx, { resource, staff: call.staff, action: 'extend' }, 'extend', new Map([...more].map(([id, by]) => [id, { by }])))
      return { count: ids.length, ...(undo !== undefined && { undo }) }
    }, { action: 'extend', reason: call.input.reason })),
    handle(endpoints.rebind, (call) => call.transaction(async (tx) => {
      const { mobile, rev } = call.input
      const before = await show({ db: tx, staff: call.staff }, idParam(call))
      // The people before what they may use: whoever opens something locks them so.
      const user_id = await userOfMobile(tx, call.staff.id, { mobile, name: '学员' })
      await holdLearners(tx, [before.user_id, user_id])
      const row = await lockRow(tx, resource, call.staff, before.id)
      await checkRev(tx, row, rev, (stale) => present(resource, call.staff, stale))
      if (row.user_id === user_id) throw invalid({ mobile: '该手机号就是现在的用户' })
      if (row.status !== ENTITLEMENT_STATUS.active) throw wrongState('换绑', choiceLabel(ENTITLEMENT_STATES, row.status))
      const [target] = await tx.query<{ status: number }>(sql`select status from ${sql.identifier(appUser.table)} where id = ${user_id}`)
      if (target?.status === USER_STATUS.frozen) throw invalid({ mobile: '该手机号的账号已冻结，不能换绑' })
      await touch(tx, entitlement, { user_id }, row.id)
      return { user_id }
    }, { action: 'rebind', reason: call.input.reason })),
    handle(endpoints.origin, async (call): Promise<Origin> => {
      const row = await show(call, idParam(call))
      const [, kind = '', id = '0'] = /^(\w+) (\d+)/.exec(row.ref) ?? []
      const found = await (origins[kind] ?? shared[kind])?.(call.db, Number(id))
      const source = choiceLabel(ENTITLEMENT_SOURCES, row.source)
      return found ? { source, ...found } : { source, title: row.ref, path: null, at: row.created_at, staff_name: null }
    }),
  ]
  return { services: [serve(resource)({ computed, segments: SEGMENTS, backs: { extend: extendBack(resource) } })], calls, jobs: [openJob(resource, line.code, plan)] }
}
