import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../../core/error/error.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { sendMail, type Mail } from '../../../core/outgoing/mail.server.ts'
import { isRobotAddress, sendByRobot, type RobotKind, type RobotMessage } from '../../../core/outgoing/robot.server.ts'
import { failedFor, type Sent } from '../../../core/outgoing/sent.ts'
import type { RowType } from '../../../core/resource/define.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { MAIL, messageChannel, setChannelKey, testChannel } from './channel.ts'
import { DELIVERY, messageDelivery } from './delivery.ts'

/** What opens a channel. */
interface ChannelKeys { password?: string | undefined; webhook?: string | undefined; sign?: string | undefined }

type Channel = Omit<RowType<typeof messageChannel>, 'types'>

/** What is sent, for both kinds of channels. */
export interface Message {
  readonly mail: Omit<Mail, 'to' | 'messageId'>
  readonly robot: RobotMessage
}

const about = (id: number) => `message channel ${id}`
/** Facts by which a mail server is known: with another of them the password belongs to somebody else. */
const WHOSE = ['host', 'port', 'security', 'account'] as const

/** What a mail channel still needs before anything can leave by it, in one sentence. */
function missingOf({ kind, host, port, sender, domains }: Pick<Channel, 'kind' | 'host' | 'port' | 'sender' | 'domains'>): string | undefined {
  if (kind !== MAIL) return undefined
  if (!host || !/^[\w.:-]+$/.test(host) || !port) return '请先填写正确的邮件服务器和端口'
  if (!sender || !/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(sender)) return '请先填写正确的发件邮箱'
  // Whoever subscribes could otherwise send what they see wherever they like.
  if (!domains?.length || domains.some((domain) => !/^[\w-]+(\.[\w-]+)+$/.test(domain))) return '请先填写收件域名，如 example.com'
  return undefined
}

export const messageChannels = serve(messageChannel)({
  async after({ tx, row, saved }) {
    if (!row || WHOSE.every((key) => row[key] === saved[key])) return
    // A password never goes to a server that it was not given for.
    await tx.query(sql`delete from message_channel_key where channel_id = ${saved.id}`)
    await setDerived(tx, messageChannel, { key_hint: null, key_at: null }, saved.id)
  },
})

/** A channel that may be used; undefined where it is stopped or gone. */
export async function usableChannel(db: Queryable, id: number): Promise<Channel | undefined> {
  const [row] = await db.query<Channel>(sql`select *, port::int as port from message_channel where id = ${id} and status = 1 and deleted_at is null`)
  return row
}

async function keysOf(db: Queryable, { secrets }: Pick<Kernel, 'secrets'>, id: number): Promise<ChannelKeys | undefined> {
  const [row] = await db.query<{ sealed: string }>(sql`select sealed from message_channel_key where channel_id = ${id}`)
  return row && (JSON.parse(secrets.decrypt(row.sealed, about(id))) as ChannelKeys)
}

/** Whether mail to an address may leave by a channel. */
export const takesAddress = (channel: Pick<Channel, 'domains'>, email: string): boolean => (channel.domains ?? []).some((domain) => email.endsWith(`@${domain.toLowerCase()}`))

/**
 * Sends a message by a channel.
 * @param to address of a person; of no meaning to robots
 * @param once the same for each attempt of one message
 */
export async function sendBy(kernel: Pick<Kernel, 'db' | 'secrets' | 'outgoing' | 'mailDoor'>, channel: Channel, to: string | null, message: Message, once: string): Promise<Sent> {
  const missing = missingOf(channel)
  if (missing) return failedFor(missing)
  const keys = await keysOf(kernel.db, kernel, channel.id)
  if (channel.kind !== MAIL) {
    if (!keys?.webhook) return failedFor('通道还没有设置机器人地址')
    return sendByRobot(kernel.outgoing, channel.kind as RobotKind, { webhook: keys.webhook, sign: keys.sign ?? null }, message.robot)
  }
  if (!to) return failedFor('没有已确认的收件邮箱')
  if (!takesAddress(channel, to)) return failedFor('收件邮箱不属于通道允许的域名')
  if (channel.account && !keys?.password) return failedFor('通道还没有设置密码')
  return sendMail(kernel.mailDoor, {
    host: channel.host ?? '', port: channel.port ?? 465, security: (channel.security ?? 'tls') as 'tls' | 'starttls' | 'plain', account: channel.account, password: keys?.password ?? null, sender: channel.sender ?? '', senderName: '道远后台',
  }, { ...message.mail, to, messageId: `<${once}@${(channel.sender ?? '').split('@')[1] ?? 'localhost'}>` })
}

