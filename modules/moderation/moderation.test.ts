import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { sensitiveWord } from './word/word.ts'
import type { Tried } from './word/calls.ts'
import { LEVEL } from './word/match.ts'
import type { Queue, ReviewCase } from './review/calls.ts'
import { isRechecked } from './review/decide.server.ts'
import { CAUSE, commentReview, REVIEW } from './review/review.ts'
import type { AuthorStory, VideoTalk } from './said/calls.ts'
import { practiceComment, videoComment } from './said/said.ts'
import { openWorld, type World } from './testing.server.ts'
import { MANAGE_RIGHTS, VIDEO_RIGHTS } from './rights.ts'
import { userMute } from './mute.ts'

let app: TestApp
let world: World
let callers: Caller[]
beforeAll(async () => {
  app = await openTestApp()
  callers = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  world = await openWorld(app, one())
}, 120_000)
afterAll(() => app.close())
// Nobody has said anything for a while: what is said too quickly is refused.
beforeEach(() => rest())

const rest = () => app.db.query(sql`update comment set created_at = created_at - interval '2 minutes' where created_at > now() - interval '2 minutes'`)

const one = () => callers[0] as Caller
const two = () => callers[1] as Caller
const R = commentReview.api
const W = sensitiveWord.api.list
const queue = async (who = one(), query: Record<string, unknown> = {}) => (await who.get<Queue>(`${R.list}/queue`, query)).body
const rowOf = async (comment: number, who = one()) => (await queue(who)).items.find(({ comment_id }) => comment_id === comment)
const reviewOf = async (comment: number, cause: number) => (await app.db.query<{ id: number; state: number; claimed_by: number | null; decided_by: number | null }>(sql`select id, state, claimed_by, decided_by from comment_review where comment_id = ${comment} and cause = ${cause} order by id desc limit 1`))[0]
const stateOf = async (id: number) => (await app.db.query<{ state: number; gone: boolean }>(sql`select state, deleted_at is not null as gone from comment where id = ${id}`))[0]
const decide = (ids: readonly (number | undefined)[], verdict: string, who = one()) => who.post<{ decided: number[]; left_alone: { id: number; why: string }[]; detail: string }>(`${R.list}/decide`, { ids, verdict })
const addWord = async (word: string, level: number, more: Record<string, unknown> = {}) => one().post<{ id: number; detail: string; tried: Tried; fields: Record<string, string> }>(`${W}/save`, { word, level, group: 'ad', ...more })
const user = (n: number) => world.users[n] as number

test('a learner who is known is heard at once, a new one after somebody has looked; the same sent twice is one', async () => {
  const known = await world.say(user(0), '这里为什么要分类讨论？', { purpose: 2, client_key: 'same-client-key' })
  expect(known).toMatchObject({ status: 200, body: { state: 1 } })
  expect((await world.say(user(0), '这里为什么要分类讨论？', { purpose: 2, client_key: 'same-client-key' })).body.id).toBe(known.body.id)
  const fresh = await world.say(world.newcomer, '老师讲得真清楚')
  expect(fresh.body.state).toBe(0)
  const row = await rowOf(fresh.body.id)
  expect(row).toMatchObject({ cause: CAUSE.before, reasons: [{ why: '新用户' }], content: '老师讲得真清楚' })
  expect((await reviewOf(known.body.id, CAUSE.after))?.state).toBe(REVIEW.open)
  const { body } = await one().get<WireRow<typeof videoComment>>(`${videoComment.api.item}/${known.body.id}`)
  expect(body).toMatchObject({ target_id: world.videoId, course_id: world.courseId, subject_id: 1, teacher_id: world.teacher, at_sec: 30, purpose: 2 })
  // Others read it, with a name that is masked; the new one sees their own.
  const read = async (who: number) => (await world.device('GET', `/comments?user_id=${who}&target=video&target_id=${world.videoId}`)).body['items'] as { id: number; waiting: boolean; nickname: string }[]
  expect((await read(user(1))).find(({ id }) => id === known.body.id)?.nickname).not.toBe('小满0')
  expect((await read(user(1))).some(({ id }) => id === fresh.body.id)).toBe(false)
  expect((await read(world.newcomer)).find(({ id }) => id === fresh.body.id)?.waiting).toBe(true)
})

