import type { Database } from '../../core/database/database.server.ts'

/** Filled below. */
export async function insertTeacherDemo(_db: Database): Promise<void> {
  // Comes last.
}
