import type { Database } from '../../core/database/database.server.ts'

export async function insertModerationDemo(_db: Database, _report: (text: string) => void): Promise<void> {}
