import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Sweep } from '../../../core/job/sweep.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { perMinuteOf, type RobotKind } from '../../../core/outgoing/robot.server.ts'
import type { Sent } from '../../../core/outgoing/sent.ts'
import type { RowType } from '../../../core/resource/define.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { setDerived, type Sets } from '../../../core/resource/touch.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { afterQuiet, nextTime } from '../../../core/subscription/when.ts'
import { MAIL } from './channel.ts'
import { sendBy, shownAddress, takesAddress, usableChannel } from './channel.server.ts'
import { compose, NothingToSend, type Claimed } from './compose.server.ts'
import { DELIVERY, messageDelivery } from './delivery.ts'

const D = DELIVERY

/** Seconds until the next attempt, by how many there have been; then it has failed. */
const BACKOFF = [60, 300, 900, 3600] as const
/** Seconds after which an attempt that nobody ended was broken off with its process. */
const BROKEN_AFTER = 600
/** Messages of one run of the sweep: the next one is a minute away. */
const MOST_AT_ONCE = 200
/** Days that the log of what was sent is kept. */
const KEPT_DAYS = 180

type Parts = Pick<Kernel, 'db' | 'registry' | 'waiting' | 'sessions' | 'config' | 'secrets' | 'outgoing' | 'mailDoor'>

interface Taken extends Omit<Claimed, 'kind'> { readonly kind: Claimed['kind'] | 'test' | 'code'; readonly channel_id: number; readonly once_key: string; readonly attempts: number; readonly email: string | null; readonly quiet_from: number | null; readonly quiet_to: number | null; readonly subscribed: boolean }

export const messageDeliveries = serve(messageDelivery)({
  effects: {
    async resend({ tx, row }) {
      await setDerived(tx, messageDelivery, { attempts: 0, error: null, next_at: sql`date_trunc('second', now())` }, row.id)
    },
  },
})

/** Makes a message wait for its turn, once for each key. */
async function enqueue(tx: Queryable, row: { title: string; kind: Claimed['kind']; channel_id: number; staff_id: number | null; target: string | null; once_key: string; subscription_id?: number; link?: string }, now: number): Promise<void> {
  const [known] = await tx.query(sql`select 1 from message_delivery where once_key = ${row.once_key} and deleted_at is null`)
  if (known) return
  await insertMany(tx, messageDelivery, [{ ...row, title: row.title.slice(0, 120), state: D.waiting, next_at: now }])
}

const SUBSCRIBED = sql`select s.id, s.staff_id, s.kind, s.channel_id, s.hour, s.weekdays, extract(epoch from s.next_at)::float8 as next_at, c.kind as channel_kind, c.name as channel_name, m.email, v.name as view_name
  from message_subscription s left join message_channel c on c.id = s.channel_id left join message_contact m on m.staff_id = s.staff_id and m.confirmed_at is not null left join saved_view v on v.id = s.view_id`

interface Subscribed { id: number; staff_id: number; kind: Claimed['kind']; channel_id: number; hour: number; weekdays: number[]; next_at: number | null; channel_kind: string | null; channel_name: string | null; email: string | null; view_name: string | null }

const targetOf = ({ channel_kind, channel_name, email }: Pick<Subscribed, 'channel_kind' | 'channel_name' | 'email'>) => (channel_kind === MAIL ? (email ? shownAddress(email) : null) : channel_name)

