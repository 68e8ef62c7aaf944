import { afterAll, describe, expect, test } from 'vitest'
import { fetchPath } from '../testing/uploads.server.ts'
import { openTestApp } from '../testing/app.server.ts'
import { expectRefusal } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { when } from '../testing/when.ts'
import { transferEndpoints, type JobFile } from './calls.ts'
import { exportKeys, importKeys } from './columns.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { check, commit, readBytes, readFile, runJob, xlsxOf } from '../testing/transfer.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
afterAll(() => app.close())

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_name, resource) => {
  const endpoints = transferEndpoints(resource)
  const caller = samples.caller(resource)
  const isFirst = first.has(resource.name)

  test('every call is refused without a session and without the right', async () => {
    const nothing = await app.staff([resource.grant])
    for (const endpoint of Object.values(endpoints)) {
      expectRefusal(await app.nobody().call(endpoint.method, endpoint.path, {}), 401, endpoint.path)
      expectRefusal(await nothing.call(endpoint.method, endpoint.path, {}), 403, endpoint.path)
    }
  })

  when(isFirst && endpoints.export)('all that a record shows can be exported', async () => {
    await samples.insert(resource, 3)
    const living = await samples.living(resource)
    const columns = exportKeys(resource)
    for (const format of ['xlsx', 'csv']) {
      const job = await runJob(caller, `${resource.api.list}/export`, { format, columns }, ['done'])
      const { url, rows } = job.result as unknown as JobFile
      expect(rows).toBe(living.length)
      const cells = await readFile(app, caller, url)
      expect(cells[0]).toEqual(columns.map((key) => fieldOf(resource, key).label))
      expect(cells).toHaveLength(living.length + 1)
      const text = JSON.stringify(cells)
      expect(text).not.toMatch(/\[object |未命名\(undefined|NaN/)
      expect(text, 'a whole mobile number').not.toMatch(/"150\d{8}"/)
    }
  })

  when(isFirst && endpoints.import && endpoints.export && resource.actions.update)('what was exported can be imported again and changes nothing', async () => {
    const keys = importKeys(resource)
    const made = [await samples.create(resource), await samples.create(resource)]
    const ids = made.map((row) => row.id)
    const job = await runJob(caller, `${resource.api.list}/export`, { format: 'xlsx', columns: keys, ids, ...(resource.actions.reveal && { plain: true }) }, ['done'])
    const cells = (await readFile(app, caller, (job.result as unknown as JobFile).url)) as Parameters<typeof xlsxOf>[0]
    const { id, result } = await check(app, caller, resource.api.list, await xlsxOf(cells))
    expect(result.problems).toEqual([])
    expect(result).toMatchObject({ counts: { new: 0, update: 2, bad: 0 }, unknown: [] })
    const before = (await samples.living(resource)).filter((row) => ids.includes(row.id))
    expect((await commit(caller, resource.api.list, id, { existing: 'update' })).result).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await samples.living(resource)).filter((row) => ids.includes(row.id))).toEqual(before)
  })

  when(isFirst && endpoints.template)('the template has a column for everything that can be imported, and its example is no row', async () => {
    const answer = await fetchPath(app, caller, `${resource.api.list}/import_template`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toContain(encodeURIComponent(`${resource.label}导入模板.xlsx`))
    const keys = importKeys(resource)
    const cells = await readBytes(answer.rawPayload)
    expect(cells[0]).toEqual(keys.map((key) => `${resource.fields[key]?.label}${resource.fields[key]?.required ? '*' : ''}`))
    const { result } = await check(app, caller, resource.api.list, answer.rawPayload)
    expect(result).toMatchObject({ counts: { good: 0, bad: 0 }, unknown: [], header_row: 1 })
    expect(Object.keys(result.mapping).sort()).toEqual(keys.toSorted())
  })
})
