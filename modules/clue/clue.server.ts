import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { startOfDay } from '../../core/field/time.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { publishLive } from '../../core/live/live.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { keepOwnUndo } from '../../core/resource/keep-undo.server.ts'
import { serve, type OwnBack } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { OrderRow } from '../order/door.server.ts'
import { assignClues, claimClue, clueBoard, clueStory, followClue, releaseClue, type BoardColumn, type ClueCard, type ClueStory } from './calls.ts'
import { clue, CLUE_PATH } from './clue.ts'
import { checkHolder, giveClue, holdClue, type HeldClue } from './owner.server.ts'
import { lengthened, LIVING, protection, SAME_DAYS, STAGE, STAGES } from './stage.ts'

const S = STAGE
const DAY = 86_400
const living = sql.raw(`(${LIVING.join(', ')})`)
/** Cards that a column of the board shows; the list shows the others. */
const MOST_CARDS = 50

const lastWords = (id: ReturnType<typeof sql>) => sql`select f.body from clue_follow f where f.clue_id = ${id} order by f.id desc limit 1`
const COMPUTED = { follow_cnt: sql`select count(*)::int from clue_follow f where f.clue_id = t.id`, last_words: lastWords(sql`t.id`) }

/** Refuses a number that is somebody's clue already; two at the same time wait for each other. */
async function refuseSecond(tx: Queryable, mobile: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`clue ${mobile}`}))`)
  const [other] = await tx.query<{ stage: number; owner: string | null; order_no: string | null }>(sql`select c.stage, s.name as owner, c.order_no from clue c left join staff s on s.id = c.owner_id where c.mobile = ${mobile} and c.deleted_at is null
    and (c.stage in ${living} or c.created_at > now() - make_interval(days => ${SAME_DAYS})) order by c.id desc limit 1`)
  if (!other) return
  throw invalid({ mobile: other.stage === S.enrolled ? `该手机号已报名（订单 ${other.order_no ?? ''}，归属 ${other.owner ?? '无'}）` : `该手机号已有线索（归属 ${other.owner ?? '公海'}，${choiceLabel(STAGES, other.stage)}）` })
}

/** Gives a clue that was assigned back to whom it was taken from, or to the pool. */
const assignBack: OwnBack = {
  grant: () => clue.rights.id('assign'),
  async run({ tx, id, values, lock }) {
    await lock()
    const row = await holdClue(tx, id)
    const owner = values['owner_id'] === null ? null : Number(values['owner_id'])
    if (row) await giveClue(tx, row, owner, owner === null ? 'release' : 'assign', '撤销分配')
  },
}

export const clues = serve(clue)({
  backs: { assign: assignBack },
  computed: COMPUTED,
  segments: {
    view: {
      today: sql`clue.stage in ${living} and clue.next_follow_at < (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day') at time zone 'Asia/Shanghai'`,
      pool: sql`clue.owner_id is null and clue.stage in ${living}`,
      silent: sql`clue.last_follow_at is null and clue.stage in ${living}`,
      falling: sql`clue.owner_id is not null and clue.stage in ${living} and clue.protect_until < now() + interval '2 days'`,
    },
  },
  async before({ tx, staff, values, row }) {
    if (row) return
    await refuseSecond(tx, String(values.mobile))
    await checkHolder(tx, staff.id, 'own')
    Object.assign(values, { owner_id: staff.id, ...protection(Math.floor(Date.now() / 1000)) })
  },
  // What comes by a sheet lies in the pool: nobody gets a thousand clues at once.
  async beforeImport({ tx, rows }) {
    const fresh = rows.filter(({ row }) => !row)
    const known = await tx.query<{ mobile: string; owner: string | null; stage: number }>(sql`select distinct on (c.mobile) c.mobile, s.name as owner, c.stage from clue c left join staff s on s.id = c.owner_id where c.mobile = any(${sql.param(fresh.map(({ values }) => String(values.mobile)))}::text[]) and c.deleted_at is null
      and (c.stage in ${living} or c.created_at > now() - make_interval(days => ${SAME_DAYS})) order by c.mobile, c.id desc`)
    const taken = new Map(known.map((one) => [one.mobile, one]))
    for (const { values, refuse } of fresh) {
      const other = taken.get(String(values.mobile))
      if (other) refuse(`该手机号已有线索（归属 ${other.owner ?? '公海'}，${choiceLabel(STAGES, other.stage)}）`)
      values['pooled_at'] = Math.floor(Date.now() / 1000)
    }
  },
  async after({ tx, row, saved }) {
    if (!row && saved.owner_id != null) await tx.query(sql`insert into clue_owner_log (clue_id, staff_id, cause) values (${saved.id}, ${saved.owner_id}, 'own')`)
  },
  effects: {
    async void({ tx, row, reason }) {
      await setDerived(tx, clue, { lost_reason: reason ?? null }, row.id)
    },
  },
})

