import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { fileUrl } from '../../core/file/url.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { makeAppKey, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { video } from '../../core/testing/uploads.server.ts'
import { lesson } from '../lesson/lesson.ts'
import { insertPractices } from '../practice/bank/write.server.ts'
import { knowledgeLabel, writtenChoice } from '../practice/edit/testing.server.ts'
import { appUser } from '../user/module.ts'

let count = 0

/** What tests of comments need: learners who are known, a course with a video, a question, and the key of a learners' app. */
export interface World {
  readonly users: number[]
  readonly newcomer: number
  readonly courseId: number
  readonly videoId: number
  readonly practiceId: number
  readonly teacher: number
  device(method: 'GET' | 'POST', path: string, payload?: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> & { id: number; detail: string } }>
  /** Somebody says something of the video. */
  say(user: number, text: string, more?: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> & { id: number; state: number; detail: string } }>
  /** Somebody evaluates the course. */
  evaluate(user: number, content: string): Promise<{ status: number; body: Record<string, unknown> & { detail: string } }>
  /** Somebody says something of the question. */
  solve(user: number, text: string, more?: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> & { id: number; state: number; detail: string } }>
}

/** Makes that world. @param by holds every right */
export async function openWorld(app: TestApp, by: Caller): Promise<World> {
  const key = await makeAppKey(app, ['comment', 'lesson_evaluation'])
  const device: World['device'] = async (method, path, payload) => {
    const answer = await app.http.inject({ method, url: `/daoyuan/api/device${path}`, ...(payload && { payload }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': `comment-key-${++count}-0000` } })
    return { status: answer.statusCode, body: answer.json() }
  }
  const old = Math.floor(Date.now() / 1000) - 400 * 86_400
  const ids = await app.db.transaction({ staff_id: null }, (tx) => insertMany(tx, appUser, Array.from({ length: 6 }, (_, index) => ({ user_no: `M${index}`, mobile: `1370000000${index}`, nickname: `小满${index}`, role: 1 as const, status: 1 as const, register_at: index === 5 ? old + 398 * 86_400 : old }))))
  const url = fileUrl((await app.kernel.files.put(Readable.from([video()]), { name: '导学.mp4', staffId: by.staffId })).id)
  const [clip] = await app.db.query<{ id: number }>(sql`insert into asset (kind, name, url, state, licence, seconds) values ('video', '集合导学', ${url}, 1, 'own', 600) returning id`)
  const course = await by.post<{ id: number }>(lesson.api.item, { title: '高一数学系统精讲', subject_id: 1, price: 99_00, valid_days: 365, teacher_ids: [by.staffId] })
  const section = await by.post<{ id: number }>(`/daoyuan/api/lessons/${course.body.id}/sections`, { name: '第一节' })
  await by.post(`/daoyuan/api/lessons/${course.body.id}/videos`, { asset_id: clip?.id, section_id: section.body.id, title: '导学' })
  const { content, facts, labels, chapter_ids } = writtenChoice(await knowledgeLabel(app, by, '集合'), ['下列各数中最小的是'])
  const [practiceId = 0] = await app.db.transaction({ staff_id: by.staffId }, (tx) => insertPractices(tx, by.staffId, [{ content, facts: { ...facts, subject_id: 1 }, labels, chapter_ids, pool: 'official', level: 0, status: 4, owner_id: by.staffId } as never]))
  const videoId = clip?.id ?? 0
  // What they said before was let through.
  for (const id of ids.slice(0, 5)) await app.db.query(sql`insert into comment (target, target_id, user_id, nickname, content, state, created_at, client_key) select 'video', ${videoId}, ${id}, '小满', '以前说过的 ' || n, 1, now() - interval '100 days', 'old-key-' || n from generate_series(1, 2) n`)
  const said = (path: string, base: Record<string, unknown>) => (user: number, text: string, more: Record<string, unknown> = {}) => device('POST', path, { ...base, user_id: user, text, client_key: `client-${++count}-key`, ...more }) as ReturnType<World['say']>
  return {
    users: ids.slice(0, 5), newcomer: ids[5] ?? 0, courseId: course.body.id, videoId, practiceId, teacher: by.staffId, device,
    evaluate: (user, content) => device('POST', '/lesson/evaluations', { user_id: user, lesson_id: course.body.id, star: 5, content }),
    say: said('/video_comments', { video_id: videoId, course_id: course.body.id, at_sec: 30 }), solve: said('/practice_comments', { practice_id: practiceId }),
  }
}
