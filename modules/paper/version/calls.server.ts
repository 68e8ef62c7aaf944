import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { notFound } from '../../../core/error/error.ts'
import { readCards } from '../../practice/door.server.ts'
import { itemsOf, totalScore, type PaperBody } from '../compose/body.ts'
import { findPaper, pinCards } from '../content.server.ts'
import { paperVersionContent, paperVersions } from './calls.ts'

/** The calls of a paper's versions, answered. */
export function versionCalls(): Served[] {
  return [
    handle(paperVersions, async (call) => {
      const paper = await findPaper(call.db, call.staff, idParam(call))
      const rows = await call.db.query<{ version_no: number; at: number; staff_name: string | null; body: PaperBody }>(sql`select v.version_no, extract(epoch from v.at)::int as at, s.name as staff_name, v.body
        from paper_version v left join staff s on s.id = v.staff_id where v.paper_id = ${paper.id} order by v.version_no desc`)
      return { items: rows.map(({ body, ...row }) => ({ ...row, question_count: itemsOf(body).length, total_score: totalScore(body) })), total: rows.length }
    }),
    handle(paperVersionContent, async (call) => {
      const paper = await findPaper(call.db, call.staff, idParam(call))
      const [row] = await call.db.query<{ version_no: number; body: PaperBody }>(sql`select version_no, body from paper_version where paper_id = ${paper.id} and version_no = ${idParam(call, 'version_no')}::bigint`)
      if (!row) throw notFound('试卷版本')
      const items = itemsOf(row.body)
      return { ...row, practices: await pinCards(call.db, items, await readCards(call.db, call.staff, items.map(({ practice_id }) => practice_id))) }
    }),
  ]
}
