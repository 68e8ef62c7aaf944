import type { Database } from '../../core/database/database.server.ts'

export async function insertMarketDemo(_db: Database): Promise<void> {}