test('what cannot be said is refused in one sentence', async () => {
  const words = async (text: string, more: Record<string, unknown> = {}, who = user(1)) => (await world.say(who, text, more)).body.detail
  expect(await words('')).toBe('请输入内容')
  expect(await words(' \u200b\u200d ')).toBe('请输入内容')
  expect(await words('长'.repeat(501))).toBe('最多 500 字')
  expect(await words('太晚', { at_sec: 601 })).toBe('视频时间超过了视频的长度')
  expect(await words('别的课', { course_id: 999_999 })).toBe('这门课程里没有这个视频')
  expect(await words('别的视频', { video_id: 999_999, course_id: undefined })).toBe('视频不存在或已被删除')
  expect(await words('解法', { purpose: 3 })).toBe('只有习题可以发表解法')
  expect(await words('回复', { parent_id: 999_999 })).toBe('要回复的评论已不可见')
  expect((await world.solve(user(1), '没有这道题', { practice_id: 999_999 })).body.detail).toBe('试题不存在或已被删除')
  await app.db.query(sql`update app_user set status = 2 where id = ${user(4)}`)
  expect(await words('冻结了', {}, user(4))).toBe('账号当前不能发表评论')
  await app.db.query(sql`update app_user set status = 1 where id = ${user(4)}`)
  for (let n = 0; n < 6; n++) await world.say(user(4), `连着说 ${n}`)
  expect(await words('第七句', {}, user(4))).toBe('发得太快了，请稍后再试')
  expect(await words('说明 https://x.top 有资料')).toBeUndefined()
})

test('links, numbers and repetitions wait for somebody', async () => {
  const link = await world.say(user(2), '资料在 www.abc.top 自己下')
  expect(await rowOf(link.body.id)).toMatchObject({ reasons: [{ why: '含有链接' }] })
  const number = await world.say(user(2), '找我 1 3 8-0013-8000')
  expect(await rowOf(number.body.id)).toMatchObject({ reasons: [{ why: '含有号码' }] })
  await world.solve(user(2), '这道题选第一个就行')
  const again = await world.solve(user(2), '这道题选第一个就行')
  expect(await rowOf(again.body.id)).toMatchObject({ reasons: [{ why: '重复发表' }] })
})

test('words: blocked ones are refused and remembered, others wait, are replaced or noted, whatever they hide behind', async () => {
  expectSuccess(await addWord('加微信', LEVEL.block, { loose: 1 }))
  expectSuccess(await addWord('代考', LEVEL.review))
  expectSuccess(await addWord('垃圾', LEVEL.replace))
  expectSuccess(await addWord('某某网校', LEVEL.note))
  const blocked = await world.say(user(3), '学习资料 加 微 信 领')
  expect(blocked).toMatchObject({ status: 400, body: { detail: '内容含有不能发布的词，请修改后再发' } })
  expect(await app.db.query(sql`select why, words from comment_refused where user_id = ${user(3)}`)).toEqual([{ why: 'word', words: ['加微信'] }])
  const loose = await world.say(user(3), '加薇信一起学')
  expect(await rowOf(loose.body.id)).toMatchObject({ reasons: [{ why: '命中待审词', words: ['加微信'] }] })
  expect((await rowOf(loose.body.id))?.hits).toMatchObject([{ from: 0, to: 3, unsure: true }])
  expect((await world.say(user(3), '有人代-考吗')).body.state).toBe(0)
  const soft = await world.say(user(3), '这题 垃 圾')
  expect(soft.body.state).toBe(1)
  expect((await app.db.query<{ content: string }>(sql`select content from comment where id = ${soft.body.id}`))[0]?.content).toBe('这题 ***')
  expect((await world.say(user(3), '某某网校也讲过')).body.state).toBe(1)
  // Evaluations of courses are looked at by the same list.
  const evaluated = await world.evaluate(user(3), '老师很好，加 微 信 领资料')
  expect(evaluated).toMatchObject({ status: 400, body: { detail: '内容含有不能发布的词，请修改后再发' } })
  const words = (await one().get<{ items: { word: string; hit_n: number }[] }>(W, { keyword: '加微信' })).body.items
  expect(words[0]?.hit_n).toBe(3)
})

