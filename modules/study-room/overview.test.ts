import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import { appUser } from '../user/module.ts'
import { partner } from './partner.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'

interface Section {
  name: string
  rows?: Record<string, unknown>[]
}

let app: TestApp
let id: number
let schools: number[]
beforeAll(async () => {
  app = await openTestApp()
  const admin = await app.login()
  id = (await admin.post<{ id: number }>(appUser.api.item, { mobile: '13711110001', nickname: '追光者', role: 1 })).body.id
  schools = await seedTransaction(app.kernel.db, async (tx) => {
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

const USERS = screenId('/userManagement/total')
const sections = async (modules: number[], scopes?: Record<string, number[]>) => {
  const caller = await app.staff(modules, scopes ? { scopes } : {})
  const answer = await caller.get<{ sections: Section[] }>(`${appUser.api.item}/${id}/overview`)
  expect(answer.status).toBe(200)
  return answer.body.sections
}

test('a section whose screen the person may not see is absent', async () => {
  expect((await sections([USERS])).map((section) => section.name)).not.toContain('study-room')
  expect((await sections([USERS, schoolStudent.grant])).map((section) => section.name)).toContain('study-room')
})

test('the study rooms tell where the person or their child studies, within the scope of who looks', async () => {
  const look = async (scopes?: Record<string, number[]>) => (await sections([USERS, schoolStudent.grant], scopes)).find((section) => section.name === 'study-room')?.rows
  expect(await look()).toEqual([
    expect.objectContaining({ name: '王*红', relation: '家长', school_name: '启航自习室（石路店）', grade: '初一', status: '在读' }),
    expect.objectContaining({ name: '王*明', relation: '本人', school_name: '启航自习室（观前店）', grade: '初三' }),
  ])
  // A person who works at the school knows who studies there.
  expect((await look({ school: [schools[0] ?? 0] }))?.map((row) => row['name'])).toEqual(['王小明'])
})
