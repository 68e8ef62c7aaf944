import { bigint, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'

/**
 * What a code really is. It stands apart from what lists read: no list, export or log of a code ever carries it.
 * One table for all kinds of code, so that no two codes of any kind are equal.
 */
export const codeSecret = pgTable('code_secret', {
  /** Keyed hash: a code is found by it as a whole, and tells nothing without the installation's key. */
  hash: text('hash').notNull(),
  /** The code, encrypted for people who may see it; bound to its hash. */
  sealed: text('sealed').notNull(),
  /** Table and id of the code. */
  family: text('family').notNull(),
  code_id: bigint('code_id', { mode: 'number' }).notNull(),
}, (table) => [
  primaryKey({ columns: [table.hash] }),
  uniqueIndex('code_secret_code_u').on(table.family, table.code_id),
])