/** A paid order of the camp wins the clue of its buyer; money that all goes back loses it again. */
export async function watchOrder(tx: Queryable, line: string, before: OrderRow, after: OrderRow): Promise<void> {
  if (after.line !== line || after.buyer_mobile === null) return
  const [paid, was] = [after.paid > after.refunded, before.paid > before.refunded]
  if (paid && !was) {
    const [won] = await tx.query<{ id: number }>(sql`select id from clue where mobile = ${after.buyer_mobile} and stage in ${living} and deleted_at is null order by id desc limit 1 for no key update`)
    if (won) await touch(tx, clue, { stage: S.enrolled, order_no: after.order_no, next_follow_at: null }, won.id)
  } else if (!paid && was) await touch(tx, clue, { stage: S.tried, order_no: null }, sql`t.order_no = ${after.order_no} and t.stage = ${S.enrolled} and t.deleted_at is null`)
}

/** A clue of the person's scope, locked. @throws notFound */
async function held(tx: Queryable, staff: Parameters<typeof lockRow>[2], id: number): Promise<HeldClue> {
  await lockRow(tx, clue, staff, id)
  const row = await holdClue(tx, id)
  if (!row) throw notFound(clue.label)
  return row
}

/** The calls of clues beside those of their list. */
export const clueCalls = (): Served[] => [
  handle(clueStory, async (call) => {
    const row = await readOne(call.db, clue, call.staff, idParam(call), COMPUTED)
    if (!row) throw notFound(clue.label)
    return {
      follows: await call.db.query<ClueStory['follows'][number] & Record<string, unknown>>(sql`select f.id, extract(epoch from f.at)::float8 as at, s.name as staff_name, f.way, f.body from clue_follow f left join staff s on s.id = f.staff_id where f.clue_id = ${row.id} order by f.id desc limit 200`),
      owners: await call.db.query<ClueStory['owners'][number] & Record<string, unknown>>(sql`select l.id, s.name as staff_name, extract(epoch from l.from_at)::float8 as from_at, extract(epoch from l.to_at)::float8 as to_at, l.cause, l.note from clue_owner_log l join staff s on s.id = l.staff_id where l.clue_id = ${row.id} order by l.id desc limit 100`),
    }
  }),
  handle(clueBoard, async ({ db, staff, input: { mine } }) => {
    const own = mine === '1' ? { owner_id: String(staff.id) } : {}
    const columns: BoardColumn[] = []
    for (const { value: stage } of STAGES.filter((one) => one.value !== S.void)) {
      const condition = listCondition(clue, staff, { stage: String(stage), ...own })
      const [counted] = await db.query<{ n: number }>(sql`select count(*)::int as n from clue where ${condition}`)
      const rows = await db.query<ClueCard & Record<string, unknown>>(sql`select t.id, t.name, t.grade, t.intent, t.stage, s.name as owner_name, extract(epoch from t.next_follow_at)::float8 as next_follow_at, extract(epoch from t.protect_until)::float8 as protect_until, (${lastWords(sql`t.id`)}) as last_words, t.rev
        from (select * from clue where ${condition} order by next_follow_at nulls last, id desc limit ${MOST_CARDS}) t left join staff s on s.id = t.owner_id order by t.next_follow_at nulls last, t.id desc`)
      columns.push({ stage, total: counted?.n ?? 0, items: rows })
    }
    return { columns }
  }),
  handle(followClue, (call) => call.transaction(async (tx) => {
    const row = await held(tx, call.staff, idParam(call))
    if (!LIVING.includes(row.stage)) throw badRequest('线索已结束，不能再跟进')
    const { way, body, next_follow_at } = call.input
    const now = Math.floor(Date.now() / 1000)
    if (next_follow_at !== undefined && next_follow_at <= now) throw invalid({ next_follow_at: '下次跟进时间应晚于现在' })
    const [made] = await tx.query<{ id: number }>(sql`insert into clue_follow (clue_id, staff_id, way, body) values (${row.id}, ${call.staff.id}, ${way}, ${body}) returning id`)
    const protect_until = row.owner_id === call.staff.id && row.protect_until !== null && row.max_until !== null ? Math.floor(lengthened(row.protect_until, row.max_until, now)) : row.protect_until
    await touch(tx, clue, { last_follow_at: now, next_follow_at: next_follow_at ?? null, protect_until, ...(row.stage === S.fresh && { stage: S.spoken }) }, row.id)
    return { id: made?.id ?? 0, protect_until }
  }, { action: 'follow' })),
  handle(claimClue, (call) => call.transaction(async (tx) => {
    const until = await giveClue(tx, await held(tx, call.staff, idParam(call)), call.staff.id, 'claim')
    return { protect_until: until?.protect_until ?? 0 }
  }, { action: 'claim' })),
  handle(releaseClue, (call) => call.transaction(async (tx) => {
    const row = await held(tx, call.staff, idParam(call))
    if (row.owner_id !== call.staff.id) throw badRequest(row.owner_id === null ? '线索已在公海' : '只能放回自己的线索，请联系主管转移')
    await giveClue(tx, row, null, 'release', call.input.reason)
    return {}
  }, { action: 'release', reason: call.input.reason })),
  handle(assignClues, (call) => call.transaction(async (tx) => {
    const { ids, owner_id, reason } = call.input
    const left_alone: { id: number; why: string }[] = []
    const given = new Map<number, { owner_id: number | null }>()
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      const row = await held(tx, call.staff, id)
      if (row.owner_id === owner_id) { left_alone.push({ id, why: '已归属该顾问' }); continue }
      try {
        await giveClue(tx, row, owner_id, 'assign', reason)
        given.set(id, { owner_id: row.owner_id })
      } catch (error) {
        // Nothing was written for one that is over; whoever cannot have more stops all of them.
        if (!(error instanceof AppError) || LIVING.includes(row.stage)) throw error
        left_alone.push({ id, why: error.message })
      }
    }
    const assigned = given.size
    if (assigned > 0 && owner_id !== call.staff.id) await publishLive(tx, owner_id, { type: 'notice', title: `有 ${assigned} 条线索分配给您`, to: `${CLUE_PATH}?owner_id=${owner_id}` })
    const undo = await keepOwnUndo(tx, { resource: clue, staff: call.staff, action: 'assign' }, 'assign', given)
    return { assigned, left_alone, ...(undo !== undefined && { undo }) }
  }, { action: 'assign', reason: call.input.reason })),
]

