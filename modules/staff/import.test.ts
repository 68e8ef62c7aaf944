import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { check, commit, xlsxOf } from '../../core/testing/transfer.server.ts'
import { staff } from './staff.ts'

const HEAD = ['账号', '姓名', '手机号', '部门', '职位', '角色']
let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

const sheet = (...rows: string[][]) => xlsxOf([HEAD, ...rows])

test('a sheet brings new people in, whom a reset password lets in; nobody who is there is changed, and nobody becomes a super administrator', async () => {
  const checked = await check(app, admin, staff.api.list, await sheet(
    ['li_lei', '李雷', '13700009001', '客服部', '客服专员', '客服'], ['HAN_MM', '韩梅梅', '13700009002', '教研部', '', '教研'],
    ['admin', '改名', '13700009003', '', '', '运营'], ['boss_2', '第二', '13700009004', '', '', '超级管理员'], ['x', '短', '13700009005', '', '', '运营'], ['li_lei2', '撞号', '13700009001', '', '', '运营'],
  ))
  const reasons = JSON.stringify(checked.result)
  for (const words of ['账号已存在，导入只用于新增员工', '超级管理员不能导入，请单独新增', '应为 4 到 32 位字母、数字或下划线']) expect(reasons).toContain(words)
  const { result } = await commit(admin, staff.api.list, checked.id, { bad: 'skip', existing: 'update' })
  expect(result).toMatchObject({ created: 2, updated: 0 })
  const people = await app.db.query<{ id: number; account: string; status: number; has: boolean }>(sql`select s.id, s.account, s.status, c.password_hash is null as has from staff s join credential c on c.staff_id = s.id where s.account in ('li_lei', 'han_mm') order by s.account`)
  expect(people.map(({ account, status, has }) => ({ account, status, has }))).toEqual([{ account: 'han_mm', status: 1, has: true }, { account: 'li_lei', status: 1, has: true }])
  expect((await app.db.query(sql`select name from staff where account = 'admin'`))[0]).not.toEqual({ name: '改名' })
  const { body } = await admin.post<{ password: string }>(`${staff.api.item}/${people[1]?.id}/reset_password`)
  expect((await app.login('li_lei', body.password)).staffId).toBe(people[1]?.id)
})
