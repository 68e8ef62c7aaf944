import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { COMMENT_STATE } from '../comment/module.ts'
import { demoCover } from '../offer/door.server.ts'
import { OFFER_STATE as S, VALID_MODE } from '../offer/module.ts'
import { addBelow, editAtOnce, newBlock } from '../outline/door.server.ts'
import { insertPapers } from '../paper/door.server.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { coursePaper } from './course-paper.ts'
import { evaluation } from './evaluation.ts'
import { lesson, lessonLearners, OUTLINE_KIND } from './lesson.ts'
import { writeRelations } from './relation.server.ts'
import { RELATION } from './relation-kind.ts'
import { LESSON_LINE } from './row.ts'
import { lessonTag, SPECIAL_TAGS } from './tag.ts'

const DAY = 86_400
/** Subjects that have courses: the senior ones that are taught most, and the junior ones. */
const SUBJECTS = 7
const COURSES = ['系统精讲', '专题突破', '真题回放', '一轮复习', '二轮冲刺', '联报班'] as const
const JOINT = COURSES.length - 1
const CHAPTERS = ['课程导学', '基础概念', '核心方法', '典型例题', '易错辨析', '综合应用'] as const
const WORDS = [
  '讲得很细，孩子每天跟着学一节，错题少了很多。', '老师把公式的来龙去脉讲清楚了，不用死记。', '例题和高考题很接近，二轮复习用正合适。', '节奏有点快，需要回看两遍。', '课后练习的讲解希望再多一些。',
  '板书清楚，声音也清楚，推荐。', '专题很集中，一周补上了薄弱的一块。', '视频可以倍速，回放很方便。', '前三节基础部分稍微啰嗦，后面很好。', '孩子主动要求听，难得。',
] as const
const NAMES = ['小满妈妈', '高二物理党', '爱数学的喵', '家有考生', '一中小林', '奔跑的橙子', '静待花开', '星河', '南风', '北上的鱼'] as const

/** The tags that have fixed behaviour are there from the beginning (spec 3). */
export async function insertSpecialTags(db: Database): Promise<void> {
  await seedTransaction(db, async (tx) => {
    await insertMany(tx, lessonTag, Object.values(SPECIAL_TAGS).map((name, index) => ({ name, colour: index === 0 ? 'error' : 'processing', sort: (index + 1) * 10 })))
  })
}

interface Subject { id: number; name: string; level: number }
interface Course { id: number; subject: Subject; nth: number; state: number; created_at: number }
interface World { readonly random: Random; readonly now: number; readonly staff: readonly number[] }

/** Courses of each subject, in every state. */
async function insertCourses(tx: Queryable, { random, now, staff }: World, subjects: readonly Subject[], covers: ReadonlyMap<number, string>): Promise<Course[]> {
  const tags = new Map((await tx.query<{ id: number; name: string }>(sql`select id, name from lesson_tag`)).map(({ id, name }) => [name, id]))
  const plan = subjects.flatMap((subject, place) => COURSES.map((name, nth) => {
    const created_at = now - random.int(120, 600) * DAY
    const state = nth === JOINT ? S.selling : [S.selling, S.selling, random.pick([S.off, S.selling]), random.pick([S.selling, S.draft]), [S.draft, S.waiting, S.archived, S.off, S.selling, S.draft, S.waiting][place] ?? S.draft][nth] ?? S.draft
    const tag_ids = [nth === JOINT ? tags.get(SPECIAL_TAGS.joint) : nth === 4 ? tags.get(SPECIAL_TAGS.boost) : nth === 0 ? tags.get('名师') : undefined].filter((id) => id !== undefined)
    const price = nth === JOINT ? 599_00 : 299_00 + nth * 100_00
    return { subject, nth, state, created_at, row: {
      line: LESSON_LINE.code, kind: 'course', title: `${subject.name}${name}`, subtitle: ['从概念到题型，完整一遍', '一个专题一次讲透', '名校真题逐题讲', '回归课本，查漏补缺', '压轴题型与答题规范', '两门一起报，更优惠'][nth] ?? '', subject_id: subject.id, lesson_type: nth === 2 ? 3 : nth === 1 ? 2 : 1,
      difficulty: [4, 3, 3, 4, 1, 3][nth] ?? 3, tag_ids, exam_year: nth === 4 ? new Date().getFullYear() + 1 : null, price, line_price: price + 200_00, valid_mode: VALID_MODE.days, valid_days: nth === 4 ? 180 : 365, cover: state === S.draft && place % 2 === 0 ? null : covers.get(subject.id) ?? null,
      invoking_products: [1], teacher_ids: [random.pick(staff)], trial: 1, sort: (nth + 1) * 10, state, submitted_by: state === S.draft ? null : random.pick(staff), created_at, created_by: random.pick(staff), updated_at: created_at,
    } }
  }))
  const ids = await insertMany(tx, lesson, plan.map(({ row }) => row) as never)
  return plan.map(({ subject, nth, state, created_at }, index) => ({ id: ids[index] ?? 0, subject, nth, state, created_at }))
}

