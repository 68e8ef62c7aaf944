/** Suggestions of a preview that somebody accepts. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Question } from '../content/question.ts'
import type { Suggestion } from '../suggest/calls.ts'

/**
 * Writes labels and difficulty into waiting questions, as far as the file does not say them.
 * @param chosen the label of each; absent: the first one wherever it is sure
 * @returns how many were changed, and how many suggestions still wait
 */
export async function acceptSuggested(tx: Queryable, importId: number, chosen: readonly { ord: number; label_id: number }[] | undefined): Promise<{ changed: number; left: number }> {
  const which = chosen ? sql`ord = any(${sql.param(chosen.map(({ ord }) => ord))}::int[])` : sql`(suggested->>'sure')::boolean and not skip`
  const waiting = await tx.query<{ ord: number; question: Question; suggested: Suggestion }>(sql`select ord, question, suggested from practice_import_item where import_id = ${importId} and practice_id is null and question is not null and suggested is not null and ${which} order by ord for no key update`)
  const changes = waiting.flatMap(({ ord, question, suggested }) => {
    const wanted = chosen?.find((one) => one.ord === ord)?.label_id ?? suggested.labels[0]?.id
    const label = suggested.labels.find(({ id }) => id === wanted)
    return label ? [{ ord, question: { ...question, labels: question.labels.length > 0 ? question.labels : [label.path], difficulty: question.difficulty ?? suggested.difficulty } }] : []
  })
  if (changes.length > 0) {
    await tx.query(sql`update practice_import_item i set question = r.question, suggested = null from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r (ord int, question jsonb) where i.import_id = ${importId} and i.ord = r.ord`)
  }
  const [rest] = await tx.query<{ n: number }>(sql`select count(*)::int as n from practice_import_item where import_id = ${importId} and practice_id is null and suggested is not null`)
  return { changed: changes.length, left: rest?.n ?? 0 }
}
