import { Worker } from 'node:worker_threads'
import { MAX_PAGES } from '../book-page.ts'
import type { Line } from './print-page.ts'

/** A code on a page: what it says, its side with its quiet zone in millimetres, the white around it in modules. */
export interface FoundCode {
  readonly text: string
  readonly mm: number
  readonly quiet: number
}

/** What is read of a page. */
export interface ReadPage {
  /** JPEG. */
  readonly image: Uint8Array
  readonly w_mm: number
  readonly h_mm: number
  readonly lines: Line[]
  readonly codes: FoundCode[]
}

/** A page that takes longer, in milliseconds, is given up. */
const PATIENCE = 60_000
/** Pages after which a thread begins anew: what a page took is never given back. */
const PAGES_OF_THREAD = 40

/** A file that cannot be read, with a sentence for whoever sent it. */
export class BrokenPdf extends Error {}

interface Said { pages?: number; page?: ReadPage; failed?: string; broken?: true }

/** A thread that reads one file. */
class Reader {
  private readonly worker: Worker
  private waiting: ((said: Said) => void) | undefined
  private kept: Said | undefined

  constructor(path: string) {
    this.worker = new Worker(new URL('./pdf-worker.server.ts', import.meta.url), { workerData: { path } })
    const say = (said: Said) => {
      if (this.waiting) this.waiting(said)
      else this.kept = said
    }
    this.worker.on('message', say)
    this.worker.on('error', (error) => say({ failed: error.message }))
    this.worker.on('exit', () => say({ failed: 'ended' }))
  }

  /** Waits for what it says next. */
  async next(ask?: number): Promise<Said> {
    const { promise, resolve } = Promise.withResolvers<Said>()
    const timer = setTimeout(() => resolve({ failed: 'too slow' }), PATIENCE)
    this.waiting = resolve
    if (this.kept) resolve(this.kept)
    this.kept = undefined
    if (ask !== undefined) this.worker.postMessage(ask)
    const said = await promise
    clearTimeout(timer)
    this.waiting = undefined
    return said
  }

  end(): Promise<number> {
    this.worker.removeAllListeners()
    return this.worker.terminate()
  }
}

/** A file for printing, page by page. */
export interface PdfFile {
  readonly pages: number
  /** @param no counted from 1 @returns undefined for a page that cannot be drawn */
  page(no: number): Promise<ReadPage | undefined>
  close(): Promise<void>
}

/** Opens a PDF. @throws BrokenPdf */
export async function openPdf(path: string): Promise<PdfFile> {
  let reader: Reader | undefined
  let read = 0
  const begin = async (): Promise<{ reader: Reader; pages: number }> => {
    const fresh = new Reader(path)
    const { pages } = await fresh.next()
    if (pages !== undefined) return { reader: fresh, pages }
    await fresh.end()
    throw new BrokenPdf('PDF 打不开：文件已损坏或设有密码，请去除密码后重新导出')
  }
  const end = async () => {
    await reader?.end()
    reader = undefined
    read = 0
  }
  const first = await begin()
  reader = first.reader
  if (first.pages > MAX_PAGES) {
    await end()
    throw new BrokenPdf(`PDF 有 ${first.pages} 页，最多 ${MAX_PAGES} 页`)
  }
  return {
    pages: first.pages,
    async page(no) {
      if (read >= PAGES_OF_THREAD) await end()
      reader ??= (await begin()).reader
      read++
      const { page } = await reader.next(no - 1)
      // Nobody knows what state the thread is in.
      if (!page) await end()
      return page
    },
    close: end,
  }
}
