import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { screenId, screens } from '../screens.ts'
import { covers, templateModules } from './template.server.ts'
import { TEMPLATES } from './template-rights.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('every line of a template means at least one screen of the table', () => {
  const paths = TEMPLATES.flatMap(({ rights }) => rights.map(([path]) => path))
  expect(paths.filter((path) => !screens.some((screen) => covers(path, screen.path)))).toEqual([])
})

test('a line means a screen and what lies below it, not a neighbour that begins alike', () => {
  expect(covers('/practice', '/practice/back')).toBe(true)
  expect(covers('/practice', '/practiceBook/order')).toBe(false)
  expect(covers('/new-study-room/partner', '/new-study-room/partner')).toBe(true)
  expect(covers('/new-study-room/partner', '/new-study-room/partner-order')).toBe(false)
  expect(covers('/', '/tools/index')).toBe(true)
})

test('the first start brings the templates of what exists, with ids that can be granted', async () => {
  const rows = await app.kernel.db.query<{ name: string; modules: number[] }>(sql`select name, modules from role_template order by id`)
  expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(['渠道市场', '客服', '系统管理员']))
  const grants = new Set(app.allGrants)
  expect(rows.filter(({ modules }) => modules.length === 0)).toEqual([])
  expect(rows.flatMap(({ modules }) => modules.filter((id) => !grants.has(id)))).toEqual([])
  expect(rows.find((row) => row.name === '系统管理员')?.modules).toEqual([...app.allGrants].sort((a, b) => a - b))
})

test('letters open exactly what they say', () => {
  const tree = [...app.kernel.grantTree]
  const of = (letters: string) => templateModules({ name: '', remark: '', rights: [['/new-study-room/partner', letters]] }, tree)
  const partner = screenId('/new-study-room/partner')
  expect(of('V')).toEqual([partner])
  expect(of('E')).toEqual([partner, standardId(partner, 'edit'), standardId(partner, 'import')])
  expect(of('X')).toEqual([partner, standardId(partner, 'export')])
  expect(of('P')).toEqual([partner, standardId(partner, 'reveal')])
  expect(of('A').every((id) => id === partner || id % 100 >= 11)).toBe(true)
})
