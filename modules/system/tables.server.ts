import { bigint, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'

/** By what a learners' app shows that it is that app: a hash, so that nobody reads a key out of the database. */
export const appClientKey = pgTable('app_client_key', { client_id: bigint('client_id', { mode: 'number' }).primaryKey(), hash: text('hash').notNull() }, (table) => [uniqueIndex('app_client_key_hash_u').on(table.hash)])