/** Sections with their videos; some have none yet. */
async function insertSections(tx: Queryable, { random, staff }: World, courses: readonly Course[]): Promise<void> {
  const videos = (await tx.query<{ id: number }>(sql`select id from asset where kind = 'video' and state = 1 and deleted_at is null and not coalesce(licence_until < now(), false) order by id`)).map(({ id }) => id)
  for (const course of courses) {
    if (course.state === S.draft && course.nth % 2 === 0) continue
    await editAtOnce(tx, random.pick(staff), { kind: OUTLINE_KIND, id: course.id }, '首次发布', ({ draft }) => {
      const nodes = CHAPTERS.map((name, index) => ({ key: `s${index + 1}`, name: index === 0 ? name : `第 ${index} 讲 ${name}`, kind: 4, free: index === 0 ? 2 : null, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }))
      const blocks = videos.length === 0 ? [] : nodes.slice(0, course.state === S.draft ? 2 : nodes.length).map(({ key }, index) => newBlock({ key: `v${index + 1}`, node: key, ord: 'a0', kind: 'video', ref_id: videos[(course.nth * 3 + index) % videos.length] ?? 0 }, { slot: index === 0 ? 4 : index % 4 === 3 ? 3 : 1 }))
      return [...addBelow(draft, null, nodes), ...(blocks.length > 0 ? [{ do: 'bind' as const, blocks }] : [])]
    })
  }
}

/** What goes with what, within each subject. */
async function insertRelations(tx: Queryable, { staff }: World, courses: readonly Course[]): Promise<void> {
  const who: Staff = { id: staff[0] ?? 0, account: '', name: '', role: '', modules: new Set(), scopes: {}, masksNames: false }
  for (const own of Map.groupBy(courses, ({ subject }) => subject.id).values()) {
    const [system, topic, replay, first, second, joint] = own.map(({ id }) => id)
    if (!system || !topic || !replay || !first || !second || !joint) continue
    await writeRelations(tx, who, { parent_id: joint, child_ids: [system, topic], kind: RELATION.bundle })
    await writeRelations(tx, who, { parent_id: joint, child_ids: [replay], kind: RELATION.gift })
    await writeRelations(tx, who, { parent_id: second, child_ids: [first], kind: RELATION.before })
    await writeRelations(tx, who, { parent_id: first, child_ids: [system], kind: RELATION.before })
    await writeRelations(tx, who, { parent_id: topic, child_ids: [replay], kind: RELATION.alike })
  }
}

/** What learners bought elsewhere and were opened, and what they say of it. */
async function insertVoices(tx: Queryable, { random, now, staff }: World, courses: readonly Course[]): Promise<{ learners: number; voices: number }> {
  const people = await tx.query<{ id: number; name: string }>(sql`select id, nickname as name from app_user where role = 1 and status = 1 and deleted_at is null order by id limit 400`)
  const sold = courses.filter(({ state }) => state === S.selling || state === S.off)
  const titles = new Map((await tx.query<{ id: number; title: string }>(sql`select id, title from offer where line = ${LESSON_LINE.code}`)).map(({ id, title }) => [id, title]))
  const opened = people.length === 0 ? [] : sold.flatMap((course) => Array.from({ length: 14 }, (_, nth) => {
    const start_at = Math.max(course.created_at, now - random.int(5, 420) * DAY)
    return { line: LESSON_LINE.code, user_id: people[(course.id * 17 + nth * 7) % people.length]?.id ?? 0, product: titles.get(course.id) ?? '', offer_id: course.id, source: nth % 4 === 3 ? ENTITLEMENT_SOURCE.gift : ENTITLEMENT_SOURCE.opened, ref: `demo lesson ${course.id}:${nth}`, start_at, expire_at: start_at + 365 * DAY, status: nth === 13 ? ENTITLEMENT_STATUS.stopped : ENTITLEMENT_STATUS.active, created_at: start_at, created_by: random.pick(staff) }
  }))
  await insertMany(tx, lessonLearners, opened)
  const name = new Map(people.map((one) => [one.id, one.name]))
  const voices = sold.flatMap((course) => Array.from({ length: 11 }, (_, nth) => {
    const virtual = nth < 3 ? 1 : 0
    const learner = virtual === 1 ? undefined : opened.filter(({ offer_id }) => offer_id === course.id)[nth]
    if (virtual === 0 && !learner) return []
    const evaluated_at = Math.min(now - nth * 3600, (learner?.start_at ?? course.created_at) + random.int(2, 30) * DAY)
    const answered = random.chance(0.35)
    return [{
      target: 'lesson', subject_id: course.subject.id, target_id: course.id, user_id: learner?.user_id ?? null, nickname: virtual === 1 ? random.pick(NAMES) : `${(name.get(learner?.user_id ?? 0) ?? '学员').slice(0, 1)}**`, star: virtual === 1 ? 5 : random.weighted([[5, 55], [4, 28], [3, 10], [2, 5], [1, 2]]),
      content: random.pick(WORDS), virtual, top: nth === 0 ? 1 : 0, reply: answered ? '感谢反馈，祝学习进步！' : null, answerer_id: answered ? random.pick(staff) : null, answered_at: answered ? Math.min(now, evaluated_at + DAY) : null,
      evaluated_at, state: nth === 10 ? COMMENT_STATE.waiting : random.chance(0.06) ? COMMENT_STATE.hidden : COMMENT_STATE.shown, created_at: evaluated_at,
    }]
  })).flat()
  await insertMany(tx, evaluation, voices)
  return { learners: opened.length, voices: voices.length }
}

