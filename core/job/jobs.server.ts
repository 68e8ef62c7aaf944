import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import { notFound, wrongState } from '../error/error.ts'
import type { Live } from '../live/live.server.ts'
import type { Sessions } from '../session/session.server.ts'
import { JOB_STATUS } from './calls.ts'
import type { JobDefinition } from './define.server.ts'
import { addJob, beat, Claim, claimJob, findJob, JOB_CHANNEL, recoverJobs, type JobOwner, type JobRequest } from './queue.server.ts'
import { Run, type StopReason } from './run.server.ts'
import { intervalsOf, runSweeps, SWEEP_EVERY, sweepWhenDue, type Sweep } from './sweep.server.ts'

/** Jobs that one process runs at a time; requests go on beside them. */
const CONCURRENCY = 2
/** How often a process says that it is alive, in milliseconds. */
const BEAT_EVERY = 2000
/** How often messages that were missed and processes that died are looked for, in milliseconds. */
const LOOK_EVERY = 10_000
/** Seconds after which a process looks again at the latest whether sweeping is due. */
const SWEEP_LOOK_EVERY = 600
/** How long a process that stops waits for its jobs to let go, in milliseconds. */
const STOP_WITHIN = 10_000

export interface JobsParts {
  db: Database
  live: Live
  sessions: Sessions
  grantTitle(id: number): string
}

/**
 * Long work in the background: any process may run any job, each job is run by one at a time. See ADR 0010 for why
 * this is our own.
 */
export class Jobs {
  private readonly parts: JobsParts
  private readonly runner = randomUUID()
  private readonly definitions = new Map<string, JobDefinition>()
  private readonly sweeps: Sweep[] = []
  private readonly runs = new Map<number, Run>()
  private readonly ends = new Set<Promise<void>>()
  private readonly timers: NodeJS.Timeout[] = []
  private beating: NodeJS.Timeout | undefined
  private filling: Promise<void> | undefined
  private sweeping: Promise<unknown> = Promise.resolve()
  private again = false
  private open = false
  private listening = false

  constructor(parts: JobsParts) {
    this.parts = parts
  }

  /** Makes kinds of jobs known, and what is to be tidied up from time to time. Before `start`. */
  define(definitions: readonly JobDefinition[], sweeps: readonly Sweep[] = []): void {
    for (const definition of definitions) {
      if (this.definitions.has(definition.kind)) throw new Error(`two kinds of job are called ${definition.kind}`)
      this.definitions.set(definition.kind, definition)
    }
    this.sweeps.push(...sweeps)
  }

  /**
   * Puts a job into the queue; it starts when the transaction commits.
   * @returns its id
   */
  async add(tx: Queryable, owner: JobOwner, request: JobRequest): Promise<number> {
    if (!this.definitions.has(request.kind)) throw new Error(`no kind of job is called ${request.kind}`)
    return addJob(tx, owner, request)
  }

  /**
   * Asks a job to stop.
   * @throws AppError when there is none or it is over
   */
  async cancel(tx: Queryable, id: number, staffId?: number): Promise<void> {
    const own = staffId === undefined ? sql`` : sql` and staff_id = ${staffId}`
    const [row] = await tx.query<{ staff_id: number; status: string; done: number; total: number | null }>(sql`update job set cancel_asked = true,
        finished_at = case when status = 'waiting' then now() end, status = case when status = 'waiting' then 'cancelled' else status end
      where id = ${id} and status in ('waiting', 'running')${own} returning staff_id, status, done, total`)
    if (!row) throw await this.explain(tx, id, staffId, '取消')
    if (row.status === 'running') await tx.query(sql`select pg_notify(${JOB_CHANNEL}, ${`cancel ${id}`})`)
    else await this.parts.live.publish(row.staff_id, { type: 'job', id, status: row.status, done: row.done, total: row.total }, tx)
  }

  /**
   * Puts a failed or cancelled job into the queue again; what it saved is kept.
   * @throws AppError when there is none or it is in another state
   */
  async retry(tx: Queryable, id: number, staffId?: number): Promise<void> {
    const own = staffId === undefined ? sql`` : sql` and staff_id = ${staffId}`
    const [row] = await tx.query(sql`update job set status = 'waiting', attempts = 0, cancel_asked = false, error = null, finished_at = null
      where id = ${id} and status in ('failed', 'cancelled')${own} returning id`)
    if (!row) throw await this.explain(tx, id, staffId, '重试')
    await tx.query(sql`select pg_notify(${JOB_CHANNEL}, 'new')`)
  }

  private async explain(tx: Queryable, id: number, staffId: number | undefined, action: string): Promise<Error> {
    const job = await findJob(tx, id, staffId)
    return job ? wrongState(action, JOB_STATUS[job.status]) : notFound('任务')
  }

