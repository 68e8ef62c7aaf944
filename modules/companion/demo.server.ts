import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { insertOrderRows, type NumberedOrder } from '../order/door.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { insertPapers } from '../paper/door.server.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { workGrants } from './calls.ts'
import { CLASS_STATUS } from './class.ts'
import type { Companion } from './companion.ts'
import { attachMessageFiles } from './files.server.ts'
import { openAssets } from '../asset/door.server.ts'
import { ASSET_STATE } from '../asset/module.ts'
import { screenId } from '../screens.ts'
import { withTerms } from './demo-terms.ts'
import { ANSWERED, ASKED, FOLLOWED, homework, itemsOf, PHRASES, RETURNED, TOPICS, wordsOf } from './demo-material.ts'
import { COMPANION_GOODS } from './order.ts'
import { PACK_STATE } from './pack.ts'
import { PROGRESS as P, type Progress } from './progress.ts'
import { factsOf } from './report.server.ts'
import { REPORT_STATE } from './report.ts'
import { CUT, LIVING, STUDENT_STATUS as S } from './student.ts'
import { isMarked, TASK_KINDS, TASK_STATE } from './task.ts'
import { companionTeacher, TEACHER_STATUS } from './teacher.ts'

const DAY = 86_400
const LESSON_PRICE = 80_00
/** How much of everything a business has. */
const SIZE = { students: 90, tasks: 110, perTask: 9, reports: 60, pictures: 6 } as const

const insert = insertMany as (tx: Queryable, resource: unknown, rows: readonly object[]) => Promise<number[]>

/** Teachers of both businesses: members of the staff, most of them at work, with rates. */
export async function insertTeacherDemo(db: Database): Promise<void> {
  const random = seededRandom(58)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const people = await tx.query<{ id: number; name: string }>(sql`select id, name from staff where status = 1 order by id limit 12`)
    const ids = await insert(tx, companionTeacher, people.map(({ id, name }, index) => ({
      staff_id: id, name, kinds: index % 3 === 2 ? ['qb_train'] : index % 3 === 1 ? ['accompany'] : ['accompany', 'qb_train'], level: 1 + ((index + 3) % 4), max_students: random.pick([18, 25, 30]), subject_ids: [random.pick([101, 103, 104])],
      education: random.pick(['华东师范大学 · 硕士', '南京师范大学 · 本科', '苏州大学 · 硕士', '东北师范大学 · 本科']), lesson_rate: 4000 + index * 250, month_rate: 15_000 + index * 500,
      status: index === 10 ? TEACHER_STATUS.paused : index === 11 ? TEACHER_STATUS.waiting : TEACHER_STATUS.working, created_at: now - random.int(400, 700) * DAY,
    })))
    const rates = ids.flatMap((teacher_id, index) => [{ teacher_id, mode: 'lesson', rate: 4000 + index * 250 }, { teacher_id, mode: 'month', rate: 15_000 + index * 500 }])
    await tx.query(sql`insert into companion_rate (teacher_id, mode, rate, valid_from) select teacher_id, mode, rate, to_timestamp(${startOfDay(now - 400 * DAY)}) from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) as r (teacher_id bigint, mode text, rate int)`)
    for (const body of PHRASES) await tx.query(sql`insert into companion_phrase (staff_id, body, used_n) select staff_id, ${body}, 3 from companion_teacher`)
  })
}

interface Learner { id: number; name: string; teacher_id: number; staff_id: number; begun: number; status: number }

