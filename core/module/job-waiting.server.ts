import { sql } from 'drizzle-orm'
import type { WaitingCount, WaitingContext, WaitingKind } from '../inbox/waiting.server.ts'

/** A failure that nobody looked at for so long is not news any more, in days. */
const FAILED_DAYS = 7
const PATH = '/system/jobs?status=failed'

const failed = ({ staff }: WaitingContext) => sql`job where staff_id = ${staff.id} and status = 'failed' and finished_at > now() - make_interval(days => ${FAILED_DAYS})`

/** The person's own long work that went wrong; everybody has jobs. */
export const jobWaiting: WaitingKind = {
  name: 'job_failed',
  title: `近 ${FAILED_DAYS} 天失败的任务`,
  group: 'failed',
  verb: '查看',
  to: () => PATH,
  async count(context) {
    const [row] = await context.db.query<WaitingCount>(sql`select count(*)::int as count, 0 as late, 0 as today from ${failed(context)}`)
    return row ?? { count: 0, late: 0, today: 0 }
  },
  async items(context, limit) {
    const rows = await context.db.query<{ id: number; title: string; error: string | null; at: number }>(sql`select id, title, error, finished_at as at from ${failed(context)} order by finished_at, id limit ${limit}`)
    return rows.map(({ id, title, error, at }) => ({ id, title, note: error, amount: null, since: at, due: null, to: PATH, resource: null, record: id, pass: null, refuse: null, done: null }))
  },
}
