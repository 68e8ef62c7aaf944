import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { badRequest, notFound, tooMany } from '../../../core/error/error.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import type { Speech } from '../../comment/door.server.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { lesson } from '../../lesson/module.ts'
import { muteOf, mutedWords } from '../mute.server.ts'
import { openReview } from '../review/open.server.ts'
import { CAUSE, type ReviewReason } from '../review/review.ts'
import { clean } from '../word/clean.ts'
import { asksPerson, countHits, hear, wordsOf, type Heard } from '../word/words.server.ts'
import { LEVEL } from '../word/match.ts'
import { published } from './publish.server.ts'
import { PURPOSE, SAID, type SaidTarget } from './said.ts'

/** Days for which somebody is new, and how many of theirs have to be let through before. */
const NEW_DAYS = 7
const PROVEN = 2
/** Most that somebody says in a minute. */
const MOST_A_MINUTE = 6

const LINK = /(https?:\/\/|www\.|[a-z0-9-]+\.(com|cn|net|top|xyz|vip|cc)\b)/i
/** So many digits in a row are a number to call or to add, not a result; places behind a point are. */
const NUMBER = /(?<![\d.])\d{7,}/
/** What stands between digits to hide that they are one number. */
const BETWEEN = /(?<=\d)[\s\-_·]+(?=\d)/g

/**
 * Looks at what somebody is about to say: whether they may speak, and the words of the list. What is not let through is kept,
 * so this comes before the transaction that keeps what is.
 * @throws AppError in words that may be shown to whoever wrote it
 */
export async function listen(db: Queryable, { userId, target, text }: Speech): Promise<Heard> {
  const refuse = async (why: 'mute' | 'word', words: readonly string[]) => {
    await db.query(sql`insert into comment_refused (user_id, target, content, words, why) select id, ${target}, ${text}, ${sql.param([...words])}::text[], ${why} from app_user where id = ${userId}`)
  }
  const mute = await muteOf(db, userId, target)
  if (mute) {
    await refuse('mute', [])
    throw badRequest(mutedWords(mute))
  }
  const heard = await hear(db, text)
  if (heard.verdict !== 'block') return heard
  await countHits(db, heard.hits)
  await refuse('word', wordsOf(heard.hits, LEVEL.block))
  throw badRequest('内容含有不能发布的词，请修改后再发')
}

interface Author extends Record<string, unknown> { id: number; nickname: string; age: number; passed: number; lately: number }

/** Whoever says something, locked: what they say at once comes one after the other. */
async function author(tx: Queryable, userId: number): Promise<Author> {
  const [held] = await tx.query<{ status: number }>(sql`select status from app_user where id = ${userId} and deleted_at is null for no key update`)
  if (!held) throw notFound('用户')
  if (held.status !== 1) throw badRequest('账号当前不能发表评论')
  const [user] = await tx.query<Author>(sql`select u.id, u.nickname, coalesce(extract(epoch from now() - u.register_at) / 86400, 9999)::float8 as age,
    (select count(*)::int from (select 1 from comment c where c.user_id = u.id and c.state = ${COMMENT_STATE.shown} and c.deleted_at is null limit ${PROVEN}) x) as passed,
    (select count(*)::int from comment c where c.user_id = u.id and c.created_at > now() - interval '1 minute') as lately from app_user u where u.id = ${userId}`)
  if (!user) throw notFound('用户')
  if (user.lately >= MOST_A_MINUTE) throw tooMany('发得太快了，请稍后再试')
  return user
}

/** What something is said of, with what is kept beside it. */
interface Place { readonly subject_id: number | null; readonly more: Readonly<Record<string, unknown>> }

async function ofVideo(tx: Queryable, { videoId, courseId, atSec }: { videoId: number; courseId: number | undefined; atSec: number }): Promise<Place> {
  const [video] = await tx.query<{ seconds: number | null }>(sql`select seconds::float8 as seconds from asset where id = ${videoId} and kind = 'video' and deleted_at is null for key share`)
  if (!video) throw notFound('视频')
  if (video.seconds !== null && atSec > Math.ceil(video.seconds)) throw badRequest('视频时间超过了视频的长度')
  if (courseId === undefined) return { subject_id: null, more: { at_sec: atSec } }
  const [course] = await tx.query<{ subject_id: number; teacher_id: number | null }>(sql`select o.subject_id, o.teacher_ids[1] as teacher_id from offer o join outline l on l.owner_kind = ${lesson.name} and l.owner_id = o.id
    join outline_shown w on w.outline_id = l.id and w.kind = 'video' and w.ref_id = ${videoId} where o.id = ${courseId} and o.line = ${lesson.where['line']} and o.deleted_at is null`)
  if (!course) throw badRequest('这门课程里没有这个视频')
  return { subject_id: course.subject_id, more: { at_sec: atSec, course_id: courseId, teacher_id: course.teacher_id } }
}

