import type { Config } from '../config.server.ts'
import type { Database } from './database.server.ts'
import { openEmbedded } from './embedded.server.ts'
import { openPostgres } from './postgres.server.ts'

/** Opens the database that the configuration names: PostgreSQL, or the embedded one in the data folder. */
export function openDatabase(config: Config): Promise<Database> {
  return config.databaseUrl ? openPostgres(config.databaseUrl) : openEmbedded(config.dataDir)
}
