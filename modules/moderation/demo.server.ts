import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { COMMENT_STATE as S } from '../comment/module.ts'
import { lesson } from '../lesson/module.ts'
import { commentTeacher } from './answer/teacher.ts'
import { ANSWERS, BLOCKED, DEMO_WORDS, MUTE_REASONS, PRACTICE_ASKS, PRACTICE_SOLVES, PRACTICE_TALK, REPLIES, SUSPECT, VIDEO_ASKS, VIDEO_TALK } from './demo-words.ts'
import { MUTE_STATE, userMute } from './mute.ts'
import { openKey } from './review/open.server.ts'
import { CAUSE, commentReview, REVIEW, type ReviewReason } from './review/review.ts'
import { ANSWER_HOURS, PURPOSE as P, SAID, type SaidTarget } from './said/said.ts'
import { foldWord } from './word/clean.ts'
import { LEVEL, Matcher, replaced, verdictOf, type Hit } from './word/match.ts'
import { soundOf } from './word/sound.server.ts'
import { sensitiveWord, WORD_STATE } from './word/word.ts'
import { asksPerson, nextVersion, wordsOf } from './word/words.server.ts'

const DAY = 86_400
const HOUR = 3600
/** Things that are said of videos and of questions, in half a year, and what is new of the last days. */
const VIDEO_SIZE = 1500
const PRACTICE_SIZE = 500
const FRESH = 130
const BATCH = 500

interface Place { readonly target: SaidTarget; readonly id: number; readonly subject: number | null; readonly more: Readonly<Record<string, unknown>>; readonly seconds: number }
interface Person { readonly id: number; readonly name: string }
interface World { readonly random: Random; readonly now: number; readonly staff: readonly number[]; readonly people: readonly Person[]; readonly matcher: Matcher; readonly teachers: readonly { staff_id: number; subject_ids: number[] }[] }

/** A comment of the demo, with what else is made from it. */
interface Made {
  row: Record<string, unknown> & { target: SaidTarget; content: string; state: number; created_at: number; user_id: number | null; subject_id: number | null; purpose: number; hits: Hit[]; deleted_at?: number | null }
  fresh: boolean
  id: number
}

async function insertWords(tx: Queryable, { staff }: Pick<World, 'staff'>, since: number): Promise<Matcher> {
  await nextVersion(tx, staff[0] ?? null, '首次录入')
  const ids = await insertMany(tx, sensitiveWord, DEMO_WORDS.map(([word, group, level, loose = 0, exempt = []], index) => ({ word, fold: foldWord(word), group, level: level as 1, loose, exempt: [...exempt], state: index % 19 === 18 ? WORD_STATE.off : WORD_STATE.on, created_at: since, created_by: staff[0] ?? null }) as object))
  return new Matcher(DEMO_WORDS.flatMap(([word, , level, loose = 0, exempt = []], index) => (index % 19 === 18 ? [] : [{ id: ids[index] ?? 0, word, level, loose: loose === 1, exempt }])), soundOf)
}

/** Teachers of the subjects that have courses; one is away, one takes nothing. */
async function insertTeachers(tx: Queryable, { staff, now }: Pick<World, 'staff' | 'now'>, subjects: readonly { id: number; name: string }[]): Promise<World['teachers']> {
  const rows = staff.slice(0, 8).map((staff_id, index) => {
    const own = [0, 3, 5].map((by) => subjects[(index + by) % subjects.length]).filter((one) => one !== undefined)
    return { staff_id, title: `${own[0]?.name ?? ''}${['压轴题', '概念辨析', '实验与图像', '解题规范'][index % 4]}`.slice(0, 40), subject_ids: [...new Set(own.map(({ id }) => id))], targets: (index % 4 === 3 ? ['practice'] : ['video', 'practice']) as ('video' | 'practice')[], most_open: 20, leave_from: index === 6 ? now - DAY : null, leave_until: index === 6 ? now + 3 * DAY : null, status: index === 7 ? 0 : 1, created_at: now - 200 * DAY }
  })
  await insertMany(tx, commentTeacher, rows)
  return rows.filter(({ leave_from, status }) => leave_from === null && status === 1)
}

