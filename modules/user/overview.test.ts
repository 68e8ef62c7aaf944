import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import { appUser, USER_SCREEN } from './user.ts'

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
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff([USER_SCREEN, standardId(USER_SCREEN, 'edit')], { account: 'editor' })
  const made = await editor.post<{ id: number }>(appUser.api.item, { mobile: '13711110001', nickname: '追光者', role: 1, grade: 9, region_code: '320508', birthday: 1_262_275_200 })
  id = made.body.id
  await editor.put(`${appUser.api.item}/${id}`, { real_name: '王小明', school: '苏州市第一中学' })
})
afterAll(() => app.close())

const overview = async (caller: Caller) => {
  const answer = await caller.get<{ sections: Section[] }>(`${appUser.api.item}/${id}/overview`)
  expect(answer.status).toBe(200)
  return answer.body.sections
}

test('the overview needs the user screen, and a user that exists', async () => {
  expect((await app.nobody().get(`${appUser.api.item}/${id}/overview`)).status).toBe(401)
  expect((await (await app.staff([screenId('/new-study-room/partner')])).get(`${appUser.api.item}/${id}/overview`)).status).toBe(403)
  expect((await editor.get(`${appUser.api.item}/999999/overview`)).status).toBe(404)
})

test('an overview begins with who it is and ends with the log', async () => {
  expect((await overview(editor)).map((section) => section.name)).toEqual(['profile', 'entitlement', 'history'])
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

test('the log names who changed what', async () => {
  const log = (await overview(editor)).find((section) => section.name === 'history')
  expect(log?.rows).toEqual([
    expect.objectContaining({ staff_name: 'editor', action: '修改', fields: '真实姓名、学校' }),
    expect.objectContaining({ staff_name: 'editor', action: '新增' }),
  ])
})
