import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { paragraph, docOf } from '../../core/rich-text/rich-doc.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { teacherApply } from '../apply/module.ts'
import type { TeacherStory, ClassStory, Graduation } from './calls.ts'
import { teacherClass, schoolYear } from './class.ts'
import type { Cohort, CohortPerson, Needy, RepLine } from './operation.ts'
import { teacherPaper } from './paper.ts'
import type { ReviewQuestion } from './review.ts'
import { CLASS_STATUS, QUESTION, REVIEW, TEACHER_STATUS as S } from './states.ts'
import { teacherProfile } from './teacher.ts'

const [APPLY, TEACHER, CLASS, PAPER] = [teacherApply.api.item, teacherProfile.api.item, teacherClass.api.item, teacherPaper.api.item]
const OPERATION = '/daoyuan/api/end/teacher_operation'
const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400
/** Mathematics of junior schools. */
const MATHS = 101
let app: TestApp
let ann: Caller
let ben: Caller
let key: string
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ann = await app.staff(app.servedGrants)
  ben = await app.staff(app.servedGrants)
  key = await makeAppKey(app, ['teacher_class'])
})
afterAll(() => app.close())

const mobile = () => `139${String(40_000_000 + ++n)}`
const clientKey = () => `teacher-key-${++n}`

interface Known { id: number; user_id: number; apply_id: number; mobile: string }

/** A teacher whose application was let through. */
async function certified(name = '林老师'): Promise<Known> {
  const number = mobile()
  const made = await ann.post<WireRow>(APPLY, { applicant: name, mobile: number, org: '苏州实验中学', region_code: '320508', subject_id: MATHS, licence_no: `2026${n}`, staff_id: ann.staffId })
  expectSuccess(made)
  expectSuccess(await ann.post(`${APPLY}/${made.body.id}/submit`, {}))
  const passed = await ben.post<WireRow>(`${APPLY}/${made.body.id}/approve`, {})
  expectSuccess(passed)
  const [row] = await app.db.query<Known & Record<string, unknown>>(sql`select id, user_id, apply_id, mobile from teacher_profile where apply_id = ${made.body.id}`)
  if (!row) throw new Error('no teacher was made')
  return row
}