/** Makes a message of each subscription whose time has come, and says when it comes next; both or neither. */
async function takeDue({ db }: Pick<Parts, 'db'>, now: number): Promise<void> {
  const due = await db.query<{ id: number }>(sql`select id from message_subscription where next_at <= to_timestamp(${now}) order by next_at limit ${MOST_AT_ONCE}`)
  for (const { id } of due) {
    await db.transaction({ staff_id: null, silent: true }, async (tx) => {
      const [held] = await tx.query(sql`select 1 from message_subscription where id = ${id} and next_at <= to_timestamp(${now}) for no key update skip locked`)
      const [row] = held ? await tx.query<Subscribed & Record<string, unknown>>(sql`${SUBSCRIBED} where s.id = ${id}`) : []
      if (!row) return
      await tx.query(sql`update message_subscription set next_at = to_timestamp(${nextTime(now, row.hour, row.weekdays)}) where id = ${id}`)
      const title = row.kind === 'view' ? `视图「${row.view_name ?? '已删除'}」` : '待办汇总'
      await enqueue(tx, { title, kind: row.kind, channel_id: row.channel_id, staff_id: row.staff_id, target: targetOf(row), subscription_id: row.id, once_key: `subscription.${row.id}.${row.next_at}` }, now)
    })
  }
}

/**
 * Tells somebody of something outside of the console, where they asked for that, and the groups that get alerts. It leaves
 * after the transaction; once for each key.
 */
export async function tellOutside(tx: Queryable, { staffId, title, to, key }: { staffId: number; title: string; to: string; key: string }, now = Math.floor(Date.now() / 1000)): Promise<void> {
  for (const row of await tx.query<Subscribed & Record<string, unknown>>(sql`${SUBSCRIBED} where s.staff_id = ${staffId} and s.kind = 'alert'`)) {
    await enqueue(tx, { title, kind: 'alert', channel_id: row.channel_id, staff_id: staffId, target: targetOf(row), subscription_id: row.id, link: to, once_key: `alert.${key}.${row.id}` }, now)
  }
  for (const { id, name } of await tx.query<{ id: number; name: string }>(sql`select id, name from message_channel where alerts = 1 and kind <> ${MAIL} and status = 1 and deleted_at is null`)) {
    await enqueue(tx, { title, kind: 'alert', channel_id: id, staff_id: null, target: name, link: to, once_key: `alert.${key}.group.${id}` }, now)
  }
}

/** Takes the next message that is to be sent now, for this process alone. */
async function takeNext({ db }: Pick<Parts, 'db'>, now: number): Promise<Taken | undefined> {
  return db.transaction({ staff_id: null, silent: true }, async (tx) => {
    const [taken] = await setDerived(tx, messageDelivery, { state: D.sending, next_at: now, attempts: sql`t.attempts + 1` }, sql`t.id = (select id from message_delivery where state = ${D.waiting} and next_at <= to_timestamp(${now}) and deleted_at is null order by next_at, id limit 1 for no key update skip locked)`)
    if (!taken) return undefined
    const [row] = await tx.query<Taken & Record<string, unknown>>(sql`select d.id, d.kind, d.title, d.staff_id, d.link, d.channel_id, d.once_key, d.attempts::int as attempts, s.id is not null as subscribed, s.view_id, s.format, s.path, s.token, c.kind <> ${MAIL} as "group",
        m.email, case when c.kind = ${MAIL} then m.quiet_from else c.quiet_from end as quiet_from, case when c.kind = ${MAIL} then m.quiet_to else c.quiet_to end as quiet_to
      from message_delivery d join message_channel c on c.id = d.channel_id left join message_subscription s on s.id = d.subscription_id left join message_contact m on m.staff_id = d.staff_id and m.confirmed_at is not null where d.id = ${taken.id}`)
    return row
  })
}

const close = ({ db }: Pick<Parts, 'db'>, id: number, sets: Sets<RowType<typeof messageDelivery>>) =>
  db.transaction({ staff_id: null, silent: true }, (tx) => setDerived(tx, messageDelivery, sets, sql`t.id = ${id} and t.state = ${D.sending}`))

/** Puts a message off without counting it as an attempt. */
const putOff = (parts: Parts, { id, attempts }: Taken, until: number, words: string) => close(parts, id, { state: D.waiting, attempts: attempts - 1, next_at: until, error: words })

