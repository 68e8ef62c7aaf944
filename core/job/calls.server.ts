import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { notFound } from '../error/error.ts'
import { SUPER_ROLE } from '../session/session.server.ts'
import { cancelJob, getJob, listJobs, retryJob, type JobInfo } from './calls.ts'
import type { Jobs } from './jobs.server.ts'
import { findJob, findJobs } from './queue.server.ts'

/** domain 0.1: 20 rows by default, 200 at most. */
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 200

/** Whose jobs a person may touch: their own; undefined means everybody's. */
const owner = (call: Pick<Call, 'staff'>) => (call.staff.role === SUPER_ROLE ? undefined : call.staff.id)

async function show(call: Call): Promise<JobInfo> {
  const job = await findJob(call.db, idParam(call), owner(call))
  if (!job) throw notFound('任务')
  return job
}

/** The calls that show and steer jobs. */
export function jobCalls(jobs: Jobs): Served[] {
  return [
    handle(listJobs, async (call) => {
      const { all, status, page = 0, page_size = PAGE_SIZE } = call.input
      const everybody = all === '1' && call.staff.role === SUPER_ROLE
      return findJobs(call.db, {
        staffId: everybody ? undefined : call.staff.id, page, size: Math.min(Math.max(1, page_size), MAX_PAGE_SIZE), ...(status && { status }),
      })
    }),
    handle(getJob, show),
    handle(cancelJob, async (call) => {
      await call.transaction(async (tx) => {
        await jobs.cancel(tx, idParam(call), owner(call))
        return {}
      })
      return show(call)
    }),
    handle(retryJob, async (call) => {
      await call.transaction(async (tx) => {
        await jobs.retry(tx, idParam(call), owner(call))
        return {}
      })
      return show(call)
    }),
  ]
}
