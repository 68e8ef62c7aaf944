import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { openBlocks, writeOutline, type OutlineSketch } from '../outline/door.server.ts'
import { insertPapers } from '../paper/door.server.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { OWNER } from './outline.server.ts'
import { classCourse, COURSE_STATE } from './course.ts'
import { GRANT_STATE, roomCourse } from './grant.ts'
import { grantCourses, grantPlans, openPlaces } from './grant-calls.server.ts'
import { classPaper } from './papers.ts'
import { PLAN_STATE, trainingPlan } from './plan.ts'
import { writeUses } from './plan-uses.server.ts'
import { generate, type Lesson, type PlanTask } from './tasks.ts'

const DAY = 86_400
const TITLES = ['同步培优', '重难点突破', '期末冲刺'] as const
/** Rooms that have something, and people in each. */
const ROOMS = 12

interface Piece { id: number; name: string; subject_id: number; minutes: number }
interface Subject { id: number; name: string; level: number }

/** Whoever sets up the demo sees everything. */
const everybody = (id: number): Staff => ({ id, account: '', name: '', role: '', modules: new Set<number>(), scopes: {}, masksNames: false })

/** Kind of a node that has others below it. */
const CHAPTER = 2

/** Chapters of lessons: each with what it shows, a paper behind the second. */
function chapters(lessons: readonly Piece[], papers: readonly Piece[]): OutlineSketch[] {
  const each = Math.max(2, Math.ceil(lessons.length / 3))
  return Array.from({ length: Math.ceil(lessons.length / each) }, (_, chapter) => ({
    name: `第${'一二三四五六'[chapter] ?? chapter + 1}讲`,
    kind: CHAPTER,
    below: lessons.slice(chapter * each, (chapter + 1) * each).map((piece, at): OutlineSketch => {
      const paper = at % 2 === 1 ? papers[(chapter + at) % Math.max(1, papers.length)] : undefined
      return { name: piece.name, blocks: [{ kind: 'micro', ref_id: piece.id }, ...(paper ? [{ kind: 'paper', ref_id: paper.id }] : [])] }
    }),
  }))
}

const lessonsOf = (written: readonly OutlineSketch[], pieces: ReadonlyMap<string, Piece>): Lesson[] => written.flatMap(({ name, blocks = [], below = [] }) => [
  ...(blocks.length === 0 ? [] : [{ name, contents: blocks.map(({ kind, ref_id = 0 }) => ({ kind, ref_id, name: pieces.get(`${kind} ${ref_id}`)?.name ?? name, minutes: pieces.get(`${kind} ${ref_id}`)?.minutes ?? 0 })) }]),
  ...lessonsOf(below, pieces),
])

/** Courses of six subjects in all states with what they teach, and papers of senior ones. */
async function insertCourses(tx: Queryable, random: Random, staff: readonly number[]): Promise<{ ids: number[]; lessons: Map<number, Lesson[]> }> {
  const subjects = await tx.query<Subject & Record<string, unknown>>(sql`select id, name, level from subject where (level = 0 and id <= 3) or (level = 1 and id in (101, 102, 103)) order by id`)
  const micro = await tx.query<Piece & Record<string, unknown>>(sql`select id, name, subject_id, ceil(duration / 60.0)::int as minutes from micro_lesson where state = 2 and deleted_at is null order by id`)
  const papers = await tx.query<Piece & Record<string, unknown>>(sql`select id, name, subject_id, coalesce(duration, 30)::int as minutes from paper where kind in ('base', 'micro') and state = 2 and deleted_at is null order by id`)
  const pieces = new Map([...micro.map((piece): [string, Piece] => [`micro ${piece.id}`, piece]), ...papers.map((piece): [string, Piece] => [`paper ${piece.id}`, piece])])
  const ids: number[] = []
  const lessons = new Map<number, Lesson[]>()
  for (const [at, subject] of subjects.entries()) {
    const [own, shown] = [micro.filter(({ subject_id }) => subject_id === subject.id), papers.filter(({ subject_id }) => subject_id === subject.id).slice(0, 6)]
    for (const [nth, title] of TITLES.entries()) {
      const written = chapters(own.slice(nth * 4, nth * 4 + 9), shown)
      const state = written.length === 0 || (nth === 2 && at % 3 === 2) ? COURSE_STATE.draft : nth === 2 && at % 3 === 1 ? COURSE_STATE.off : COURSE_STATE.on
      const [id = 0] = await insertMany(tx, classCourse, [{
        level: subject.level, name: `${subject.name}${title}`, subject_id: subject.id, teacher_ids: [random.pick(staff)], room_type_ids: [], partner_ids: [], school_ids: [], room_ids: [], sort: (nth + 1) * 10, state,
        intro: `${subject.name}每讲一个微课、隔讲一次检测，自习室督学按课表带学。`,
      }] as never)
      if (written.length > 0) {
        await writeOutline(tx, { kind: OWNER, id }, random.pick(staff), written, '首次发布')
        if (state === COURSE_STATE.on) ids.push(id)
        lessons.set(id, lessonsOf(written, pieces))
      }
    }
  }
  const seniors = subjects.filter(({ level }) => level === 0)
  const plan = seniors.flatMap((subject) => ['入学诊断卷', '阶段测评卷', '结课测评卷'].map((name, at) => ({
    subject, values: { name: `${subject.name}${name}`, duration: 60, difficulty: 3 + (at % 2), source: 'dou_practice' }, state: [PAPER_STATE.shelved, PAPER_STATE.waiting, PAPER_STATE.draft][at] ?? PAPER_STATE.draft,
  })))
  const made = await insertPapers(tx, random, classPaper, plan)
  for (const [at, id] of made.entries()) {
    const [course] = await tx.query<{ id: number }>(sql`select id from class_course where subject_id = ${plan[at]?.subject.id ?? 0} order by id limit 1`)
    if (course) await touch(tx, classPaper, { class_course_id: course.id } as object, id)
  }
  return { ids, lessons }
}