export const clueWaiting = [
  listWaiting(clue, {
    name: 'clue_today', title: '今日待跟进的线索', group: 'act', verb: '跟进', path: CLUE_PATH, query: ({ staff, now }) => ({ owner_id: String(staff.id), stage: LIVING.map(String), next_follow_at_end: String(startOfDay(now) + DAY - 1) }),
    grant: clue.actions.edit ?? clue.grant, due: { at: 'next_follow_at' }, notes: ['intent', 'grade'],
  }),
]

/** What is known of somebody as a clue, in the view that gathers everything about them. */
export const clueOverview: OverviewSection = {
  name: 'clue', title: '线索', grant: clue.grant,
  async load(db, _staff, { mobile }) {
    const rows = await db.query<{ id: number; stage: number; owner: string | null; at: number }>(sql`select c.id, c.stage, s.name as owner, extract(epoch from c.created_at)::float8 as at from clue c left join staff s on s.id = c.owner_id where c.mobile = ${mobile} and c.deleted_at is null order by c.id desc limit 20`)
    return { columns: [{ key: 'stage', title: '阶段', as: 'text' }, { key: 'owner', title: '顾问', as: 'text' }, { key: 'at', title: '录入时间', as: 'time' }], rows: rows.map((row) => ({ ...row, stage: choiceLabel(STAGES, row.stage) })), screen: CLUE_PATH }
  },
}

/** What is not followed up falls into the pool. */
export const clueSweep = (db: Database): Sweep => ({
  name: 'clue_pool', every: 600,
  async run() {
    const over = await db.query<{ id: number }>(sql`select id from clue where owner_id is not null and stage in ${living} and protect_until < now() and deleted_at is null order by id limit 500`)
    for (const { id } of over) {
      await db.transaction({ staff_id: null, action: 'fall' }, async (tx) => {
        const row = await holdClue(tx, id)
        // Somebody may have followed up just now.
        if (row?.owner_id && LIVING.includes(row.stage) && row.protect_until !== null && row.protect_until < Date.now() / 1000) await giveClue(tx, row, null, 'fall')
      })
    }
  },
})
