import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { setEntitlements } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { newCode } from './class.server.ts'
import { schoolYear, teacherClass } from './class.ts'
import { benefitOf } from './effect.server.ts'
import { CLASS_STATUS, TEACHER_STATUS as S } from './states.ts'
import { teacherProfile } from './teacher.ts'

const DAY = 86_400
const TALKS = ['电话沟通，老师说期中考试后开始布置，已约下周回访。', '加了微信，发了建班和组卷的视频。', '到校拜访，和备课组长一起演示了布置作业。', '老师反映学生不会用班级码，已发图文说明。', '本周布置了两次，完成率比较高，建议试试组卷。', '未接通，发了短信。', '学校统一用别的平台，先保持联系。', '想要更多本地期末卷，已转教研。'] as const
const TASKS = ['课后练习', '周末作业', '单元巩固', '错题重练', '期中复习', '阅读理解训练', '预习检测'] as const
const STOPPED = ['多次在班级发布与教学无关的内容', '教师资格证信息存疑，待核实'] as const
const LEFT = ['调到外校', '产假期间不再带班'] as const

interface Made extends Record<string, unknown> { id: number; user_id: number; apply_id: number; status: number; audited_at: number; subject_id: number; level: number; name: string }
interface Class { id: number; teacher: Made; founded: number; grade: number; members: number[]; last: number }

/** Puts teachers back to the day on which they were let through, as if the demo had been lived. */
async function placeInTime(tx: Queryable): Promise<void> {
  await tx.query(sql`update teacher_profile p set certified_at = a.audited_at, created_at = a.audited_at, updated_at = a.audited_at from apply a where a.id = p.apply_id and a.audited_at is not null`)
  await tx.query(sql`update teacher_news n set at = case when n.body like '教师认证已通过%' then p.certified_at else greatest(p.certified_at + interval '30 days', least(now(), p.cert_until)) end from teacher_profile p where p.id = n.teacher_id`)
  await tx.query(sql`update teacher_news set at = least(at, now() - interval '2 hours'), read_at = case when id % 5 <> 0 then least(at + interval '20 hours', now() - interval '1 hour') end`)
}

/** Classes of a teacher, and until when they were kept busy. */
function plan(random: Random, now: number, teacher: Made, learners: readonly number[]): (Omit<Class, 'id'> & { row: Record<string, unknown> })[] {
  const over = teacher.status === S.lapsed
  const until = over ? Math.min(now, teacher.audited_at + random.int(60, 200) * DAY) : now
  if (!random.chance(0.84)) return []
  const first = teacher.audited_at + random.int(1, 26) * DAY
  // Each school year brings classes of its own.
  const starts = [first, ...[first + random.int(150, 210) * DAY, first + random.int(330, 380) * DAY].filter(() => random.chance(0.6))].filter((at) => at < until - DAY)
  return starts.flatMap((at) => Array.from({ length: random.weighted([[1, 5], [2, 4], [3, 1]]) }, (_, index) => {
    const grade = (teacher.level === 0 ? 10 : 7) + random.int(0, 2)
    const founded = Math.min(until - 3600, at + index * random.int(0, 5) * DAY)
    const year = schoolYear(founded)
    const size = random.int(6, 46)
    const from = random.int(0, Math.max(0, learners.length - size - 1))
    // Most of what ended with its school year graduated; some were forgotten, and wait for somebody who tidies up.
    const ended = year < schoolYear(now)
    const status = ended && random.chance(0.7) ? CLASS_STATUS.graduated : random.chance(0.04) ? CLASS_STATUS.dissolved : CLASS_STATUS.running
    const yearEnd = Date.UTC(year + 1, 6, 5) / 1000
    const last = Math.min(until, ended ? yearEnd : now)
    return {
      teacher, founded, grade, members: learners.slice(from, from + size), last,
      row: {
        name: `${grade > 9 ? '高' : '初'}${'一二三'[(grade - 1) % 3] ?? ''}（${random.int(1, 12)}）班`,
        teacher_id: teacher.id, founder_id: teacher.id, subject_id: teacher.subject_id, grade, school_year: year, max_members: random.pick([50, 60, 60, 80]), join_open: random.chance(0.85) ? 1 : 0, status,
        graduated_at: status === CLASS_STATUS.graduated ? yearEnd : null, created_at: founded,
      },
    }
  }))
}

