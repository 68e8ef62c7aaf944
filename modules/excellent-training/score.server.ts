import { sql } from 'drizzle-orm'
import { serve } from '../../core/resource/serve.server.ts'
import { bandOf, type Band } from './bands.ts'
import { excellentScore } from './score.ts'

/** Scores, each with the level and class that its paper's bands say. */
export const scores = serve(excellentScore)({
  async before({ tx, values, row }) {
    const score = values.score ?? row?.score
    const paperId = values.paper_id ?? row?.paper_id
    if (score === undefined || score === null || paperId === undefined) return
    const [paper] = await tx.query<{ bands: Band[] | null }>(sql`select bands from paper where id = ${paperId}`)
    const band = bandOf(paper?.bands ?? [], score)
    Object.assign(values, { level: band?.level ?? null, class_type: band?.class_type ?? null })
  },
  beforeOnlyReads: true,
})