test('a word is tried before it is saved; one that would find much is saved by somebody who has seen it; spellings are one', async () => {
  for (let n = 0; n < 25; n++) await app.db.query(sql`insert into comment (target, target_id, user_id, nickname, content, state, client_key) values ('practice', ${world.practiceId}, ${user(0)}, '小满', ${`我的想法是 ${n}`}, 1, ${`many-key-${n}`})`)
  const tried = await one().post<Tried>(`${W}/try`, { word: '的', level: LEVEL.review })
  expect(tried.body.hits).toBeGreaterThanOrEqual(25)
  expect(tried.body.items[0]?.hits.length).toBeGreaterThan(0)
  expect(await app.db.query(sql`select 1 from sensitive_word where word = '的'`)).toEqual([])
  const refused = await addWord('的', LEVEL.review)
  expect(refused.status).toBe(409)
  expect(refused.body.detail).toMatch(/^近 30 天命中 \d+ 条/)
  expect(refused.body.tried.hits).toBe(tried.body.hits)
  const sure = await addWord('的', LEVEL.review, { sure: true })
  expectSuccess(sure)
  expectSuccess(await one().post(`${sensitiveWord.api.item}/${sure.body.id}/disable`, {}))
  expect((await world.solve(user(1), '这是我的做法')).body.state).toBe(1)
  expect((await addWord('加-微 信', LEVEL.note)).body.detail).toContain('已存在')
  expect((await addWord('！！', LEVEL.note)).body.detail).toBe('敏感词应含有文字或数字')
  expect((await addWord('赌', LEVEL.block, { exempt: ['不沾边'] })).body.detail).toContain('应包含')
  const pasted = await one().post<{ items: { as: string; line: number; why?: string }[]; added: number }>(`${W}/paste`, { text: '刷单\n　刷 单 \t辱骂攻击\n！？\n\n加微信\n枪手\t作弊代考\t拦截\n坏\t没有的组', group: 'ad', level: LEVEL.review, write: true })
  expect(pasted.body.items.map(({ as }) => as)).toEqual(['new', 'twice', 'wrong', 'known', 'new', 'wrong'])
  expect(pasted.body.items[2]?.why).toBe('第 3 行无法识别')
  expect(pasted.body.added).toBe(2)
  expect((await world.say(user(1), '找枪手')).status).toBe(400)
  const versions = (await one().get<{ items: { note: string }[]; words: number }>(`${W}/versions`)).body
  expect(versions.items[0]?.note).toBe('批量录入')
  // Whoever may only look changes nothing.
  const looker = await app.staff([MANAGE_RIGHTS.screen])
  expect((await looker.post(`${W}/save`, { word: '试试', level: 1, group: 'ad' })).status).toBe(403)
})

