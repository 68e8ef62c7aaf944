import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { defineError, tooMany } from '../error/error.ts'
import type { JobInfo, JobStatus } from './calls.ts'

/** A run whose process has been silent for so long is taken for dead, in seconds. */
export const STALE_SECONDS = 15
/** How often a job is begun before it is given up: what kills a process each time must not do so for ever. */
export const MAX_ATTEMPTS = 3
/** Unfinished jobs that one person may have. */
export const MAX_OPEN = 20

/** A job as the queue knows it. */
export interface QueuedJob {
  id: number
  kind: string
  title: string
  staff_id: number
  ip: string | null
  request_id: string | null
  input: unknown
  saved: unknown
  attempts: number
  total: number | null
}

/** What somebody wants to have done. */
export interface JobRequest {
  kind: string
  /** What staff read in their list of jobs, such as 导出学生. */
  title: string
  input: unknown
}

/** Who wants it, and from where. */
export interface JobOwner {
  staff: { readonly id: number }
  ip?: string
  requestId?: string
}

/** Channel on which processes tell each other of jobs: `new`, or `cancel <id>`. */
export const JOB_CHANNEL = 'job'

const jobCancelled = defineError('job_cancelled', 409, () => '任务已取消')
/** Another process has taken the job over, or it is over. */
export const jobLost = defineError('job_lost', 409, () => '任务已由另一个进程接手')

/** Columns of a job `j` with its owner `s`, as the console sees them. */
const infoColumns: SQL = sql`j.id, j.kind, j.title, j.staff_id, s.name as staff_name, j.status, j.done, j.total, j.error,
  j.created_at, j.started_at, j.finished_at,
  case when j.status in ('waiting', 'running') and not j.cancel_asked then array['cancel'] when j.status in ('failed', 'cancelled') then array['retry'] else '{}' end as can`

/**
 * Puts a job into the queue; it starts when the transaction commits.
 * @throws tooMany when the person has enough unfinished ones
 */
export async function addJob(tx: Queryable, owner: JobOwner, request: JobRequest): Promise<number> {
  const [open] = await tx.query<{ n: number }>(sql`select count(*) as n from job where status in ('waiting', 'running') and staff_id = ${owner.staff.id}`)
  if ((open?.n ?? 0) >= MAX_OPEN) throw tooMany(`您还有 ${MAX_OPEN} 个任务没有完成，请稍后再试`)
  const [row] = await tx.query<{ id: number }>(sql`insert into job (kind, title, staff_id, ip, request_id, input)
    values (${request.kind}, ${request.title}, ${owner.staff.id}, ${owner.ip ?? null}, ${owner.requestId ?? null}, ${JSON.stringify(request.input ?? null)}::jsonb) returning id`)
  if (!row) throw new Error('no job was added')
  await tx.query(sql`select pg_notify(${JOB_CHANNEL}, 'new')`)
  return row.id
}

/** Which jobs a list shows. */
export interface JobFilter {
  /** Undefined: everybody's. */
  staffId: number | undefined
  status?: string
  page: number
  size: number
}

/** Jobs of a person or of everybody, newest first. */
export async function findJobs(db: Queryable, filter: JobFilter): Promise<{ items: JobInfo[]; total: number }> {
  const parts = [sql`true`]
  if (filter.staffId !== undefined) parts.push(sql`j.staff_id = ${filter.staffId}`)
  if (filter.status) parts.push(sql`j.status = ${filter.status}`)
  const condition = sql.join(parts, sql` and `)
  const [items, [counted]] = await Promise.all([
    db.query<JobInfo>(sql`select ${infoColumns}, j.result - 'preview' as result from job j left join staff s on s.id = j.staff_id
      where ${condition} order by j.id desc limit ${filter.size} offset ${filter.page * filter.size}`),
    db.query<{ n: number }>(sql`select count(*) as n from job j where ${condition}`),
  ])
  return { items, total: counted?.n ?? 0 }
}

/** One job; only of this person when one is named. */
export async function findJob(db: Queryable, id: number, staffId?: number): Promise<JobInfo | undefined> {
  const own = staffId === undefined ? sql`` : sql` and j.staff_id = ${staffId}`
  const [row] = await db.query<JobInfo>(sql`select ${infoColumns}, j.result from job j left join staff s on s.id = j.staff_id where j.id = ${id}${own}`)
  return row
}