/** Where in a video people speak: mostly where it is hard. */
function second(random: Random, seconds: number): number {
  const peak = random.pick([0.22, 0.45, 0.47, 0.7])
  const place = random.chance(0.55) ? peak + (random.next() - 0.5) * 0.08 : random.next()
  return Math.max(0, Math.min(Math.floor(seconds), Math.floor(place * seconds)))
}

/** One thing that is said: in its state, with an answer's clock where it asks. */
function build({ random, now, staff, people, matcher, teachers }: World, place: Place, fresh: boolean): Made {
  const video = place.target === 'video'
  const suspect = random.chance(fresh ? 0.6 : 0.05)
  const purpose = suspect ? P.talk : random.weighted(video ? [[P.talk, 70], [P.ask, 30]] : [[P.talk, 50], [P.ask, 28], [P.solve, 22]])
  const said = suspect ? random.pick(SUSPECT) : purpose === P.ask ? random.pick(video ? VIDEO_ASKS : PRACTICE_ASKS) : purpose === P.solve ? random.pick(PRACTICE_SOLVES) : random.pick(video ? VIDEO_TALK : PRACTICE_TALK)
  const hits = matcher.find(said)
  const created_at = fresh ? now - random.int(600, 40 * HOUR) : seasonalMoment(random, now - 180 * DAY, now - 2 * DAY)
  const person = random.pick(people)
  const doubt = suspect || (fresh && random.chance(0.4))
  const state = fresh ? (doubt ? S.waiting : S.shown) : suspect ? random.weighted([[S.hidden, 80], [S.shown, 20]]) : S.shown
  const asks = purpose === P.ask && state === S.shown
  const teacher = asks ? teachers.find(({ subject_ids }) => place.subject !== null && subject_ids.includes(place.subject)) && random.pick(teachers.filter(({ subject_ids }) => place.subject !== null && subject_ids.includes(place.subject))) : undefined
  const who = teacher?.staff_id ?? (fresh ? null : random.pick(staff))
  const answered_at = asks && who !== null && (!fresh || random.chance(0.35)) && !random.chance(0.01) ? Math.min(now - 120, created_at + random.weighted([[random.int(600, 4 * HOUR), 70], [random.int(4 * HOUR, 30 * HOUR), 30]])) : null
  return {
    id: 0, fresh,
    row: {
      target: place.target, target_id: place.id, user_id: person.id, nickname: person.name, content: verdictOf(hits) === 'replace' ? replaced(said, hits) : said, subject_id: place.subject, purpose, root_id: 0, parent_id: 0, official: 0, likes: state === S.shown ? random.weighted([[0, 62], [random.int(1, 4), 28], [random.int(5, 18), 10]]) : 0,
      top: state === S.shown && random.chance(0.006) ? 1 : 0, hits, word_version: 1, state, created_at, ...place.more, ...(video && { at_sec: second(random, place.seconds) }),
      assignee_id: teacher?.staff_id ?? null, due_at: asks ? created_at + ANSWER_HOURS * HOUR : null, answered_at, answerer_id: answered_at === null ? null : who,
      ...(!fresh && suspect && state === S.hidden && random.chance(0.3) && { deleted_at: Math.min(now, created_at + DAY) }),
    },
  }
}

