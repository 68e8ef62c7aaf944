import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })
const own = () => big('id').primaryKey().generatedByDefaultAsIdentity()

/** Every code that a class ever had: none is given twice, and whoever types an old one is told so. */
export const teacherClassCode = pgTable('teacher_class_code', {
  code: text('code').primaryKey(),
  /** Null only while the class is being made, in one transaction with it. */
  class_id: big('class_id'),
  from_at: moment('from_at').notNull().defaultNow(), to_at: moment('to_at'),
}, (table) => [index('teacher_class_code_class_i').on(table.class_id)])

/** Who led a class from when to when: one open row of each class. */
export const teacherClassLead = pgTable('teacher_class_lead', {
  id: own(), class_id: big('class_id').notNull(), teacher_id: big('teacher_id').notNull(), from_at: moment('from_at').notNull().defaultNow(), to_at: moment('to_at'), staff_id: big('staff_id'), note: text('note'),
}, (table) => [uniqueIndex('teacher_class_lead_open_u').on(table.class_id).where(sql`to_at is null`), index('teacher_class_lead_class_i').on(table.class_id, table.id)])

/** Who is and was in a class. A learner stays in it while it has graduated. */
export const teacherClassMember = pgTable('teacher_class_member', {
  id: own(), class_id: big('class_id').notNull(), user_id: big('user_id').notNull(), joined_at: moment('joined_at').notNull().defaultNow(), left_at: moment('left_at'),
  /** quit, expelled or dissolved */
  cause: text('cause'), note: text('note'), client_key: text('client_key'),
}, (table) => [
  uniqueIndex('teacher_class_member_open_u').on(table.class_id, table.user_id).where(sql`left_at is null`), uniqueIndex('teacher_class_member_key_u').on(table.user_id, table.client_key).where(sql`client_key is not null`),
  index('teacher_class_member_user_i').on(table.user_id, table.class_id),
])

/** What a teacher set their class. */
export const teacherHomework = pgTable('teacher_homework', {
  id: own(), class_id: big('class_id').notNull(), teacher_id: big('teacher_id').notNull(), title: text('title').notNull(), paper_id: big('paper_id'), at: moment('at').notNull().defaultNow(), due_at: moment('due_at').notNull(),
  /** Learners in the class when it was set. */
  members: integer('members').notNull(), client_key: text('client_key').notNull(),
}, (table) => [uniqueIndex('teacher_homework_key_u').on(table.teacher_id, table.client_key), index('teacher_homework_class_i').on(table.class_id, table.at), index('teacher_homework_teacher_i').on(table.teacher_id, table.at)])

/** Who handed it in, the first time; a share of the points where it has some. */
export const teacherHomeworkDone = pgTable('teacher_homework_done', {
  homework_id: big('homework_id').notNull(), user_id: big('user_id').notNull(), at: moment('at').notNull().defaultNow(), score: numeric('score'),
}, (table) => [primaryKey({ columns: [table.homework_id, table.user_id] })])

/** What was spoken with a teacher. Append-only. */
export const teacherFollow = pgTable('teacher_follow', {
  id: own(), teacher_id: big('teacher_id').notNull(), staff_id: big('staff_id'), at: moment('at').notNull().defaultNow(), way: text('way').notNull(), body: text('body').notNull(),
}, (table) => [index('teacher_follow_teacher_i').on(table.teacher_id, table.id), index('teacher_follow_staff_i').on(table.staff_id, table.at)])

/** What a teacher is told in the app, and when the app fetched it. */
export const teacherNews = pgTable('teacher_news', {
  id: own(), teacher_id: big('teacher_id').notNull(), at: moment('at').notNull().defaultNow(), body: text('body').notNull(), paper_id: big('paper_id'), read_at: moment('read_at'),
}, (table) => [index('teacher_news_teacher_i').on(table.teacher_id, table.id)])

/** A question that a teacher wrote for a paper, and what became of it. */
export const teacherQuestion = pgTable('teacher_question', {
  id: own(), paper_id: big('paper_id').notNull(), ord: integer('ord').notNull(), content: jsonb('content').notNull(), score: numeric('score').notNull(), state: integer('state').notNull().default(0),
  reason: text('reason'), practice_id: big('practice_id'), staff_id: big('staff_id'), decided_at: moment('decided_at'),
}, (table) => [uniqueIndex('teacher_question_ord_u').on(table.paper_id, table.ord), index('teacher_question_practice_i').on(table.practice_id)])

/** A class that a teacher founded by the app, once for each key of the app. */
export const teacherClassKey = pgTable('teacher_class_key', {
  class_id: big('class_id').primaryKey(), teacher_id: big('teacher_id').notNull(), client_key: text('client_key').notNull(),
}, (table) => [uniqueIndex('teacher_class_key_u').on(table.teacher_id, table.client_key)])

/** A paper that came by the app, once for each key of the app. */
export const teacherHandin = pgTable('teacher_handin', {
  paper_id: big('paper_id').primaryKey(), teacher_id: big('teacher_id').notNull(), client_key: text('client_key').notNull(),
}, (table) => [uniqueIndex('teacher_handin_key_u').on(table.teacher_id, table.client_key)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { teacher_follow: ['id', 'teacher_id', 'staff_id', 'at', 'way', 'body'] }
