/** A file with the folders that it was in, from the top. */
export interface DroppedFile {
  readonly file: File
  readonly handle?: FileSystemFileHandle
  readonly folders: readonly string[]
}

/** What some browsers know beside the standard's types. */
interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}
interface Picking {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>
}

/** Files that a system puts into every folder. */
const HIDDEN = /^(?:\.|Thumbs\.db$|desktop\.ini$)/

async function ofHandle(handle: FileSystemHandle, folders: readonly string[]): Promise<DroppedFile[]> {
  if (HIDDEN.test(handle.name)) return []
  if (handle.kind === 'file') {
    const own = handle as FileSystemFileHandle
    return [{ file: await own.getFile(), handle: own, folders }]
  }
  const found: DroppedFile[] = []
  for await (const inner of (handle as FileSystemDirectoryHandle).values()) found.push(...await ofHandle(inner, [...folders, handle.name]))
  return found
}

async function ofEntry(entry: FileSystemEntry, folders: readonly string[]): Promise<DroppedFile[]> {
  if (HIDDEN.test(entry.name)) return []
  if (entry.isFile) return [{ file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)), folders }]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: DroppedFile[] = []
  for (;;) {
    // A reader gives a part of a large folder at a time.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return found
    for (const inner of part) found.push(...await ofEntry(inner, [...folders, entry.name]))
  }
}

/**
 * Everything that was dropped, folders opened.
 * @param items are read at once: after the event they are empty
 */
export async function droppedFiles(items: DataTransferItemList): Promise<DroppedFile[]> {
  const readers = [...items].filter(({ kind }) => kind === 'file').map((item) => {
    const entry = item.webkitGetAsEntry()
    const handle = (item as HandleItem).getAsFileSystemHandle?.().catch(() => null)
    const file = item.getAsFile()
    return async (): Promise<DroppedFile[]> => {
      const held = await handle
      if (held) return ofHandle(held, [])
      if (entry) return ofEntry(entry, [])
      return file ? [{ file, folders: [] }] : []
    }
  })
  return (await Promise.all(readers.map((read) => read()))).flat()
}

/** Files as an input of type file gives them; of a folder with the folders that they are in. */
export const pickedFiles = (files: FileList): DroppedFile[] => [...files].filter(({ name }) => !HIDDEN.test(name)).map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1).filter(Boolean) }))

/**
 * Lets the person choose files in a way that lets the browser open them again after a reload.
 * @returns undefined where the browser cannot; nothing where the person thought better of it
 */
export async function chooseFiles(): Promise<DroppedFile[] | undefined> {
  const { showOpenFilePicker } = window as Picking
  if (!showOpenFilePicker) return undefined
  const handles = await showOpenFilePicker.call(window, { multiple: true }).catch(() => [])
  return Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle, folders: [] })))
}