/** Papers of the sections of some courses: shelved ones stand before learners, drafts wait in their holes. */
async function insertSectionPapers(tx: Queryable, { random, staff }: World, courses: readonly Course[]): Promise<number> {
  const chosen = courses.filter(({ nth, state }) => nth < 2 && state === S.selling)
  let made = 0
  for (const course of chosen) {
    const sections = await tx.query<{ id: number; key: string; name: string }>(sql`select n.id, n.key, n.name from outline o join outline_node n on n.outline_id = o.id where o.owner_kind = ${OUTLINE_KIND} and o.owner_id = ${course.id} and not n.gone order by n.ord`)
    const plan = sections.slice(1, 5).map((section, index) => ({
      section, subject: course.subject, values: { name: `${section.name}随堂练习`, duration: 20, lesson_id: course.id, section_id: section.id, slot: index === 3 ? 2 : 1 }, state: index === 2 ? PAPER_STATE.draft : PAPER_STATE.shelved,
    }))
    const ids = await insertPapers(tx, random, coursePaper, plan, 'short')
    made += ids.length
    await editAtOnce(tx, random.pick(staff), { kind: OUTLINE_KIND, id: course.id }, '加入练习', () => [{ do: 'bind', blocks: plan.flatMap(({ section, state, values }, index) => (state === PAPER_STATE.shelved ? [newBlock({ key: `p${index + 1}`, node: section.key, ord: 'b0', kind: 'paper', ref_id: ids[index] ?? 0 }, { slot: values.slot })] : [])) }])
  }
  return made
}

/** Courses of the main subjects in every state, with sections, videos, papers, relations, learners and evaluations. */
export async function insertLessonDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const subjects = await db.query<Subject & Record<string, unknown>>(sql`select id, name, level from subject where level in (0, 1) and ebook_only = 0 and id % 100 between 1 and 4 order by id limit ${sql.raw(String(SUBJECTS))}`)
  const covers = new Map<number, string>()
  for (const one of subjects) covers.set(one.id, fileUrl((await files.put(Readable.from([Buffer.from(demoCover(one))]), { name: `${one.name}.svg`, staffId: staff[0] ?? 0 })).id))
  const world: World = { random: seededRandom(2011), now: Math.floor(Date.now() / 1000), staff }
  await seedTransaction(db, async (tx) => {
    await insertMany(tx, lessonTag, ['名师', '新课', '限时优惠'].map((name, index) => ({ name, colour: (['success', 'processing', 'warning'] as const)[index] ?? 'default', sort: (index + 3) * 10 })))
    const courses = await insertCourses(tx, world, subjects, covers)
    for (const url of covers.values()) await attachFiles(tx, lesson, { cover: url }, staff[0] ?? 0)
    await insertSections(tx, world, courses)
    const papers = await insertSectionPapers(tx, world, courses)
    await insertRelations(tx, world, courses)
    const { learners, voices } = await insertVoices(tx, world, courses)
    report(`已生成 ${courses.length} 门课程、${papers} 份课程试卷、${learners} 名课程学员、${voices} 条课程评价`)
  })
}
