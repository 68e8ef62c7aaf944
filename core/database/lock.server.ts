import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the data folder for this process alone.
 * SQLite's exclusive file lock is used because the operating system drops it by itself when the process dies,
 * also by `kill -9`, and because Node has no file locks of its own.
 * @param folder created when missing
 * @returns releases the folder
 * @throws Error with a sentence for the administrator, when another process holds the folder
 */
export function lockFolder(folder: string): () => void {
  const file = openFile(folder)
  try {
    file.exec('pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive')
  } catch {
    file.close()
    throw new Error(`数据目录 ${folder} 正被另一个进程使用，请先停止它，或用 DATA_DIR 指定另一个目录`)
  }
  return () => file.close()
}

function openFile(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true })
    return new DatabaseSync(join(folder, 'lock'))
  } catch (error) {
    throw new Error(`数据目录 ${folder} 不能使用，请检查 DATA_DIR 和它的权限（${error instanceof Error ? error.message : ''}）`, { cause: error })
  }
}
