import { DatabaseGone, sqlState } from './database.server.ts'
import { type AppError, databaseGone, diskFull } from '../error/error.ts'

/** What the file system says when it takes no more. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT'])
/** SQLSTATE of a server without room on its disk. */
const DISK_FULL = '53100'
/**
 * Classes and codes of a server that serves nobody at the moment (PostgreSQL, appendix A): lost connections, too few
 * resources, shut down, starting, and a file system that fails.
 */
const GONE = /^(08|53|57P|58)/

/**
 * What the server lacks at the moment, in words for a person who has to wait for it; undefined for every other failure.
 * Looks behind the error for what caused it: libraries wrap theirs.
 */
export function unavailable(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const state = sqlState(error)
  if (state === DISK_FULL || ('code' in error && NO_ROOM.has(String(error.code)))) return diskFull()
  if (error instanceof DatabaseGone || (state && GONE.test(state))) return databaseGone()
  return unavailable(error.cause)
}