/** Six plans: generated from courses, with changes, begun, switched off. */
async function insertPlans(tx: Queryable, staff: readonly number[], lessons: ReadonlyMap<number, Lesson[]>): Promise<number[]> {
  const plans: number[] = []
  const sources = await tx.query<{ id: number; name: string; subject_id: number; level: number }>(sql`select id, name, subject_id, level from class_course where id = any(${sql.param([...lessons.keys()])}::bigint[]) order by sort, id limit 6`)
  for (const [at, { id, name, subject_id, level }] of sources.entries()) {
    const published = generate(lessons.get(id) ?? [], { minutes: 60, practice: true, review: true, from: 1 })
    const state = at === 4 ? PLAN_STATE.draft : at === 5 ? PLAN_STATE.off : PLAN_STATE.live
    const extra: PlanTask = { key: `demo${at}`, day: 2, kind: 'check', show: null, title: '晚自习打卡', minutes: 5, required: false, unlock: 0 }
    const tasks = at === 1 ? [...published, extra].toSorted((a, b) => a.day - b.day) : published
    const isOut = state !== PLAN_STATE.draft
    const [plan = 0] = await insertMany(tx, trainingPlan, [{
      name: `${name} 训练计划`, subject_id, grade: level === 0 ? 10 : 7, weeks: 4, day_minutes: 60, target: '四周完成一轮学习和检测，每周复盘一次', tasks, published: isOut ? published : [], version_no: isOut ? 1 : 0, state, ...(isOut && { published_by: staff[at % staff.length] }),
    }])
    if (isOut) await tx.query(sql`insert into plan_version (plan_id, no, tasks, staff_id) values (${plan}, 1, ${JSON.stringify(published)}::jsonb, ${staff[at % staff.length] ?? null})`)
    await writeUses(tx, plan, tasks, isOut ? published : [])
    await openBlocks(tx, tasks.flatMap(({ show }) => show ?? []), trainingPlan.grant)
    if (state === PLAN_STATE.live) plans.push(plan)
  }
  return plans
}

/** What rooms may use, with people, in every state; some of them behind with their plan. */
async function insertGrants(tx: Queryable, random: Random, staffId: number, courses: readonly number[], plans: readonly number[]): Promise<number> {
  const me = everybody(staffId)
  const today = startOfDay(Date.now() / 1000)
  const rooms = (await tx.query<{ id: number }>(sql`select id from study_room where status = 1 and deleted_at is null order by id limit ${ROOMS}`)).map(({ id }) => id)
  const people = await tx.query<{ mobile: string; name: string }>(sql`select mobile, real_name as name from app_user where real_name is not null and status = 1 and deleted_at is null order by id limit 400`)
  let at = 0
  const take = (count: number) => Array.from({ length: count }, () => people[at++ % people.length]).flatMap((one) => one ?? [])
  for (const [nth, course] of courses.entries()) await grantCourses(tx, me, { room_ids: rooms.filter((_, place) => (place + nth) % 3 !== 0), course_ids: [course], quota: 6 + (nth % 3) * 4, valid_until: today + (20 + (nth % 5) * 60) * DAY })
  for (const [nth, plan] of plans.entries()) await grantPlans(tx, me, { room_ids: rooms.slice(nth * 2, nth * 2 + 3), plan_id: plan, quota: 8, valid_until: today + 90 * DAY, start_on: today - (4 + nth * 3) * DAY, rest_days: nth % 2 === 0 ? [7] : [] })
  const grants = await tx.query<{ id: number; kind: string; quota: number }>(sql`select id, kind, quota::int as quota from room_course order by id`)
  for (const [nth, { id, quota }] of grants.entries()) {
    if (people.length === 0 || nth % 3 === 2) continue
    await openPlaces(tx, me, id, [...new Map(take(nth % 7 === 0 ? quota : random.int(1, Math.max(1, quota - 2))).map((one) => [one.mobile, one])).values()])
  }
  // Learners of plans did most of what their days asked for.
  await tx.query(sql`insert into plan_done (account_id, task_key, at) select a.id, t.value->>'key', now() - make_interval(hours => (a.id % 60)::int)
    from class_account a join room_course g on g.id = a.grant_id and g.kind = 'plan' join training_plan p on p.id = g.plan_id cross join jsonb_array_elements(p.published) t
    where (t.value->>'day')::int <= extract(day from now() - g.start_on)::int and (a.id + length(t.value->>'key') + (t.value->>'day')::int) % 5 <> 0 on conflict do nothing`)
  const some = (nth: number) => grants.filter(({ kind }, place) => kind === 'course' && place % 9 === nth).map(({ id }) => id)
  await touch(tx, roomCourse, { valid_until: today - 3 * DAY } as object, some(2))
  await touch(tx, roomCourse, { state: GRANT_STATE.paused } as object, some(5))
  await touch(tx, roomCourse, { state: GRANT_STATE.recalled } as object, some(8))
  return grants.length
}

/** Two years of courses in rooms: courses, papers, plans, and who uses them. */
export async function insertClassCourseDemo(db: Database, report: (text: string) => void): Promise<void> {
  const random = seededRandom(501)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  await seedTransaction(db, async (tx) => {
    const { ids, lessons } = await insertCourses(tx, random, staff)
    const plans = await insertPlans(tx, staff, lessons)
    const grants = await insertGrants(tx, random, staff[0] ?? 0, ids, plans)
    report(`已生成 ${lessons.size} 门课堂课程、${plans.length} 个执行中的训练计划、${grants} 个自习室授权`)
  })
}