/** What classes were set, week by week, and who handed it in: some teachers stopped weeks ago, some never began. */
async function insertHomework(tx: Queryable, random: Random, classes: readonly Class[]): Promise<void> {
  const [homework, done]: [Record<string, unknown>[], Record<string, unknown>[]] = [[], []]
  let key = 0
  for (const { id, teacher, founded, members, last } of classes) {
    if (!random.chance(0.82)) continue
    const stop = random.chance(0.28) ? Math.min(last, founded + random.int(10, 70) * DAY) : last
    for (let at = founded + random.int(1, 14) * DAY; at < stop; at += random.int(5, 16) * DAY) {
      const ref = ++key
      homework.push({ ref, class_id: id, teacher_id: teacher.id, title: `${random.pick(TASKS)}${homework.length % 9 + 1}`, at, due_at: at + random.int(1, 4) * DAY, members: members.length })
      const share = 0.5 + random.next() * 0.48
      for (const user_id of members) if (random.chance(share)) done.push({ ref, user_id, at: at + random.int(2, 60) * 3600, score: Math.round((0.45 + random.next() * 0.55) * 100) / 100 })
    }
  }
  const rows = (list: unknown) => sql`${JSON.stringify(list)}::jsonb`
  await tx.query(sql`insert into teacher_homework (class_id, teacher_id, title, at, due_at, members, client_key) select class_id, teacher_id, title, to_timestamp(at), to_timestamp(due_at), members, 'demo-' || ref from jsonb_to_recordset(${rows(homework)}) as r (ref int, class_id bigint, teacher_id bigint, title text, at float8, due_at float8, members int) order by at`)
  for (let from = 0; from < done.length; from += 20_000) await tx.query(sql`insert into teacher_homework_done (homework_id, user_id, at, score) select h.id, r.user_id, to_timestamp(r.at), r.score from jsonb_to_recordset(${rows(done.slice(from, from + 20_000))}) as r (ref int, user_id bigint, at float8, score numeric) join teacher_homework h on h.client_key = 'demo-' || r.ref where to_timestamp(r.at) < now()`)
  await tx.query(sql`update teacher_class c set last_homework_at = (select max(h.at) from teacher_homework h where h.class_id = c.id)`)
  await tx.query(sql`update teacher_profile p set last_homework_at = (select max(h.at) from teacher_homework h where h.teacher_id = p.id)`)
}

/** Who speaks with whom, and when next. */
async function insertFollows(tx: Queryable, random: Random, now: number, teachers: readonly Made[], staff: readonly number[]): Promise<void> {
  const follows: Record<string, unknown>[] = []
  const next: Record<string, unknown>[] = []
  for (const [index, teacher] of teachers.entries()) {
    const rep = index % 11 === 4 ? null : staff[index % Math.min(5, staff.length)] ?? null
    const talks = rep === null ? 0 : random.int(0, 4)
    const times = Array.from({ length: talks }, () => seasonalMoment(random, Math.max(teacher.audited_at, now - 150 * DAY), now - DAY)).sort((a, b) => a - b)
    for (const at of times) follows.push({ teacher_id: teacher.id, staff_id: rep, at, way: random.pick(['call', 'wechat', 'visit']), body: random.pick(TALKS) })
    next.push({ id: teacher.id, rep, last: times.at(-1) ?? null, next: teacher.status === S.certified && talks > 0 && random.chance(0.5) ? now + random.int(-4, 12) * DAY + random.int(0, 30_000) : null })
  }
  await tx.query(sql`insert into teacher_follow (teacher_id, staff_id, at, way, body) select teacher_id, staff_id, to_timestamp(at), way, body from jsonb_to_recordset(${JSON.stringify(follows)}::jsonb) as r (teacher_id bigint, staff_id bigint, at float8, way text, body text) order by at`)
  await tx.query(sql`update teacher_profile p set rep_id = r.rep, last_follow_at = to_timestamp(r.last), next_follow_at = to_timestamp(r.next) from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as r (id bigint, rep bigint, last float8, next float8) where p.id = r.id`)
}

