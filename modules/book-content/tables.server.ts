import { bigint, index, integer, jsonb, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** A state of a training material that was finished; it does not change any more. */
export const trainMaterialVersion = pgTable('train_material_version', {
  material_id: id('material_id').notNull(),
  no: integer('no').notNull(),
  /** A list of `Piece`, and the `Layout`. */
  pieces: jsonb('pieces').notNull(),
  layout: jsonb('layout').notNull(),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.material_id, table.no] })])

/** Which questions stand in what is edited of a material; written with it. */
export const trainMaterialUse = pgTable('train_material_use', {
  material_id: id('material_id').notNull(),
  practice_id: id('practice_id').notNull(),
}, (table) => [primaryKey({ columns: [table.material_id, table.practice_id] }), index('train_material_use_practice_i').on(table.practice_id)])

/** Which questions a measurement asks; written with it. */
export const measurementUse = pgTable('measurement_use', {
  measurement_id: id('measurement_id').notNull(),
  practice_id: id('practice_id').notNull(),
}, (table) => [primaryKey({ columns: [table.measurement_id, table.practice_id] }), index('measurement_use_practice_i').on(table.practice_id)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { train_material_version: ['material_id', 'no', 'pieces', 'layout', 'staff_id', 'at'] }
