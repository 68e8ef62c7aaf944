import { sql } from 'drizzle-orm'
import { invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { bandOf, type Band } from './bands.ts'
import { excellentScore } from './score.ts'

/** Scores, each with the level and class that its paper's bands say. */
export const scores = serve(excellentScore)({
  async before({ tx, values, row }) {
    const score = values.score ?? row?.score
    const paperId = values.paper_id ?? row?.paper_id
    if (score === undefined || score === null || paperId === undefined) return
    const [paper] = await tx.query<{ bands: Band[] | null; total_score: number }>(sql`select bands, total_score::float8 as total_score from paper where id = ${paperId}`)
    if (paper && paper.total_score > 0 && score > paper.total_score) throw invalid({ score: `得分不能超过试卷总分 ${paper.total_score}` })
    const band = bandOf(paper?.bands ?? [], score)
    Object.assign(values, { level: band?.level ?? null, class_type: band?.class_type ?? null })
  },
  beforeOnlyReads: true,
})
