import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { TicketMessage } from './calls.ts'
import { ticketMoved } from './live.ts'
import { clocksOf, LIVING, pausedAfter, PRIORITY, TICKET_STATE, TICKET_STATES } from './sla.ts'
import { REOPEN_DAYS, ticket, TITLE_LENGTH } from './ticket.ts'
import { workingBetween } from './work-time.ts'

const S = TICKET_STATE
const DAY = 86_400

/** A ticket as far as its clocks and its thread need it. Moments in unix seconds. */
export interface Held extends Record<string, unknown> {
  id: number
  user_id: number
  title: string
  state: number
  priority: number
  assignee_id: number | null
  created_at: number
  first_at: number | null
  asked_at: number | null
  paused_at: number | null
  paused_min: number
  solved_at: number | null
  merged_into_id: number | null
}

const seconds = (key: string) => sql`extract(epoch from ${sql.identifier(key)})::float8 as ${sql.identifier(key)}`

/** Locks a ticket whoever's it is; the caller has checked that. */
export async function holdTicket(tx: Queryable, id: number): Promise<Held | undefined> {
  const [row] = await tx.query<Held>(sql`select id, user_id, title, state, priority, assignee_id, ${seconds('created_at')}, ${seconds('first_at')}, ${seconds('asked_at')}, ${seconds('paused_at')}, coalesce(paused_min, 0)::int as paused_min, ${seconds('solved_at')}, merged_into_id
    from ticket where id = ${id} and deleted_at is null for no key update`)
  return row
}

/** The clocks of a ticket as it will be. */
export const clocks = (row: Pick<Held, 'created_at' | 'priority' | 'state' | 'first_at' | 'asked_at' | 'paused_min' | 'merged_into_id'>) => {
  const found = clocksOf({ ...row, merged: row.merged_into_id !== null })
  return Object.fromEntries(Object.entries(found).map(([key, at]) => [key, at === null ? null : Math.floor(at)])) as { [K in keyof typeof found]: number | null }
}

/** Adds to what was said. @returns the message's id; that of the first one when it was sent twice */
export async function say(tx: Queryable, id: number, side: TicketMessage['side'], body: string, { staffId = null, clientKey = null }: { staffId?: number | null; clientKey?: string | null } = {}): Promise<number> {
  const [message] = await tx.query<{ id: number }>(sql`insert into ticket_message (ticket_id, side, staff_id, body, client_key) values (${id}, ${side}, ${staffId}::bigint, ${body}, ${clientKey}::text)
    on conflict (ticket_id, client_key) where client_key is not null do nothing returning id`)
  await publishRecords(tx, 'all', ticketMoved, [id])
  if (message) return message.id
  const [known] = await tx.query<{ id: number }>(sql`select id from ticket_message where ticket_id = ${id} and client_key = ${clientKey}`)
  return known?.id ?? 0
}

/** What follows when a ticket comes to another state: pauses are added up, its clocks run or stop. */
export function moved(row: Held, to: number, now: number): Partial<Held> & Record<string, unknown> {
  const paused_min = row.state === S.user && to !== S.user ? pausedAfter(row.paused_min, row.paused_at, now) : row.state === S.solved && to === S.doing && row.solved_at !== null ? row.paused_min + workingBetween(row.solved_at, now) : row.paused_min
  const next = {
    paused_min, paused_at: to === S.user ? Math.floor(row.paused_at ?? now) : null, solved_at: to === S.solved ? Math.floor(now) : to === S.closed ? row.solved_at : null, asked_at: to === S.user || to === S.solved ? null : row.asked_at,
  }
  return { ...next, ...clocks({ ...row, ...next, state: to }) }
}

/** Somebody answered or asked meanwhile: the draft stays, and what was said is shown. */
function refuseUnseen(news: readonly TicketMessage[]): void {
  const [first] = news
  if (!first) return
  throw new AppError('said_meanwhile', 409, `没有发出：${first.side === 'user' ? '用户' : first.staff_name ?? '同事'}刚刚说了新的内容，请看过后再发送`, { extra: { news } })
}

/** What others said after a message. */
export const saidAfter = (db: Queryable, id: number, seen: number, staffId: number): Promise<TicketMessage[]> => db.query<TicketMessage & Record<string, unknown>>(sql`select m.id, extract(epoch from m.at)::float8 as at, m.side, m.staff_id, s.name as staff_name, m.body
  from ticket_message m left join staff s on s.id = m.staff_id where m.ticket_id = ${id} and m.id > ${seen} and m.side in ('user', 'staff') and m.staff_id is distinct from ${staffId}::bigint order by m.id`)

export interface Reply { readonly body: string; readonly note: boolean; readonly seen_id: number; readonly next: 'stay' | 'wait' | 'solve'; readonly client_key: string }