test('of two reviewers one wins and the other is told by whom; a row that somebody has is left to them until they give it back', async () => {
  const { body: { id } } = await world.say(world.newcomer, '两个人同时看这一条')
  const row = await rowOf(id)
  const both = await Promise.all([decide([row?.id], 'pass'), decide([row?.id], 'hide', two())])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const lost = both.find(({ status }) => status === 409)
  expect(lost?.body.detail).toMatch(/^已由 .+ 于 刚刚 处理为「已(通过|屏蔽)」$/)
  expect((await stateOf(id))?.state).toBe(both[0].status === 200 ? 1 : 2)
  // Claimed by the first key, freed on cancel.
  const { body: { id: other } } = await world.say(world.newcomer, '先领取再处理')
  const held = await rowOf(other)
  expectSuccess(await one().post(`${R.item}/${held?.id}/claim`))
  expect((await rowOf(other, two()))?.claimed_by).toBe(one().staffId)
  expect((await decide([held?.id], 'pass', two())).body.detail).toMatch(/^已被 .+ 领取$/)
  expectRefusal(await two().post(`${R.item}/${held?.id}/claim`), 409)
  expectSuccess(await two().post(`${R.item}/${held?.id}/release`))
  expect((await rowOf(other, two()))?.claimed_by).toBe(one().staffId)
  expectSuccess(await one().post(`${R.item}/${held?.id}/release`))
  expectSuccess(await two().post(`${R.item}/${held?.id}/claim`))
  await app.db.query(sql`update comment_review set claimed_until = now() - interval '1 second' where id = ${held?.id}`)
  expectSuccess(await decide([held?.id], 'hide'))
})

test('a decision is taken back within seconds by whoever made it, as a new row; the decided one stays decided', async () => {
  const { body: { id } } = await world.say(world.newcomer, '误判后撤销')
  const row = await rowOf(id)
  expectSuccess(await decide([row?.id], 'remove'))
  expect(await stateOf(id)).toEqual({ state: 0, gone: true })
  expectRefusal(await two().post(`${R.list}/undo`, { ids: [row?.id] }), 403)
  expectSuccess(await one().post(`${R.list}/undo`, { ids: [row?.id] }))
  expect(await stateOf(id)).toEqual({ state: 0, gone: false })
  expect((await reviewOf(id, CAUSE.before))?.state).toBe(REVIEW.removed)
  const again = await reviewOf(id, CAUSE.undone)
  expect(again).toMatchObject({ state: REVIEW.open, claimed_by: one().staffId })
  expectRefusal(await one().post(`${R.list}/undo`, { ids: [row?.id] }), 400)
  expectSuccess(await decide([again?.id], 'pass'))
  expect((await stateOf(id))?.state).toBe(1)
  await app.db.query(sql`update comment_review set decided_at = now() - interval '1 minute' where id = ${again?.id}`)
  expect((await one().post<{ detail: string }>(`${R.list}/undo`, { ids: [again?.id] })).body.detail).toBe('已超过撤销时间，可在评论查询中改回')
})

test('a report is a row of its own, also when one was decided before; reporting again the same day adds nothing', async () => {
  const { body: { id } } = await world.say(user(0), '有人会举报我')
  const report = (who: number, key: string) => world.device('POST', `/comments/${id}/report`, { user_id: who, cause: 'ad', client_key: key })
  expect((await report(user(0), 'report-own-key')).body.detail).toBe('不能举报自己的评论')
  expect((await report(user(1), 'report-key-1')).status).toBe(200)
  expect((await report(user(1), 'report-key-2')).status).toBe(200)
  expect((await report(user(2), 'report-key-3')).status).toBe(200)
  const first = await reviewOf(id, CAUSE.report)
  expect((await rowOf(id))?.reasons).toHaveLength(2)
  expectSuccess(await decide([first?.id], 'pass'))
  expect((await report(user(3), 'report-key-4')).status).toBe(200)
  const second = await reviewOf(id, CAUSE.report)
  expect(second?.id).not.toBe(first?.id)
  expect((await app.db.query<{ state: number }>(sql`select state from comment_review where id = ${first?.id}`))[0]?.state).toBe(REVIEW.passed)
  // At most one row of a cause waits for a comment.
  expect(await app.db.query(sql`select 1 from comment_review where state = 0 group by comment_id, cause having count(*) > 1`)).toEqual([])
})