async function ofPractice(tx: Queryable, id: number): Promise<Place> {
  const [practice] = await tx.query<{ subject_id: number; no: string }>(sql`select subject_id, no from practice where id = ${id} and pool = 'official' and status in (4, 6) and deleted_at is null for key share`)
  if (!practice) throw notFound('试题')
  return { subject_id: practice.subject_id, more: { practice_no: practice.no } }
}

/** Why a person should look at it before others do. */
async function doubts(tx: Queryable, user: Author, text: string, { hits }: Heard): Promise<{ reasons: ReviewReason[]; score: number }> {
  const found: [ReviewReason, number][] = []
  const asking = asksPerson(hits)
  if (asking.length > 0) found.push([{ why: '命中待审词', words: wordsOf(asking) }, 50 + 10 * asking.length])
  if (LINK.test(text)) found.push([{ why: '含有链接' }, 30])
  if (NUMBER.test(clean(text).text.join('').replaceAll(BETWEEN, ''))) found.push([{ why: '含有号码' }, 30])
  const [same] = await tx.query<{ n: number }>(sql`select count(*)::int as n from comment c where c.user_id = ${user.id} and c.content = ${text} and c.created_at > now() - interval '1 day' and c.deleted_at is null`)
  if ((same?.n ?? 0) > 0 && [...text].length > 5) found.push([{ why: '重复发表' }, 40])
  if (user.age < NEW_DAYS || user.passed < PROVEN) found.push([{ why: '新用户' }, 10])
  return { reasons: found.map(([reason]) => reason), score: found.reduce((sum, [, score]) => sum + score, 0) }
}

/** What somebody says. */
export interface Saying {
  readonly target: SaidTarget
  readonly targetId: number
  readonly userId: number
  readonly text: string
  readonly purpose: number
  readonly clientKey: string
  readonly parentId?: number | undefined
  readonly atSec?: number
  readonly courseId?: number | undefined
}

/**
 * Keeps what a learner says, shown or waiting for somebody to look at it. Said again under the same key, it is the same.
 * @throws AppError in words that may be shown to whoever wrote it
 */
export async function say(tx: Queryable, { target, targetId, userId, purpose, clientKey, parentId, atSec = 0, courseId }: Saying, heard: Heard): Promise<{ id: number; state: number }> {
  const known = async () => (await tx.query<{ id: number; state: number }>(sql`select id, state from comment where user_id = ${userId} and client_key = ${clientKey} limit 1`))[0]
  const before = await known()
  if (before) return before
  const user = await author(tx, userId)
  const again = await known()
  if (again) return again
  const place = target === 'video' ? await ofVideo(tx, { videoId: targetId, courseId, atSec }) : await ofPractice(tx, targetId)
  if (purpose === PURPOSE.solve && target === 'video') throw badRequest('只有习题可以发表解法')
  let root = 0
  if (parentId !== undefined) {
    const [parent] = await tx.query<{ root_id: number; fits: boolean }>(sql`select coalesce(root_id, 0) as root_id, target = ${target} and target_id = ${targetId} as fits from comment where id = ${parentId} and target in ('video', 'practice') and state = ${COMMENT_STATE.shown} and deleted_at is null for key share`)
    if (!parent) throw badRequest('要回复的评论已不可见')
    if (!parent.fits) throw badRequest('要回复的评论不在这里')
    root = parent.root_id === 0 ? parentId : parent.root_id
  }
  const { reasons, score } = await doubts(tx, user, heard.text, heard)
  const state = reasons.length > 0 ? COMMENT_STATE.waiting : COMMENT_STATE.shown
  // Only what stands at the head of a thread asks.
  const own = root === 0 ? purpose : PURPOSE.talk
  const [id = 0] = await insertMany(tx, SAID[target], [{
    target, target_id: targetId, user_id: userId, nickname: user.nickname, content: heard.text, subject_id: place.subject_id, purpose: own, root_id: root, parent_id: parentId ?? 0, official: 0, likes: 0, top: 0,
    hits: heard.hits, word_version: heard.version, client_key: clientKey, state, ...place.more,
  } as object])
  await countHits(tx, heard.hits)
  const row = { id, target, subject_id: place.subject_id, user_id: userId, content: heard.text, purpose: own, assignee_id: null, answered_at: null }
  await openReview(tx, row, reasons.length > 0 ? { cause: CAUSE.before, reasons, score } : { cause: CAUSE.after, reasons: heard.hits.length > 0 ? [{ why: '命中记录词', words: wordsOf(heard.hits) }] : [], score: heard.hits.length > 0 ? 2 : 0 })
  if (state === COMMENT_STATE.shown) await published(tx, row)
  return { id, state }
}

/** Says something in a learner's name: looked at first, then kept in one transaction. */
export async function sayOnce(db: Database, saying: Saying, transaction: <Result>(work: (tx: Queryable) => Promise<Result>) => Promise<Result>): Promise<{ id: number; state: number }> {
  const heard = await listen(db, { userId: saying.userId, target: saying.target, targetId: saying.targetId, text: saying.text })
  return transaction((tx) => say(tx, saying, heard))
}
