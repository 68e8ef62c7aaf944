import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { inBatches } from '../../../core/job/batches.server.ts'
import { defineJob } from '../../../core/job/define.server.ts'
import { bankScreen } from '../bank/practice.ts'
import type { QuestionContent } from '../content/question.ts'
import { figuresOf, type AnswerRecord } from './figures.ts'

/** The latest answers of a question decide; older ones say what it was like. */
const LATEST = 5000
/** Questions of one transaction. */
const BATCH = 50

interface Found {
  id: number
  content: QuestionContent
  records: AnswerRecord[] | null
}

const round = (value: number | null) => (value === null ? null : Math.round(value * 10_000) / 10_000)

/** Computes the figures of questions from their answers and stores them. */
export async function computeFigures(tx: Queryable, ids: readonly number[]): Promise<void> {
  const found = await tx.query<Found>(sql`select b.practice_id as id, b.content, (
      select jsonb_agg(jsonb_build_object('share', o.score / o.max, 'rest', case when t.max > o.max then (t.score - o.score) / (t.max - o.max) end, 'picked', o.picked, 'seconds', o.seconds))
      from (select * from practice_answer a where a.practice_id = b.practice_id order by a.sitting desc limit ${sql.raw(String(LATEST))}) o
      cross join lateral (select sum(x.score) as score, sum(x.max) as max from practice_answer x where x.sitting = o.sitting) t
    ) as records from practice_body b where b.practice_id = any(${sql.param([...ids])}::bigint[])`)
  const rows = found.map(({ id, content, records }) => {
    const { answer, options } = content
    const right = answer.k === 'one' ? [answer.ok ?? ''] : answer.k === 'many' ? answer.ok : []
    const figures = figuresOf(records ?? [], right.length > 0 ? options.map((option) => option.id) : [], right)
    return {
      practice_id: id, attempts: figures.attempts, facility: round(figures.facility), discrimination: round(figures.discrimination), disc_eff: round(figures.disc_eff), group_gap: round(figures.group_gap),
      avg_seconds: figures.avg_seconds, option_counts: figures.options, flags: figures.flags,
    }
  })
  await tx.query(sql`insert into practice_stat (practice_id, attempts, facility, discrimination, disc_eff, group_gap, avg_seconds, option_counts, flags, at)
    select practice_id, attempts, facility, discrimination, disc_eff, group_gap, avg_seconds, option_counts, flags, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (practice_id bigint, attempts int, facility numeric, discrimination numeric, disc_eff numeric, group_gap numeric, avg_seconds int, option_counts jsonb, flags text[])
    on conflict (practice_id) do update set attempts = excluded.attempts, facility = excluded.facility, discrimination = excluded.discrimination, disc_eff = excluded.disc_eff, group_gap = excluded.group_gap,
      avg_seconds = excluded.avg_seconds, option_counts = excluded.option_counts, flags = excluded.flags, at = excluded.at`)
}

export const FIGURES_JOB = 'practice_figures'

interface FiguresInput {
  level: number
}

/** Brings the figures of questions up to their answers; whatever a broken run leaves is still due. */
export const figuresJob = defineJob<FiguresInput, number>({
  kind: FIGURES_JOB,
  grants: ({ level }) => [bankScreen('official', level)],
  async run(context) {
    let left = 0
    const questions = await inBatches(context, 0, async (done) => async (tx) => {
      const due = await tx.query<{ id: number }>(sql`delete from practice_stat_due where practice_id in (select practice_id from practice_stat_due order by practice_id limit ${sql.raw(String(BATCH))} for update skip locked) returning practice_id as id`)
      if (due.length === 0) return undefined
      await computeFigures(tx, due.map(({ id }) => id))
      const [rest] = await tx.query<{ n: number }>(sql`select count(*)::int as n from practice_stat_due`)
      left = rest?.n ?? 0
      return done + due.length
    }, (done) => [done, done + left])
    return { questions }
  },
})
