/**
 * A client that knows only the specification tries the calls that are answered, with the fields and names that stand there and in
 * the field lists drawn from it: `cat_id`, `label_ids`, `micro_lesson_ids`, `ref_ids`, `mobile`, `status` 1 and 0, `page` from 0.
 */
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserHeaders, video } from '../core/testing/uploads.server.ts'
import { fileUrl } from '../core/file/url.ts'
import { jobOver } from '../core/testing/jobs.server.ts'
import type { Method } from '../core/endpoint/define.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '../core/testing/app.server.ts'
import { expectSuccess } from '../core/testing/expect.server.ts'
import { xlsxOf } from '../core/testing/transfer.server.ts'
import { insertMany, seedTransaction } from '../core/setup/insert-many.server.ts'
import { contract, notYetBuilt } from './contract.ts'
import { courseLines } from './course-line/lines.ts'
import { activityLink } from './promotion/link.ts'

const END = '/daoyuan/api/end'
const ROOM = `${END}/self_study_room`
const MICRO = '/micro_material/api/end'
/** 高中数学 (spec 3: ids below 100 are senior). */
const CAT = 1
const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400

type Body = Record<string, unknown>
let app: TestApp
let admin: Caller
const tried = new Set<string>()
/** What came of earlier calls, for the paths and fields of later ones. */
const made: Record<string, number> = {}

