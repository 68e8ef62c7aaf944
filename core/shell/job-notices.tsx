import { call } from '../endpoint/call.tsx'
import { jobNews } from '../job/job-news.ts'
import type { Notice } from '../module/notice.ts'
import { listJobs } from '../job/calls.ts'

/** Jobs that are looked through for news. */
const LOOKED_AT = 20

/** The person's own jobs that came to their end. */
export async function jobNotices(signal: AbortSignal): Promise<Notice[]> {
  const { items } = await call(listJobs, { page_size: LOOKED_AT }, { signal, quiet: true })
  return items.flatMap((job) => {
    const news = jobNews(job)
    return news ? [{ key: String(job.id), title: news.title, text: news.detail, tone: news.tone, at: job.finished_at ?? job.created_at, to: `/system/jobs?status=${job.status}` }] : []
  })
}
