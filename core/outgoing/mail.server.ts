import { AppError } from '../error/error.ts'
import type { MailDoor } from './outgoing.server.ts'
import { failedFor, failedNow, SENT, type Sent } from './sent.ts'

/** A server that takes mail, as an administrator configured it. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before anything is said, `plain` only to a server that the installation names as its own. */
  readonly security: 'tls' | 'starttls' | 'plain'
  readonly account: string | null
  readonly password: string | null
  readonly sender: string
  readonly senderName: string
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** One with a `cid` is shown where the text names it: `<img src="cid:…">`. */
  readonly files?: readonly { readonly name: string; readonly content: Buffer; readonly cid?: string }[]
  /** The same for each attempt, so that a server which has it already can say so. */
  readonly messageId: string
}

/** Time for each step of the conversation, in milliseconds. */
const STEP = 10_000

/** What a mail server's refusal means, by the library's code. */
const WORDS: Readonly<Record<string, readonly [words: string, again: boolean]>> = {
  EAUTH: ['邮箱账号或授权码不正确', false],
  ENOAUTH: ['邮件服务器要求登录，请设置账号和授权码', false],
  EENVELOPE: ['收件地址被邮件服务器拒收', false],
  ETLS: ['不能与邮件服务器建立加密连接', false],
  EMESSAGE: ['邮件内容被邮件服务器拒收', false],
}

interface MailFailure { code?: string; responseCode?: number }

function judge(error: unknown): Sent {
  if (error instanceof AppError) return error.code === 'outgoing_refused' ? failedFor(error.message) : failedNow(error.message)
  const { code, responseCode } = (error ?? {}) as MailFailure
  // 4xx of SMTP is for now, 5xx for good.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return failedNow(`邮件服务器暂时不收（${responseCode}）`, 300)
  const [words, again] = WORDS[code ?? ''] ?? ['与邮件服务器的连接中断', true]
  const full = responseCode === undefined ? words : `${words}（${responseCode}）`
  return again ? failedNow(full) : failedFor(full)
}

/** Sends a mail by a server. The connection is the outgoing door's, so that its address rules hold. */
export async function sendMail(outgoing: Pick<MailDoor, 'connect' | 'isOwnMailServer'>, server: MailServer, mail: Mail): Promise<Sent> {
  const { host, port, security, account, password } = server
  if (security === 'plain' && !outgoing.isOwnMailServer(host, port)) return failedFor('只有部署时指定的邮件服务器可以不加密')
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host, port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'plain',
    ...(account && { auth: { user: account, pass: password ?? '' } }),
    connectionTimeout: STEP, greetingTimeout: STEP, socketTimeout: STEP, disableFileAccess: true, disableUrlAccess: true,
    getSocket: (_options, done) => outgoing.connect('mail', host, port).then((connection) => done(null, { connection }), (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), undefined)),
  })
  try {
    await transport.sendMail({
      from: { name: server.senderName, address: server.sender }, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text, html: mail.html, messageId: mail.messageId,
      attachments: (mail.files ?? []).map(({ name, content, cid }) => ({ filename: name, content, ...(cid && { cid, contentDisposition: 'inline' as const }) })),
    })
    return SENT
  } catch (error) {
    return judge(error)
  } finally {
    transport.close()
  }
}