/** Everybody who learns in a business, with their order and its lessons. */
async function insertLearners(tx: Queryable, random: Random, companion: Companion, now: number): Promise<Learner[]> {
  const { kind, students, classes, orderLine, orders } = companion
  const teachers = await tx.query<{ id: number; staff_id: number }>(sql`select id, staff_id from companion_teacher where ${kind.value} = any(kinds) and status = ${TEACHER_STATUS.working} order by id`)
  const classIds = await Promise.all(classes.map((one) => insert(tx, one, Array.from({ length: kind.ranked ? 4 : 6 }, (_, index) => ({
    kind: kind.value, name: `${['八', '九', '七'][index % 3] ?? '八'}年级${one.where['category'] === 'talent' ? '培优' : kind.ranked ? '选拔' : '晚间'}${index + 1} 班`, season: '2026 秋', subject_id: 101, grade: [8, 9, 7][index % 3], teacher_id: teachers[index % teachers.length]?.id ?? 0, capacity: 40,
    slots: [{ weekday: 1 + (index % 5), hours: '19:00-20:30' }, { weekday: 6, hours: '09:00-11:00' }], start_at: startOfDay(now - 70 * DAY), end_at: startOfDay(now + 50 * DAY), weeks: 17, status: index === 5 ? CLASS_STATUS.enrolling : CLASS_STATUS.running,
  })))))
  const people = await tx.query<{ id: number; mobile: string; name: string; agent_id: number | null; channel_id: number | null; grade: number | null; school: string | null }>(sql`select id, mobile, coalesce(real_name, nickname) as name, agent_id, channel_id, grade, school
    from app_user where role = 1 and status = 1 and deleted_at is null order by id desc offset ${kind.ranked ? 300 : 0} limit ${SIZE.students}`)
  const rows = people.map((person, index) => {
    const teacher = teachers[index % teachers.length]
    const begun = now - random.int(20, 300) * DAY
    const status = random.weighted([[S.reading, 74], [S.trial, 10], [S.paused, 5], [S.ended, 11]])
    const score = kind.ranked && index % 4 < 2 ? 55 + random.int(0, 80) / 2 : null
    return { person, teacher, begun, row: {
      kind: kind.value, name: person.name, mobile: person.mobile, user_id: person.id, grade: person.grade && person.grade >= 7 && person.grade <= 9 ? person.grade : 8, school: person.school, teacher_id: teacher?.id ?? null,
      class_id: classIds[0]?.[index % (classIds[0].length - 1)] ?? null, start_at: startOfDay(begun), end_at: startOfDay(begun + 365 * DAY), status, ...(score !== null && { score }), cut: CUT.open, lessons_bought: 0, lessons_left: 0, pause_cnt: status === S.paused ? 1 : 0,
      paused_at: status === S.paused ? now - 9 * DAY : null, created_at: begun,
    } }
  })
  const ids = await insert(tx, students, rows.map(({ row }) => row))
  const learners = rows.flatMap(({ teacher, begun, person, row }, index): Learner[] => (teacher ? [{ id: ids[index] ?? 0, name: person.name, teacher_id: teacher.id, staff_id: teacher.staff_id, begun, status: row.status }] : []))
  await tx.query(sql`insert into companion_assign (student_id, teacher_id, from_at, to_at) select id, teacher_id, to_timestamp(begun), case when status = any(${sql.param([...LIVING])}::int[]) then null else now() end from jsonb_to_recordset(${JSON.stringify(learners)}::jsonb) as r (id bigint, teacher_id bigint, begun float8, status int)`)
  const sold: NumberedOrder[] = rows.flatMap(({ person, begun }, index): NumberedOrder[] => {
    const at = seasonalMoment(random, begun - DAY, begun)
    const qty = random.pick([20, 40, 60])
    return [{ line: orderLine, resource: orders as Resource, order: {
      no: '', at, paid_at: at + 600, decided_at: at + 3 * DAY, status: random.chance(0.8) ? ORDER_STATUS.done : ORDER_STATUS.paid, ships: false, channel: random.weighted([['wechat', 70], ['alipay', 25], ['transfer', 5]]),
      items: [{ kind: COMPANION_GOODS.lessons, name: '课时', price: LESSON_PRICE, qty, effect: { student_id: ids[index] } }], buyer: { user_id: person.id, buyer_mobile: person.mobile, buyer_name: person.name, agent_id: person.agent_id, channel_id: person.channel_id },
    } }]
  }).sort((a, b) => a.order.at - b.order.at)
  await insertOrderRows(tx, insertMany, sold.map((one, index) => ({ ...one, order: { ...one.order, no: `${formatDate(one.order.at).replaceAll('-', '')}${(kind.ranked ? 92_000_001 : 91_000_001) + index}` } })), [teachers[0]?.staff_id ?? 1])
  await tx.query(sql`insert into lesson_entry (student_id, teacher_id, at, delta, cause, ref, note) select s.id, s.teacher_id, o.paid_at, i.granted_qty, 'order', 'order_item ' || i.id || ':0', o.order_no from order_item i join orders o on o.id = i.order_id and o.line = ${kind.line} join companion_student s on s.id = (i.effect ->> 'student_id')::bigint where i.granted_qty > 0`)
  return learners
}