/** How many a robot sent within a minute. */
async function sentLately(db: Parts['db'], channelId: number, now: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from message_delivery where channel_id = ${channelId} and sent_at > to_timestamp(${now - 60})`)
  return row?.n ?? 0
}

async function attempt(parts: Parts, taken: Taken): Promise<Sent | { readonly dropped: string }> {
  if (taken.kind === 'test' || taken.kind === 'code') return { dropped: '测试消息和验证码不能重发，请重新操作一次' }
  // Whoever unsubscribed meanwhile wants nothing any more.
  if (taken.staff_id !== null && !taken.subscribed) return { dropped: '已取消订阅' }
  const channel = await usableChannel(parts.db, taken.channel_id)
  if (!channel) return { dropped: '消息通道已停用或删除' }
  if (!taken.group && !taken.email) return { dropped: '接收人没有已确认的邮箱' }
  if (!taken.group && !takesAddress(channel, taken.email ?? '')) return { dropped: '接收人的邮箱不属于通道允许的域名' }
  try {
    const message = await compose(parts, { ...taken, kind: taken.kind })
    return await sendBy(parts, channel, taken.group ? null : taken.email, message, `m${createHash('sha256').update(taken.once_key).digest('hex').slice(0, 24)}`)
  } catch (error) {
    if (error instanceof NothingToSend) return { dropped: error.message }
    console.error(`message ${taken.id}:`, error)
    return { ok: false, words: '生成内容时出错', again: true }
  }
}

async function deliver(parts: Parts, taken: Taken, now: number): Promise<void> {
  const quietUntil = afterQuiet(now, taken.quiet_from, taken.quiet_to)
  if (quietUntil > now) return void await putOff(parts, taken, quietUntil, '免打扰时间，结束后发送')
  if (taken.group) {
    const [channel] = await parts.db.query<{ kind: string }>(sql`select kind from message_channel where id = ${taken.channel_id}`)
    if (channel && await sentLately(parts.db, taken.channel_id, now) >= perMinuteOf(channel.kind as RobotKind)) return void await putOff(parts, taken, now + 60, '机器人每分钟发送已达上限，稍后发送')
  }
  const result = await attempt(parts, taken)
  if ('dropped' in result) return void await close(parts, taken.id, { state: D.dropped, error: result.dropped, next_at: null })
  if (result.ok) return void await close(parts, taken.id, { state: D.sent, error: null, next_at: null, sent_at: now })
  const wait = BACKOFF[taken.attempts - 1]
  if (!result.again || wait === undefined) return void await close(parts, taken.id, { state: D.failed, error: result.words, next_at: null })
  await close(parts, taken.id, { state: D.waiting, error: result.words, next_at: now + Math.max(wait, result.wait ?? 0) })
}

/**
 * Sends whatever is due. Each message is taken by one process, and what a process that died had begun is not sent again by
 * itself: it may have arrived.
 */
export async function sendDue(parts: Parts, now = Math.floor(Date.now() / 1000)): Promise<void> {
  await parts.db.transaction({ staff_id: null, silent: true }, (tx) => setDerived(tx, messageDelivery, { state: D.failed, error: '发送过程中断，不确定是否送达，可以重发', next_at: null }, sql`t.state = ${D.sending} and t.next_at < to_timestamp(${now - BROKEN_AFTER})`))
  await takeDue(parts, now)
  for (let n = 0; n < MOST_AT_ONCE; n++) {
    const taken = await takeNext(parts, now)
    if (!taken) return
    await deliver(parts, taken, now)
  }
}

/** Sends every minute, and forgets what was sent long ago. */
export const messageSweeps = (parts: Parts): Sweep[] => [
  { name: 'message', every: 60, run: () => sendDue(parts) },
  { name: 'message log', run: () => parts.db.transaction({ staff_id: null, silent: true }, (tx) => tx.query(sql`delete from message_delivery where created_at < now() - make_interval(days => ${KEPT_DAYS}) and state not in (${D.waiting}, ${D.sending})`)) },
]
