import { request } from '../endpoint/call.tsx'
import { fileIdsIn } from '../file/url.ts'
import type { Resource } from '../resource/define.ts'
import { recordPath } from '../resource/record-path.ts'
import { say } from '../undo/said.ts'
import type { DroppedFile } from '../upload/dropped.tsx'
import type { UploadTarget } from '../upload/target.ts'
import { uploads } from '../upload/uploads.tsx'
import { RECORD_FILE_KINDS, type RecordFile } from './calls.ts'

/** Its name in the tray. */
const TARGET = 'record_file'

/** By which uploads are known to be for a record: the path of its calls. */
export const recordFileKey = ({ api }: Pick<Resource, 'api'>, id: number): string => `${api.item}/${id}`

/** Sends files that are to be kept with a record; the tray of the console shows how far they are, wherever one goes meanwhile. */
export function uploadRecordFiles(resource: Pick<Resource, 'api' | 'grant' | 'name'>, id: number, files: readonly DroppedFile[]): void {
  const about = { record: recordFileKey(resource, id), to: recordPath(resource, id) }
  uploads.add(TARGET, files.map(({ file, handle }) => ({ file, ...(handle && { handle }), about })), RECORD_FILE_KINDS)
}

/** Files that have arrived from this window, by their records. */
const arrived = new Map<string, number>()
const watchers = new Set<() => void>()

/** Hears of files that arrive. @returns stops it */
export function onArrived(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** How many files of a record have arrived from this window: what is shown of the record is read again by it. */
export const arrivedFor = (key: string): number => arrived.get(key) ?? 0

/** What becomes of a file that was sent for a record. */
export const recordFileTarget: UploadTarget = {
  name: TARGET,
  quiet: true,
  async finish(url, { about, name }) {
    const record = String(about['record'])
    const added = await request<RecordFile & { undo?: number }>('POST', `${record}/files`, { file_id: fileIdsIn(url)[0] ?? '' })
    arrived.set(record, arrivedFor(record) + 1)
    for (const watcher of watchers) watcher()
    say({ words: `已添加「${name}」`, undo: added.undo })
    return { to: String(about['to']) }
  },
}
