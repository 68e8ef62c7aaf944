import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })
const own = () => big('id').primaryKey().generatedByDefaultAsIdentity()

/** What a teacher gets for a lesson, or for a learner and month, from a day on. */
export const companionRate = pgTable('companion_rate', {
  id: own(),
  teacher_id: big('teacher_id').notNull(),
  mode: text('mode').notNull(),
  rate: integer('rate').notNull(),
  valid_from: moment('valid_from').notNull(),
  staff_id: big('staff_id'),
  created_at: moment('created_at').notNull().defaultNow(),
}, (table) => [uniqueIndex('companion_rate_teacher_u').on(table.teacher_id, table.mode, table.valid_from), check('companion_rate_rate', sql`rate >= 0`)])

/** Who looked after a learner from when to when: one open row of a learner. */
export const companionAssign = pgTable('companion_assign', {
  id: own(),
  student_id: big('student_id').notNull(),
  teacher_id: big('teacher_id').notNull(),
  from_at: moment('from_at').notNull().defaultNow(),
  to_at: moment('to_at'),
  staff_id: big('staff_id'),
}, (table) => [
  uniqueIndex('companion_assign_open_u').on(table.student_id).where(sql`to_at is null`),
  index('companion_assign_student_i').on(table.student_id, table.from_at),
  index('companion_assign_teacher_i').on(table.teacher_id, table.from_at),
])

/** Lessons bought, taken and given back; what is left is their sum. Append-only. */
export const lessonEntry = pgTable('lesson_entry', {
  id: own(),
  student_id: big('student_id').notNull(),
  /** Who looked after the learner then; null where nobody did. */
  teacher_id: big('teacher_id'),
  at: moment('at').notNull().defaultNow(),
  delta: integer('delta').notNull(),
  /** order, refund, task, back, adjust: why, and with `ref` only once. */
  cause: text('cause').notNull(),
  ref: text('ref').notNull(),
  note: text('note'),
  staff_id: big('staff_id'),
}, (table) => [uniqueIndex('lesson_entry_cause_u').on(table.cause, table.ref), index('lesson_entry_student_i').on(table.student_id, table.id), index('lesson_entry_teacher_i').on(table.teacher_id, table.at)])

/** What a lesson pack held when it was published. Tasks keep the version that they were made with. */
export const packVersion = pgTable('pack_version', {
  pack_id: big('pack_id').notNull(),
  version: integer('version').notNull(),
  items: jsonb('items').notNull(),
  terms: jsonb('terms').notNull().default([]),
  at: moment('at').notNull().defaultNow(),
  staff_id: big('staff_id'),
}, (table) => [primaryKey({ columns: [table.pack_id, table.version] })])

/** How one learner does with one task. */
export const taskStudent = pgTable('task_student', {
  task_id: big('task_id').notNull(),
  student_id: big('student_id').notNull(),
  teacher_id: big('teacher_id'),
  status: integer('status').notNull().default(0),
  score: numeric('score', { mode: 'number', precision: 6, scale: 1 }),
  late: integer('late').notNull().default(0),
  returned_n: integer('returned_n').notNull().default(0),
  opened_at: moment('opened_at'),
  submitted_at: moment('submitted_at'),
  graded_at: moment('graded_at'),
  graded_by: big('graded_by'),
  reminded_at: moment('reminded_at'),
  /** The newest message that the responsible teacher has seen. */
  read_id: big('read_id').notNull().default(0),
  /** Messages of the learner after it. */
  unread: integer('unread').notNull().default(0),
  last_id: big('last_id').notNull().default(0),
  last_at: moment('last_at'),
}, (table) => [
  primaryKey({ columns: [table.task_id, table.student_id] }),
  index('task_student_teacher_i').on(table.teacher_id, table.status),
  index('task_student_unread_i').on(table.teacher_id, table.student_id).where(sql`unread > 0`),
  index('task_student_student_i').on(table.student_id, table.status),
])

/** What was said about a task. Append-only; a mark on a picture is a message of its own that names the picture. */
export const taskMessage = pgTable('task_message', {
  id: own(),
  task_id: big('task_id').notNull(),
  student_id: big('student_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  side: text('side').notNull(),
  kind: text('kind').notNull(),
  staff_id: big('staff_id'),
  body: text('body'),
  files: text('files').array().notNull().default(sql`'{}'::text[]`),
  /** Strokes in the picture's own coordinates. */
  marks: jsonb('marks'),
  /** Seconds of a voice message. */
  seconds: integer('seconds'),
  client_key: text('client_key'),
}, (table) => [
  index('task_message_thread_i').on(table.task_id, table.student_id, table.id),
  index('task_message_student_i').on(table.student_id, table.id),
  uniqueIndex('task_message_client_u').on(table.task_id, table.student_id, table.client_key).where(sql`client_key is not null`),
])

/** What a teacher wrote down after a talk of today's list. */
export const companionFollow = pgTable('companion_follow', {
  id: own(),
  student_id: big('student_id').notNull(),
  teacher_id: big('teacher_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  way: text('way').notNull(),
  body: text('body').notNull(),
  seconds: integer('seconds'),
  /** How urgent the learner was then, so that it can be seen later whether the list was right. */
  risk: integer('risk').notNull().default(0),
}, (table) => [index('companion_follow_student_i').on(table.student_id, table.at), index('companion_follow_teacher_i').on(table.teacher_id, table.at)])

/** Remarks that a teacher says often. */
export const companionPhrase = pgTable('companion_phrase', {
  id: own(),
  staff_id: big('staff_id').notNull(),
  body: text('body').notNull(),
  used_n: integer('used_n').notNull().default(0),
}, (table) => [uniqueIndex('companion_phrase_staff_u').on(table.staff_id, table.body)])