/** What was answered and replied, below what stands at the head of a thread. */
function buildReplies({ random, now, people }: World, heads: readonly Made[]): Made[] {
  return heads.flatMap(({ id, row }): Made[] => {
    const base = { target: row.target, target_id: row['target_id'], subject_id: row.subject_id, purpose: P.talk, root_id: id, parent_id: id, likes: 0, top: 0, hits: [], word_version: 1, state: S.shown, ...(row.target === 'video' ? { at_sec: row['at_sec'], course_id: row['course_id'] ?? null, teacher_id: row['teacher_id'] ?? null } : { practice_no: row['practice_no'] }) }
    const answered = row['answered_at'] as number | null
    const who = random.pick(people)
    return [
      ...(answered === null ? [] : [{ id: 0, fresh: false, row: { ...base, user_id: null, nickname: '官方', content: random.pick(ANSWERS), official: 1, answerer_id: row['answerer_id'], adopted_at: random.chance(0.55) ? Math.min(now, answered + random.int(600, DAY)) : null, created_at: answered } }]),
      ...(row.state === S.shown && row.deleted_at == null && random.chance(0.16) ? [{ id: 0, fresh: false, row: { ...base, user_id: who.id, nickname: who.name, content: random.pick(REPLIES), official: 0, created_at: Math.min(now - 60, row.created_at + random.int(300, 2 * DAY)) } }] : []),
    ]
  })
}

async function insertSaid(tx: Queryable, all: Made[]): Promise<void> {
  all.sort((a, b) => a.row.created_at - b.row.created_at)
  for (let at = 0; at < all.length; at += BATCH) {
    const part = all.slice(at, at + BATCH)
    for (const target of ['video', 'practice'] as const) {
      const own = part.filter(({ row }) => row.target === target)
      const ids = await insertMany(tx, SAID[target], own.map(({ row }) => row as object))
      for (const [index, one] of own.entries()) one.id = ids[index] ?? 0
    }
  }
}

/** Why a comment of the demo waits, or waited. */
function reasonsOf({ row }: Made): ReviewReason[] {
  const asking = asksPerson(row.hits)
  return [...(asking.length > 0 ? [{ why: '命中待审词', words: wordsOf(asking) }] : []), ...(/www\./.test(row.content) ? [{ why: '含有链接' }] : []), ...(/1 3 8/.test(row.content) ? [{ why: '含有号码' }] : []), ...(asking.length === 0 && !/www\.|1 3 8/.test(row.content) ? [{ why: '新用户' }] : [])]
}

/** Reviews: what waits of each cause, what was decided by whom, and second looks. */
async function insertReviews(tx: Queryable, { random, now, staff }: World, heads: readonly Made[]): Promise<number> {
  const base = ({ id, row }: Made) => ({ content: row.content, target: row.target, comment_id: id, user_id: row.user_id, subject_id: row.subject_id, was_state: row.state })
  const open = (one: Made, cause: number, reasons: ReviewReason[], score: number, more: Record<string, unknown> = {}) => ({ ...base(one), cause, reasons, score, state: REVIEW.open, open_key: openKey(one.id, cause), created_at: one.row.created_at + 1, ...more })
  const decided = (one: Made, cause: number, state: number, reasons: ReviewReason[], more: Record<string, unknown> = {}) => {
    const decided_at = Math.min(now - 300, one.row.created_at + random.int(120, 10 * HOUR))
    return { ...base(one), cause, reasons, score: 10, state, decided_by: random.pick(staff), decided_at, was_state: S.waiting, created_at: one.row.created_at + 1, ...more }
  }
  const rows: (Record<string, unknown> & { created_at: number })[] = []
  const reports: { comment: number; user: number; at: number; cause: string; key: string }[] = []
  for (const [index, one] of heads.entries()) {
    const { row, fresh } = one
    const result = row.deleted_at != null ? REVIEW.removed : row.state === S.hidden ? REVIEW.hidden : REVIEW.passed
    const reporter = heads[(index * 7 + 3) % heads.length]?.row.user_id
    const reported = row.state === S.shown && row.deleted_at == null && reporter != null && reporter !== row.user_id && random.chance(fresh ? 0.22 : 0.02)
    if (reported) reports.push({ comment: one.id, user: reporter ?? 0, at: row.created_at + 600, cause: random.pick(['ad', 'abuse', 'wrong', 'other']), key: `demo-report-${one.id}` })
    if (row.state === S.waiting) rows.push(open(one, CAUSE.before, reasonsOf(one), 10 + 40 * Math.min(2, row.hits.length), index % 29 === 0 ? { claimed_by: staff[1] ?? staff[0], claimed_until: now + 400 } : {}))
    else if (fresh) rows.push(reported ? open(one, CAUSE.report, [{ why: '举报：广告引流' }], 60) : open(one, CAUSE.after, [], 0))
    else if (result !== REVIEW.passed) rows.push(decided(one, CAUSE.before, result, reasonsOf(one)))
    else if (reported || random.chance(0.2)) rows.push(decided(one, reported ? CAUSE.report : CAUSE.after, REVIEW.passed, reported ? [{ why: '举报：其他' }] : []))
    if (!fresh && row.deleted_at == null && random.chance(0.03)) {
      const first_state = result
      const [first_by, second_by] = index % 2 === 0 ? [staff[0], staff[1]] : [staff[2], staff[0]]
      const waits = random.chance(0.15)
      rows.push(waits ? open(one, CAUSE.recheck, [{ why: '抽查复核' }], 5, { first_by, first_state }) : decided(one, CAUSE.recheck, random.chance(0.93) || result === REVIEW.hidden ? result : REVIEW.hidden, [{ why: '抽查复核' }], { first_by, first_state, decided_by: second_by, was_state: row.state }))
    }
  }
  const [again] = heads.filter(({ row, fresh }) => fresh && row.state === S.waiting).slice(-1)
  if (again) {
    const before = rows.find((row) => row['comment_id'] === again.id)
    if (before) Object.assign(before, { state: REVIEW.hidden, open_key: null, decided_by: staff[0], decided_at: now - 500, undone_at: now - 497 })
    rows.push({ ...open(again, CAUSE.undone, reasonsOf(again), 20), created_at: now - 497 })
  }
  rows.sort((a, b) => a.created_at - b.created_at)
  for (let at = 0; at < rows.length; at += BATCH) await insertMany(tx, commentReview, rows.slice(at, at + BATCH))
  await tx.query(sql`insert into comment_report (comment_id, user_id, at, cause, client_key) select comment, "user", to_timestamp(at), cause, key from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as r (comment bigint, "user" bigint, at float8, cause text, key text) order by at`)
  return rows.filter((row) => row['state'] === REVIEW.open).length
}

