import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { insertMany, setUp } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import { partner, school, schoolStudent } from '../study-room/module.ts'
import { appUser, USER_SCREEN } from './user.ts'

const STUDENTS = screenId('/new-study-room/school/school-student')

interface Section {
  name: string
  title: string
  stats?: { label: string; value: unknown; as: string }[]
  columns?: { key: string; title: string }[]
  rows?: Record<string, unknown>[]
}

let app: TestApp
let editor: Caller
let id: number
let schools: number[]
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit')], { account: 'editor' })
  const made = await editor.post<{ id: number }>(appUser.api.item, { mobile: '13711110001', nickname: '追光者', role: 1, grade: 9, region_code: '320508', birthday: 1_262_275_200 })
  id = made.body.id
  await editor.put(`${appUser.api.item}/${id}`, { real_name: '王小明', school: '苏州市第一中学' })
  schools = await setUp(app.kernel.db, async (tx) => {
    const [owner] = await insertMany(tx, partner, [{ name: '苏州启航教育科技有限公司', contact: '王', mobile: '13900110011', region_code: '320508', level: 4, type_id: 1, sign_at: 1_700_000_000, expire_at: 1_900_000_000 }])
    const ids = await insertMany(tx, school, ['观前', '石路'].map((spot) => ({
      name: `启航自习室（${spot}店）`, partner_id: owner ?? 0, type_id: 1, region_code: '320508', address: '人民路 1 号', manager: '王', mobile: '13900110012', expire_at: 1_900_000_000,
    })))
    await insertMany(tx, schoolStudent, [
      { name: '王小明', mobile: '13711110001', school_id: ids[0] ?? 0, grade: 9 },
      { name: '王小红', mobile: '13711110002', parent_mobile: '13711110001', school_id: ids[1] ?? 0, grade: 7 },
      { name: '李雷', mobile: '13711110003', school_id: ids[0] ?? 0, grade: 9 },
    ])
    return ids
  })
})
afterAll(() => app.close())

const overview = async (caller: Caller) => {
  const answer = await caller.get<{ sections: Section[] }>(`${appUser.api.item}/${id}/overview`)
  expect(answer.status).toBe(200)
  return answer.body.sections
}

test('the overview needs the user screen, and a user that exists', async () => {
  expect((await app.nobody().get(`${appUser.api.item}/${id}/overview`)).status).toBe(401)
  expect((await (await app.staff([STUDENTS])).get(`${appUser.api.item}/${id}/overview`)).status).toBe(403)
  expect((await editor.get(`${appUser.api.item}/999999/overview`)).status).toBe(404)
})

test('sections whose screen the person may not see are absent', async () => {
  expect((await overview(editor)).map((section) => section.name)).toEqual(['profile', 'history'])
  const both = await app.staff([USER_SCREEN, STUDENTS])
  expect((await overview(both)).map((section) => section.name)).toEqual(['profile', 'study-room', 'history'])
})

test('the profile says in words what the list says, with the mobile masked', async () => {
  const profile = (await overview(editor)).find((section) => section.name === 'profile')
  const value = (label: string) => profile?.stats?.find((stat) => stat.label === label)
  expect(value('手机号')?.value).toBe('137****0001')
  expect(value('身份')?.value).toBe('学生')
  expect(value('年级')?.value).toBe('初三')
  expect(value('所在地区')?.value).toBe('江苏省/苏州市/姑苏区')
  expect(value('微信')?.value).toBe('未绑定')
  expect(value('生日')).toEqual({ label: '生日', value: 1_262_275_200, as: 'date' })
  expect(value('所属代理')?.value).toBeNull()
})

test('the study rooms tell where the person or their child studies, within the scope of who looks', async () => {
  const look = async (scopes?: Record<string, number[]>) => {
    const caller = await app.staff([USER_SCREEN, STUDENTS], scopes ? { scopes } : {})
    return (await overview(caller)).find((section) => section.name === 'study-room')?.rows
  }
  expect(await look()).toEqual([
    expect.objectContaining({ name: '王小红', relation: '家长', school_name: '启航自习室（石路店）', grade: '初一', status: '在读' }),
    expect.objectContaining({ name: '王小明', relation: '本人', school_name: '启航自习室（观前店）', grade: '初三' }),
  ])
  expect((await look({ school: [schools[0] ?? 0] }))?.map((row) => row['name'])).toEqual(['王小明'])
})

test('the log names who changed what', async () => {
  const log = (await overview(editor)).find((section) => section.name === 'history')
  expect(log?.rows).toEqual([
    expect.objectContaining({ staff_name: 'editor', action: '修改', fields: '真实姓名、学校' }),
    expect.objectContaining({ staff_name: 'editor', action: '新增' }),
  ])
})