/** Tries a call of the contract. `path` is written as the specification has it; its parameters come from `params`. */
async function spec(method: Method, path: string, input: Body = {}, params: readonly (number | string)[] = []): Promise<Answer<Body>> {
  tried.add(`${method} ${path}`)
  let place = 0
  const answer = await admin.call<Body>(method, path.replace(/\{\w+\}/g, () => String(params[place++])), input)
  expectSuccess(answer, `${method} ${path} ${JSON.stringify(answer.body).slice(0, 300)}`)
  return answer
}
/** Sends a sheet as the specification's batch calls take it. */
async function sheet(path: string, rows: (string | number | null)[][]) {
  tried.add(`POST ${path}`)
  const boundary = 'xxSPECxx'
  const payload = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="sheet.xlsx"\r\n\r\n`), await xlsxOf(rows), Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await app.http.inject({ method: 'POST', url: `${path}?self_study_room_id=${made['school']}`, payload, headers: { ...browserHeaders(admin), 'content-type': `multipart/form-data; boundary=${boundary}` } })
  expect(answer.statusCode, answer.body).toBe(200)
  return jobOver(admin, answer.json<{ job_id: number }>().job_id)
}
const rowsOf = (body: Body, key = 'items') => body[key] as Body[]

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  const one = async (statement: ReturnType<typeof sql>) => (await app.db.query<{ id: number }>(statement))[0]?.id ?? 0
  const below = (cat: number, name: string) => one(sql`insert into label (kind, subject_id, parent_id, name, path, depth, status)
    select 'knowledge', ${cat}, id, ${name}, path || id || '/', depth + 1, 1 from label where kind = 'knowledge' and subject_id = ${cat} and parent_id is null returning id`)
  made['label'] = await below(CAT, '函数')
  made['foreignLabel'] = await below(2, '别科')
  made['category'] = await one(sql`insert into practice_category (subject_id, name, type, status) values (${CAT}, '契约单选题', 1, 1) returning id`)
  const content = { type: 1, stem: { t: 'doc', v: 1, c: [{ t: 'p', c: ['若'] }] }, options: [], option_layout: 1, answer: { k: 'one', ok: null }, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: 5, category: null, children: [] }
  for (let n = 0; n < 3; n++) {
    made[`practice${n}`] = await one(sql`insert into practice (no, pool, level, subject_id, type, category_id, difficulty, option_layout, status, version_no, score)
      values (${`C-${n}`}, 'official', 0, ${CAT}, 1, ${made['category']}, 3, 1, 4, 1, 5) returning id`)
    await app.db.query(sql`insert into practice_body (practice_id, content) values (${made[`practice${n}`]}, ${JSON.stringify(content)}::jsonb)`)
  }
})
afterAll(() => app.close())

test('session and lookups', async () => {
  const { body: me } = await spec('GET', '/daoyuan/api/end/staff')
  for (const key of ['role', 'account', 'avatar', 'mobile', 'modules', 'introduction', 'proxy_users']) expect(me, key).toHaveProperty(key)
  expect(Array.isArray(me['proxy_users'])).toBe(true)
  expect(rowsOf((await spec('GET', '/daoyuan/api/proxy_users', { page: 0 })).body, 'proxy_users')).toEqual([])
  expect(rowsOf((await spec('GET', '/daoyuan/api/proxy_users', { page: 0, page_size: 0 })).body, 'proxy_users')).toEqual([])
  expect(rowsOf((await spec('GET', '/daoyuan/api/cats', { education_level: 9 })).body, 'subjects').length).toBeGreaterThan(10)
  expect((await spec('GET', '/daoyuan/api/channels')).body).toHaveProperty('channels')
  expect(Object.keys((await spec('GET', '/daoyuan/api/end/self_study_room/type')).body)).toEqual(expect.arrayContaining(['common', 'gaosi', 'lesson_class']))
  await spec('GET', '/daoyuan/api/end/all_self_study_room')
  const { status, body } = await app.nobody().post('/daoyuan/api/end_access_token', { account: ' admin ', pwd: 'Admin-pass1' })
  tried.add('POST /daoyuan/api/end_access_token')
  expect([status, Object.keys(body)]).toEqual([200, ['staff']])
})

test('labels, chapters and the order of questions', async () => {
  const { body: rule } = await spec('GET', '/daoyuan/api/base_practice_papers/practice_order_rule')
  const groups = rowsOf(rule, 'practice_category_rule')
  expect(groups.map(({ name }) => name)).toEqual(['单选题', '多选题', '填空题', '实验题', '解答题', '综合题'])
  expect(groups.flatMap(({ category_ids }) => category_ids), 'without a parameter all subjects are meant').toContain(made['category'])
  expect(rowsOf((await spec('GET', '/daoyuan/api/base_practice_papers/practice_order_rule', { cat_id: 2 })).body, 'practice_category_rule').flatMap(({ category_ids }) => category_ids)).not.toContain(made['category'])
  expect(rowsOf((await spec('GET', '/daoyuan/api/p_labels', { pid: made['label'] })).body, 'p_labels')).toEqual([])
  await spec('GET', '/daoyuan/api/p_labels/level_label/{id}', {}, [0])
  await spec('GET', '/daoyuan/api/dou_practice/end/cat_labels', { cat_id: CAT })
  await spec('GET', '/daoyuan/api/end/catalogs', { pid: 1 })
  expect(Array.isArray((await spec('GET', '/micro_material/api/end/teaching_material/version_info', { cat_id: CAT })).body['data'])).toBe(true)
  await spec('GET', '/daoyuan/api/end/practice_category', { cat_id: CAT })
  await spec('GET', '/daoyuan/api/end/common_labels', { cat_id: CAT })
  await spec('GET', '/daoyuan/api/end/select_labels', { ids: made['label'] ?? 0 })
  expect(rowsOf((await spec('GET', '/micro_material/api/end/knowledge_label', { cat_id: CAT })).body).length).toBeGreaterThan(0)
  await spec('GET', '/micro_material/api/end/knowledge_label_v2', { cat_id: CAT })
  await spec('GET', '/micro_material/api/end/micro_lesson_label', { cat_id: CAT })
  expect((await spec('GET', '/material/api/end/label')).body['items']).toEqual([])
})

test('questions: search by cat_id, one-two-three', async () => {
  const { body } = await spec('POST', '/daoyuan/api/dou_practice/end/practices', { cat_id: CAT, pool: 'official', difficulties: [3], page_size: 20 })
  expect(rowsOf(body).map(({ id }) => id)).toEqual([made['practice2'], made['practice1'], made['practice0']])
  const three = { practice_id: made['practice0'], child_ids: [made['practice1']] }
  await spec('POST', '/daoyuan/api/end/practice_one_2_three', three)
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/practice_one_2_three/list/{id}', {}, [made['practice0'] ?? 0])).body).length).toBe(1)
  await spec('POST', '/daoyuan/api/end/practice_one_2_three/remove', three)
})

test('micro lessons: made, changed, put on the shelf and taken off', async () => {
  const clip = fileUrl((await app.kernel.files.put(Readable.from([video()]), { name: '函数.mp4', staffId: admin.staffId })).id)
  const lesson = { cat_id: CAT, name: '函数的单调性', label_ids: [made['label']], video: clip, duration: 300, practice_ids: [made['practice0']] }
  const foreign = await admin.post<Body>(`${MICRO}/knowledge/micro/lesson`, { ...lesson, label_ids: [made['foreignLabel']] })
  expect([foreign.status, foreign.body['detail']]).toEqual([400, '主知识点不属于该学科，请重新选择'])
  const { body } = await spec('POST', '/micro_material/api/end/knowledge/micro/lesson', lesson)
  made['lesson'] = Number(body['id'])
  await spec('PUT', '/micro_material/api/end/knowledge/micro/lesson/{id}', { teacher: '陈老师' }, [made['lesson']])
  expect((await admin.put<Body>(`${MICRO}/knowledge/micro/lesson/${made['lesson']}`, { label_ids: [made['label'], made['foreignLabel']] })).body['detail']).toBe('相关知识点不属于该学科，请重新选择')
  for (const status of [1, 0, 1]) {
    await spec('PUT', '/micro_material/api/end/knowledge/micro/lesson/{id}/status', { status }, [made['lesson']])
    const { body: found } = await spec('GET', '/micro_material/api/end/knowledge/micro/lesson', { cat_id: CAT, label_id: made['label'], status, page: 0 })
    expect(found).toMatchObject({ total: 1, items: [{ id: made['lesson'], cat_id: CAT, status, teacher: '陈老师' }] })
    expect((await spec('GET', '/micro_material/api/end/knowledge/micro/lesson', { status: 1 - status })).body['total']).toBe(0)
  }
})

test('micro papers keep their labels and lessons, show their status and are found by it', async () => {
  const { body } = await spec('POST', '/micro_material/api/end/micro/paper', {
    name: '函数过关', cat_id: CAT, label_ids: [made['label']], practices: [{ id: made['practice0'], score: 5 }], micro_lesson_ids: [made['lesson']],
  })
  made['paper'] = Number(body['id'])
  const list = async (query: Body) => rowsOf((await spec('GET', '/micro_material/api/end/micro/paper', query)).body)
  expect(await list({ cat_id: CAT })).toMatchObject([{ id: made['paper'], cat_id: CAT, label_ids: [made['label']], micro_lesson_ids: [made['lesson']], status: 0 }])
  await spec('PUT', '/micro_material/api/end/paper/update/{id}', { name: '函数过关 2', duration: 20, practices: [{ id: made['practice0'], score: 4 }, { id: made['practice1'], score: 6 }] }, [made['paper']])
  expect(await list({ keyword: '过关' })).toMatchObject([{ name: '函数过关 2', duration: 20, question_count: 2, total_score: 10, label_ids: [made['label']] }])
  await spec('PUT', '/micro_material/api/end/paper/status', { id: made['paper'], status: 1 })
  expect((await list({ status: 1 })).map(({ id, status }) => [id, status])).toEqual([[made['paper'], 1]])
  for (const none of [{ status: 0 }, { cat_id: 2 }, { label_ids: made['foreignLabel'] }, { micro_lesson_ids: 999_999 }, { keyword: '没有' }]) expect(await list(none), JSON.stringify(none)).toEqual([])
  expect(await list({ label_ids: made['label'], micro_lesson_ids: made['lesson'], page: 0, page_size: 0 })).toHaveLength(1)
  await spec('PUT', '/micro_material/api/end/paper/status', { id: made['paper'], status: 0 })
  await spec('PUT', '/micro_material/api/end/knowledge_paper_practice/list/edit/{paper_id}/{id}', { score: 8 }, [made['paper'], made['practice0'] ?? 0])
  await spec('DELETE', '/micro_material/api/end/knowledge_paper_practice/list/edit/{paper_id}/{id}', {}, [made['paper'], made['practice1'] ?? 0])
  expect(rowsOf((await spec('GET', '/micro_material/api/end/knowledge_paper_practice/{id}', {}, [made['paper']])).body)).toMatchObject([{ id: made['practice0'], paper_score: 8 }])
  expect(rowsOf((await spec('GET', '/daoyuan/api/practice_papers/{id}/practices', {}, [made['paper']])).body)).toHaveLength(1)
  await spec('GET', '/daoyuan/api/end/base_practice_papers', { cat_id: CAT, page: 0 })
})

test('smart papers and what goes with them, several by ref_ids', async () => {
  const rule = { sections: [{ name: '单选题', category_ids: [made['category']], count: 1, score: 5 }], seed: 3 }
  const { body } = await spec('POST', '/micro_material/api/end/smart_test_paper', { name: '契约智能卷', cat_id: CAT, rule })
  const id = Number(body['id'])
  expect(rowsOf((await spec('GET', '/micro_material/api/end/smart_test_paper', { cat_id: CAT, page: 0 })).body).map((row) => row['id'])).toEqual([id])
  await spec('POST', '/micro_material/api/end/smart_test_material', { paper_id: id, kind: 'practice', ref_ids: [made['practice1'], made['practice0']], ord: 1 })
  await spec('POST', '/micro_material/api/end/smart_test_material', { paper_id: id, kind: 'micro', ref_ids: [made['lesson']], ord: 3 })
  const { body: list } = await spec('GET', '/micro_material/api/end/list/smart_test_material/{id}', {}, [id])
  expect(rowsOf(list).map(({ kind, ref_id }) => [kind, ref_id])).toEqual([['practice', made['practice1']], ['practice', made['practice0']], ['lesson', made['lesson']]])
  await spec('DELETE', '/micro_material/api/end/smart_test_paper_material/remove', { id: rowsOf(list)[0]?.['id'] })
  await spec('DELETE', '/micro_material/api/end/smart_test_paper/{id}', {}, [id])
})

test('study rooms: partners, schools, people and codes', async () => {
  const partner = { name: '契约合伙人', contact: '王', mobile: '13911112222', region_code: '320500', level: 4, type_id: 1, sign_at: NOW - DAY, expire_at: NOW + 300 * DAY }
  const { body: created } = await spec('POST', '/daoyuan/api/end/self_study_room/partner', partner)
  made['partner'] = Number(created['id'])
  expect(created['region_code'], '320500 is the city 3205').toBe('3205')
  const nowhere = await admin.put<Body>(`${ROOM}/partner/${made['partner']}`, { region_code: '999999' })
  expect([nowhere.status, nowhere.body['detail']]).toEqual([400, '所在地区「999999」不存在，请重新选择'])
  await spec('PUT', '/daoyuan/api/end/self_study_room/partner/{id}', { remark: '契约' }, [made['partner']])
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/partners', { page: 0, region_code: '320500', mobile: '13911112222' })).body).map(({ id }) => id)).toEqual([made['partner']])
  await app.db.query(sql`update partner set status = 1, code_quota = 100 where id = ${made['partner']}`)
  const { body: unit } = await spec('POST', '/daoyuan/api/end/self_study_room/unit', { name: '契约年卡', subjects: ['数学'], months: 12 })
  made['unit'] = Number(unit['id'])
  // spec 4: the switch, by a PUT of the new value alone.
  for (const status of [0, 1]) expect((await spec('PUT', '/daoyuan/api/end/self_study_room/unit/{id}', { status }, [made['unit']])).body['status']).toBe(status)
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/units', { status: 1, page_size: 0 })).body).map(({ id }) => id)).toEqual([made['unit']])
  const { body: school } = await spec('POST', '/daoyuan/api/end/self_study_room/app_school', {
    partner_id: made['partner'], name: '契约学校', type_id: 1, region_code: '320508', address: '人民路 1 号', manager: '李', mobile: '13911113333', expire_at: NOW + 200 * DAY, unit_ids: [made['unit']],
  })
  made['school'] = Number(school['id'])
  await spec('PUT', '/daoyuan/api/end/self_study_room/app_school/{id}', { seat_cnt: 40 }, [made['school']])
  await spec('GET', '/daoyuan/api/end/self_study_room/app_schools', { partner_id: made['partner'] })
  await spec('GET', '/daoyuan/api/end/self_study_room/school_cells', { school_id: made['school'] })
  const { body: teacher } = await spec('POST', '/daoyuan/api/end/self_study_room/school_staff', { school_id: made['school'], name: '王老师', mobile: '13911114444', role: 2 })
  await spec('PUT', '/daoyuan/api/end/self_study_room/school_staff/{id}', { status: 0 }, [Number(teacher['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/school_teachers', { school_id: made['school'], status: 0 })).body)).toHaveLength(1)
  const { body: batch } = await spec('POST', '/daoyuan/api/end/self_study_room/activation_code_group', {
    name: '契约批次', partner_id: made['partner'], unit_id: made['unit'], count: 3, code_len: 12, valid_months: 12, redeem_before: NOW + 90 * DAY, purpose: 1,
  })
  await spec('GET', '/daoyuan/api/end/self_study_room/activation_code_groups', { partner_id: made['partner'] })
  const codes = rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/activation_codes', { group_id: batch['id'], status: 0 })).body)
  expect(codes).toHaveLength(3)
  await spec('POST', '/daoyuan/api/end/self_study_room/activation_code/{id}/cancel', { reason: '契约作废' }, [Number(codes[0]?.['id'])])
  made['code'] = Number(codes[1]?.['id'])
})

test('sheets and orders of a school, by the headings and names of the field lists', async () => {
  const students = await sheet('/daoyuan/api/end/self_study_room/batch_school_student', [['姓名', '手机', '家长手机', '学号', '性别', '年级', '班级', '科目', '有效期'], ['张三', '13911115555', '13911116666', 'S1', '男', '初三', null, '契约年卡', '2027-06-30']])
  expect(students).toMatchObject({ status: 'done', result: { created: 1 } })
  const teachers = await sheet('/daoyuan/api/end/self_study_room/batch_school_teacher', [['姓名', '手机', '角色', '学科', '班级'], ['李老师', '13911117777', '督学', '数学', null]])
  expect(teachers).toMatchObject({ status: 'done', result: { created: 1 } })
  const [student] = rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/school_students', { school_id: made['school'], mobile: '13911115555' })).body)
  await spec('PUT', '/daoyuan/api/end/self_study_room/school_student/{id}', { gender: 1 }, [Number(student?.['id'])])
  const { body: order } = await spec('POST', '/daoyuan/api/end/self_study_room/app_school_order', {
    school_id: made['school'], mobile: '13911115555', name: '张三', unit_id: made['unit'], months: 12, amount: 299_900, pay_channel: 'wechat', paid_at: NOW - 60,
  })
  expect(order).toMatchObject({ buyer_mobile: '139****5555', buyer_name: '张*', amount: 299_900 })
  const bought = await sheet('/daoyuan/api/end/self_study_room/batch_app_school_order', [['手机', '姓名', '套餐', '月数', '金额', '支付方式', '支付时间'], ['13911115555', '张三', '契约年卡', 3, 99.9, '微信', '2026-01-05 10:00']])
  expect(bought).toMatchObject({ status: 'done', result: { created: 1 } })
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/app_school_orders', { school_id: made['school'], mobile: '13911115555' })).body)).toHaveLength(2)
  // A sheet that lacks what every order needs did nothing, and says so.
  const lacking = await sheet('/daoyuan/api/end/self_study_room/batch_app_school_order', [['姓名', '备注'], ['张三', '缺列']])
  expect(lacking).toMatchObject({ status: 'failed', error: '缺少必填列：手机号、套餐、月数、金额、支付方式、支付时间' })
  const code = { code: made['code'], student_id: student?.['id'] }
  const revealed = await admin.post<{ value: string }>(`${ROOM}/activation_code/${code.code}/reveal_code`)
  expectSuccess(await admin.post(`${ROOM}/activation_code/activate`, { code: revealed.body.value, student_id: code.student_id }))
  await spec('POST', '/daoyuan/api/end/self_study_room/activation_code/{id}/unbind', { reason: '契约解绑' }, [Number(code.code)])
})

test('orders of partners, in the parts of an order draft', async () => {
  const { body } = await spec('POST', '/daoyuan/api/end/self_study_room/partner_order', {
    order_info: { items: [{ kind: 'service', qty: 1, price: 100_00 }] }, user_info: { partner_id: made['partner'], mobile: '13911112222' },
  })
  await spec('PUT', '/daoyuan/api/end/self_study_room/partner_order/{id}', { remark: '契约' }, [Number(body['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/self_study_room/partner_orders', { partner_id: made['partner'], page: 0 })).body)).toHaveLength(1)
  await spec('DELETE', '/daoyuan/api/end/self_study_room/partner_order/{id}', {}, [Number(body['id'])])
})

test('companions of both businesses: the teacher check, learners, tasks with their rows, packs, reports', async () => {
  const { body: teacher } = await admin.post<Body>(`${END}/accompany/manager/teachers`, { staff_id: admin.staffId, kinds: ['accompany', 'qb_train'], level: 3, max_students: 20 })
  expectSuccess(await admin.post(`${END}/accompany/manager/teachers/${String(teacher['id'])}/pass`, {}))
  for (const [name, tasks, kind] of [['accompany', '/daoyuan/api/end/accompany/teacher/tasks', 'accompany'], ['qb_train', '/daoyuan/api/end/qb_train/virtual_class/tasks', 'qb_train']] as const) {
    expect((await spec('GET', `/daoyuan/api/end/${name}/teacher`)).body).toMatchObject({ kind, level: 3 })
    const { body: student } = await spec('POST', `/daoyuan/api/end/${name}/manager/students`, { name: '林小满', mobile: '13911118888', grade: 8, teacher_id: teacher['id'] })
    expect(rowsOf((await spec('GET', `/daoyuan/api/end/${name}/manager/students`, { mobile: '13911118888', page: 0 })).body)).toHaveLength(1)
    const { body: task } = await spec('POST', tasks, { title: '契约任务', task_kind: 'exercise', student_ids: [student['id']], due_at: NOW + DAY, full: 100, lessons: 0 })
    expect(rowsOf((await spec('GET', tasks, { student_id: student['id'] })).body)).toMatchObject([{ student_id: student['id'], task_id: task['id'], messages: 0, newMessages: 0, status: 0 }])
    const { body: set } = await spec('PUT', `${tasks}/{id}`, { student_ids: [student['id']], newMessages: 0 }, [Number(task['id'])])
    expect(rowsOf(set)).toMatchObject([{ student_id: student['id'], task_id: task['id'], status: 0, newMessages: 0 }])
    const rows = rowsOf((await admin.get<Body>(`${END}/${name}/teacher/students`, { task_id: task['id'] })).body)
    expect(rows).toMatchObject([{ mobile: '139****8888', task_id: task['id'], status: 0, newMessages: 0 }])
    expect((await spec('GET', `/daoyuan/api/end/${name}/research/lesson_packs`)).body).toMatchObject({ lesson_packs: [] })
    await spec('DELETE', `${tasks}/{id}`, {}, [Number(task['id'])])
    if (name === 'qb_train') continue
    expect(rowsOf((await spec('GET', '/daoyuan/api/end/accompany/teacher/students')).body)).toMatchObject([{ student_id: student['id'], name: '林小满' }])
    const { body: report } = await spec('POST', '/daoyuan/api/end/accompany/teacher/reports', { student_id: student['id'], period: 1, from_at: NOW - 7 * DAY, to_at: NOW, words: '学习认真' })
    expect(rowsOf((await spec('GET', '/daoyuan/api/end/accompany/teacher/reports')).body)).toHaveLength(1)
    await spec('DELETE', '/daoyuan/api/end/accompany/teacher/reports/{id}', {}, [Number(report['id'])])
    await spec('POST', '/daoyuan/api/end/accompany/teacher/orders', { order_info: { items: [{ kind: 'lessons', qty: 10, price: 80_00 }] }, user_info: { mobile: '13911118888', name: '林小满' } })
    expect((await spec('GET', '/daoyuan/api/end/accompany/classes')).body).toMatchObject({ items: [], total: 0 })
  }
})

test('lessons: made with videos, read by subject, changed, switched, removed', async () => {
  const clips = await Promise.all(['导学.mp4', '第一讲.mp4'].map(async (name) => Number((await app.db.query<{ id: number }>(sql`insert into asset (kind, name, url, state, licence, seconds) values ('video', ${name}, ${fileUrl((await app.kernel.files.put(Readable.from([video()]), { name, staffId: admin.staffId })).id)}, 1, 'own', 600) returning id`))[0]?.id)))
  const { body } = await spec('POST', '/daoyuan/api/lessons', { cat_id: CAT, name: '函数精讲', difficulty: 3, price: 199_00, valid_days: 365, lesson_type: 1, videos: [{ vod_id: String(clips[0]), title: '导学', type: 4 }] })
  made['course'] = Number(body['id'])
  expect(body).toMatchObject({ cat_id: CAT, name: '函数精讲', status: 0, isParent: 0 })
  expect(rowsOf(body, 'videos')).toMatchObject([{ title: '导学', type: 4, trial: true, section_id: null }])
  expect((await spec('PUT', '/daoyuan/api/lessons/{id}', { price: 299_00 }, [made['course']])).body).toMatchObject({ price: 299_00, name: '函数精讲' })
  await app.db.query(sql`update offer set state = 4 where id = ${made['course']}`)
  const cover = fileUrl((await app.kernel.files.put(Readable.from([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]), { name: '封面.svg', staffId: admin.staffId })).id)
  await app.db.query(sql`update offer set cover = ${cover} where id = ${made['course']}`)
  for (const status of [1, 0]) expect((await spec('PUT', '/daoyuan/api/lessons/{id}', { status }, [made['course']])).body['status']).toBe(status)
  const { body: list } = await spec('GET', '/daoyuan/api/lessons/end', { cat_id: CAT, page: 0 })
  expect(list).toMatchObject({ total: 1, items: [{ id: made['course'], cat_id: CAT, name: '函数精讲' }] })
  expect(rowsOf((await spec('GET', '/daoyuan/api/lessons', { cat_id: CAT })).body, 'groups')).toMatchObject([{ cat_id: CAT, lessons: [{ id: made['course'], name: '函数精讲' }] }])
  const { body: gone } = await spec('POST', '/daoyuan/api/lessons', { cat_id: CAT, name: '多余的课', price: 0 })
  await spec('DELETE', '/daoyuan/api/lessons/{id}', {}, [Number(gone['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/lessons', {})).body, 'groups').flatMap((group) => rowsOf(group, 'lessons'))).toHaveLength(1)
  made['clip'] = clips[1] ?? 0
})

test('sections and videos of a lesson, seen by learners at once', async () => {
  const course = made['course'] ?? 0
  const { body: chapter } = await spec('POST', '/daoyuan/api/lessons/{id}/sections', { name: '第一章' }, [course])
  const { body: section } = await spec('POST', '/daoyuan/api/lessons/{id}/sections', { name: '第一节', parent_id: chapter['id'], free: true }, [course])
  await spec('PUT', '/daoyuan/api/lessons/{id}/sections/{sectionId}', { name: '第一节 单调性' }, [course, Number(section['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/lessons/{id}/sections', {}, [course])).body)).toMatchObject([{ id: chapter['id'], parent_id: null, name: '第一章' }, { id: section['id'], parent_id: chapter['id'], name: '第一节 单调性', free: true }])
  // spec 7: the type stands beside the path.
  tried.add('POST /daoyuan/api/lessons/{id}/videos')
  const added = await admin.post<Body>(`/daoyuan/api/lessons/${course}/videos?type=1`, { title: '单调性', vod_id: String(made['clip']), section_id: section['id'] })
  expectSuccess(added)
  expect(added.body).toMatchObject({ type: 1, title: '单调性', section_id: section['id'], waits: null })
  const videos = async () => rowsOf((await spec('GET', '/daoyuan/api/end/lessons/{id}/videos', {}, [course])).body)
  const id = Number(added.body['id'])
  expect((await spec('PUT', '/daoyuan/api/lessons/{id}/videos/{videoId}', { type: 3, title: '单调性答疑' }, [course, id])).body).toMatchObject({ id, type: 3, title: '单调性答疑' })
  expect((await videos()).map((one) => [one['title'], one['type']])).toEqual([['导学', 4], ['单调性答疑', 3]])
  const [seen] = await app.db.query<{ names: string[] }>(sql`select array(select b->>'title' from jsonb_array_elements(v.body->'blocks') b) as names from outline o join outline_version v on v.outline_id = o.id and v.no = o.version_no where o.owner_kind = 'lesson_offer' and o.owner_id = ${course}`)
  expect(seen?.names).toEqual(['导学', '单调性答疑'])
  await spec('DELETE', '/daoyuan/api/lessons/{id}/videos/{videoId}', {}, [course, id])
  await spec('DELETE', '/daoyuan/api/lessons/{id}/sections/{sectionId}', {}, [course, Number(section['id'])])
  expect((await videos()).map((one) => one['title'])).toEqual(['导学'])
  expect(rowsOf((await spec('GET', '/daoyuan/api/lessons/{id}/sections', {}, [course])).body)).toHaveLength(1)
})

test('tags, relations with isParent, evaluations of lessons', async () => {
  const { body: tag } = await spec('POST', '/daoyuan/api/lesson_tags', { name: '契约标签' })
  await spec('PUT', '/daoyuan/api/lesson_tags/{id}', { name: '契约标签 2' }, [Number(tag['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/lesson_tags', { page: 0 })).body).map(({ name }) => name)).toContain('契约标签 2')
  await spec('DELETE', '/daoyuan/api/lesson_tags/{id}', {}, [Number(tag['id'])])
  const others = []
  for (const name of ['集合', '向量']) others.push(Number((await spec('POST', '/daoyuan/api/lessons', { cat_id: CAT, name, price: 99_00 })).body['id']))
  const [first = 0, second = 0] = others
  await spec('POST', '/daoyuan/api/lesson_relations', { parent_id: first, child_ids: [second], kind: 1 })
  await spec('POST', '/daoyuan/api/lesson_relations', { parent_id: made['course'], child_ids: [first, second], kind: 2 })
  expect(rowsOf((await spec('GET', '/daoyuan/api/lesson_relations', { parent_id: made['course'] })).body).map(({ child_id, isParent }) => [child_id, isParent])).toEqual([[first, 1], [second, 0]])
  const { body: said } = await spec('POST', '/daoyuan/api/cat_evaluations', { cat_id: CAT, lesson_id: made['course'], nickname: '小林', star: 5, content: '讲得很清楚' })
  expect(said).toMatchObject({ cat_id: CAT, lesson_id: made['course'], virtual: 1 })
  await spec('PUT', '/daoyuan/api/cat_evaluations/{id}', { reply: '谢谢', top: 1 }, [Number(said['id'])])
  expect(rowsOf((await spec('GET', '/daoyuan/api/end/cat_evaluations', { cat_id: CAT, lesson_id: made['course'], star: 5, page: 0 })).body)).toMatchObject([{ reply: '谢谢', top: 1 }])
  await spec('DELETE', '/daoyuan/api/cat_evaluations/{id}', {}, [Number(said['id'])])
})

test('class courses: their list by cat_id, their videos in order, their contents as a whole', async () => {
  const { body: course } = await admin.post<Body>('/daoyuan/api/end/lesson_class/senior_course', { name: '契约课堂课程', cat_id: CAT })
  const id = Number(course['id'])
  const { body: changed } = await spec('PUT', `${MICRO}/lesson_class_v2/content/course`, { course_id: id, contents: [{ kind: 'micro', ref_id: made['lesson'] }] })
  expect(changed).toMatchObject({ added: 1, moved: 0, removed: 0 })
  expect((await spec('GET', `${MICRO}/senior_high/course/list`, { cat_id: CAT, page: 0 })).body).toMatchObject({ total: 1, items: [{ id, name: '契约课堂课程', cat_id: CAT, status: 0, video_count: 1 }] })
  expect((await spec('GET', `${MICRO}/senior_high/course/video`, { course_id: id })).body).toMatchObject({ total: 1, items: [{ id: made['lesson'], kind: 'micro' }] })
  expect((await spec('PUT', `${MICRO}/lesson_class_v2/content/course`, { course_id: id, node_id: changed['node_id'], contents: [] })).body).toMatchObject({ added: 0, moved: 0, removed: 1 })
})

test('a link that sells packages over lines: its packages', async () => {
  const [line] = courseLines
  if (!line) throw new Error('no line of courses')
  const [offer = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, line.offers, [{ title: '契约课程', subject_id: CAT, price: 100_00, valid_mode: 1, valid_days: 30, state: 3 }]))
  const { body: link } = await admin.post<Body>(activityLink.api.item, { name: '契约链接', suites: [{ name: '联报', price: 80_00, goods: [{ line: line.orders.name, kind: 'offer', ref_id: offer, name: '课程', qty: 1 }] }] })
  const { body } = await spec('GET', `${END}/activity_links/{id}/suites`, {}, [Number(link['id'])])
  expect(rowsOf(body, 'suites')).toMatchObject([{ name: '联报', price: 80_00 }])
})

test('a filter that a list does not have is refused by its name, whichever list it is', async () => {
  const lists = Object.values(contract).flat().filter(([method, path]) => method === 'GET' && !path.includes('{') && !notYetBuilt.includes(`GET ${path}`)).map(([, path]) => path)
  const open: string[] = []
  for (const path of lists) {
    const { status, body } = await admin.get<Body>(path, { no_such_filter: 1 })
    if (status !== 400 || body['detail'] !== '没有「no_such_filter」这个筛选条件') open.push(path)
    // What old clients add against caches is none.
    expect((await admin.get(path, { _: Date.now() })).status, path).toBe(200)
  }
  // These have nothing to narrow by.
  expect(open).toEqual(['/daoyuan/api/end/staff', '/daoyuan/api/channels', '/daoyuan/api/end/self_study_room/type', '/daoyuan/api/end/all_self_study_room', '/material/api/end/label'])
})

test('every call of the contract that is answered was tried', async () => {
  await spec('POST', '/api/staffLogout')
  const owed = Object.values(contract).flat().map(([method, path]) => `${method} ${path}`).filter((call) => !notYetBuilt.includes(call))
  expect(owed.filter((call) => !tried.has(call))).toEqual([])
})
