import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../../core/error/error.ts'
import type { Jobs } from '../../../core/job/jobs.server.ts'
import type { JobOwner } from '../../../core/job/queue.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { reachable } from '../bank/access.server.ts'
import { bankGrant, bankScreen } from '../bank/practice.ts'
import { difficultyOf } from '../content/question-rules.ts'
import { practiceStatistics, sendAnswers, type Received, type Statistics } from './calls.ts'
import { FIGURES_JOB } from './compute.server.ts'
import { ENOUGH_TO_RECALIBRATE } from './figures.ts'

type Row = Omit<Statistics, 'difficulty_est'>

/** What somebody answered to one question. */
interface TakenAnswer {
  practice_id: number
  /** Senders outside count upwards from 1; who marks here takes numbers below 0. */
  sitting: number
  score: number
  max: number
  picked?: string[] | undefined
  seconds?: number | undefined
  at?: number | undefined
}

/**
 * Keeps answers to questions of the official bank, and has their figures computed again; the same answer once more does nothing.
 * @param which questions `p` of which the sender may send; the rest is counted as unknown
 */
export async function takeAnswers(tx: Queryable, call: Pick<Call, 'staff'> & JobOwner, jobs: Pick<Jobs, 'add'>, which: SQL, answers: readonly TakenAnswer[]): Promise<Received> {
  const known = await tx.query<{ id: number; level: number }>(sql`select p.id, p.level from practice p where p.id = any(${sql.param([...new Set(answers.map(({ practice_id }) => practice_id))])}::bigint[])
    and p.pool = 'official' and p.deleted_at is null and ${which}`)
  const ids = new Set(known.map(({ id }) => id))
  const taken = answers.filter(({ practice_id }) => ids.has(practice_id))
  const rows = taken.map(({ practice_id, sitting, score, max, picked, seconds, at }) => ({ practice_id, sitting, score, max, picked: picked ?? null, seconds: seconds ?? null, at: at ?? null }))
  const fresh = await tx.query<{ id: number }>(sql`insert into practice_answer (sitting, practice_id, score, max, picked, seconds, at)
    select sitting, practice_id, score, max, picked, seconds, coalesce(to_timestamp(at), now())
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (sitting bigint, practice_id bigint, score numeric, max numeric, picked text[], seconds int, at float8)
    order by sitting, practice_id on conflict do nothing returning practice_id as id`)
  if (fresh.length > 0) await tx.query(sql`insert into practice_stat_due (practice_id) select distinct u.id from unnest(${sql.param(fresh.map(({ id }) => id))}::bigint[]) u(id) order by 1 on conflict do nothing`)
  const [first] = known
  // Whoever may not open the bank leaves the figures to the next run.
  const job_id = fresh.length > 0 && first && call.staff.modules.has(bankScreen('official', first.level)) ? await jobs.add(tx, call, { kind: FIGURES_JOB, title: '计算试题统计', input: { level: first.level } }) : null
  return { received: fresh.length, repeated: taken.length - fresh.length, unknown: answers.length - taken.length, job_id }
}

/** The calls of statistics, answered. */
export function statCalls({ jobs }: Pick<Kernel, 'jobs'>): Served[] {
  return [
    handle(sendAnswers, async (call) => {
      const { answers } = call.input
      const over = answers.findIndex(({ score, max }) => score > max)
      if (over >= 0) throw invalid({ answers: `第 ${over + 1} 条：得分不能超过满分` })
      return call.transaction(async (tx) => {
        // A sender of one stage sends for that stage.
        const levels = [0, 1, 2].filter((level) => call.staff.modules.has(bankGrant('official', level, 'answers')))
        return takeAnswers(tx, call, jobs, sql`p.level = any(${sql.param(levels)}::int[]) and ${reachable(call.staff, 'official')}`, answers)
      })
    }),
    handle(practiceStatistics, async (call) => {
      const id = idParam(call)
      const [seen] = await call.db.query(sql`select 1 from practice p where p.id = ${id} and p.deleted_at is null and ${reachable(call.staff)}`)
      if (!seen) throw notFound('试题')
      // A revision is judged by the answers to what it revises.
      const [row] = await call.db.query<Row>(sql`select s.attempts, s.facility, s.discrimination, s.disc_eff, s.group_gap, s.avg_seconds, s.option_counts as options, s.flags, s.at
        from practice p join practice_stat s on s.practice_id = case when p.pool = 'back' then p.origin_id else p.id end where p.id = ${id}`)
      if (!row) return { statistics: null }
      const difficulty_est = row.facility !== null && row.attempts >= ENOUGH_TO_RECALIBRATE ? difficultyOf(row.facility) : null
      return { statistics: { ...row, difficulty_est } }
    }),
  ]
}