/** Teachers of a year and a half as their applications made them, with their classes, what they set and who speaks with them. */
export async function insertTeacherDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(2001), Math.floor(Date.now() / 1000)]
  await seedTransaction(db, async (tx) => {
    await placeInTime(tx)
    const teachers = await tx.query<Made>(sql`select p.id, p.user_id, p.apply_id, p.status, p.name, p.subject_id, s.level, extract(epoch from p.certified_at)::int as audited_at from teacher_profile p join subject s on s.id = p.subject_id where p.deleted_at is null order by p.id`)
    const staff = (await tx.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 8`)).map(({ id }) => id)
    const learners = (await tx.query<{ id: number }>(sql`select id from app_user where role = 1 and status = 1 and deleted_at is null order by id limit 1600`)).map(({ id }) => id)
    const planned = teachers.flatMap((teacher) => plan(random, now, teacher, learners)).sort((a, b) => a.founded - b.founded)
    const ids = await insertMany(tx, teacherClass, planned.map(({ row }) => row))
    const classes = planned.map((one, index): Class => ({ ...one, id: ids[index] ?? 0 }))
    for (const { id } of classes) await tx.query(sql`update teacher_class set code = ${await newCode(tx, id)} where id = ${id}`)
    await tx.query(sql`update teacher_class_code k set from_at = c.created_at, to_at = case when c.status = ${CLASS_STATUS.dissolved} then now() - interval '3 days' end from teacher_class c where c.id = k.class_id`)
    await tx.query(sql`insert into teacher_class_lead (class_id, teacher_id, from_at) select id, teacher_id, created_at from teacher_class order by id`)
    const members = classes.flatMap(({ id, founded, members: inside }) => inside.map((user_id) => ({ id, user_id, at: Math.min(now - 60, founded + random.int(1, 9) * 8 * 3600) })))
    await tx.query(sql`insert into teacher_class_member (class_id, user_id, joined_at, left_at, cause) select r.id, r.user_id, to_timestamp(r.at), case when c.status = ${CLASS_STATUS.dissolved} then now() - interval '3 days' end, case when c.status = ${CLASS_STATUS.dissolved} then 'dissolved' end
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as r (id bigint, user_id bigint, at float8) join teacher_class c on c.id = r.id order by r.at`)
    await insertHomework(tx, random, classes)
    await insertFollows(tx, random, now, teachers, staff)
    await tx.query(sql`update teacher_profile p set grades = coalesce((select array_agg(distinct c.grade::bigint) from teacher_class c where c.teacher_id = p.id), '{}')`)
    await stopSome(tx, teachers.filter(({ status }) => status === S.certified), now)
    report(`已生成 ${teachers.length} 名教师、${classes.length} 个班级`)
  })
}

/** Some are stopped; some left, and handed their classes over. */
async function stopSome(tx: Queryable, teachers: readonly Made[], now: number): Promise<void> {
  for (const [index, teacher] of teachers.entries()) {
    if (index % 19 !== 7 && index % 23 !== 11) continue
    const leaves = index % 23 === 11
    const heir = teachers.find((one, at) => one.subject_id === teacher.subject_id && one.id !== teacher.id && at % 19 !== 7 && at % 23 !== 11)
    if (leaves && !heir) continue
    await setEntitlements(tx, ENTITLEMENT_SOURCE.opened, benefitOf(teacher.apply_id), ENTITLEMENT_STATUS.stopped)
    const reason = (leaves ? LEFT : STOPPED)[index % 2] ?? ''
    await touch(tx, teacherProfile, { status: leaves ? S.left : S.stopped, stop_reason: reason, ...(leaves && { next_follow_at: null }) }, teacher.id)
    await tx.query(sql`insert into teacher_news (teacher_id, body, at) values (${teacher.id}, ${leaves ? '已办理离开，班级已交接' : `教师账号已停用：${reason}`}, to_timestamp(${now - (index % 20) * DAY - 7200}))`)
    if (!leaves || !heir) continue
    const moved = await tx.query<{ id: number }>(sql`update teacher_class set teacher_id = ${heir.id} where teacher_id = ${teacher.id} and status = ${CLASS_STATUS.running} returning id`)
    for (const { id } of moved) {
      await tx.query(sql`update teacher_class_lead set to_at = now() - interval '9 days' where class_id = ${id} and to_at is null`)
      await tx.query(sql`insert into teacher_class_lead (class_id, teacher_id, from_at, note) values (${id}, ${heir.id}, now() - interval '9 days', ${reason})`)
    }
  }
}
