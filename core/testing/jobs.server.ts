import { sql } from 'drizzle-orm'
import type { Caller, TestApp } from './app.server.ts'
import { JOB_STATUS, type JobInfo, type JobStatus } from '../job/calls.ts'

const OVER: readonly JobStatus[] = ['done', 'failed', 'cancelled', 'undone']

/** Waits until a job is over, or in one of the given states, and returns it as its owner sees it. */
export async function jobOver(caller: Caller, id: unknown, states: readonly JobStatus[] = OVER): Promise<JobInfo> {
  for (;;) {
    const { status, body } = await caller.get<JobInfo & { detail?: string }>(`/daoyuan/api/end/jobs/${String(id)}`)
    if (status !== 200) throw new Error(`no job ${String(id)}: ${body.detail}`)
    if (states.includes(body.status)) return body
    if (OVER.includes(body.status)) throw new Error(`the job is ${JOB_STATUS[body.status]}: ${body.error}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

/** Puts a job into the queue in somebody's name. */
export function addJob(app: TestApp, caller: Caller, kind: string, input: unknown = {}): Promise<number> {
  return app.db.transaction({ staff_id: caller.staffId }, (tx) => app.kernel.jobs.add(tx, { staff: { id: caller.staffId } }, { kind, title: kind, input }))
}

/** A row of the queue as it is stored. */
export async function storedJob(app: TestApp, id: number): Promise<Record<string, unknown>> {
  const [row] = await app.db.query(sql`select * from job where id = ${id}`)
  return row ?? {}
}
