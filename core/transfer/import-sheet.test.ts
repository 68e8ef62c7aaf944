import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../testing/app.server.ts'
import { collect, fixtureFolder } from '../sheet/fixture.server.ts'
import { fetchPath } from '../testing/uploads.server.ts'
import { MAX_ROWS, readImport } from './import-sheet.server.ts'
import { matchKey } from './columns.ts'
import { openSchools, readBytes, STUDENTS } from '../testing/transfer.server.ts'

const app = await openTestApp()
const folder = fixtureFolder()
afterAll(async () => {
  folder.remove()
  await app.close()
})

function resourceOf(name: string) {
  const service = app.kernel.registry.get(name)
  if (!service) throw new Error(name)
  return service.resource
}
const { signal } = new AbortController()

test('a sheet has 100,000 rows at most, and one more is one sentence', async () => {
  const lines = (count: number) => Buffer.from(['姓名,手机,年级', ...Array.from({ length: count }, (_, index) => `张三${index},13800138000,初一`)].join('\n'))
  const read = async (count: number) => {
    const { rows } = await readImport(resourceOf('school_student'), folder.write('a.csv', lines(count)), { fixed: { school_id: 1 } }, signal)
    let seen = 0
    for await (const { rowNumber } of rows) seen = rowNumber
    return seen
  }
  expect(MAX_ROWS).toBe(100_000)
  expect(await read(MAX_ROWS)).toBe(MAX_ROWS + 1)
  await expect(read(MAX_ROWS + 1)).rejects.toThrow('一次最多导入 100,000 行，请拆分文件后重新上传')
})

test('examples of the template are left out where they stand first, and only there', async () => {
  const bytes = Buffer.from('姓名,手机,年级\n李明,13800138000,一年级\n李明,13800138000,一年级\n')
  const { rows } = await readImport(resourceOf('school_student'), folder.write('a.csv', bytes), { fixed: { school_id: 1 } }, signal)
  expect((await collect(rows)).map((row) => row.rowNumber)).toEqual([])
  const other = Buffer.from('姓名,手机,年级\n张三,13800138001,一年级\n李明,13800138000,一年级\n')
  const kept = await readImport(resourceOf('school_student'), folder.write('b.csv', other), { fixed: { school_id: 1 } }, signal)
  expect((await collect(kept.rows)).map((row) => row.rowNumber)).toEqual([2, 3])
})

test('a record is known by the import key, completed to what is unique', () => {
  expect(matchKey(resourceOf('school_student'))).toEqual(['school_id', 'mobile'])
  expect(matchKey(resourceOf('school_teacher'))).toEqual(['mobile'])
  expect(matchKey(resourceOf('app_school'))).toEqual(['partner_id', 'name'])
})

test('a template for one school offers its classes and needs no column for it', async () => {
  const admin = await app.login()
  const school = await openSchools(app)
  const answer = await fetchPath(app, admin, `${STUDENTS}/import_template?school_id=${school.one}`)
  const [header = []] = await readBytes(answer.rawPayload)
  expect(header).not.toContain('学校*')
  expect(header).toContain('班级')
  // The drop-down of 班级 is among the parts of the workbook.
  const { default: yauzl } = await import('yauzl')
  const zip = await yauzl.fromBufferPromise(answer.rawPayload)
  let sheet = ''
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('sheet1.xml')) continue
    for await (const chunk of await zip.openReadStreamPromise(entry)) sheet += String(chunk)
  }
  expect(sheet).toContain('初一1班,初一（2）班')
  expect(sheet).not.toContain('初一9班')
  expect((await fetchPath(app, admin, `${STUDENTS}/import_template?school_id=999999`)).statusCode).toBe(400)
})
