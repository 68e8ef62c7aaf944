/** Reads pages of a file for printing, in a thread of its own: a page that cannot be drawn ends the thread, not the server. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { quietZone, sideOf } from './code-size.ts'
import type { FoundCode, ReadPage } from './read.server.ts'
import { readLines, type TextModule } from './text.server.ts'

const POINTS_PER_MM = 72 / 25.4
/** Dots of a millimetre: 150 dpi, enough for codes of 12 mm and for phones. */
const DOTS = 150 / 25.4
/** Longest side of a picture in dots: what is larger than A3 is drawn coarser. */
const LONGEST = 2600
const QUALITY = 72
/** More codes on one page are a mistake. */
const MOST_CODES = 60

async function readPage(document: PDFiumDocument, ord: number): Promise<ReadPage> {
  const page = document.getPage(ord)
  // The library keeps the calls about text to itself, and closes the page once it is drawn.
  const module: object = page['module']
  const lines = readLines(module as TextModule, page['pageIdx'])
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const [w_mm, h_mm] = [originalWidth / POINTS_PER_MM, originalHeight / POINTS_PER_MM]
  const dots = Math.min(DOTS, LONGEST / Math.max(w_mm, h_mm, 1))
  const { data, width, height } = await page.render({ scale: dots / POINTS_PER_MM, render: 'bitmap' })
  const rgba = new Uint8ClampedArray(data)
  // The drawing comes in blue, green, red.
  for (let at = 0; at < rgba.length; at += 4) [rgba[at], rgba[at + 2]] = [rgba[at + 2] ?? 0, rgba[at] ?? 0]
  const found = await readBarcodes({ data: rgba, width, height, colorSpace: 'srgb' }, { formats: ['QRCode'], maxNumberOfSymbols: MOST_CODES, tryHarder: true })
  const codes = found.map(({ text, position, version }): FoundCode => {
    const modules = 17 + 4 * (Number(version) || 2)
    return { text, mm: sideOf(position, modules) / dots, quiet: quietZone({ data: rgba, width, height }, position, modules) }
  })
  const image = await sharp(rgba, { raw: { width, height, channels: 4 } }).flatten({ background: 'white' }).jpeg({ quality: QUALITY }).toBuffer()
  return { image: new Uint8Array(image), w_mm, h_mm, lines, codes }
}

const port = parentPort
if (port) {
  const { path } = workerData as { path: string }
  sharp.cache(false)
  const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  // Handed over: it would be fetched from outside otherwise.
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await readFile(path))
    port.postMessage({ pages: document.getPageCount() })
    port.on('message', (ord: number) => {
      readPage(document, ord).then((page) => port.postMessage({ page }), (error: unknown) => port.postMessage({ failed: error instanceof Error ? error.message : 'failed' }))
    })
  } catch {
    port.postMessage({ broken: true })
  }
}