/** Packs on the shelf and in the making, with their versions. */
async function insertPacks(tx: Queryable, { kind, packs }: Companion, now: number): Promise<number[]> {
  const subjects = new Map((await tx.query<{ id: number; name: string }>(sql`select id, name from subject`)).map(({ id, name }) => [id, name]))
  const media = await tx.query<{ id: number; kind: string }>(sql`select distinct on (kind) id, kind from asset where kind in ('audio', 'image') and state = ${ASSET_STATE.ready} and deleted_at is null order by kind, id`)
  const idOf = (wanted: string) => media.find((one) => one.kind === wanted)?.id
  const made = TOPICS.map((topic) => (kind.screens.terms ? withTerms(topic.name, itemsOf(topic, subjects.get(topic.subject_id) ?? ''), { sound: idOf('audio'), picture: idOf('image') }) : { terms: [], items: itemsOf(topic, subjects.get(topic.subject_id) ?? '') }))
  for (const screen of kind.screens.tutor ? [screenId(kind.screens.packs), screenId(kind.screens.tutor.content)] : []) await openAssets(tx, media.map(({ id }) => id), screen)
  const rows = TOPICS.map((topic, index) => ({
    kind: kind.value, name: `${subjects.get(topic.subject_id) ?? ''}·${topic.name}`, subject_id: topic.subject_id, grade: 8, season: '2026 秋', note: `共 ${topic.lessons.length} 课，每课先预习再背诵要点，课后完成练习。`, items: made[index]?.items ?? [], terms: made[index]?.terms ?? [],
    sort: (index + 1) * 10, state: index === 6 ? PACK_STATE.waiting : index === 7 ? PACK_STATE.draft : PACK_STATE.shelved, version: index < 6 ? 1 : 0, submitted_by: index === 7 ? null : 1, created_at: now - (120 - index) * DAY,
  }))
  const ids = await insert(tx, packs, rows)
  await tx.query(sql`insert into pack_version (pack_id, version, items, terms, at) select id, 1, items, coalesce(terms, '[]'::jsonb), created_at from lesson_pack where kind = ${kind.value} and version = 1`)
  // One pack has a term that no version has yet, as somebody left it this morning.
  await tx.query(sql`update pack_version v set terms = v.terms - (jsonb_array_length(v.terms) - 1), items = (select jsonb_agg(case when e ? 'terms' then jsonb_set(e, '{terms}', (e -> 'terms') - (v.terms -> (jsonb_array_length(v.terms) - 1) ->> 'key')) else e end order by nth) from jsonb_array_elements(v.items) with ordinality as x (e, nth)) where v.pack_id = ${ids[0] ?? 0} and jsonb_array_length(v.terms) > 1`)
  return ids.slice(0, 6)
}

interface Given { task: number; due: number; kind: string; lesson: string; learner: Learner; status: Progress; score: number | null; late: number; handed: number | null; marked: number | null }

