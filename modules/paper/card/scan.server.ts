/** Scanned files as pictures in greys, page by page. */
import { readFile } from 'node:fs/promises'
import { MAX_PIXELS } from '../../../core/file/inspect.server.ts'
import { project, type Homography } from './homography.ts'
import { sampleGrey, type Grey } from './pixels.ts'

/** Pixels of a page's longer side: 220 dpi on A4, 157 on A3. More is slower and no surer. */
const LONG_SIDE = 2600
/** Pixels of a millimetre of a page that was laid straight; what people look at. */
export const STRAIGHT = 6
/** More pages in one file are a mistake. */
const MOST_PAGES = 3000

export interface Scan {
  readonly pages: number
  /** @param ord counted from 0 */
  page(ord: number): Promise<Grey>
  close(): void
}

/** A file that cannot be opened, with a sentence for whoever sent it. */
export class BrokenScan extends Error {}

async function openPdf(path: string): Promise<Scan> {
  // Loaded by the first PDF: a server to which nobody sends one does without it.
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await readFile(path))
    const pages = document.getPageCount()
    if (pages > MOST_PAGES) throw new BrokenScan(`PDF 有 ${pages} 页，一个文件最多 ${MOST_PAGES} 页`)
    return {
      pages,
      async page(ord) {
        const page = document.getPage(ord)
        const { originalWidth, originalHeight } = page.getOriginalSize()
        const { data, width, height } = await page.render({ scale: LONG_SIDE / Math.max(originalWidth, originalHeight, 1), render: 'bitmap', colorSpace: 'Gray' })
        return { width, height, data: Uint8Array.from(data) }
      },
      close: () => {
        document.destroy()
        library.destroy()
      },
    }
  } catch (error) {
    library.destroy()
    if (error instanceof BrokenScan) throw error
    throw new BrokenScan('PDF 打不开：文件已损坏或设有密码')
  }
}

async function openPicture(path: string): Promise<Scan> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return {
    pages: 1,
    async page() {
      try {
        const { data, info } = await sharp(path, { limitInputPixels: MAX_PIXELS }).autoOrient().flatten({ background: 'white' }).greyscale()
          .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true }).raw().toBuffer({ resolveWithObject: true })
        return { width: info.width, height: info.height, data: new Uint8Array(data) }
      } catch {
        throw new BrokenScan('图片打不开：文件已损坏')
      }
    },
    close: () => undefined,
  }
}

/** Opens a scanned file. @throws BrokenScan */
export const openScan = (path: string, type: string): Promise<Scan> => (type === 'application/pdf' ? openPdf(path) : openPicture(path))

/** Lays a page straight, so that every place of it lies where its geometry says. */
export function straighten(image: Grey, map: Homography, { width, height }: { width: number; height: number }): Grey {
  const [w, h] = [Math.round(width * STRAIGHT), Math.round(height * STRAIGHT)]
  const data = new Uint8Array(w * h)
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) data[y * w + x] = sampleGrey(image, project(map, { x: (x + 0.5) / STRAIGHT, y: (y + 0.5) / STRAIGHT }))
  return { width: w, height: h, data }
}

/** A picture as a file that a browser shows. */
export async function toJpeg({ width, height, data }: Grey): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(data, { raw: { width, height, channels: 1 } }).jpeg({ quality: 72 }).toBuffer()
}
