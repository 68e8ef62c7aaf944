import { handle, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { sendFile } from '../../core/file/calls.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { scanCalls, scanVideo } from './calls.ts'
import { Hits } from './hits.server.ts'
import { scanHtml, type ScanPage } from './page.ts'
import { QR_CHANNEL, QR_STATE, type QrFamily } from './qr-code.ts'
import { readCode } from './qr-text.ts'
import { filmOf, readScanned, type NotesOf, type Scanned } from './target.server.ts'

/** What a code leads to is known for so long without asking again, in milliseconds. */
const KNOWN_FOR = 10_000
/** Codes that are known at a time. */
const MOST_KNOWN = 20_000

/** What is done with content in the app, where it is more than looking. */
const ANSWERED: ReadonlySet<string> = new Set(['paper', 'measurement'])

const PREPARING = '内容准备中，请稍后再来扫码。'

/** What is shown of a code, or the address in the house that it goes to at once. */
function answerOf(scanned: Scanned, own: string | undefined): ScanPage | string {
  const { owner, page_no, name, target, url, kind, state, notes } = scanned
  const page = { where: [owner ?? '', page_no === null ? '' : `第 ${page_no} 页`], title: name, notes }
  if (state === QR_STATE.stopped) return { ...page, words: PREPARING }
  if (kind === 'url' && url !== null) {
    const { host, href } = new URL(url)
    // A fault of the page is read before anybody goes on.
    if (host === own && notes.length === 0) return href
    return host === own ? { ...page, words: '', leave: { url: href, host } } : { ...page, words: `即将离开道远，前往 ${host}，请确认是您要访问的网站。`, leave: { url: href, host } }
  }
  if (!target) return { ...page, words: PREPARING }
  const film = target.kind === 'video' || target.kind === 'micro'
  return { ...page, title: target.name, words: film ? target.note : `${target.note}。请打开道远学习 App，扫描本二维码${ANSWERED.has(target.kind) ? '作答' : '查看'}。`, ...(film && { video: `/q/${scanned.code}/video` }) }
}

/** What answers those who scan: nobody logs in, nothing is written before they have their answer. */
export class Scans {
  private readonly kernel: Kernel
  private readonly family: QrFamily
  private readonly notesOf: NotesOf | undefined
  private readonly hits: Hits
  private readonly known = new Map<string, { at: number; scanned: Scanned | undefined }>()

  constructor(kernel: Kernel, family: QrFamily, notesOf?: NotesOf) {
    this.kernel = kernel
    this.family = family
    this.notesOf = notesOf
    this.hits = new Hits(kernel.db, kernel.secrets.key('qr visitor'))
    // Where no message comes, what is known is asked again soon.
    kernel.db.listen(QR_CHANNEL, (code) => this.known.delete(code), () => this.known.clear()).catch(() => undefined)
  }

  private async find(code: string): Promise<Scanned | undefined> {
    const now = Date.now()
    const kept = this.known.get(code)
    if (kept && now - kept.at < KNOWN_FOR) return kept.scanned
    const scanned = await readScanned(this.kernel.db, this.family, code, this.notesOf)
    if (this.known.size >= MOST_KNOWN) this.known.clear()
    this.known.set(code, { at: now, scanned })
    return scanned
  }

  private async answer(call: Call): Promise<unknown> {
    const code = readCode(call.params['code'] ?? '')
    const scanned = code === undefined ? undefined : await this.find(code)
    const { reply } = call
    reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' })
    if (!scanned) {
      reply.type('text/html; charset=utf-8')
      return reply.send(scanHtml({ where: [], title: '没有这个二维码', words: '请对准书上的二维码重新扫一次；手工输入时请逐位核对，编码里没有数字 0、1 和字母 I、L、O。' }))
    }
    this.hits.add(scanned.id, `${call.ip} ${call.userAgent}`)
    const page = answerOf(scanned, this.kernel.config.publicUrl?.host)
    if (typeof page === 'string') return reply.redirect(page, 302)
    reply.type('text/html; charset=utf-8')
    return reply.send(scanHtml(page))
  }

  /** The calls of those who scan. */
  calls(): Served[] {
    return [
      ...scanCalls.map((endpoint) => handle(endpoint, (call) => this.answer(call as Call))),
      handle(scanVideo, async (call) => {
        const code = readCode(call.params['code'] ?? '')
        const scanned = code === undefined ? undefined : await this.find(code)
        const id = scanned && await filmOf(call.db, scanned)
        const file = id === undefined ? undefined : await this.kernel.files.find(id)
        if (!file) throw notFound('视频')
        return sendFile(call, this.kernel.files, file)
      }),
    ]
  }
}