/** Answers a locked ticket, and those who reported the same with it. @returns the message and the state afterwards */
export async function answer(tx: Queryable, row: Held, staff: { readonly id: number }, { body, note, seen_id, next, client_key }: Reply): Promise<{ id: number; state: number }> {
  const [sent] = await tx.query<{ id: number }>(sql`select id from ticket_message where ticket_id = ${row.id} and client_key = ${client_key}`)
  if (sent) return { id: sent.id, state: row.state }
  if (row.merged_into_id !== null) throw badRequest('该反馈已合并到另一条，请在那里回复')
  if (note) return { id: await say(tx, row.id, 'note', body, { staffId: staff.id, clientKey: client_key }), state: row.state }
  if (!LIVING.includes(row.state)) throw wrongState('回复', choiceLabel(TICKET_STATES, row.state))
  refuseUnseen(await saidAfter(tx, row.id, seen_id, staff.id))
  const now = Math.floor(Date.now() / 1000)
  const id = await say(tx, row.id, 'staff', body, { staffId: staff.id, clientKey: client_key })
  const state = next === 'solve' ? S.solved : next === 'wait' ? S.user : row.state === S.waiting ? S.doing : row.state
  const answered: Held = { ...row, first_at: row.first_at ?? now, asked_at: null }
  await setDerived(tx, ticket, { first_at: Math.floor(answered.first_at ?? now), ...moved(answered, state, now) } as object, row.id)
  if (state !== row.state || row.assignee_id === null) await touch(tx, ticket, { state: state as 1, assignee_id: row.assignee_id ?? staff.id }, row.id)
  for (const { id: other } of await tx.query<{ id: number }>(sql`select id from ticket where merged_into_id = ${row.id} and deleted_at is null`)) await say(tx, other, 'staff', body, { staffId: staff.id })
  return { id, state }
}

/** Lets one ticket take in another: both are told, and answers go to both from then on. */
export async function mergeInto(tx: Queryable, from: Held, into: Held, staff: { readonly id: number }): Promise<void> {
  if (from.id === into.id) throw badRequest('请选择另一条反馈')
  if (into.merged_into_id !== null) throw badRequest('目标反馈已被合并，请选择它合并到的那一条')
  if (from.merged_into_id !== null) throw badRequest('该反馈已合并过')
  if (!LIVING.includes(into.state)) throw wrongState('合并到它', choiceLabel(TICKET_STATES, into.state))
  if (!LIVING.includes(from.state)) throw wrongState('合并', choiceLabel(TICKET_STATES, from.state))
  await touch(tx, ticket, { state: S.closed, merged_into_id: into.id }, from.id)
  await setDerived(tx, ticket, { ...moved({ ...from, merged_into_id: into.id }, S.closed, Math.floor(Date.now() / 1000)) } as object, from.id)
  // What had been merged into it before goes along.
  await touch(tx, ticket, { merged_into_id: into.id }, sql`t.merged_into_id = ${from.id} and t.deleted_at is null`)
  await say(tx, from.id, 'system', `已合并到反馈 #${into.id}「${into.title}」，后续回复会同时发给该用户`, { staffId: staff.id })
  await say(tx, into.id, 'system', `反馈 #${from.id}「${from.title}」合并到这里`, { staffId: staff.id })
}

/** What names a ticket: the beginning of what was written. */
export const titleOf = (content: string): string => content.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH)

export interface Opening { readonly user_id: number; readonly kind: number; readonly content: string; readonly practice_id?: number | undefined; readonly device?: string | undefined; readonly app_version?: string | undefined; readonly linked_id?: number }

/** Opens a ticket in a user's name. @returns its id */
export async function open(tx: Queryable, { content, ...values }: Opening): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const first = { created_at: now, priority: PRIORITY.normal, state: S.waiting, first_at: null, asked_at: now, paused_min: 0, merged_into_id: null }
  const [id = 0] = await insertMany(tx, ticket, [{ ...values, kind: values.kind as 1, title: titleOf(content), content, priority: PRIORITY.normal, state: S.waiting, asked_at: now, ...clocks(first) }])
  await publishRecords(tx, 'all', ticketMoved, [id])
  return id
}

/** What a user says more. What was solved within a week opens again; later it is a ticket of its own, linked with this one. */
export async function userSaid(tx: Queryable, row: Held, body: string, clientKey: string): Promise<{ ticket_id: number; message_id: number }> {
  const [sent] = await tx.query<{ id: number; ticket_id: number }>(sql`select id, ticket_id from ticket_message where client_key = ${clientKey} and ticket_id in (select id from ticket where id = ${row.id} or linked_id = ${row.id})`)
  if (sent) return { ticket_id: sent.ticket_id, message_id: sent.id }
  const now = Math.floor(Date.now() / 1000)
  const recent = row.state === S.solved && row.solved_at !== null && now - row.solved_at <= REOPEN_DAYS * DAY
  if (!LIVING.includes(row.state) && !recent) {
    const [of] = await tx.query<{ kind: number }>(sql`select kind from ticket where id = ${row.id}`)
    const id = await open(tx, { user_id: row.user_id, kind: of?.kind ?? 1, content: body, linked_id: row.id })
    return { ticket_id: id, message_id: await say(tx, id, 'user', body, { clientKey }) }
  }
  const message_id = await say(tx, row.id, 'user', body, { clientKey })
  const state = row.state === S.waiting ? S.waiting : S.doing
  const asked: Held = { ...row, asked_at: row.asked_at ?? now }
  await setDerived(tx, ticket, { ...moved(asked, state, now), asked_at: Math.floor(asked.asked_at ?? now) } as object, row.id)
  if (state !== row.state) await touch(tx, ticket, { state: state as 1 }, row.id)
  return { ticket_id: row.id, message_id }
}
