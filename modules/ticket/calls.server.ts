import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { anyOrders } from '../order/door.server.ts'
import { practiceFacts, reportOfLearner } from '../practice/door.server.ts'
import { screens } from '../screens.ts'
import { appUser } from '../user/module.ts'
import { cannedReplies, dropCanned, keepCanned, mergeTicket, openTicket, QUEUES, rateTicket, replyTicket, ticketQueue, ticketQueues, ticketThread, userSays, userThread, type CannedReply, type QueueItem, type QueueName, type TicketMessage, type TicketThread } from './calls.ts'
import { LIVING, TICKET_STATE } from './sla.ts'
import { answer, holdTicket, mergeInto, open, userSaid } from './thread.server.ts'
import { tickets } from './ticket.server.ts'
import { ticket, TICKET_KIND } from './ticket.ts'

const MOST_MESSAGES = 500
const MOST_QUEUED = 100
const LIVING_STATES = LIVING.map(String)

/** The list's filters of each queue. */
const queueQuery = (name: QueueName, staffId: number) => ({ state: LIVING_STATES, ...(name === 'mine' ? { assignee_id: String(staffId) } : { queue: name }) })

/** The person who wrote, masked as everywhere. */
async function writer(call: Pick<Call, 'db' | 'staff'>, id: number): Promise<TicketThread['user']> {
  const [user] = await call.db.query<Omit<TicketThread['user'], 'tickets'> & Record<string, unknown>>(sql`select id, user_no, nickname as name, mobile, grade, school, extract(epoch from register_at)::float8 as register_at, extract(epoch from last_login_at)::float8 as last_login_at from app_user where id = ${id}`)
  if (!user) throw notFound(appUser.label)
  const own = await call.db.query<{ id: number; title: string; state: number; at: number }>(sql`select id, title, state, extract(epoch from created_at)::float8 as at from ticket where user_id = ${id} and deleted_at is null order by id desc limit 10`)
  return { ...user, name: shownName(appUser, call.staff, user.name), mobile: maskMobile(user.mobile), tickets: own }
}

const pathOf = (screen: number) => screens.find(({ id }) => id === screen)?.path ?? '/'

/** Everything beside one ticket. */
async function threadOf(kernel: Kernel, call: Call, id: number): Promise<TicketThread> {
  const row = await readOne(call.db, ticket, call.staff, id, tickets.rules.computed ?? {})
  if (!row) throw notFound(ticket.label)
  const { user_id, practice_id } = row
  const [items, user, orders, facts, merged] = [
    await call.db.query<TicketMessage & Record<string, unknown>>(sql`select * from (select m.id, extract(epoch from m.at)::float8 as at, m.side, m.staff_id, s.name as staff_name, m.body from ticket_message m left join staff s on s.id = m.staff_id where m.ticket_id = ${id} order by m.id desc limit ${MOST_MESSAGES}) x order by id`),
    await writer(call, user_id),
    await anyOrders(kernel, call.db, call.staff, sql`user_id = ${user_id}`, 5),
    practice_id === null ? [] : await practiceFacts(call.db, [practice_id]),
    await call.db.query<{ id: number; title: string; user: string }>(sql`select t.id, t.title, u.nickname as user from ticket t join app_user u on u.id = t.user_id where t.merged_into_id = ${id} and t.deleted_at is null order by t.id`),
  ]
  const [practice] = facts
  const [known] = practice_id === null ? [] : await call.db.query<{ no: string }>(sql`select no from practice where id = ${practice_id}`)
  return {
    row: showRow(ticket, call.staff, row) as TicketThread['row'], items, user,
    orders: orders.map(({ screen, goods, ...order }) => ({ id: order.id, order_no: order.order_no, goods: goods ?? '', amount: order.amount, status: order.status, at: order.at, to: `${pathOf(screen)}?open=${order.id}` })),
    practice: practice && known && practice_id !== null ? { id: practice_id, no: known.no, to: practice.path, words: practice.name } : null,
    merged: merged.map((one) => ({ ...one, user: shownName(appUser, call.staff, one.user) })),
  }
}

/** A ticket of a learner, locked. @throws notFound */
async function ofUser(tx: Queryable, id: number, userId: number) {
  const row = await holdTicket(tx, id)
  if (!row || row.user_id !== userId) throw notFound(ticket.label)
  return row
}