test('many of one author are decided at once; what a colleague has stays', async () => {
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push((await world.say(world.newcomer, `同一个人的第 ${n} 条`)).body.id)
  const rows = await Promise.all(ids.map((id) => rowOf(id)))
  const beside = (await one().get<ReviewCase>(`${R.item}/${rows[0]?.id}/case`)).body
  expect(beside.same_author).toEqual(expect.arrayContaining([rows[1]?.id, rows[2]?.id]))
  expect(beside.video?.id).toBe(world.videoId)
  expectSuccess(await two().post(`${R.item}/${rows[2]?.id}/claim`))
  const done = await decide(rows.map((row) => row?.id), 'hide')
  expect(done.body.decided).toHaveLength(2)
  expect(done.body.left_alone[0]?.why).toContain('领取')
})

test('somebody who is silenced is told until when and why; a taken-back decision lets them speak again', async () => {
  const { body: { id } } = await world.say(world.newcomer, '要被禁言的一条')
  const row = await rowOf(id)
  const mute = await one().post<{ id: number; hidden: number[]; detail: string }>(userMute.api.item, { user_id: world.newcomer, days: 7, range: 'all', reason: '多次发布广告', review_id: row?.id, hide_waiting: true })
  expectSuccess(mute)
  expect(mute.body.hidden).toContain(row?.id)
  expect((await stateOf(id))?.state).toBe(2)
  expect((await world.say(world.newcomer, '还想说')).body.detail).toMatch(/^您已被禁言至 \d{4}-\d\d-\d\d \d\d:\d\d，原因：多次发布广告$/)
  expect((await one().post<{ detail: string }>(userMute.api.item, { user_id: world.newcomer, days: 1, range: 'video', reason: '再来一次' })).body.detail).toContain('已被禁言至')
  const story = (await one().get<AuthorStory>(`/daoyuan/api/end/comment_authors/${world.newcomer}`)).body
  expect(story).toMatchObject({ muted: 1, mute: { range: 'all' } })
  expect(story.refused[0]?.why).toBe('mute')
  expectSuccess(await one().post(`${R.list}/undo`, { ids: mute.body.hidden }))
  expect((await world.say(world.newcomer, '又能说了')).status).toBe(200)
  expectRefusal(await (await app.staff([MANAGE_RIGHTS.screen, MANAGE_RIGHTS.id('review')])).post(userMute.api.item, { user_id: world.newcomer, days: 7, range: 'all', reason: '没有权限' }), 403)
})

test('some decisions are looked at again by another person, never by the same', async () => {
  let [id, row]: [number, Awaited<ReturnType<typeof rowOf>>] = [0, undefined]
  for (let n = 0; n < 200 && !(row && isRechecked(row.id)); n++) {
    if (row) await decide([row.id], 'remove')
    await app.db.query(sql`select nextval(pg_get_serial_sequence('comment_review', 'id'))`)
    const [next] = await app.db.query<{ id: number }>(sql`select last_value + 1 as id from comment_review_id_seq`)
    if (!isRechecked(next?.id ?? 0)) continue
    await rest()
    id = (await world.say(world.newcomer, `抽查的第 ${n} 条`)).body.id
    row = await rowOf(id)
  }
  expect(row && isRechecked(row.id)).toBe(true)
  expectSuccess(await decide([row?.id], 'pass'))
  const again = await reviewOf(id, CAUSE.recheck)
  expect(again?.state).toBe(REVIEW.open)
  expect((await queue()).items.some((one) => one.id === again?.id)).toBe(false)
  expect((await decide([again?.id], 'hide')).body.detail).toBe('抽查须由另一人复核')
  expectSuccess(await decide([again?.id], 'hide', two()))
  expect((await queue()).checked).toMatchObject({ n: 1, agreed: 0 })
  expect((await one().get<{ total: number }>(R.list, { check: 'differed' })).body.total).toBe(1)
})

