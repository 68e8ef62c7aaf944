import { PassThrough, Writable, type Readable } from 'node:stream'
import { configure, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js'
import { qrPath } from '../code/door.server.ts'
import { printedUrl } from './qr-text.ts'

/** Side of a picture of dots, in pixels: 15 mm at 1,200 dots per inch. */
const PIXELS = 720

/** What is drawn of a code. */
export interface Drawn {
  readonly code: string
  readonly name: string
  readonly section: string | null
  readonly page_no: number | null
}

/** A code as a drawing, which printers scale without loss. */
export function qrSvg(base: string, code: string): string {
  const { path, side } = qrPath(printedUrl(base, code))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="15mm" height="15mm" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
}

/** A name that every file system takes. */
const plain = (text: string) => text.replace(/[\\/:*?"<>|\s]+/g, ' ').trim().slice(0, 40) || '未命名'

/** 第一章/012-03-例 3 讲解 */
const fileOf = ({ section, page_no, name }: Drawn, place: number) => `${plain(section ?? '未分章')}/${String(page_no ?? 0).padStart(3, '0')}-${String(place).padStart(2, '0')}-${plain(name)}`

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A list that page makers merge: tab after tab a row of words and the picture that belongs to it. */
function mergeList(base: string, codes: readonly Drawn[], names: readonly string[]): string {
  const rows = codes.map(({ code, name, section, page_no }, at) => [section ?? '', String(page_no ?? ''), name, code, printedUrl(base, code), `${names[at] ?? ''}.svg`].map(cell).join(','))
  return `\uFEFF${['章节', '页码', '名称', '编码', '网址', '@二维码'].map(cell).join(',')}\r\n${rows.join('\r\n')}\r\n`
}

/** An archive of the pictures of codes by chapter, as drawings and as dots, with the list for the page maker. */
export function pictureArchive(base: string, codes: readonly Drawn[]): Readable {
  configure({ useWebWorkers: false })
  const target = new PassThrough()
  const archive = new ZipWriter(Writable.toWeb(target) as WritableStream<Uint8Array>, { level: 1 })
  const pages = new Map<string, number>()
  const names = codes.map((one) => {
    const key = `${one.section ?? ''} ${one.page_no ?? 0}`
    const place = (pages.get(key) ?? 0) + 1
    pages.set(key, place)
    return fileOf(one, place)
  })
  const write = async () => {
    const { default: sharp } = await import('sharp')
    await archive.add('数据合并.csv', new TextReader(mergeList(base, codes, names)))
    for (const [at, { code }] of codes.entries()) {
      const svg = qrSvg(base, code)
      await archive.add(`SVG/${names[at] ?? code}.svg`, new TextReader(svg))
      await archive.add(`PNG/${names[at] ?? code}.png`, new Uint8ArrayReader(await sharp(Buffer.from(svg)).resize(PIXELS, PIXELS, { kernel: 'nearest' }).png({ colours: 2 }).toBuffer()))
    }
    await archive.close()
  }
  write().catch((error: unknown) => target.destroy(error instanceof Error ? error : new Error('archive')))
  return target
}
