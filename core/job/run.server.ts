import type { Database, Queryable } from '../database/database.server.ts'
import { DatabaseGone, sqlState } from '../database/database.server.ts'
import { AppError, notGranted } from '../error/error.ts'
import { unavailable } from '../database/unavailable.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Live } from '../live/live.server.ts'
import type { JobStatus } from './calls.ts'
import type { JobContext, JobDefinition } from './define.server.ts'
import { MAX_ATTEMPTS, type Claim } from './queue.server.ts'

/** How often progress is written and told, in milliseconds. */
const PROGRESS_EVERY = 500

/** Why a run is made to stop before its end. */
export type StopReason = 'cancel' | 'lost' | 'shutdown' | 'rights'

/** What a run needs of the rest. */
export interface RunParts {
  db: Database
  live: Live
  readStaff(id: number): Promise<Staff | undefined>
  grantTitle(id: number): string
}

/** A job of this process, from its start to its end. */
export class Run {
  readonly claim: Claim
  private readonly parts: RunParts
  private readonly abort = new AbortController()
  private stopped: StopReason | undefined
  private stopError: AppError | undefined
  private staff: Staff | undefined
  private finished = false
  private done = 0
  private total: number | null
  private shown = ''
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  constructor(claim: Claim, parts: RunParts) {
    this.claim = claim
    this.parts = parts
    this.total = claim.job.total
  }

  /** Makes the run stop at the next moment where nothing is left half done. */
  stop(reason: StopReason, error?: AppError): void {
    if (this.stopped) return
    this.stopped = reason
    this.stopError = error
    this.abort.abort(error ?? new Error(`job stopped: ${reason}`))
  }

  /** Reads again what the person may do; stops the run when that is no longer enough. */
  async checkRights(definition: JobDefinition): Promise<void> {
    const { job } = this.claim
    const staff = await this.parts.readStaff(job.staff_id)
    const missing = staff && definition.grants(job.input).find((id) => !staff.modules.has(id))
    if (!staff) this.stop('rights', new AppError('staff_gone', 403, '您的账号已停用，任务没有执行完'))
    else if (missing !== undefined) this.stop('rights', notGranted(this.parts.grantTitle(missing)))
    else this.staff = staff
  }

  /** Runs the job to whatever end it comes; never throws. */
  async run(definition: JobDefinition | undefined): Promise<void> {
    try {
      if (!definition) throw new AppError('no_such_job', 400, '没有这种任务，请重新发起')
      await this.publish('running')
      await this.checkRights(definition)
      if (this.stopped) throw this.abort.signal.reason
      const result = await definition.run(this.context())
      if (!this.finished) await this.parts.db.transaction(this.actor(), (tx) => this.finish(tx, result))
      await this.settle()
    } catch (error) {
      await this.settle()
      await this.fail(error).catch((failure: unknown) => {
        // The job stays as it is, looks dead after a while and is begun again.
        console.error(`job ${this.claim.job.id} could not be ended:`, failure)
      })
    }
  }

  private actor(): JobContext['actor'] {
    const { id, staff_id, ip, request_id } = this.claim.job
    return { staff_id, job_id: id, ...(ip && { ip }), ...(request_id && { request_id }) }
  }

  private context(): JobContext {
    const { job } = this.claim
    const staffNow = () => {
      if (!this.staff) throw new Error('a job runs only for somebody')
      return this.staff
    }
    return {
      id: job.id,
      input: job.input,
      saved: job.saved ?? undefined,
      db: this.parts.db,
      actor: this.actor(),
      signal: this.abort.signal,
      get staff() {
        return staffNow()
      },
      progress: (done, total) => this.progress(done, total),
      save: (tx, saved) => this.claim.save(tx, saved),
      finish: (tx, result) => this.finish(tx, result),
    }
  }

  private async finish(tx: Queryable, result: unknown): Promise<void> {
    this.done = this.total ?? this.done
    await this.claim.finish(tx, result, this.done, this.total)
    await this.publish('done', tx)
    this.finished = true
  }

  private progress(done: number, total?: number): void {
    this.done = done
    if (total !== undefined) this.total = total
    if (this.timer) return
    const show = () => {
      const text = `${this.done} ${this.total}`
      this.timer = undefined
      if (text === this.shown || this.finished) return
      this.shown = text
      this.timer = setTimeout(show, PROGRESS_EVERY).unref()
      this.writing = this.writing.then(() => this.showProgress()).catch(() => {
        // Progress is a courtesy; the next one may come through.
      })
    }
    show()
  }

  /** Writes and tells in one transaction: the row's lock keeps the message from coming after that of the end. */
  private async showProgress(): Promise<void> {
    const [done, total] = [this.done, this.total]
    await this.parts.db.transaction(this.actor(), async (tx) => {
      if (await this.claim.progress(tx, done, total)) await this.publish('running', tx)
    })
  }

  /** Waits for progress that is being written, so that nothing comes after the end. */
  private async settle(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    await this.writing
  }

  private async publish(status: JobStatus, tx?: Queryable): Promise<void> {
    await this.parts.live.publish(this.claim.job.staff_id, { type: 'job', id: this.claim.job.id, status, done: this.done, total: this.total }, tx)
  }

  private async fail(error: unknown): Promise<void> {
    if (this.stopped === 'lost' || (error instanceof AppError && error.code === 'job_lost')) return
    const cancelled = this.stopped === 'cancel' || (error instanceof AppError && error.code === 'job_cancelled')
    const [status, sentence, counts] = cancelled ? ['cancelled', null, true] as const
      : this.stopped === 'shutdown' ? ['waiting', null, false] as const
      : this.verdict(this.stopError ?? error)
    if (await this.claim.end(this.parts.db, status, sentence, counts)) await this.publish(status)
  }

  /** What becomes of a job that failed by itself. */
  private verdict(error: unknown): readonly ['failed' | 'waiting', string | null, true] {
    if (error instanceof AppError) return ['failed', error.message, true]
    const { id, kind, attempts } = this.claim.job
    console.error(`job ${id} (${kind}) failed:`, error)
    if (isPassing(error) && attempts < MAX_ATTEMPTS) return ['waiting', null, true]
    return ['failed', unavailable(error)?.message ?? `任务执行出错（任务编号 ${id}），请重试；仍不成功请联系管理员`, true]
  }
}

/** Failures of the moment: a lost connection, a deadlock, a server that restarts. */
function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return /^(08|40|53|57P|55P03)/.test(state)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof DatabaseGone || ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'].includes(code)
}
