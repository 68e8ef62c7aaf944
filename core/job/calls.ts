import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

/** States of a job. `undone`: what an import wrote was taken back. */
export const JOB_STATUS = {
  waiting: '等待中',
  running: '进行中',
  done: '已完成',
  failed: '失败',
  cancelled: '已取消',
  undone: '已撤销',
} as const

export type JobStatus = keyof typeof JOB_STATUS

/** A job as the console sees it. */
export interface JobInfo {
  id: number
  kind: string
  title: string
  staff_id: number
  staff_name: string | null
  status: JobStatus
  done: number
  /** Unknown until it has been counted. */
  total: number | null
  /** What came of it, each kind in its own shape; lists leave the preview of an import out. */
  result: Readonly<Record<string, unknown>> | null
  error: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  /** What this person may do with it. */
  can: readonly ('cancel' | 'retry')[]
}

const BASE = '/daoyuan/api/end/jobs'
const page = z.optional(z.coerce.number().check(z.int(), z.minimum(0)))

/** Own jobs, newest first; a super administrator sees everybody's with `all=1`. */
export const listJobs = defineEndpoint<{ items: JobInfo[]; total: number }>()({
  method: 'GET', path: BASE, summary: '我的任务', grant: 'staff',
  input: z.object({ all: z.optional(z.string()), status: z.optional(z.string()), page, page_size: page }),
})

/** One job with everything that came of it. */
export const getJob = defineEndpoint<JobInfo>()({ method: 'GET', path: `${BASE}/{id}`, summary: '任务详情', grant: 'staff' })

/** Asks a job to stop: at once while it waits, else at the next moment where nothing is left half done. */
export const cancelJob = defineEndpoint<JobInfo>()({ method: 'POST', path: `${BASE}/{id}/cancel`, summary: '取消任务', grant: 'staff' })

/** Runs a failed or cancelled job again; it goes on where it stopped when its kind can. */
export const retryJob = defineEndpoint<JobInfo>()({ method: 'POST', path: `${BASE}/{id}/retry`, summary: '重试任务', grant: 'staff' })