/** Tasks of two months, how each learner did, and what was said. */
async function insertTasks(tx: Queryable, random: Random, companion: Companion, learners: readonly Learner[], packs: readonly number[], papers: readonly number[], pictures: readonly string[], now: number): Promise<void> {
  const { kind, tasks } = companion
  const living = learners.filter(({ status }) => LIVING.includes(status))
  const plans = Array.from({ length: SIZE.tasks }, (_, index) => {
    const topic = TOPICS[index % 6] ?? TOPICS[0]
    const lesson = topic?.lessons[Math.floor(index / 6) % (topic.lessons.length || 1)] ?? '练习'
    const due = startOfDay(now - Math.floor((SIZE.tasks - index - 8) * 0.6) * DAY) + 21 * 3600
    const task_kind = random.weighted([['exercise', 46], ['read', 14], ['recite', 16], ['paper', 16], ['check_in', 8]] as const)
    const lead = living[(index * 7) % living.length]
    const own = living.filter(({ teacher_id }) => teacher_id === lead?.teacher_id).slice(0, SIZE.perTask)
    return { topic: index % 6, lesson, due, task_kind, lead, own, state: due < now - 30 * DAY ? TASK_STATE.archived : TASK_STATE.running }
  })
  const ids = await insert(tx, tasks, plans.map(({ topic, lesson, due, task_kind, lead, own, state }) => ({
    kind: kind.value, title: `${lesson} · ${TASK_KINDS.find(({ value }) => value === task_kind)?.label ?? ''}`, task_kind, pack_id: packs[topic] ?? null, pack_version: 1, ...(task_kind === 'paper' && papers.length > 0 && { paper_id: papers[topic % papers.length], paper_version: 1 }), student_ids: own.map(({ id }) => id), teacher_id: lead?.teacher_id ?? null,
    start_at: due - 2 * DAY, due_at: due, needs: ['image'], full: 100, lessons: isMarked(task_kind) ? 1 : 0, auto: 0, body: `完成「${lesson}」的${TASK_KINDS.find(({ value }) => value === task_kind)?.label ?? ''}，写清楚步骤，拍照上传。`, state, created_at: due - 3 * DAY,
  })))
  const given = plans.flatMap(({ due, task_kind, own, lesson }, index) => own.map((learner): Given => {
    const over = due < now
    const status: Progress = over
      ? random.weighted(isMarked(task_kind) ? [[P.marked, due > now - 2 * DAY ? 40 : 86], [P.marking, due > now - 2 * DAY ? 40 : 2], [P.new, 6], [P.begun, 3], [P.returned, 3]] : [[P.handed, 88], [P.new, 12]])
      : random.weighted([[P.new, 62], [P.begun, 22], [isMarked(task_kind) ? P.marking : P.handed, 16]])
    const late = over && random.chance(0.09) ? 1 : 0
    const handed = [P.new, P.begun].includes(status as 0) ? null : Math.min(now - 1800, due - random.int(1, 30) * 3600 + late * 40 * 3600)
    const marked = status === P.marked && handed !== null ? Math.min(now - 600, handed + random.int(1, 30) * 3600) : null
    return { task: ids[index] ?? 0, due, kind: task_kind, lesson, learner, status, score: marked === null ? null : Math.min(100, 58 + random.int(0, 42)), late: handed === null ? 0 : late, handed, marked }
  }))
  await tx.query(sql`insert into task_student (task_id, student_id, teacher_id, status, score, late, returned_n, submitted_at, graded_at, graded_by) select task, student, teacher, status, score, late, case when status = ${P.returned} then 1 else 0 end, to_timestamp(handed), to_timestamp(marked), case when marked is null then null else staff end
    from jsonb_to_recordset(${JSON.stringify(given.map(({ task, learner, status, score, late, handed, marked }) => ({ task, student: learner.id, teacher: learner.teacher_id, staff: learner.staff_id, status, score, late, handed, marked })))}::jsonb) as r (task bigint, student bigint, teacher bigint, staff bigint, status int, score numeric, late int, handed float8, marked float8)`)
  const lines = given.flatMap(({ task, learner, status, score, handed, marked }, index) => {
    if (handed === null) return []
    const line = (at: number, side: string, what: string, body: string | null, more: object = {}) => ({ task, student: learner.id, at, side, what, body, staff: side === 'teacher' ? learner.staff_id : null, files: [], ...more })
    const picture = pictures[index % pictures.length]
    return [
      ...(random.chance(0.3) ? [line(handed - 1200, 'student', 'text', random.pick(ASKED)), ...(marked !== null || random.chance(0.6) ? [line(handed - 600, 'teacher', 'text', random.pick(ANSWERED))] : [])] : []),
      ...(picture && random.chance(0.5) ? [line(handed - 60, 'student', 'image', null, { files: [picture] })] : []), line(handed, 'student', 'state', '提交'),
      ...(marked !== null ? [line(marked, 'teacher', 'score', `${score ?? 0} / 100 分`), ...(random.chance(0.4) ? [line(marked + 30, 'teacher', 'text', random.pick(PHRASES))] : [])] : []),
      ...(status === P.returned ? [line(handed + 3600, 'teacher', 'state', `退回重做：${random.pick(RETURNED)}`)] : []),
    ]
  }).sort((a, b) => a.at - b.at)
  await tx.query(sql`insert into task_message (task_id, student_id, at, side, kind, staff_id, body, files) select task, student, to_timestamp(at), side, what, staff, body, array(select jsonb_array_elements_text(files)) from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (task bigint, student bigint, at float8, side text, what text, staff bigint, body text, files jsonb) order by at`)
  // The last answer of the teacher, or the mark, is how far they have read.
  await tx.query(sql`update task_student p set last_id = m.last, last_at = m.at, read_id = m.read, unread = m.unread from (
    select x.task_id, x.student_id, max(x.id) as last, max(x.at) as at, coalesce(max(x.id) filter (where x.side = 'teacher'), 0) as read, count(*) filter (where x.side = 'student' and x.id > coalesce((select max(y.id) from task_message y where y.task_id = x.task_id and y.student_id = x.student_id and y.side = 'teacher'), 0)) as unread
    from task_message x group by x.task_id, x.student_id) m where m.task_id = p.task_id and m.student_id = p.student_id and p.last_id = 0`)
}

