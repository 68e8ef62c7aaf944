import { UPLOAD_KINDS } from '../file/kinds.ts'
import { sizeText } from '../file/size.ts'
import { typeOfExtension } from '../file/types.ts'

/** Name of a kind of upload, whose limits hold on the server too. */
export type UploadKind = keyof typeof UPLOAD_KINDS

/**
 * How far an upload is: `gone` waits for the person to choose the file again, because the browser has forgotten it; `known` was
 * not sent, since the server has the same bytes.
 */
export type UploadState = 'waiting' | 'hashing' | 'sending' | 'paused' | 'gone' | 'finishing' | 'done' | 'known' | 'failed'

/** One file in the tray. */
export interface Upload {
  readonly id: string
  /** What becomes of it: the name of an upload target. */
  readonly target: string
  readonly name: string
  readonly bytes: number
  /** By which, with name and size, the same file is known again. */
  readonly modified: number
  readonly kind: UploadKind
  /** What its target wants to know when it has arrived: tags, folder. */
  readonly about: Readonly<Record<string, unknown>>
  readonly state: UploadState
  readonly sent: number
  /** Bytes a second; 0 while nobody knows. */
  readonly speed: number
  readonly problem?: string
  /** Screen that shows what became of it. */
  readonly to?: string
}

/** Uploads that are sent at the same time. */
export const AT_ONCE = 3

const OVER: ReadonlySet<UploadState> = new Set(['done', 'known'])
const BUSY: ReadonlySet<UploadState> = new Set(['hashing', 'sending', 'finishing'])

/** Whether nothing is left to do about it. */
export const isOver = ({ state }: Pick<Upload, 'state'>): boolean => OVER.has(state)
export const isBusy = ({ state }: Pick<Upload, 'state'>): boolean => BUSY.has(state)

/** The uploads to begin now, in the order in which they were added. */
export function toBegin(uploads: readonly Upload[]): Upload[] {
  const free = AT_ONCE - uploads.filter(isBusy).length
  return free > 0 ? uploads.filter(({ state }) => state === 'waiting').slice(0, free) : []
}

/** What an upload is after the page was loaded anew. @param held whether the browser still has the file */
export function afterReload(upload: Upload, held: boolean): Upload {
  if (isOver(upload) || upload.state === 'failed') return upload
  return { ...upload, speed: 0, state: held ? 'paused' : 'gone' }
}

/** The upload that a file which was chosen again belongs to. */
export const sameFile = (uploads: readonly Upload[], file: { name: string; size: number; lastModified: number }): Upload | undefined =>
  uploads.find(({ state, name, bytes, modified }) => state === 'gone' && name === file.name && bytes === file.size && modified === file.lastModified)

/** The kind that takes files of this name; undefined when none of the offered does. */
export function kindOfName(name: string, offered: readonly UploadKind[]): UploadKind | undefined {
  const type = typeOfExtension(name.split('.').at(-1)?.toLowerCase() ?? '')
  return offered.find((kind) => type !== undefined && (UPLOAD_KINDS[kind].accept as readonly string[]).includes(type))
}

/** Why a file cannot be sent at all; undefined when it can. */
export function problemOf(kind: UploadKind | undefined, file: { size: number }): string | undefined {
  if (kind === undefined) return '不支持这种文件'
  if (file.size === 0) return '文件是空的'
  const { maxBytes } = UPLOAD_KINDS[kind]
  return file.size > maxBytes ? `文件不能超过 ${sizeText(maxBytes)}` : undefined
}

/** Bytes a second over the last moments. @param marks how much had been sent when, in milliseconds, oldest first */
export function speedOf(marks: readonly (readonly [at: number, sent: number])[]): number {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last || last[0] <= first[0]) return 0
  return Math.max(0, Math.round((last[1] - first[1]) / ((last[0] - first[0]) / 1000)))
}
