import { newKey } from '../endpoint/call.tsx'
import { forgetUpload, keepUpload, keptUploads } from './kept-uploads.tsx'
import { send, type Sending } from './send.tsx'
import type { UploadTarget } from './target.ts'
import { afterReload, isOver, kindOfName, problemOf, sameFile, speedOf, toBegin, type Upload, type UploadKind } from './upload.ts'

/** A file to be sent. */
export interface NewUpload {
  readonly file: File
  /** By which the browser opens it again after a reload. */
  readonly handle?: FileSystemFileHandle
  readonly about: Readonly<Record<string, unknown>>
}

/** Over how long the speed is taken, in milliseconds. */
const RECENT = 4000

/** SHA-256 of a file, worked out beside the page; null where that cannot be. */
function hashOf(file: File): Promise<string | null> {
  const worker = new Worker(new URL('./hash-worker.tsx', import.meta.url), { type: 'module' })
  return new Promise<string | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data)
    // Where no worker can run, the server finds out afterwards.
    worker.onerror = () => resolve(null)
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}

/** Everything that this window sends. One for the window: an upload goes on while its person walks through the console. */
class Uploads {
  private list: readonly Upload[] = []
  private readonly files = new Map<string, File>()
  private readonly handles = new Map<string, FileSystemFileHandle>()
  private readonly running = new Map<string, Sending>()
  /** Addresses of what has arrived and was not taken over yet. */
  private readonly arrived = new Map<string, string>()
  private readonly watchers = new Set<() => void>()
  private targets: ReadonlyMap<string, UploadTarget> = new Map()
  private staffId = 0

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  readonly snapshot = (): readonly Upload[] => this.list

  /** Begins for a person: what they had begun before stands in the tray again. */
  async open(staffId: number, targets: readonly UploadTarget[]): Promise<void> {
    this.targets = new Map(targets.map((target) => [target.name, target]))
    if (this.staffId === staffId) return
    this.staffId = staffId
    this.list = []
    const kept = await keptUploads(staffId)
    for (const { upload, source } of kept) {
      if (source instanceof File) this.files.set(upload.id, source)
      else if (source) this.handles.set(upload.id, source)
    }
    this.show([...kept.map(({ upload, source }) => afterReload(upload, source !== undefined)), ...this.list])
  }

  /**
   * Adds files.
   * @param offered kinds that their target takes
   */
  add(target: string, files: readonly NewUpload[], offered: readonly UploadKind[]): void {
    for (const { file, handle, about } of files) {
      if (this.again(file)) continue
      const kind = kindOfName(file.name, offered)
      const problem = problemOf(kind, file)
      const upload: Upload = {
        id: newKey(), target, name: file.name, bytes: file.size, modified: file.lastModified, kind: kind ?? 'file', about, sent: 0, speed: 0, state: problem === undefined ? 'waiting' : 'failed', ...(problem !== undefined && { problem }),
      }
      this.files.set(upload.id, file)
      if (handle) this.handles.set(upload.id, handle)
      this.show([...this.list, upload])
      if (problem === undefined) void keepUpload(this.staffId, { upload, source: handle ?? file })
    }
    this.pump()
  }

  /** Goes on with an upload whose file was chosen again. @returns whether there is such a one */
  again(file: File): boolean {
    const upload = sameFile(this.list, file)
    if (!upload) return false
    this.files.set(upload.id, file)
    this.change(upload.id, { state: 'waiting' })
    this.pump()
    return true
  }

  pause(id: string): void {
    this.running.get(id)?.stop()
    this.change(id, { state: 'paused', speed: 0 })
    this.pump()
  }

  /** Goes on with what was paused or failed, as far as the browser still has the file. */
  async resume(id: string): Promise<void> {
    const handle = this.handles.get(id)
    if (!this.files.has(id) && handle) {
      const file = await handle.getFile().catch(() => undefined)
      if (file) this.files.set(id, file)
    }
    this.change(id, this.files.has(id) ? { state: 'waiting', problem: undefined } : { state: 'gone', problem: undefined })
    this.pump()
  }

  /** Takes an upload out of the tray; what has arrived of it goes from the server by itself. */
  remove(id: string): void {
    this.running.get(id)?.stop()
    for (const known of [this.running, this.files, this.handles, this.arrived]) known.delete(id)
    void forgetUpload(this.staffId, id)
    this.show(this.list.filter((upload) => upload.id !== id))
    this.pump()
  }

  clear(): void {
    for (const { id } of this.list.filter(isOver)) this.remove(id)
  }

  private show(list: readonly Upload[]): void {
    this.list = list
    for (const watcher of this.watchers) watcher()
  }

  private change(id: string, part: Partial<{ [K in keyof Upload]: Upload[K] | undefined }>): void {
    this.show(this.list.map((upload) => (upload.id === id ? { ...upload, ...part } as Upload : upload)))
    const upload = this.list.find((one) => one.id === id)
    if (upload && 'state' in part && isOver(upload)) void forgetUpload(this.staffId, id)
  }

  private is(id: string, state: Upload['state']): boolean {
    return this.list.some((upload) => upload.id === id && upload.state === state)
  }

  private pump(): void {
    for (const upload of toBegin(this.list)) {
      this.change(upload.id, { state: 'hashing' })
      void this.begin(upload).catch((error: unknown) => this.change(upload.id, { state: 'failed', speed: 0, problem: error instanceof Error ? error.message : '上传失败，请重试' })).finally(() => this.pump())
    }
  }

  private async begin(upload: Upload): Promise<void> {
    const { id } = upload
    const file = this.files.get(id)
    const target = this.targets.get(upload.target)
    if (!file || !target) return this.change(id, { state: 'gone' })
    if (!this.arrived.has(id)) {
      const sha256 = upload.sent === 0 && target.known ? await hashOf(file) : null
      const known = sha256 === null ? undefined : await target.known?.(sha256)
      if (!this.is(id, 'hashing')) return
      if (known) return this.change(id, { state: 'known', problem: known.words, to: known.to })
      this.change(id, { state: 'sending' })
      const sent = await this.send(upload, file)
      if (sent === undefined) return
      this.arrived.set(id, sent)
    }
    const url = this.arrived.get(id) ?? ''
    this.change(id, { state: 'finishing', sent: upload.bytes, speed: 0 })
    const { to } = await target.finish(url, upload, file)
    this.files.delete(id)
    this.arrived.delete(id)
    this.change(id, { state: 'done', to })
    if (target.quiet) this.remove(id)
  }

  /** Sends what the server has not; undefined when it was paused. */
  private async send({ id, name, kind }: Upload, file: File): Promise<string | undefined> {
    const marks: [number, number][] = []
    const sending = send(file, { name, kind }, (sent) => {
      const now = performance.now()
      marks.push([now, sent])
      while ((marks[0]?.[0] ?? now) < now - RECENT) marks.shift()
      if (this.is(id, 'sending')) this.change(id, { sent, speed: speedOf(marks) })
    })
    this.running.set(id, sending)
    return sending.url.finally(() => this.running.delete(id))
  }
}

export const uploads = new Uploads()