const device = async <Body = Record<string, unknown>>(method: 'GET' | 'POST', path: string, payload?: Record<string, unknown>) => {
  const answer = await app.http.inject({ method, url: `/daoyuan/api/device/teacher/${path}`, ...(payload && { payload }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': `teacher-call-${++n}-0000` } })
  return { status: answer.statusCode, body: answer.json<Body & { detail?: string }>() }
}
async function learner(): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`insert into app_user (user_no, mobile, nickname, role, status, wechat_bound) values (${`T${++n}`}, ${mobile()}, '小满', 1, 1, 0) returning id`)
  return row?.id ?? 0
}
async function founded(teacher: Known, more: Record<string, unknown> = {}): Promise<{ id: number; code: string }> {
  const made = await device<{ id: number; code: string }>('POST', 'classes', { user_id: teacher.user_id, client_key: clientKey(), name: '初二（3）班', grade: 8, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body
}
const join = (user: number, code: string, client_key = clientKey()) => device<{ class_id: number }>('POST', 'classes/join', { user_id: user, code, client_key })
const teacherRow = async (id: number) => (await ann.get<WireRow<typeof teacherProfile>>(`${TEACHER}/${id}`)).body
const classRow = async (id: number) => (await ann.get<WireRow<typeof teacherClass>>(`${CLASS}/${id}`)).body
const rights = async (userId: number) => (await app.db.query<{ n: number }>(sql`select count(*)::int as n from entitlement where user_id = ${userId} and line = 'teacher' and status = 1 and expire_at > now() and deleted_at is null`))[0]?.n
const news = async (id: number) => (await ann.get<TeacherStory>(`${TEACHER}/${id}/story`)).body.news.map(({ body }) => body)

test('a teacher is what an approved application made, and is none any more when it is taken back', async () => {
  const teacher = await certified()
  expect(await teacherRow(teacher.id)).toMatchObject({ status: S.certified, school: '苏州实验中学', subject_id: MATHS, rep_id: ann.staffId, apply_id: teacher.apply_id })
  expect(await rights(teacher.user_id)).toBe(1)
  const check = (await ann.get<{ effect: { to: string } }>(`${APPLY}/${teacher.apply_id}/check`)).body
  expect(check.effect.to).toBe(`/teacher/teacher?open=${teacher.id}`)
  expectSuccess(await ben.post(`${APPLY}/${teacher.apply_id}/undo_apply`, { reason: '材料不实' }))
  expect(await teacherRow(teacher.id)).toMatchObject({ status: S.lapsed })
  expect(await rights(teacher.user_id)).toBe(0)
  expect((await device('POST', 'classes', { user_id: teacher.user_id, client_key: clientKey(), name: '一班', grade: 8 })).body.detail).toContain('认证已失效')
  expect(await news(teacher.id)).toEqual(['教师认证已撤销', expect.stringContaining('教师认证已通过')])
})

test('a stopped teacher keeps their classes, sets nothing and lets nobody in; resumed, all goes on', async () => {
  const teacher = await certified()
  const { id, code } = await founded(teacher)
  const user = await learner()
  expect((await join(user, code)).status).toBe(200)
  expectRefusal(await ann.post(`${TEACHER}/${teacher.id}/stop`, { reason: '' }), 400)
  expectSuccess(await ann.post(`${TEACHER}/${teacher.id}/stop`, { reason: '多次发布广告' }))
  expect(await teacherRow(teacher.id)).toMatchObject({ status: S.stopped, stop_reason: '多次发布广告' })
  expect(await rights(teacher.user_id)).toBe(0)
  expect((await join(await learner(), code)).body.detail).toContain('已关闭加入')
  expect((await device('POST', `classes/${id}/homework`, { user_id: teacher.user_id, client_key: clientKey(), title: '第一次作业', due_at: NOW + DAY })).body.detail).toContain('已停用')
  expectRefusal(await ann.post(`${TEACHER}/${teacher.id}/stop`, { reason: '再停一次' }), 409)
  // A second application does not go around it.
  const again = await ann.post<WireRow>(APPLY, { applicant: '林老师', mobile: teacher.mobile, org: '别的学校', region_code: '320508', subject_id: MATHS, licence_no: `X${++n}` })
  expect((await ann.get<{ problems: string[] }>(`${APPLY}/${again.body.id}/check`)).body.problems.join()).toContain('已停用（多次发布广告）')
  // Two at the same time: one of them.
  const both = await Promise.all([ann, ben].map((who) => who.post(`${TEACHER}/${teacher.id}/resume`, { reason: '已整改完成' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await rights(teacher.user_id)).toBe(1)
  expect((await join(await learner(), code)).status).toBe(200)
  expect((await (await app.staff([teacherProfile.grant])).post(`${TEACHER}/${teacher.id}/stop`, { reason: '没有权限' })).status).toBe(403)
})

test('who leaves hands over their classes in the same step, and comes back by another application', async () => {
  const [old, next] = [await certified('王老师'), await certified('赵老师')]
  const { id } = await founded(old)
  const alone = await ann.post(`${TEACHER}/${old.id}/leave`, { reason: '调到外校' })
  expectFieldRefusal(alone, 400, 'to_id')
  expect(alone.body['detail']).toContain('还有 1 个进行中的班级')
  const stopped = await certified('周老师')
  expectSuccess(await ann.post(`${TEACHER}/${stopped.id}/stop`, { reason: '长期不用' }))
  expect((await ann.post(`${TEACHER}/${old.id}/leave`, { reason: '调到外校', to_id: stopped.id })).body['detail']).toContain('已停用，不能带班')
  expect((await ann.post<{ classes: number }>(`${TEACHER}/${old.id}/leave`, { reason: '调到外校', to_id: next.id })).body.classes).toBe(1)
  expect(await classRow(id)).toMatchObject({ teacher_id: next.id, founder_id: old.id })
  expect((await ann.get<ClassStory>(`${CLASS}/${id}/story`)).body.leads.map(({ name, to_at, note }) => [name, to_at === null, note])).toEqual([['赵老师', true, '调到外校'], ['王老师', false, null]])
  expect(await teacherRow(old.id)).toMatchObject({ status: S.left })
  expect(await rights(old.user_id)).toBe(0)
  expect((await ann.put(`${TEACHER}/${old.id}`, { school: '外校' })).status).toBeGreaterThanOrEqual(400)
  const apply = await ann.post<WireRow>(APPLY, { applicant: '王老师', mobile: old.mobile, org: '苏州外国语学校', region_code: '320508', subject_id: MATHS, licence_no: `Y${++n}` })
  expectSuccess(await ann.post(`${APPLY}/${apply.body.id}/submit`, {}))
  expectSuccess(await ben.post(`${APPLY}/${apply.body.id}/approve`, {}))
  expect(await teacherRow(old.id)).toMatchObject({ status: S.certified, school: '苏州外国语学校', apply_id: apply.body.id })
})

test('time that a teacher is given reaches the application and the entitlement', async () => {
  const teacher = await certified()
  expectFieldRefusal(await ann.post(`${TEACHER}/${teacher.id}/extend`, { until: NOW + DAY, reason: '活动赠送' }), 400, 'until')
  expectFieldRefusal(await ann.post(`${TEACHER}/${teacher.id}/extend`, { until: NOW + 4000 * DAY, reason: '活动赠送' }), 400, 'until')
  const until = NOW + 500 * DAY
  expectSuccess(await ann.post(`${TEACHER}/${teacher.id}/extend`, { until, reason: '活动赠送' }))
  const [at] = await app.db.query<{ apply: number; right: number }>(sql`select extract(epoch from a.due_at)::float8 as apply, (select extract(epoch from e.expire_at)::float8 from entitlement e where e.ref = 'apply ' || a.id) as right from apply a where a.id = ${teacher.apply_id}`)
  expect(at).toEqual({ apply: until, right: until })
})

test('learners come in by the code up to the limit; an old code opens nothing, and a late repetition does not bring somebody back', async () => {
  const teacher = await certified()
  const { id, code } = await founded(teacher, { max_members: 2 })
  expect((await device('POST', 'classes', { user_id: teacher.user_id, client_key: clientKey(), name: '又一次', grade: 8 })).body).toMatchObject({ code: expect.any(String) })
  const [a, b, c] = [await learner(), await learner(), await learner()]
  expect((await join(teacher.user_id, code)).body.detail).toContain('不能加入自己的班级')
  // Three for two places at the same time.
  const raced = await Promise.all([a, b, c].map((user) => join(user, code, `race-key-${user}`)))
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  const inside = [a, b, c].find((_, index) => raced[index]?.status === 200) ?? 0
  expect((await join(inside, code)).status).toBe(200)
  expect(await classRow(id)).toMatchObject({ member_cnt: 2 })
  expectFieldRefusal(await ann.put(`${CLASS}/${id}`, { max_members: 1 }), 400, 'max_members')
  expect((await device('POST', `classes/${id}/quit`, { user_id: inside })).status).toBe(200)
  expect((await join(inside, code, `race-key-${inside}`)).status).toBe(200)
  expect(await classRow(id)).toMatchObject({ member_cnt: 1 })
  const recoded = await ann.post<{ code: string }>(`${CLASS}/${id}/code`, {})
  expect(recoded.body.code).not.toBe(code)
  expect((await join(inside, code)).body.detail).toContain('班级码已更换')
  expect((await join(inside, 'ZZZZZ2')).body.detail).toContain('没有这个班级码')
  expect((await join(inside, recoded.body.code.toLowerCase())).status).toBe(200)
  expectSuccess(await ann.put(`${CLASS}/${id}`, { join_open: 0 }))
  expect((await join(await learner(), recoded.body.code)).body.detail).toContain('已关闭加入')
  expectSuccess(await ann.post(`${CLASS}/${id}/expel`, { user_id: inside, reason: '不是本班学生' }))
  expectRefusal(await ann.post(`${CLASS}/${id}/expel`, { user_id: inside, reason: '不是本班学生' }), 404)
  expectSuccess(await ann.post(`${CLASS}/${id}/dissolve`, { reason: '班级合并' }))
  expect(await classRow(id)).toMatchObject({ status: CLASS_STATUS.dissolved, member_cnt: 0 })
})

test('homework is set once for a key, handed in once by whoever is in the class, and shows in the class', async () => {
  const teacher = await certified()
  const { id, code } = await founded(teacher)
  const sent = { user_id: teacher.user_id, client_key: clientKey(), title: '一次函数练习', due_at: NOW + DAY }
  expect((await device('POST', `classes/${id}/homework`, sent)).body.detail).toContain('还没有学生')
  const user = await learner()
  await join(user, code)
  const made = await device<{ id: number; members: number }>('POST', `classes/${id}/homework`, sent)
  expect(made.body).toMatchObject({ members: 1 })
  expect((await device('POST', `classes/${id}/homework`, sent)).body).toEqual(made.body)
  expect((await device('POST', `classes/${id}/homework`, { ...sent, user_id: (await certified()).user_id })).status).toBe(404)
  expect((await device('POST', `classes/${id}/homework`, { ...sent, client_key: clientKey(), due_at: NOW - 1 })).body.detail).toContain('截止时间应晚于现在')
  expect((await device('POST', `homework/${made.body.id}/done`, { user_id: await learner() })).status).toBe(404)
  for (const score of [0.8, 0.1]) expect((await device('POST', `homework/${made.body.id}/done`, { user_id: user, score })).status).toBe(200)
  expect(await classRow(id)).toMatchObject({ homework_cnt: 1, done_rate: 1, score_rate: 0.8 })
  expect(await teacherRow(teacher.id)).toMatchObject({ class_cnt: 1, student_cnt: 1, homework_cnt: 1 })
})

test('classes are transferred and graduate together, and both are taken back as one', async () => {
  const [old, next] = [await certified('孙老师'), await certified('吴老师')]
  const made = [await founded(old), await founded(old, { grade: 9 }), await founded(old, { grade: 9 })]
  const ids = made.map(({ id }) => id)
  expectRefusal(await ann.post(`${teacherClass.api.list}/transfer`, { ids: [...ids, 999_999], teacher_id: next.id, reason: '调整分工' }), 404)
  // The same class twice is one class.
  const moved = await ann.post<{ moved: number; undo: number }>(`${teacherClass.api.list}/transfer`, { ids: [...ids, ids[0]], teacher_id: next.id, reason: '调整分工' })
  expect(moved.body.moved).toBe(3)
  expect(await classRow(ids[0] ?? 0)).toMatchObject({ teacher_id: next.id })
  expectFieldRefusal(await ann.post(`${teacherClass.api.list}/transfer`, { ids, teacher_id: next.id, reason: '调整分工' }), 400, 'teacher_id')
  await undo(moved.body.undo)
  for (const id of ids) await expect.poll(async () => (await classRow(id)).teacher_id).toBe(old.id)
  const year = schoolYear(NOW)
  const seen = (await ann.post<Graduation>(`${teacherClass.api.list}/graduation/preview`, { school_year: year, grades: [9] })).body
  expect(seen.classes.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted())
  const ended = await ann.post<{ graduated: number; undo: number }>(`${teacherClass.api.list}/graduation`, { ids: seen.classes.map(({ id }) => id) })
  expect(ended.body.graduated).toBe(2)
  expect(await classRow(ids[1] ?? 0)).toMatchObject({ status: CLASS_STATUS.graduated, graduated_at: expect.any(Number) })
  expect((await join(await learner(), made[1]?.code ?? '')).body.detail).toContain('班级已结束')
  await undo(ended.body.undo)
  for (const id of ids) await expect.poll(async () => (await classRow(id)).status).toBe(CLASS_STATUS.running)
  expect((await classRow(ids[1] ?? 0)).graduated_at).toBe(null)
  expect((await join(await learner(), made[1]?.code ?? '')).status).toBe(200)
})

/** Several records are taken back by a job. */
const undo = async (id: number) => expectSuccess(await ann.post(`/daoyuan/api/end/undo/${id}`, {}))

const rich = (text: string) => docOf([paragraph([text])])
/** A question that a teacher writes. */
const question = (stem: string) => ({
  type: 4, stem: rich(stem), options: [], option_layout: 1, answer: { k: 'free', parts: [{ no: 0, ref: rich('见解析'), steps: [] }] }, analysis: { hint: null, solution: rich(`详解：${stem}`), comment: null, pitfall: null }, score: 10, category: null, children: [],
})
const STEMS = ['小明从家骑车去图书馆，去时每小时 12 千米，返回时每小时 8 千米，往返共用 50 分钟，求他家到图书馆的路程。', '某小区要修一个周长为 36 米的长方形花坛，长比宽多 4 米，求这个花坛的面积是多少平方米。', '学校组织 240 名师生外出参观，租用 45 座和 30 座客车共 6 辆恰好坐满，求两种客车各租了多少辆。'] as const

test('questions of a teacher get into the bank as drafts, give way to what is there, or go back with a reason; the teacher is told', async () => {
  const teacher = await certified('郑老师')
  const sent = { user_id: teacher.user_id, client_key: clientKey(), name: '八年级周测', items: [...STEMS, STEMS[0]].map((stem) => ({ content: question(stem), score: 10 })) }
  expect((await device('POST', 'papers', { ...sent, items: [{ content: { ...question(''), stem: null }, score: 5 }] })).body.detail).toMatch(/^第 1 题/)
  const made = await device<{ id: number; own_count: number }>('POST', 'papers', sent)
  expect(made.body).toMatchObject({ own_count: 4 })
  expect((await device('POST', 'papers', sent)).body).toEqual(made.body)
  const id = made.body.id
  const list = async () => (await ann.get<{ items: ReviewQuestion[] }>(`${PAPER}/${id}/questions`)).body.items
  const [one, two, three, four] = await list()
  const at = (own: ReviewQuestion | undefined, what: string) => `${PAPER}/${id}/questions/${own?.id ?? 0}/${what}`
  const waits = async () => (await ann.get<{ total: number }>(teacherPaper.api.list, { review: REVIEW.waiting })).body.total
  expect(await waits()).toBe(1)
  // Whoever may not write in the bank takes nothing into it.
  const reader = await app.staff([teacherPaper.grant, teacherPaper.rights.id('approve')])
  expectRefusal(await reader.post(at(one, 'admit'), {}), 403)
  const both = await Promise.all([ann, ben].map((who) => who.post<{ practice_id: number }>(at(one, 'admit'), {})))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const draft = both.find(({ status }) => status === 200)?.body.practice_id ?? 0
  const [stored] = await app.db.query<{ pool: string; status: number; source_paper: string; note: string }>(sql`select p.pool, p.status, p.source_paper, v.note from practice p join practice_version v on v.practice_id = p.id where p.id = ${draft}`)
  expect(stored).toMatchObject({ pool: 'back', status: 0, source_paper: '八年级周测', note: '来自教师试卷《八年级周测》（苏州实验中学 郑老师）' })
  const uses = (await ann.get<{ items: { kind: string }[] }>(`/daoyuan/api/dou_practice/end/practice/${draft}/uses`)).body.items
  expect(uses.map(({ kind }) => kind)).toEqual(['教师试卷'])
  expectSuccess(await ann.post(at(two, 'refuse'), { reason: '题目条件不完整' }))
  expectSuccess(await ann.post(at(three, 'admit'), {}))
  // The fourth is the first once more.
  expect((await ann.get<{ items: { kind: string }[] }>(at(four, 'alike'))).body.items[0]?.kind).toBe('same')
  const same = await ann.post(at(four, 'admit'), {})
  expectRefusal(same, 409)
  expect(same.body['detail']).toContain('题库中已有相同的题')
  expect((await ann.post<{ left: number }>(at(four, 'reuse'), { practice_id: draft })).body.left).toBe(0)
  expect((await list()).map(({ state }) => state)).toEqual([QUESTION.admitted, QUESTION.refused, QUESTION.admitted, QUESTION.known])
  expect(await waits()).toBe(0)
  expect((await device<{ items: { body: string }[] }>('POST', 'news', { user_id: teacher.user_id })).body.items[0]?.body).toBe('《八年级周测》的自编题已审核：入库 2 题，用题库已有题 1 题，退回 1 题')
  expect((await device<{ items: { questions: { reason: string | null }[] }[] }>('GET', `papers?user_id=${teacher.user_id}`)).body.items[0]?.questions[1]?.reason).toBe('题目条件不完整')
  expectRefusal(await ann.post(`${PAPER}/${id}/questions/place`, {}), 400)
  // Published, it takes its place in the paper.
  await app.db.query(sql`with official as (insert into practice (no, pool, level, subject_id, type, status, owner_id, origin_id, version_no, search_text) select 'M2-' || id || '-x', 'official', level, subject_id, type, 4, owner_id, id, 1, search_text from practice where id = ${draft} returning id),
    body as (insert into practice_body (practice_id, content) select official.id, b.content from official, practice_body b where b.practice_id = ${draft}) update practice set status = 4, origin_id = (select id from official) where id = ${draft}`)
  expect((await ann.post<{ placed: number }>(`${PAPER}/${id}/questions/place`, {})).body.placed).toBe(1)
  expect((await ann.get<WireRow>(`${PAPER}/${id}`)).body).toMatchObject({ question_count: 1, total_score: 10 })
})

test('the funnel counts everybody once, its lists have the same numbers, and it says whom to speak with and why', async () => {
  const teacher = await certified('冯老师')
  const { id, code } = await founded(teacher)
  const user = await learner()
  await join(user, code)
  for (const title of ['第一次', '第二次']) {
    const made = await device<{ id: number }>('POST', `classes/${id}/homework`, { user_id: teacher.user_id, client_key: clientKey(), title, due_at: NOW + DAY })
    await device('POST', `homework/${made.body.id}/done`, { user_id: user })
  }
  const month = new Date((NOW + 8 * 3600) * 1000).toISOString().slice(0, 7)
  const { cohorts } = (await ann.get<{ cohorts: Cohort[] }>(`${OPERATION}/funnel`)).body
  expect(cohorts).toHaveLength(12)
  const last = cohorts.at(-1)
  expect(last).toMatchObject({ month, ripe: false })
  expect(cohorts[0]?.ripe).toBe(true)
  for (const [step, count] of (last?.steps ?? []).entries()) {
    const answer = (await ann.get<{ items: CohortPerson[]; total: number }>(`${OPERATION}/people`, { month, step, only: 'reached' })).body
    expect(answer.total).toBe(count)
    expect(answer.items.every(({ reached }) => reached >= step)).toBe(true)
  }
  expect(last?.steps[4]).toBe(1)
  // What happens after the window does not count any more.
  await app.db.query(sql`update apply set created_at = now() - interval '70 days' where id = ${teacher.apply_id}`)
  const early = new Date((NOW + 8 * 3600 - 70 * DAY) * 1000).toISOString().slice(0, 7)
  expect((await ann.get<{ cohorts: Cohort[] }>(`${OPERATION}/funnel`)).body.cohorts.find((one) => one.month === early)?.steps).toEqual([1, 0, 0, 0, 0])
  await app.db.query(sql`update teacher_profile set certified_at = now() - interval '20 days', rep_id = null where id = ${teacher.id}`)
  await app.db.query(sql`update teacher_profile set last_homework_at = now() - interval '40 days' where id = ${teacher.id}`)
  const needy = async (query: Record<string, unknown> = {}) => (await ann.get<{ items: Needy[]; total: number; counts: Record<string, number> }>(`${OPERATION}/needy`, query)).body
  expect((await needy({ rep_id: '0' })).items).toEqual([expect.objectContaining({ id: teacher.id, reasons: ['silent'] })])
  for (const [reason, count] of Object.entries((await needy()).counts)) expect((await ann.get<{ total: number }>(teacherProfile.api.list, { need: reason })).body.total).toBe(count)
  expectRefusal(await ann.post(`${TEACHER}/${teacher.id}/follows`, { way: 'call', body: '好' }), 400)
  expectFieldRefusal(await ann.post(`${TEACHER}/${teacher.id}/follows`, { way: 'call', body: '电话沟通期末安排', next_follow_at: NOW - 60 }), 400, 'next_follow_at')
  expectSuccess(await ann.post(`${TEACHER}/${teacher.id}/follows`, { way: 'visit', body: '到校拜访，下周开始布置', next_follow_at: NOW + 60 }))
  expect(await teacherRow(teacher.id)).toMatchObject({ rep_id: ann.staffId, last_words: '到校拜访，下周开始布置' })
  expect((await needy()).items.find((one) => one.id === teacher.id)?.reasons).toContain('due')
  const reps = (await ann.get<{ items: RepLine[] }>(`${OPERATION}/reps`)).body.items
  expect(reps.reduce((sum, { teachers }) => sum + teachers, 0)).toBe((await ann.get<{ total: number }>(teacherProfile.api.list, { status: S.certified })).body.total)
})

test('who looks after other subjects sees nothing of it, on any way in', async () => {
  const teacher = await certified()
  const { id } = await founded(teacher)
  const other = await app.staff(app.servedGrants, { scopes: { subject: [102] } })
  expectRefusal(await other.get(`${TEACHER}/${teacher.id}/story`), 404)
  expectRefusal(await other.post(`${TEACHER}/${teacher.id}/stop`, { reason: '不归我管' }), 404)
  expectRefusal(await other.post(`${TEACHER}/${teacher.id}/follows`, { way: 'call', body: '不归我管的教师' }), 404)
  expectRefusal(await other.get(`${CLASS}/${id}/story`), 404)
  expectRefusal(await other.post(`${CLASS}/${id}/code`, {}), 404)
  expectRefusal(await other.post(`${teacherClass.api.list}/graduation`, { ids: [id] }), 404)
  expect((await other.post<Graduation>(`${teacherClass.api.list}/graduation/preview`, { school_year: schoolYear(NOW), grades: [8] })).body.classes).toEqual([])
  expect((await other.get<{ cohorts: Cohort[] }>(`${OPERATION}/funnel`)).body.cohorts.flatMap(({ steps }) => steps).every((count) => count === 0)).toBe(true)
  expect((await other.get<{ items: RepLine[] }>(`${OPERATION}/reps`)).body.items).toEqual([])
})
