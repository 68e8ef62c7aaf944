import { sql } from 'drizzle-orm'
import type { Tile } from './serve.server.ts'
import type { JobStatus } from '../job/calls.ts'

/** A failure that nobody looked at for so long is not news any more, in days. */
const FAILED_DAYS = 7

function jobTile(status: readonly JobStatus[], tile: Pick<Tile, 'name' | 'title' | 'tone'>, shown: JobStatus): Tile {
  return {
    ...tile,
    to: () => `/system/jobs?status=${shown}`,
    async count(db, staff) {
      const [row] = await db.query<{ n: number }>(sql`select count(*) as n from job where staff_id = ${staff.id} and status = any(${sql.param([...status])}::text[])
        and (finished_at is null or finished_at > now() - make_interval(days => ${FAILED_DAYS}))`)
      return row?.n ?? 0
    },
  }
}

/** The person's own long work that runs or went wrong; everybody has jobs. */
export const jobTiles: readonly Tile[] = [
  jobTile(['waiting', 'running'], { name: 'job_running', title: '我的进行中任务' }, 'running'),
  jobTile(['failed'], { name: 'job_failed', title: `近 ${FAILED_DAYS} 天失败的任务`, tone: 'danger' }, 'failed'),
]
