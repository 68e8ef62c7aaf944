import type { Database } from '../../core/database/database.server.ts'

export async function insertBookContentDemo(_db: Database): Promise<void> {
  await Promise.resolve()
}
