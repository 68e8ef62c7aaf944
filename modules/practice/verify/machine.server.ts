import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import { problemsOf, problemText } from '../content/question-rules.ts'
import type { QuestionContent } from '../content/question.ts'

/**
 * What a machine can see before a person looks (domain 3.5).
 * @throws AppError with the first thing that is missing or wrong
 */
export async function checkBeforeSubmit(db: Queryable, id: number): Promise<void> {
  const [row] = await db.query<{ content: QuestionContent; difficulty: number | null; labelled: boolean }>(sql`select b.content, p.difficulty,
    exists (select 1 from practice_label pl join label l on l.id = pl.label_id where pl.practice_id = p.id and l.kind = 'knowledge') as labelled
    from practice p join practice_body b on b.practice_id = p.id where p.id = ${id}`)
  if (!row) return
  const [problem] = problemsOf(row.content)
  if (problem) throw badRequest(problemText(problem))
  if (row.difficulty === null) throw badRequest('请选择难度')
  if (!row.labelled) throw badRequest('请至少选择一个知识点')
}
