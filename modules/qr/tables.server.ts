import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** How often a code was scanned on a day, and by how many. */
export const qrHitDay = pgTable('qr_hit_day', {
  qr_id: id('qr_id').notNull(),
  /** Its beginning. */
  day: at('day').notNull(),
  n: integer('n').notNull(),
  people: integer('people').notNull(),
}, (table) => [primaryKey({ columns: [table.qr_id, table.day] }), index('qr_hit_day_i').on(table.day)])

/** Who scanned a code on a day, as a hash that means nothing the day after; kept for two days. */
export const qrVisitor = pgTable('qr_visitor', {
  day: at('day').notNull(),
  qr_id: id('qr_id').notNull(),
  visitor: text('visitor').notNull(),
}, (table) => [primaryKey({ columns: [table.day, table.qr_id, table.visitor] })])