/** Writes down something that was sent at once. */
export async function noteSent(db: Kernel['db'], sent: Sent, note: { kind: 'test' | 'code'; title: string; channel: number; staffId: number; target: string | null; once: string }): Promise<void> {
  await db.transaction({ staff_id: note.staffId, action: note.kind }, async (tx) => {
    const now = Math.floor(Date.now() / 1000)
    await insertMany(tx, messageDelivery, [{
      title: note.title, kind: note.kind, channel_id: note.channel, staff_id: note.staffId, target: note.target, once_key: note.once, attempts: 1, created_by: note.staffId,
      state: sent.ok ? DELIVERY.sent : DELIVERY.failed, error: sent.ok ? null : sent.words, sent_at: sent.ok ? now : null,
    }])
  })
}

/** An address as the log shows it: enough to tell it, too little to write to it. */
export const shownAddress = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')

/** The calls beside those of the record. */
export function channelCalls(kernel: Pick<Kernel, 'db' | 'secrets' | 'outgoing' | 'mailDoor'>): Served[] {
  return [
    handle(setChannelKey, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, messageChannel, call.staff, idParam(call))
      const { password, webhook, sign } = call.input
      const mail = row.kind === MAIL
      const missing = missingOf(row)
      if (missing) throw badRequest(missing)
      if (mail && !password) throw invalid({ password: '请填写密码或授权码' })
      if (!mail && !(webhook && isRobotAddress(kernel.mailDoor, row.kind as RobotKind, webhook))) throw invalid({ webhook: '请填写在群里添加机器人时得到的完整地址' })
      if (row.kind === 'dingtalk' || row.kind === 'feishu') {
        // Without a signature whoever sees the address can speak in the group.
        if (!sign) throw invalid({ sign: '请在机器人的安全设置中开启加签，并填写密钥' })
      }
      const keys: ChannelKeys = mail ? { password } : { webhook, ...(sign && { sign }) }
      const sealed = kernel.secrets.encrypt(JSON.stringify(keys), about(row.id))
      await tx.query(sql`insert into message_channel_key (channel_id, sealed) values (${row.id}, ${sealed}) on conflict (channel_id) do update set sealed = excluded.sealed`)
      await touch(tx, messageChannel, { key_hint: mail ? '已设置' : `${new URL(webhook ?? '').host} …${(webhook ?? '').slice(-4)}`, key_at: sql`now()` }, row.id)
      return {}
    }, { action: 'set_key' })),
    handle(testChannel, async (call) => {
      const channel = await usableChannel(call.db, idParam(call))
      if (!channel) throw badRequest('通道已停用，请先启用')
      const to = channel.kind === MAIL ? call.input.to ?? '' : null
      if (to !== null && !to) throw invalid({ to: '请填写收件邮箱' })
      const once = `test.${randomUUID()}`
      const words = `这是${call.staff.name}从道远后台发出的测试消息，收到说明通道可用。`
      const sent = await sendBy(kernel, channel, to, { mail: { subject: '道远后台测试消息', text: words, html: `<p>${words}</p>` }, robot: { title: '道远后台测试消息', lines: ['收到说明通道可用'] } }, once)
      await noteSent(call.db, sent, { kind: 'test', title: '测试消息', channel: channel.id, staffId: call.staff.id, target: to === null ? channel.name : shownAddress(to), once })
      return { ok: sent.ok, words: sent.ok ? '已发送，请查看是否收到' : sent.words }
    }),
  ]
}
