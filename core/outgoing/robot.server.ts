import { createHash, createHmac } from 'node:crypto'
import { AppError } from '../error/error.ts'
import type { MailDoor, Outgoing } from './outgoing.server.ts'
import { failedFor, failedNow, SENT, type Sent } from './sent.ts'

/** What a robot says in its group: a title, lines, a link. */
export interface RobotMessage {
  readonly title: string
  readonly lines: readonly string[]
  readonly link?: { readonly words: string; readonly href: string }
  /** A PNG that is said in place of the rest, by robots that take pictures. */
  readonly picture?: Buffer
}

export interface RobotKeys {
  /** Address with the robot's key. */
  readonly webhook: string
  /** Secret by which messages are signed, where the robot asks for it. */
  readonly sign: string | null
}

interface Protocol {
  /** Hosts at which such robots live. */
  readonly hosts: readonly string[]
  /** Whether a request can hold a picture; others want it at an address, or in the vendor's own store. */
  readonly takesPictures?: true
  /** Messages that the vendor lets through in a minute, with a little left for others who use the robot. */
  readonly perMinute: number
  request(message: RobotMessage, keys: RobotKeys, now: number): { readonly url: string; readonly body: Readonly<Record<string, unknown>> }
  /** Field of the answer that holds its number; 0 is success. */
  readonly code: readonly string[]
  readonly words: Readonly<Record<number, string>>
  /** Numbers that mean: too many at a time. */
  readonly busy: readonly number[]
}

const hmac = (key: string, data: string) => createHmac('sha256', key).update(data).digest('base64')

/** Names that people typed say nothing to the vendor's markup: no mention, no link, no line of their own. */
const plain = (text: string) => text.replace(/[<>[\]()*_`#|\\@\r\n]+/g, ' ').trim().slice(0, 200)

const markdown = ({ title, lines, link }: RobotMessage) => [`**${plain(title)}**`, ...lines.map(plain), ...(link ? [`[${plain(link.words)}](${link.href})`] : [])].join('\n\n')

const PROTOCOLS = {
  wecom: {
    hosts: ['qyapi.weixin.qq.com'], perMinute: 18, code: ['errcode'],
    takesPictures: true,
    // One message for one request: a picture and a text could not be sent both or neither.
    request: (message, { webhook }) => ({
      url: webhook,
      body: message.picture
        ? { msgtype: 'image', image: { base64: message.picture.toString('base64'), md5: createHash('md5').update(message.picture).digest('hex') } }
        : { msgtype: 'markdown', markdown: { content: markdown(message) } },
    }),
    words: { 93000: '机器人地址无效，可能已被移除', 40008: '消息格式被企业微信拒绝' }, busy: [45009],
  },
  dingtalk: {
    hosts: ['oapi.dingtalk.com'], perMinute: 18, code: ['errcode'],
    request(message, { webhook, sign }, now) {
      const url = new URL(webhook)
      if (sign) {
        url.searchParams.set('timestamp', String(now))
        url.searchParams.set('sign', hmac(sign, `${now}\n${sign}`))
      }
      return { url: url.href, body: { msgtype: 'markdown', markdown: { title: plain(message.title), text: markdown(message) } } }
    },
    words: { 310000: '钉钉拒绝了消息：加签密钥、关键词或 IP 不符', 300001: '机器人地址无效，可能已被移除', 300005: '机器人地址无效，可能已被移除' }, busy: [130101, 410100],
  },
  feishu: {
    hosts: ['open.feishu.cn', 'open.larksuite.com'], perMinute: 80, code: ['code', 'StatusCode'],
    request({ title, lines, link }, { webhook, sign }, now) {
      const timestamp = String(Math.floor(now / 1000))
      const content = [...lines.map((line) => [{ tag: 'text', text: plain(line) }]), ...(link ? [[{ tag: 'a', text: plain(link.words), href: link.href }]] : [])]
      return { url: webhook, body: { ...(sign && { timestamp, sign: hmac(`${timestamp}\n${sign}`, '') }), msg_type: 'post', content: { post: { zh_cn: { title: plain(title), content } } } } }
    },
    words: { 19021: '飞书拒绝了消息：签名密钥不符', 19022: '飞书拒绝了消息：服务器 IP 不在白名单中', 19024: '飞书拒绝了消息：没有包含机器人的关键词', 19001: '机器人地址无效，可能已被移除' }, busy: [9499, 11232],
  },
} as const satisfies Record<string, Protocol>

export type RobotKind = keyof typeof PROTOCOLS

/** Whether robots of a vendor can say a picture. */
export const takesPictures = (kind: RobotKind): boolean => (PROTOCOLS[kind] satisfies Protocol as Protocol).takesPictures === true

/** Messages that a robot may send in a minute. */
export const perMinuteOf = (kind: RobotKind): number => PROTOCOLS[kind].perMinute

/** Whether an address can be that of a robot: at the vendor's, or at a place that the installation names. */
export function isRobotAddress(outgoing: Pick<MailDoor, 'isOwnOrigin'>, kind: RobotKind, webhook: string): boolean {
  if (!URL.canParse(webhook)) return false
  const { protocol, hostname, username } = new URL(webhook)
  return outgoing.isOwnOrigin(webhook) || (protocol === 'https:' && username === '' && (PROTOCOLS[kind].hosts as readonly string[]).includes(hostname))
}

function judge(protocol: Protocol, status: number, content: unknown): Sent {
  if (status === 429 || status >= 500) return failedNow(`机器人服务暂时不可用（${status}）`, 60)
  const answer = (typeof content === 'object' && content !== null ? content : {}) as Readonly<Record<string, unknown>>
  const code = protocol.code.map((key) => answer[key]).find((one) => typeof one === 'number')
  if (typeof code !== 'number') return failedFor(`机器人没有按约定回答（${status}）`)
  if (code === 0) return SENT
  if (protocol.busy.includes(code)) return failedNow(`发送过于频繁（${code}）`, 60)
  return failedFor(`${protocol.words[code] ?? '机器人拒绝了消息'}（${code}）`)
}

/** Says something by a robot. @param now milliseconds, for the signature */
export async function sendByRobot(outgoing: Pick<Outgoing, 'fetch'>, kind: RobotKind, keys: RobotKeys, message: RobotMessage, now = Date.now()): Promise<Sent> {
  const protocol: Protocol = PROTOCOLS[kind]
  const { url, body } = protocol.request(message, keys, now)
  try {
    const answer = await outgoing.fetch('robot', url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    return judge(protocol, answer.status, await answer.json().catch(() => undefined))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'outgoing_refused' ? failedFor(error.message) : failedNow(error.message)
  }
}
