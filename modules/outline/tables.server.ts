import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** One catalogue of what is taught. Whose it is the module says that owns it. */
export const outline = pgTable('outline', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  owner_kind: text('owner_kind').notNull(),
  owner_id: id('owner_id').notNull(),
  /** Counts the changes, so that an editor can ask for those that it has not seen. */
  rev: integer('rev').notNull().default(0),
  /** One of OUTLINE_STATE. */
  state: smallint('state').notNull().default(0),
  /** The latest version that learners see; 0: none yet. */
  version_no: integer('version_no').notNull().default(0),
  /** The outline that it was copied from, and the version of it that was looked through last. */
  origin_id: id('origin_id'),
  origin_no: integer('origin_no'),
  /** What was decided of single nodes of the origin since: version by key, -1 for ever. */
  decided: jsonb('decided').notNull().default({}),
  created_at: at('created_at').notNull().defaultNow(),
  updated_at: at('updated_at').notNull().defaultNow(),
}, (table) => [uniqueIndex('outline_owner_u').on(table.owner_kind, table.owner_id), index('outline_origin_i').on(table.origin_id)])

/** Nodes of an outline as it is being edited. */
export const outlineNode = pgTable('outline_node', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  outline_id: id('outline_id').notNull(),
  key: text('key').notNull(),
  parent_id: id('parent_id'),
  /** Ids from the top to the parent: `/18/25/`. */
  path: text('path').notNull().default('/'),
  ord: text('ord').notNull(),
  kind: smallint('kind').notNull(),
  name: text('name').notNull(),
  free: smallint('free'),
  trial_minutes: integer('trial_minutes'),
  unlock: smallint('unlock').notNull().default(0),
  unlock_score: smallint('unlock_score'),
  /** Unix seconds, as the changes have it. */
  open_at: id('open_at'),
  label_ids: bigint('label_ids', { mode: 'number' }).array().notNull().default([]),
  chapter_id: id('chapter_id'),
  /** First version in which learners saw it; null: none did. */
  published_no: integer('published_no'),
  gone: boolean('gone').notNull().default(false),
}, (table) => [uniqueIndex('outline_node_u').on(table.outline_id, table.key), index('outline_node_chapter_i').on(table.chapter_id)])

/** What stands below a node: a video, a paper, a text. */
export const outlineBlock = pgTable('outline_block', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  outline_id: id('outline_id').notNull(),
  key: text('key').notNull(),
  node_id: id('node_id').notNull(),
  ord: text('ord').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull().default(0),
  slot: smallint('slot'),
  version_no: integer('version_no'),
  title: text('title').notNull().default(''),
  text: text('text').notNull().default(''),
}, (table) => [uniqueIndex('outline_block_u').on(table.outline_id, table.key), index('outline_block_ref_i').on(table.kind, table.ref_id), index('outline_block_node_i').on(table.node_id)])

/** What learners see: a state of the outline that does not change any more. */
export const outlineVersion = pgTable('outline_version', {
  outline_id: id('outline_id').notNull(),
  no: integer('no').notNull(),
  /** A `PublishedBody`. */
  body: jsonb('body').notNull(),
  staff_id: id('staff_id'),
  note: text('note').notNull().default(''),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.outline_id, table.no] })])

/** What the blocks of the published version show, so that nothing that learners see is removed. */
export const outlineShown = pgTable('outline_shown', {
  outline_id: id('outline_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
}, (table) => [primaryKey({ columns: [table.outline_id, table.kind, table.ref_id] }), index('outline_shown_ref_i').on(table.kind, table.ref_id)])

/** Who changed what of an outline; `rev` is the outline's after it. */
export const outlineChange = pgTable('outline_change', {
  outline_id: id('outline_id').notNull(),
  rev: integer('rev').notNull(),
  staff_id: id('staff_id'),
  changes: jsonb('changes').notNull(),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.outline_id, table.rev] })])

/** What learners did at a node, as their apps reported it; a report that comes twice counts once. */
export const learnRecord = pgTable('learn_record', {
  user_id: id('user_id').notNull(),
  node_id: id('node_id').notNull(),
  at: at('at').notNull(),
  seconds: integer('seconds').notNull(),
  done: boolean('done').notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.node_id, table.at] })])

/** How far a learner is at a node: the sum of their records. */
export const learnStat = pgTable('learn_stat', {
  user_id: id('user_id').notNull(),
  node_id: id('node_id').notNull(),
  outline_id: id('outline_id').notNull(),
  seconds: integer('seconds').notNull(),
  done: boolean('done').notNull(),
  last_at: at('last_at').notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.node_id] }), index('learn_stat_outline_i').on(table.outline_id, table.user_id), index('learn_stat_node_i').on(table.node_id)])

/** What learners saw, and who changed what, stays as it was. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  outline_version: ['outline_id', 'no', 'body', 'staff_id', 'note', 'at'],
  outline_change: ['outline_id', 'rev', 'staff_id', 'changes', 'at'],
}