/** Who may not speak, what was not let through, who likes what, and how often words were found. */
async function insertBeside(tx: Queryable, { random, now, staff, people, matcher }: World, all: readonly Made[]): Promise<void> {
  await insertMany(tx, userMute, Array.from({ length: 14 }, (_, index) => {
    const created_at = now - (index < 5 ? random.int(1, 3) : random.int(20, 150)) * DAY
    return { reason: MUTE_REASONS[index % MUTE_REASONS.length] ?? '', user_id: people[people.length - 1 - index * 3]?.id ?? 0, range: index % 4 === 3 ? 'video' as const : 'all' as const, until: created_at + [7, 30, 7, 3][index % 4]! * DAY, review_id: 0, state: index === 7 ? MUTE_STATE.lifted : MUTE_STATE.on, created_at, created_by: random.pick(staff) }
  }).sort((a, b) => a.created_at - b.created_at))
  const refused = Array.from({ length: 70 }, () => {
    const content = random.pick(BLOCKED)
    return { user: random.pick(people).id, at: now - random.int(600, 60 * DAY), target: random.chance(0.7) ? 'video' : 'practice', content, words: wordsOf(matcher.find(content), LEVEL.block), why: 'word' }
  }).sort((a, b) => a.at - b.at)
  await tx.query(sql`insert into comment_refused (user_id, at, target, content, words, why) select "user", to_timestamp(at), target, content, array(select jsonb_array_elements_text(words)), why from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as r ("user" bigint, at float8, target text, content text, words jsonb, why text) order by at`)
  const liked = all.filter(({ row }) => Number(row['likes']) > 0).map(({ id, row }, index) => ({ id, n: Number(row['likes']), from: index * 13 }))
  const ids = people.map(({ id }) => id)
  await tx.query(sql`insert into comment_like (comment_id, user_id, at) select r.id, u.id, now() - interval '1 day' from jsonb_to_recordset(${JSON.stringify(liked)}::jsonb) as r (id bigint, n integer, "from" integer)
    cross join lateral generate_series(0, r.n - 1) k join unnest(${sql.param(ids)}::bigint[]) with ordinality u(id, place) on u.place = ((r."from" + k) % ${ids.length}::bigint) + 1`)
  const found = [...all.map(({ row }) => ({ hits: row.hits, at: row.created_at })), ...refused.map(({ content, at }) => ({ hits: matcher.find(content), at }))].flatMap(({ hits, at }) => [...new Set(hits.map(({ id }) => id))].map((id) => ({ id, at })))
  await tx.query(sql`insert into word_hit (word_id, day, n) select id, (to_timestamp(at) at time zone 'Asia/Shanghai')::date, count(*)::int from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as r (id bigint, at float8) group by 1, 2`)
}

