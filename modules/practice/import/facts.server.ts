/** Sets what questions of a preview have in common: subject, school stage, and whatever else the file does not say. */
import { sql } from 'drizzle-orm'
import type { JobContext } from '../../../core/job/define.server.ts'
import type { Question } from '../content/question.ts'
import type { Warning } from '../formats/item.ts'
import type { ImportFacts } from './calls.ts'
import { isOfSubject, judge, subjectsOf, suggestFor } from './stage.server.ts'

export interface FactsInput {
  import_id: number
  level: number
  facts: Omit<ImportFacts, 'level'>
}

interface Waiting {
  ord: number
  /** Subject and stage of the batch before. */
  subject_id: number | null
  level: number
  question: Question
  warnings: Warning[]
}

/** Items that are judged at a time. */
const CHUNK = 100

function withFacts(question: Question, { all, difficulty, source_years, exam_region, source_paper, score }: FactsInput['facts'], subject: string | null): Question {
  const pick = <Value>(own: Value, given: Value | undefined) => (given !== undefined && (all || own === null || (Array.isArray(own) && own.length === 0)) ? given : own)
  return {
    ...question, subject: pick(question.subject, subject ?? undefined), difficulty: pick(question.difficulty, difficulty), source_years: pick(question.source_years, source_years), exam_region: pick(question.exam_region, exam_region),
    source_paper: pick(question.source_paper, source_paper), score: question.children.length > 0 ? question.score : pick(question.score, score),
  }
}

/** The work itself, part by part; what was read with doubt stays in doubt. */
export async function runFacts(context: JobContext<FactsInput>): Promise<void> {
  const { db, input, staff, signal } = context
  const { import_id: id, level, facts } = input
  const subjects = await subjectsOf(db, level)
  const subject = [...subjects].find(([, one]) => one === facts.subject_id)?.[0] ?? null
  const waiting = await db.query<Waiting>(sql`select i.ord, i.question, i.warnings, b.subject_id, b.level from practice_import_item i join practice_import b on b.id = i.import_id
    where b.id = ${id} and b.staff_id = ${staff.id} and i.practice_id is null and i.question is not null order by i.ord`)
  const changed: Record<string, unknown>[] = []
  for (const [index, { ord, question, warnings, subject_id, level: before }] of waiting.entries()) {
    signal.throwIfAborted()
    const judged = await judge(db, withFacts(question, facts, subject), warnings.filter((one) => !isOfSubject(one)), subjects, facts.subject_id ?? (before === level ? subject_id : null))
    changed.push({ ord, ...judged, suggested: judged.question ? await suggestFor(db, staff, judged.question, judged.subject_id) : null })
    if (index % 20 === 0) context.progress(index, waiting.length)
  }
  await db.transaction(context.actor, async (tx) => {
    await tx.query(sql`update practice_import set level = ${level}, subject_id = ${facts.subject_id ?? sql`case when level = ${level} then subject_id end`} where id = ${id} and staff_id = ${staff.id}`)
    for (let at = 0; at < changed.length; at += CHUNK) {
      await tx.query(sql`update practice_import_item i set question = r.question, warnings = r.warnings, state = r.state, subject_id = r.subject_id, like_id = r.like_id, like_kind = r.like_kind, suggested = case when jsonb_typeof(r.suggested) = 'null' then null else r.suggested end
        from jsonb_to_recordset(${JSON.stringify(changed.slice(at, at + CHUNK))}::jsonb) as r (ord int, question jsonb, warnings jsonb, state text, subject_id bigint, like_id bigint, like_kind text, suggested jsonb)
        where i.import_id = ${id} and i.ord = r.ord and i.practice_id is null`)
    }
    await context.finish(tx, { changed: changed.length })
  })
}
