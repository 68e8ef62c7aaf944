/** What the tests of imports, exports and bulk actions share. */
import { sql } from 'drizzle-orm'
import { writeXlsx, type CellValue } from 'hucre/xlsx'
import { fetchPath, upload } from './uploads.server.ts'
import type { JobInfo, JobStatus } from '../job/calls.ts'
import { jobOver } from './jobs.server.ts'
import { collect, fixtureFolder } from '../sheet/fixture.server.ts'
import { readSheet } from '../sheet/read.server.ts'
import type { Caller, TestApp } from './app.server.ts'
import type { CommitInput, ImportChecked, ImportWritten } from '../transfer/calls.ts'

const BASE = '/daoyuan/api/end/self_study_room'
export const STUDENTS = `${BASE}/school_students`
export const STUDENT = `${BASE}/school_student`

/** A workbook with these rows. */
export async function xlsxOf(rows: CellValue[][], options: { merges?: [number, number, number, number][]; dateSystem?: '1900' | '1904' } = {}): Promise<Buffer> {
  const { merges, dateSystem } = options
  return Buffer.from(await writeXlsx({
    sheets: [{
      name: '一', rows,
      ...(merges && { merges: merges.map(([startRow, startCol, endRow, endCol]) => ({ startRow, startCol, endRow, endCol })) }),
    }],
    ...(dateSystem && { dateSystem }),
  }))
}

/** Two schools with classes of the same names, made straight in the tables. */
export interface Schools {
  one: number
  other: number
  /** Classes of the first school by name. */
  cells: Record<string, number>
}

let made = 0

/** Makes the schools. */
export async function openSchools(app: TestApp): Promise<Schools> {
  return app.db.transaction({ staff_id: null }, async (tx) => {
    const insert = async (statement: ReturnType<typeof sql>) => (await tx.query<{ id: number }>(statement))[0]?.id ?? 0
    const partner = await insert(sql`insert into partner (name, contact, mobile, region_code, level, type_id, sign_at, expire_at, status)
      values (${`合伙人${++made}`}, '王', ${`138${String(10_000_000 + made)}`}, '320102', 1, 1, now(), now() + interval '1 year', 1) returning id`)
    const school = (name: string) => insert(sql`insert into app_school (name, partner_id, type_id, region_code, address, manager, mobile, expire_at, status)
      values (${name}, ${partner}, 1, '320102', '人民路 1 号', '李', '13900000000', now() + interval '1 year', 1) returning id`)
    const cell = (of: number, name: string) => insert(sql`insert into school_cell (school_id, name, grade) values (${of}, ${name}, 7) returning id`)
    const [one, other] = [await school(`一中${made}`), await school(`二中${made}`)]
    const cells = { '初一1班': await cell(one, '初一1班'), '初一（2）班': await cell(one, '初一（2）班') }
    await cell(other, '初一1班')
    await cell(other, '初一9班')
    return { one, other, cells }
  })
}

/** Uploads a file and returns its id. */
export async function uploadSheet(app: TestApp, caller: Caller, content: Buffer, name = '学生.xlsx'): Promise<string> {
  const answer = await upload(app, caller, 'file', name, content)
  if (answer.status !== 200) throw new Error(`upload failed: ${answer.body.detail}`)
  return answer.body.id
}

/** Starts a job by a call and waits until it is over. */
export async function runJob(caller: Caller, path: string, body: Record<string, unknown>, states?: readonly JobStatus[]): Promise<JobInfo> {
  const answer = await caller.post<{ job: JobInfo; detail?: string }>(path, body)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.detail}`)
  return jobOver(caller, answer.body.job.id, states)
}

/** Uploads and checks a sheet. */
export async function check(
  app: TestApp, caller: Caller, list: string, content: Buffer, body: Record<string, unknown> = {}, name?: string,
): Promise<{ id: number; result: ImportChecked }> {
  const job = await runJob(caller, `${list}/import`, { file_id: await uploadSheet(app, caller, content, name), mode: 'check', ...body }, ['done'])
  return { id: job.id, result: job.result as unknown as ImportChecked }
}

/** Writes a checked sheet. */
export async function commit(caller: Caller, list: string, jobId: number, choice: Partial<CommitInput> = {}): Promise<{ id: number; result: ImportWritten }> {
  const job = await runJob(caller, `${list}/import_commit`, { job_id: jobId, ...choice }, ['done'])
  return { id: job.id, result: job.result as unknown as ImportWritten }
}

/** The cells of a file that a job made, as people see them. */
export async function readFile(app: TestApp, caller: Caller, url: string): Promise<unknown[][]> {
  const answer = await fetchPath(app, caller, url)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return readBytes(answer.rawPayload)
}

/** The cells of a sheet. */
export async function readBytes(bytes: Buffer): Promise<unknown[][]> {
  const folder = fixtureFolder()
  try {
    return (await collect(readSheet(folder.write('sheet', bytes)))).map((row) => row.cells)
  } finally {
    folder.remove()
  }
}