/** Lessons taken by marks, and what else follows from the rows. */
async function keepSums(tx: Queryable, { kind }: Companion): Promise<void> {
  await tx.query(sql`insert into lesson_entry (student_id, teacher_id, at, delta, cause, ref, note) select student_id, teacher_id, graded_at, -lessons, 'task', 'task ' || task_id || ':' || student_id || ':0', title from (
    select p.*, t.lessons, t.title, sum(t.lessons) over (partition by p.student_id order by p.graded_at, p.task_id) as used, (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = p.student_id) as had
    from task_student p join companion_task t on t.id = p.task_id and t.kind = ${kind.value} where p.status = ${P.marked} and t.lessons > 0) x where used <= had`)
  await tx.query(sql`update companion_student s set lessons_left = (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id), lessons_bought = (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id and e.cause = 'order'),
    last_study_at = (select max(m.at) from task_message m where m.student_id = s.id and m.side = 'student'), last_talk_at = (select max(m.at) from task_message m where m.student_id = s.id and m.side = 'teacher') where s.kind = ${kind.value}`)
  await tx.query(sql`update companion_student s set rank = r.rank from (select id, rank() over (partition by class_id order by score desc)::int as rank from companion_student where kind = ${kind.value} and score is not null) r where r.id = s.id`)
}

