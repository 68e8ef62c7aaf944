import { bigint, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * Rows of an imported sheet between check and commit, and what is needed to take the import back. They stay as long as
 * their job does.
 */
export const importRow = pgTable('import_row', {
  /** The job that read the sheet. */
  job_id: bigint('job_id', { mode: 'number' }).notNull(),
  /** As the spreadsheet program counts it. */
  row_number: integer('row_number').notNull(),
  /** new, update or bad; once taken back undone, or kept because the record was changed since. */
  state: text('state').notNull(),
  /** Id that a new record will have, or of the record that the row updates. */
  record_id: bigint('record_id', { mode: 'number' }).notNull(),
  /** Values by column, in the form in which the database reads them. */
  values: jsonb('values').notNull(),
  /** The cells by column, as people see them in the file, or as they mended them. */
  cells: jsonb('cells'),
  /** What is wrong with the row, or why it was kept. */
  reason: text('reason'),
  /** What an update overwrote, and the revision that it made. */
  before: jsonb('before'),
  rev: integer('rev'),
}, (table) => [primaryKey({ columns: [table.job_id, table.row_number] })])