test('what is decided in the list closes what waits; likes count once; density, totals and the list agree', async () => {
  const { body: { id } } = await world.say(world.newcomer, '在列表里处理')
  const row = await rowOf(id)
  expectSuccess(await one().post(`${videoComment.api.item}/${id}/pass`, {}))
  expect((await app.db.query<{ state: number; note: string }>(sql`select state, note from comment_review where id = ${row?.id}`))[0]).toMatchObject({ state: REVIEW.void })
  for (let n = 0; n < 2; n++) expect((await world.device('POST', `/comments/${id}/like`, { user_id: user(1), on: true })).body['likes']).toBe(1)
  expect((await world.device('POST', `/comments/${id}/like`, { user_id: user(1), on: false })).body['likes']).toBe(0)
  const talk = (await one().get<VideoTalk>(`${videoComment.api.list}/videos/${world.videoId}`)).body
  expect(talk.counts.all).toBe((await one().get<{ total: number }>(videoComment.api.list, { target_id: world.videoId })).body.total)
  const [from, to] = [Math.floor(Date.now() / 1000) - 200 * 86_400, Math.floor(Date.now() / 1000) + 60]
  for (const by of ['day', 'course', 'teacher'] as const) {
    const totals = (await one().get<{ items: { key: number | null; n: number; waiting: number }[]; sum: { n: number } }>(`${videoComment.api.list}/totals`, { by, from, to })).body
    expect(totals.items.reduce((sum, { n }) => sum + n, 0)).toBe(totals.sum.n)
    const first = totals.items.find(({ key }) => key !== null)
    const filter = by === 'day' ? { created_at_start: first?.key, created_at_end: (first?.key ?? 0) + 86_399 } : { [`${by}_id`]: first?.key, created_at_start: from, created_at_end: to }
    expect((await one().get<{ total: number }>(videoComment.api.list, filter)).body.total, by).toBe(first?.n)
  }
  expectRefusal(await (await app.staff([VIDEO_RIGHTS.screen])).get(`${videoComment.api.list}/totals`, { by: 'day', from, to }), 403)
  expect((await one().get<{ detail: string }>(`${videoComment.api.list}/totals`, { by: 'day', from: to, to: from })).body.detail).toBe('结束时间不能早于开始时间')
})

test('a way to solve goes into the next version of the question, once; what is wrong with the question is reported', async () => {
  const { body: { id } } = await world.solve(user(0), '先比较正负，再比较绝对值。\n所以选 A。', { purpose: 3 })
  const adopt = () => one().post<{ practice_id: number; path: string; detail: string }>(`${practiceComment.api.item}/${id}/adopt`)
  const adopted = await adopt()
  expectSuccess(adopted)
  const [draft] = await app.db.query<{ origin_id: number; status: number; text: string }>(sql`select p.origin_id, p.status, b.content::text as text from practice p join practice_body b on b.practice_id = p.id where p.id = ${adopted.body.practice_id}`)
  expect(draft).toMatchObject({ origin_id: world.practiceId, status: 0 })
  expect(draft?.text).toContain('先比较正负')
  expect(draft?.text).toContain('逐个比较')
  expect((await adopt()).body.detail).toBe('已经采纳过')
  const { body: wrong } = await world.solve(user(1), '答案给错了，应该是 B')
  expectSuccess(await one().post(`${practiceComment.api.item}/${wrong.id}/report_practice`, { note: '学员说答案有误' }))
  expect((await app.db.query<{ content: string; user_id: number }>(sql`select content, user_id from practice_report where practice_id = ${world.practiceId}`))[0]).toMatchObject({ user_id: user(1) })
  expectRefusal(await (await app.staff([practiceComment.grant])).post(`${practiceComment.api.item}/${wrong.id}/report_practice`, {}), 403)
})
