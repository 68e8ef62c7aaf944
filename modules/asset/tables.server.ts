import { bigint, index, integer, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** What an asset was before its file was replaced; it can be brought back until its time is over. */
export const assetVersion = pgTable('asset_version', {
  asset_id: id('asset_id').notNull(),
  no: integer('no').notNull(),
  url: text('url').notNull(),
  sha256: text('sha256'),
  bytes: id('bytes'),
  seconds: numeric('seconds'),
  codec: text('codec'),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
  expires_at: at('expires_at').notNull(),
}, (table) => [primaryKey({ columns: [table.asset_id, table.no] }), index('asset_version_expires_i').on(table.expires_at)])
