import { readFileSync } from 'node:fs'
import type { JobInfo } from '../core/job/calls.ts'

const JOBS = '/daoyuan/api/end/jobs'

/** Memory that a process holds, in megabytes; undefined where the system does not tell. */
function resident(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** Exports lists of growing length to xlsx and prints how long each took and how much memory the server held at most. */
export async function measureExport(base: string, pid: number, headers: Record<string, string>, list: string, queries: readonly Record<string, unknown>[]): Promise<void> {
  const idle = resident(pid)
  console.log(`export to xlsx, thirteen columns (server before: ${idle?.toFixed(0) ?? 'unknown'} MB resident)`)
  for (const query of queries) {
    const began = performance.now()
    const answer = await fetch(`${list}/export`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ format: 'xlsx', query }) })
    if (!answer.ok) throw new Error(`export: ${await answer.text()}`)
    const { job: { id } } = await answer.json() as { job: JobInfo }
    let job: JobInfo
    let most = 0
    do {
      await new Promise((resolve) => setTimeout(resolve, 100))
      most = Math.max(most, resident(pid) ?? 0)
      job = await fetch(`${base}${JOBS}/${id}`, { headers }).then((reply) => reply.json() as Promise<JobInfo>)
    } while (job.status === 'waiting' || job.status === 'running')
    if (job.status !== 'done') throw new Error(`export: ${job.status} ${job.error}`)
    const time = (performance.now() - began) / 1000
    const rows = Number(job.result?.['rows'])
    console.log(`  ${`product: ${rows.toLocaleString('en')} rows`.padEnd(62)} ${time.toFixed(1).padStart(6)} s  ${(rows / time).toFixed(0)} rows/s, at most ${most.toFixed(0)} MB resident${rows >= 1_000_000 ? ' (limit 300 MB)' : ''}`)
  }
}