/** The calls of tickets beside those of their list. */
export const ticketCalls = (kernel: Kernel): Served[] => [
  handle(ticketThread, (call) => threadOf(kernel, call, idParam(call))),
  handle(ticketQueues, async ({ db, staff }) => {
    const counts = await Promise.all(QUEUES.map(async (name) => [name, (await db.query<{ n: number }>(sql`select count(*)::int as n from ticket where ${listCondition(ticket, staff, queueQuery(name, staff.id))}`))[0]?.n ?? 0] as const))
    return { counts: Object.fromEntries(counts) as Record<QueueName, number> }
  }),
  handle(ticketQueue, async ({ db, staff, input: { queue } }) => {
    const rows = await db.query<QueueItem & Record<string, unknown>>(sql`select t.id, t.title, t.state, t.priority, t.kind, extract(epoch from t.due_at)::float8 as due_at, t.asked_at is not null as asked, s.name as assignee_name
      from (select * from ticket where ${listCondition(ticket, staff, queueQuery(queue, staff.id))}) t left join staff s on s.id = t.assignee_id order by t.due_at nulls last, t.id limit ${MOST_QUEUED}`)
    return { items: rows, total: rows.length }
  }),
  handle(replyTicket, (call) => call.transaction(async (tx) => {
    const { id } = await lockRow(tx, ticket, call.staff, idParam(call))
    const row = await holdTicket(tx, id)
    if (!row) throw notFound(ticket.label)
    return answer(tx, row, call.staff, call.input)
  }, { action: call.input.note ? 'note' : 'reply' })),
  handle(mergeTicket, (call) => call.transaction(async (tx) => {
    const [first, second] = [idParam(call), call.input.into_id].toSorted((a, b) => a - b)
    // Two who merge the same pair each way wait for each other.
    for (const id of new Set([first ?? 0, second ?? 0])) await lockRow(tx, ticket, call.staff, id)
    const [from, into] = [await holdTicket(tx, idParam(call)), await holdTicket(tx, call.input.into_id)]
    if (!from || !into) throw notFound(ticket.label)
    await mergeInto(tx, from, into, call.staff)
    return { into_id: into.id }
  }, { action: 'merge' })),
  handle(cannedReplies, async ({ db }) => {
    const items = await db.query<CannedReply & Record<string, unknown>>(sql`select id, code, body, used_n from canned_reply order by code limit 200`)
    return { items, total: items.length }
  }),
  handle(keepCanned, (call) => call.transaction(async (tx) => {
    const [kept] = await tx.query<{ id: number }>(sql`insert into canned_reply (code, body) values (${call.input.code}, ${call.input.body}) on conflict (code) do update set body = excluded.body returning id`)
    return { id: kept?.id ?? 0 }
  })),
  handle(dropCanned, (call) => call.transaction(async (tx) => {
    const [gone] = await tx.query(sql`delete from canned_reply where id = ${idParam(call)} returning id`)
    if (!gone) throw notFound('常用回复')
    return {}
  })),
  // Learners' apps.
  handle(openTicket, (call) => call.transaction(async (tx) => {
    const { user_id, kind, practice_id, content } = call.input
    const [user] = await tx.query(sql`select 1 from app_user where id = ${user_id} and deleted_at is null and status <> 4`)
    if (!user) throw notFound(appUser.label)
    const id = await open(tx, call.input)
    if (kind === TICKET_KIND.practice && practice_id !== undefined) await reportOfLearner(tx, practice_id, { content: content.slice(0, 500), user_id, staffId: null })
    return { id }
  }, { action: 'create' })),
  handle(userThread, async ({ db, params, input }) => {
    const [row] = await db.query<{ id: number; state: number; nickname: string }>(sql`select t.id, t.state, u.nickname from ticket t join app_user u on u.id = t.user_id where t.id = ${idParam({ params })} and t.user_id = ${input.user_id} and t.deleted_at is null`)
    if (!row) throw notFound(ticket.label)
    const items = await db.query<{ id: number; at: number; side: 'user' | 'staff'; body: string }>(sql`select id, extract(epoch from at)::float8 as at, side, body from ticket_message where ticket_id = ${row.id} and side in ('user', 'staff') order by id`)
    // A name is put in where its owner reads it, and nowhere else.
    return { state: row.state, items: items.map((one) => ({ ...one, body: one.side === 'staff' ? one.body.replaceAll('{昵称}', row.nickname) : one.body })) }
  }),
  handle(userSays, (call) => call.transaction(async (tx) => {
    const row = await ofUser(tx, idParam(call), call.input.user_id)
    // What was merged goes on where it was merged to.
    const into = row.merged_into_id === null ? row : await holdTicket(tx, row.merged_into_id) ?? row
    return userSaid(tx, into, call.input.body, call.input.client_key)
  }, { action: 'user_say' })),
  handle(rateTicket, (call) => call.transaction(async (tx) => {
    const row = await ofUser(tx, idParam(call), call.input.user_id)
    if (row.state !== TICKET_STATE.solved && row.state !== TICKET_STATE.closed) throw badRequest('问题解决后才能评价')
    await setDerived(tx, ticket, { satisfaction: call.input.stars as 1 }, row.id)
    return {}
  }, { action: 'rate' })),
]
