import { JOB_STATUS, type JobInfo, type JobStatus } from './calls.ts'
import type { LiveEvent } from '../live/event.ts'

export type JobEvent = Extract<LiveEvent, { type: 'job' }>

/** A list of jobs with one of them moved on; the same list when it does not hold that job. */
export function moveJob(jobs: readonly JobInfo[], { id, status, done, total }: JobEvent): readonly JobInfo[] {
  if (!jobs.some((job) => job.id === id)) return jobs
  return jobs.map((job) => (job.id === id ? { ...job, status: status as JobStatus, done, total } : job))
}

/** What is said of a job that came to its end; undefined when nothing needs to be said. */
export function jobNews(job: Pick<JobInfo, 'title' | 'status' | 'error'>): { tone: 'success' | 'error'; title: string; detail: string | undefined } | undefined {
  if (job.status === 'done') return { tone: 'success', title: `「${job.title}」${JOB_STATUS.done}`, detail: undefined }
  if (job.status === 'failed') return { tone: 'error', title: `「${job.title}」${JOB_STATUS.failed}`, detail: job.error ?? undefined }
  return undefined
}