/** What learners say of videos and questions in half a year, in every state, with what waits, who answers and what is not let through. */
export async function insertModerationDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(2104), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 10`)).map(({ id }) => id)
  const people = await db.query<Person & Record<string, unknown>>(sql`select id, nickname as name from app_user where role = 1 and status = 1 and deleted_at is null order by id limit 260`)
  const videos = await db.query<{ id: number; seconds: number | null; course_id: number; subject_id: number; teacher_id: number | null }>(sql`select distinct on (w.ref_id, o.id) w.ref_id as id, a.seconds::float8 as seconds, o.id as course_id, o.subject_id, o.teacher_ids[1] as teacher_id from outline_shown w join outline l on l.id = w.outline_id and l.owner_kind = ${lesson.name} join offer o on o.id = l.owner_id and o.deleted_at is null
    join asset a on a.id = w.ref_id and a.kind = 'video' and a.deleted_at is null where w.kind = 'video' order by w.ref_id, o.id limit 60`)
  const practices = await db.query<{ id: number; no: string; subject_id: number }>(sql`select id, no, subject_id from practice where pool = 'official' and status = 4 and deleted_at is null order by id limit 60`)
  if (people.length < 40 || practices.length === 0 || staff.length === 0) return
  const places: Place[] = [
    ...videos.map((one): Place => ({ target: 'video', id: one.id, subject: one.subject_id, seconds: one.seconds ?? 60, more: { course_id: one.course_id, teacher_id: one.teacher_id } })),
    ...practices.map((one): Place => ({ target: 'practice', id: one.id, subject: one.subject_id, seconds: 0, more: { practice_no: one.no } })),
  ]
  const subjects = await db.query<{ id: number; name: string }>(sql`select id, name from subject where id = any(${sql.param([...new Set(places.flatMap(({ subject }) => subject ?? []))])}::bigint[]) order by id`)
  await seedTransaction(db, async (tx) => {
    const matcher = await insertWords(tx, { staff }, now - 190 * DAY)
    const teachers = await insertTeachers(tx, { staff, now }, subjects)
    const world: World = { random, now, staff, people, matcher, teachers }
    const ofVideos = places.filter(({ target }) => target === 'video')
    const ofPractices = places.filter(({ target }) => target === 'practice')
    const make = (size: number, from: readonly Place[], fresh: boolean) => (from.length === 0 ? [] : Array.from({ length: size }, () => build(world, from[Math.floor(random.next() ** 2 * from.length)] ?? (from[0] as Place), fresh)))
    const heads = [...make(VIDEO_SIZE, ofVideos, false), ...make(PRACTICE_SIZE, ofPractices, false), ...make(FRESH, ofVideos, true), ...make(Math.floor(FRESH / 3), ofPractices, true)]
    await insertSaid(tx, heads)
    const replies = buildReplies(world, heads)
    await insertSaid(tx, replies)
    const waiting = await insertReviews(tx, world, heads)
    await insertBeside(tx, world, [...heads, ...replies])
    report(`已生成 ${heads.length + replies.length} 条视频和习题评论，其中 ${waiting} 条待审；${DEMO_WORDS.length} 个敏感词、${staff.slice(0, 8).length} 名答疑教师`)
  })
}