  /** Begins to run jobs. What a process that died left behind is taken up: at once where this is the only process. */
  async start(): Promise<void> {
    const { db } = this.parts
    this.open = true
    if (!this.listening) await this.listen()
    if (db.kind === 'embedded') await recoverJobs(db, true)
    else {
      await this.look()
      this.every(LOOK_EVERY, () => this.look())
    }
    for (const every of intervalsOf(this.sweeps)) this.every(Math.min(every, SWEEP_LOOK_EVERY) * 1000, () => this.sweep(() => sweepWhenDue(db, this.sweeps, every)))
    this.every(SWEEP_EVERY * 1000, () => this.sweep(() => runSweeps(this.sweeps.filter(({ everywhere }) => everywhere))))
    this.wake()
  }

  /** One after the other, so that a slow one is not begun again beside itself, and that a process that stops waits for it. */
  private sweep(work: () => Promise<unknown>): Promise<unknown> {
    this.sweeping = this.sweeping.catch(() => {}).then(() => this.open && work())
    return this.sweeping
  }

  private async listen(): Promise<void> {
    const { db } = this.parts
    this.listening = true
    await db.listen(JOB_CHANNEL, (message) => {
      const [word, id] = message.split(' ')
      if (word === 'cancel') this.runs.get(Number(id))?.stop('cancel')
      else this.wake()
    })
    await db.listen('grants', (staffId) => void this.checkRights(staffId === '*' ? undefined : Number(staffId)))
  }

  /** Stops running jobs; those that were running are taken up by another process or at the next start. */
  async stop(): Promise<void> {
    this.open = false
    for (const timer of this.timers) clearInterval(timer)
    await this.filling
    await this.sweeping.catch(() => {})
    for (const run of this.runs.values()) run.stop('shutdown')
    await Promise.race([Promise.all(this.ends), new Promise((resolve) => setTimeout(resolve, STOP_WITHIN).unref())])
    clearInterval(this.beating)
  }

  private every(milliseconds: number, work: () => Promise<unknown>): void {
    this.timers.push(setInterval(() => void work().catch((error: unknown) => console.error('jobs:', error)), milliseconds).unref())
  }

  /** Takes waiting jobs while there is room. Calls that come meanwhile make it look once more. */
  private wake(): void {
    this.again = true
    this.filling ??= this.fill().catch((error: unknown) => console.error('jobs:', error)).finally(() => {
      this.filling = undefined
      // A call may have come after the last look and before this.
      if (this.again) this.wake()
    })
  }

  private async fill(): Promise<void> {
    while (this.again) {
      this.again = false
      while (this.open && this.runs.size < CONCURRENCY) {
        const job = await claimJob(this.parts.db, this.runner)
        if (!job) break
        this.begin(new Claim(job, this.runner))
      }
    }
  }

  private begin(claim: Claim): void {
    const { db, live, sessions, grantTitle } = this.parts
    const run = new Run(claim, { db, live, grantTitle, readStaff: (id) => sessions.staff(db, id) })
    this.runs.set(claim.job.id, run)
    this.beating ??= setInterval(() => void this.beat(), BEAT_EVERY).unref()
    const end = run.run(this.definitions.get(claim.job.kind)).finally(() => {
      this.runs.delete(claim.job.id)
      this.ends.delete(end)
      if (this.runs.size === 0) {
        clearInterval(this.beating)
        this.beating = undefined
      }
      this.wake()
    })
    this.ends.add(end)
  }

  /** Says that this process is alive, and hears which of its jobs are to stop even when a message was lost. */
  private async beat(): Promise<void> {
    const running = [...this.runs.keys()]
    const known = await beat(this.parts.db, this.runner).catch(() => undefined)
    if (!known) return
    const held = new Map(known.map((job) => [job.id, job.cancel_asked]))
    for (const id of running) {
      const reason: StopReason | undefined = held.get(id) ? 'cancel' : held.has(id) ? undefined : 'lost'
      if (reason) this.runs.get(id)?.stop(reason)
    }
  }

  /** Takes up what dead processes left, and what a lost message would have said. */
  private async look(): Promise<void> {
    for (const { id, staff_id, status, done, total } of await recoverJobs(this.parts.db, false)) {
      await this.parts.live.publish(staff_id, { type: 'job', id, status, done, total })
    }
    this.wake()
  }

  private async checkRights(staffId: number | undefined): Promise<void> {
    for (const run of this.runs.values()) {
      const { staff_id, kind } = run.claim.job
      const definition = this.definitions.get(kind)
      if (definition && (staffId === undefined || staff_id === staffId)) await run.checkRights(definition).catch(() => {})
    }
  }
}