/** Takes the next waiting job for a process. People with nothing running come first, so that nobody waits behind one person's many. */
export async function claimJob(db: Queryable, runner: string): Promise<QueuedJob | undefined> {
  const [row] = await db.query<QueuedJob>(sql`update job set status = 'running', runner = ${runner}, attempts = attempts + 1,
      started_at = coalesce(started_at, now()), beat_at = now()
    where id = (select j.id from job j where j.status = 'waiting'
      order by exists (select 1 from job r where r.status = 'running' and r.staff_id = j.staff_id), j.id limit 1 for update skip locked)
    returning id, kind, title, staff_id, ip, request_id, input, saved, attempts, total`)
  return row
}

/**
 * Puts jobs whose process died back into the queue, or gives them up.
 * @param all every running job is one of those: the only process has just started
 * @returns jobs that changed
 */
export function recoverJobs(db: Queryable, all: boolean): Promise<{ id: number; staff_id: number; status: JobStatus; done: number; total: number | null }[]> {
  const dead = all ? sql`` : sql` and beat_at < now() - make_interval(secs => ${STALE_SECONDS})`
  const status = sql`case when cancel_asked then 'cancelled' when attempts >= ${MAX_ATTEMPTS} then 'failed' else 'waiting' end`
  return db.query(sql`update job set status = ${status}, runner = null,
      finished_at = case when cancel_asked or attempts >= ${MAX_ATTEMPTS} then now() end,
      error = case when not cancel_asked and attempts >= ${MAX_ATTEMPTS} then '任务多次中断，已停止重试，请联系管理员' end
    where status = 'running'${dead} returning id, staff_id, status, done, total`)
}

/** One run of a job by a process: only while it holds the job may it change it. */
export class Claim {
  readonly job: QueuedJob
  readonly runner: string

  constructor(job: QueuedJob, runner: string) {
    this.job = job
    this.runner = runner
  }

  private get mine(): SQL {
    return sql`id = ${this.job.id} and status = 'running' and runner = ${this.runner} and attempts = ${this.job.attempts}`
  }

  /** Shows progress; false when the job is not ours any more. */
  async progress(db: Queryable, done: number, total: number | null): Promise<boolean> {
    const rows = await db.query(sql`update job set done = ${done}, total = ${total}, beat_at = now() where ${this.mine} returning id`)
    return rows.length > 0
  }

  /** Keeps what another run can go on from. */
  async save(tx: Queryable, saved: unknown): Promise<void> {
    const rows = await tx.query(sql`update job set saved = ${JSON.stringify(saved)}::jsonb where ${this.mine} returning id`)
    if (rows.length === 0) throw jobLost()
  }

  /** Ends the job well, unless somebody cancelled it. */
  async finish(tx: Queryable, result: unknown, done: number, total: number | null): Promise<void> {
    const rows = await tx.query(sql`update job set status = 'done', result = ${JSON.stringify(result ?? {})}::jsonb, saved = null, error = null,
        done = ${done}, total = ${total}, finished_at = now(), runner = null
      where ${this.mine} and not cancel_asked returning id`)
    if (rows.length > 0) return
    const [asked] = await tx.query(sql`select 1 from job where ${this.mine} and cancel_asked`)
    throw asked ? jobCancelled() : jobLost()
  }

  /** Ends the run without a result; false when the job is not ours any more. `waiting` leaves it to another run. */
  async end(db: Queryable, status: 'failed' | 'cancelled' | 'waiting', error: string | null, countAttempt = true): Promise<boolean> {
    const rows = await db.query(sql`update job set status = ${status}, error = ${error}, runner = null,
        attempts = attempts - ${countAttempt ? 0 : 1}, finished_at = ${status === 'waiting' ? sql`null` : sql`now()`}
      where ${this.mine} returning id`)
    return rows.length > 0
  }
}

/** Says that a process is alive. @returns its jobs, with who wants which to stop */
export function beat(db: Queryable, runner: string): Promise<{ id: number; cancel_asked: boolean }[]> {
  return db.query(sql`update job set beat_at = now() where status = 'running' and runner = ${runner} returning id, cancel_asked`)
}
