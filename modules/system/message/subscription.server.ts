import { createHash, randomInt, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { takesPictures, type RobotKind } from '../../../core/outgoing/robot.server.ts'
import { createPublicLink, revokePublicLinks, type PublicPageKind } from '../../../core/public-page/public-page.server.ts'
import { confirmContact, listSubscriptions, messageOptions, setContact, setQuiet, subscribe, SUBSCRIPTION_KINDS, unsubscribe, type Contact, type Subscription, type SubscriptionKind } from '../../../core/subscription/calls.ts'
import { drawsChinese } from '../../../core/subscription/picture.server.ts'
import { nextTime, whenWords } from '../../../core/subscription/when.ts'
import { HEALTH_RIGHTS } from '../health.ts'
import { MAIL } from './channel.ts'
import { noteSent, sendBy, shownAddress, takesAddress, usableChannel } from './channel.server.ts'
import { DELIVERY } from './delivery.ts'
import { countedView, namesNobody } from './view-picture.server.ts'

/** Subscriptions of one person. */
const MOST = 50
/** Minutes that a code is good for, wrong ones that are let pass, and codes that one person is sent in an hour. */
const CODE_MINUTES = 15
const CODE_TRIES = 5
const CODES_AN_HOUR = 5

const hashOf = (staffId: number, code: string) => createHash('sha256').update(`${staffId} ${code}`).digest('base64url')

async function contactOf(db: Queryable, staffId: number): Promise<Contact> {
  const [row] = await db.query<Contact & Record<string, unknown>>(sql`select email, confirmed_at is not null as confirmed, quiet_from, quiet_to from message_contact where staff_id = ${staffId}`)
  return row ?? { email: null, confirmed: false, quiet_from: null, quiet_to: null }
}

/** The page on which a subscription is ended by one click, without an account. */
export const unsubscribePage: PublicPageKind = {
  name: 'message_unsubscribe',
  async load(tx, { refId }) {
    const [row] = await tx.query<{ kind: SubscriptionKind; hour: number; weekdays: number[]; name: string | null }>(sql`select s.kind, s.hour, s.weekdays, v.name from message_subscription s left join saved_view v on v.id = s.view_id where s.id = ${refId}`)
    if (!row) return undefined
    return { title: '取消订阅', blocks: [{ kind: 'text', text: `${row.kind === 'view' ? `视图「${row.name ?? '已删除'}」` : SUBSCRIPTION_KINDS[row.kind]}${row.kind === 'alert' ? '' : `，${whenWords(row.hour, row.weekdays)}`}` }], send: '取消订阅' }
  },
  async answer(tx, { refId }) {
    await endSubscription(tx, refId)
    return '已取消订阅，不会再收到这类消息'
  },
}

async function endSubscription(tx: Queryable, id: number): Promise<void> {
  await tx.query(sql`delete from message_subscription where id = ${id}`)
  await revokePublicLinks(tx, unsubscribePage, id)
}

/** Calls for what a person gets by itself, and where. */
export function subscriptionCalls(kernel: Pick<Kernel, 'db' | 'registry' | 'secrets' | 'outgoing' | 'mailDoor'>): Served[] {
  return [
    handle(messageOptions, async ({ db, staff }) => {
      const channels = await db.query<{ id: number; name: string; kind: string; group: boolean }>(sql`select id, name, kind, kind <> ${MAIL} as "group" from message_channel where status = 1 and key_at is not null and deleted_at is null
        ${staff.modules.has(HEALTH_RIGHTS.id('group')) ? sql`` : sql`and kind = ${MAIL}`} order by kind <> ${MAIL}, id`)
      return { channels: channels.map(({ kind, ...channel }) => ({ ...channel, pictures: kind === MAIL || takesPictures(kind as RobotKind) })), contact: await contactOf(db, staff.id), draws: await drawsChinese() }
    }),
    handle(listSubscriptions, async ({ db, staff }) => {
      const rows = await db.query<Omit<Subscription, 'last' | 'title'> & { view_name: string | null; at: number | null; state: number | null; error: string | null }>(sql`select s.id, s.kind, nullif(s.view_id, 0) as view_id, s.channel_id, c.name as channel_name, s.format, s.hour, s.weekdays, extract(epoch from s.next_at)::float8 as next_at, v.name as view_name, d.at, d.state, d.error
        from message_subscription s left join message_channel c on c.id = s.channel_id left join saved_view v on v.id = s.view_id and (v.staff_id = s.staff_id or v.shared)
        left join lateral (select extract(epoch from coalesce(sent_at, updated_at))::float8 as at, state, error from message_delivery where subscription_id = s.id and deleted_at is null order by id desc limit 1) d on true
        where s.staff_id = ${staff.id} order by s.id`)
      const items = rows.map(({ view_name, at, state, error, ...row }): Subscription => ({
        ...row, title: row.kind === 'view' ? view_name ?? '已删除的视图' : SUBSCRIPTION_KINDS[row.kind],
        last: at === null ? null : { at, ok: state === DELIVERY.sent, words: state === DELIVERY.sent ? '已发送' : error ?? '等待发送' },
      }))
      return { items, total: items.length }
    }),
    handle(subscribe, (call) => call.transaction(async (tx) => {
      const { staff, input: { kind, view_id = 0, channel_id, format, hour, weekdays, path = null } } = call
      const channel = await usableChannel(tx, channel_id)
      if (!channel) throw invalid({ channel_id: '该通道已停用，请重新选择' })
      const group = channel.kind !== MAIL
      if (group && !staff.modules.has(HEALTH_RIGHTS.id('group'))) throw notGranted(HEALTH_RIGHTS.title('group'))
      if (group && kind !== 'view') throw badRequest('待办和告警只能发到自己的邮箱')
      if (!group) {
        const contact = await contactOf(tx, staff.id)
        if (!contact.confirmed || !contact.email) throw badRequest('请先在「账号与安全」中确认接收邮箱')
        if (!takesAddress(channel, contact.email)) throw badRequest(`该通道不能发到 ${contact.email.split('@')[1] ?? ''} 的邮箱`)
      }
      if (kind === 'view') {
        const [view] = await tx.query<{ list: string; query: string }>(sql`select list, query from saved_view where id = ${view_id} and (staff_id = ${staff.id} or shared)`)
        const resource = view && kernel.registry.get(view.list)?.resource
        if (!view || !resource || !staff.modules.has(resource.grant)) throw notFound('视图')
        if (format === 'xlsx' && group) throw invalid({ format: '群里只发数字和链接' })
        if (format === 'picture') {
          if (!await drawsChinese()) throw invalid({ format: '服务器没有中文字体，不能生成图片，请联系管理员安装' })
          if (group && !takesPictures(channel.kind as RobotKind)) throw invalid({ format: '钉钉和飞书的群机器人不能发送图片，请选择摘要和链接' })
          const counted = group ? countedView(resource, view.query) : undefined
          if (group && !(counted && namesNobody(resource, counted))) throw invalid({ format: '群里的图片只画统计数字：请把视图改为图表，或按状态、类型、时间分组后再订阅' })
        }
        if (format === 'xlsx' && !(resource.actions.export !== undefined && staff.modules.has(resource.actions.export))) throw notGranted('导出')
      }
      // Taken first: two at once are counted one after the other.
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('message_subscription'), ${staff.id}::int)`)
      const [counted] = await tx.query<{ n: number }>(sql`select count(*)::int as n from message_subscription where staff_id = ${staff.id}`)
      if ((counted?.n ?? 0) >= MOST) throw badRequest(`最多 ${MOST} 个订阅，请先取消一些`)
      const next = kind === 'alert' ? null : nextTime(Math.floor(Date.now() / 1000), hour, weekdays)
      const [made] = await tx.query<{ id: number; fresh: boolean }>(sql`insert into message_subscription (staff_id, kind, view_id, channel_id, format, hour, weekdays, path, next_at, token)
        values (${staff.id}, ${kind}, ${kind === 'view' ? view_id : 0}, ${channel_id}, ${format}, ${hour}, ${sql.param(weekdays)}::int[], ${path}, to_timestamp(${next}), '')
        on conflict (staff_id, kind, view_id, channel_id) do update set format = excluded.format, hour = excluded.hour, weekdays = excluded.weekdays, path = excluded.path, next_at = excluded.next_at returning id, token = '' as fresh`)
      if (!made) throw notFound('订阅')
      if (made.fresh) await tx.query(sql`update message_subscription set token = ${await createPublicLink(tx, unsubscribePage, made.id, staff.id)} where id = ${made.id}`)
      return { id: made.id }
    })),
    handle(unsubscribe, (call) => call.transaction(async (tx) => {
      const [own] = await tx.query(sql`select 1 from message_subscription where id = ${idParam(call)} and staff_id = ${call.staff.id} for no key update`)
      if (!own) throw notFound('订阅')
      await endSubscription(tx, idParam(call))
      return {}
    })),
    handle(setContact, async (call) => {
      const { staff, input: { email } } = call
      const channels = await call.db.query<{ id: number; domains: string[] | null }>(sql`select id, domains from message_channel where kind = ${MAIL} and status = 1 and key_at is not null and deleted_at is null order by id`)
      const found = channels.find((one) => takesAddress(one, email))
      const channel = found && await usableChannel(call.db, found.id)
      if (!channel) throw invalid({ email: channels.length === 0 ? '管理员还没有设置邮件通道' : `只能使用 ${[...new Set(channels.flatMap(({ domains }) => domains ?? []))].join('、')} 的邮箱` })
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const contact = await call.transaction(async (tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(hashtext('message_contact'), ${staff.id}::int)`)
        const [sent] = await tx.query<{ n: number }>(sql`select count(*)::int as n from message_delivery where kind = 'code' and staff_id = ${staff.id} and created_at > now() - interval '1 hour'`)
        if ((sent?.n ?? 0) >= CODES_AN_HOUR) throw badRequest('验证码发送过于频繁，请一小时后再试')
        await tx.query(sql`insert into message_contact (staff_id, email, code_hash, code_until) values (${staff.id}, ${email}, ${hashOf(staff.id, code)}, now() + make_interval(mins => ${CODE_MINUTES}))
          on conflict (staff_id) do update set email = excluded.email, confirmed_at = null, code_hash = excluded.code_hash, code_until = excluded.code_until, code_tries = 0`)
        return contactOf(tx, staff.id)
      })
      const once = `code.${randomUUID()}`
      const text = `您的验证码是 ${code}，${CODE_MINUTES} 分钟内有效。如果不是您在道远后台设置接收邮箱，请忽略。`
      const result = await sendBy(kernel, channel, email, { mail: { subject: `验证码 ${code}`, text, html: `<p>${text}</p>` }, robot: { title: '', lines: [] } }, once)
      await noteSent(call.db, result, { kind: 'code', title: '邮箱验证码', channel: channel.id, staffId: staff.id, target: shownAddress(email), once })
      if (!result.ok) throw badRequest(`验证码没有发出：${result.words}`)
      return contact
    }),
    handle(confirmContact, async (call) => {
      const { staff, input } = call
      // Counted outside of the refusal, which would undo it.
      const [row] = await call.db.query<{ right: boolean }>(sql`update message_contact set code_tries = code_tries + 1 where staff_id = ${staff.id} and code_until > now() and code_tries < ${CODE_TRIES} returning code_hash = ${hashOf(staff.id, input.code)} as right`)
      if (!row?.right) throw invalid({ code: row ? '验证码不正确' : '验证码已失效，请重新发送' })
      return call.transaction(async (tx) => {
        await tx.query(sql`update message_contact set confirmed_at = now(), code_hash = null, code_until = null where staff_id = ${staff.id} and code_hash = ${hashOf(staff.id, input.code)}`)
        return contactOf(tx, staff.id)
      })
    }),
    handle(setQuiet, (call) => call.transaction(async (tx) => {
      const { quiet_from, quiet_to } = call.input
      if ((quiet_from === null) !== (quiet_to === null)) throw badRequest('免打扰的开始和结束要一起填')
      await tx.query(sql`insert into message_contact (staff_id, quiet_from, quiet_to) values (${call.staff.id}, ${quiet_from}, ${quiet_to}) on conflict (staff_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to`)
      return contactOf(tx, call.staff.id)
    })),
  ]
}
