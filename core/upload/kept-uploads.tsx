import type { Upload } from './upload.ts'

/** What is kept of an upload until it is over. A handle opens the file again after the person agrees; a file is there at once. */
export interface KeptUpload {
  readonly upload: Upload
  readonly source: File | FileSystemFileHandle | undefined
}

/** Files up to this size are kept by the browser itself, in bytes; it copies them. */
const SMALL = 64 * 1024 * 1024
const NAME = 'uploads'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore(NAME)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error('no IndexedDB'))
  })
}

/** Runs one step in the browser's own database. Where it has none, as in some private windows, nothing is kept. */
async function run<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  try {
    const db = await open()
    try {
      return await new Promise<Result>((resolve, reject) => {
        const asked = work(db.transaction(NAME, mode).objectStore(NAME))
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error ?? new Error('IndexedDB refused'))
      })
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

const keyOf = (staffId: number, id: string) => `${staffId} ${id}`

/** Keeps an upload for a person; a large file only where it can be opened by a handle. */
export async function keepUpload(staffId: number, { upload, source }: KeptUpload): Promise<void> {
  const kept = source instanceof File && source.size > SMALL ? undefined : source
  await run('readwrite', (store) => store.put({ upload, source: kept }, keyOf(staffId, upload.id)))
}

/** Forgets an upload. */
export async function forgetUpload(staffId: number, id: string): Promise<void> {
  await run('readwrite', (store) => store.delete(keyOf(staffId, id)))
}

/** What a person had begun before the page was loaded, oldest first. */
export async function keptUploads(staffId: number): Promise<KeptUpload[]> {
  const range = IDBKeyRange.bound(`${staffId} `, `${staffId} \uffff`)
  return (await run<KeptUpload[]>('readonly', (store) => store.getAll(range))) ?? []
}