/** Reports of the last weeks in every state. */
async function insertReports(tx: Queryable, random: Random, companion: Companion, learners: readonly Learner[], now: number): Promise<void> {
  const { reports, kind } = companion
  if (!reports) return
  const rows = []
  for (const [index, learner] of learners.filter(({ status }) => LIVING.includes(status)).slice(0, SIZE.reports).entries()) {
    const to_at = startOfDay(now - random.int(0, 20) * DAY)
    const from_at = to_at - 6 * DAY
    const facts = await factsOf(tx, learner.id, from_at, to_at)
    const state = random.weighted([[REPORT_STATE.read, 62], [REPORT_STATE.sent, 18], [REPORT_STATE.waiting, 8], [REPORT_STATE.draft, 12]])
    const sent_at = state === REPORT_STATE.sent || state === REPORT_STATE.read ? Math.min(now - 3600, to_at + 20 * 3600) : null
    rows.push({
      kind: kind.value, student_id: learner.id, teacher_id: learner.teacher_id, period: 1, from_at, to_at, facts, words: wordsOf(learner.name, TOPICS[index % 6]?.lessons[index % 4] ?? '本周内容', facts.done, facts.tasks), plan: '巩固错题，预习下一课，周末完成一次小测。', sent_at,
      read_at: state === REPORT_STATE.read && sent_at !== null ? Math.min(now - 600, sent_at + random.int(1, 40) * 3600) : null, reply: state === REPORT_STATE.read && random.chance(0.3) ? '谢谢老师，孩子最近主动多了。' : null, state, created_at: Math.min(now - 7200, to_at + 19 * 3600), created_by: learner.staff_id,
    })
  }
  const ids = await insert(tx, reports, rows.sort((a, b) => a.created_at - b.created_at))
  await tx.query(sql`insert into public_link (token, kind, ref_id, created_at, opened_at) select substr(md5('report' || id), 1, 22), ${`${kind.value}_report`}, id, sent_at, read_at from companion_report where id = any(${sql.param(ids)}::bigint[]) and sent_at is not null`)
}

/** What a business has done for months: classes, enrolments, packs, papers, tasks with their threads, reports, orders. */
export async function insertCompanionDemo(db: Database, report: (text: string) => void, files: FileStore, companion: Companion): Promise<void> {
  const { kind, papers, templates } = companion
  const random = seededRandom(kind.ranked ? 1801 : 1701)
  const now = Math.floor(Date.now() / 1000)
  const pictures: string[] = []
  for (let index = 0; index < SIZE.pictures; index++) pictures.push(fileUrl((await files.put(Readable.from([Buffer.from(homework(TOPICS[index]?.lessons[0] ?? '练习', index))]), { name: `作业${index + 1}.svg`, staffId: 1 })).id))
  await seedTransaction(db, async (tx) => {
    const learners = await insertLearners(tx, random, companion, now)
    const packs = await insertPacks(tx, companion, now)
    const [subject] = await tx.query<{ id: number; name: string; level: number }>(sql`select id, name, level from subject where id = 101`)
    const made = subject ? await insertPapers(tx, random, papers, ['单元小测', '期中模拟', '阶段检测'].map((name, index) => ({ subject, state: index === 2 ? PAPER_STATE.waiting : PAPER_STATE.shelved, values: { name: `${kind.label}${subject.name}${name}`, duration: 60, sort: index + 1, created_at: now - (60 - index) * DAY } })), 'short') : []
    await attachMessageFiles(tx, { kind: 'image', files: pictures, screens: [...new Set([...workGrants(companion), companion.tasks.grant])], staffId: null })
    await insertTasks(tx, random, companion, learners, packs, made.slice(0, 2), pictures, now)
    await keepSums(tx, companion)
    await insertReports(tx, random, companion, learners, now)
    if (templates) await insert(tx, templates, TOPICS.slice(0, 4).flatMap((topic, week) => topic.lessons.slice(0, 3).map((lesson, index) => ({ kind: kind.value, season: '2026 秋', week: week + 1, title: `${lesson} · 练习`, task_kind: 'exercise', pack_id: packs[week] ?? null, offset_days: 1 + index * 2, due_days: 2, full: 100, lessons: 1, body: `完成「${lesson}」的练习，写清楚步骤。` }))))
    if (!kind.ranked) await tx.query(sql`insert into companion_follow (student_id, teacher_id, at, way, body, seconds, risk) select id, teacher_id, now() - (id % 20) * interval '1 day' - interval '3 hours', 'call', (${sql.param([...FOLLOWED])}::text[])[1 + id % 4], 150, 1 from companion_student where kind = ${kind.value} and teacher_id is not null and id % 3 = 0`)
    report(`已生成${kind.label} ${learners.length} 名学生、${SIZE.tasks} 个任务`)
  })
}
