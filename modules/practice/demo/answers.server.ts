import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { seedTransaction } from '../../../core/setup/insert-many.server.ts'
import type { Random } from '../../../core/setup/random.ts'
import type { QuestionContent } from '../content/question.ts'
import { computeFigures } from '../stat/compute.server.ts'

interface Asked {
  id: number
  subject_id: number
  difficulty: number | null
  content: QuestionContent
  /** What makes a question suspicious: nothing for most. */
  fault?: 'wrong key' | 'trap' | 'easy'
}

/** Questions of a subject that learners have been asked, and learners; the first subject has enough to judge its difficulties by. */
const QUESTIONS = 24
const LEARNERS: Readonly<Record<number, number>> = { 1: 220 }
const FEW = 60

interface Row {
  s: number
  p: number
  g: number
  m: number
  k: string[] | null
  t: number
}

/** How one learner does with a question: the stronger, the likelier right; some guess. */
function answer(random: Random, { id, difficulty, content, fault }: Asked, sitting: number, strength: number): Row {
  const max = content.score ?? 5
  const ease = ((difficulty ?? 3) - 3) * 0.8
  const odds = fault === 'easy' ? 0.98 : 1 / (1 + Math.exp(-(2.2 * (fault ? -strength : strength) + ease)))
  const right = content.answer.k === 'one' ? [content.answer.ok ?? ''] : content.answer.k === 'many' ? content.answer.ok : null
  const seconds = random.int(20, 120) * (content.type >= 4 ? 4 : 1)
  const knows = random.chance(odds)
  if (!right) return { s: sitting, p: id, g: knows ? max : Math.round(max * random.next() * 0.7), m: max, k: null, t: seconds }
  const wrong = content.options.map((option) => option.id).filter((one) => !right.includes(one))
  // One wrong option is the tempting one.
  const picked = knows || wrong.length === 0 ? right : [random.chance(0.55) ? wrong[0] ?? '' : random.pick(wrong)]
  return { s: sitting, p: id, g: knows ? max : 0, m: max, k: picked, t: seconds }
}

/** Answers of learners to official questions, and the figures that follow from them. */
export async function insertAnswerDemo(db: Database, random: Random): Promise<void> {
  const found = await db.query<Asked>(sql`select x.id, x.subject_id, x.difficulty, b.content from (
      select id, subject_id, difficulty, row_number() over (partition by subject_id order by type, id) as place from practice where pool = 'official' and deleted_at is null) x
    join practice_body b on b.practice_id = x.id where x.place <= ${QUESTIONS} order by x.id`)
  const asked = found.map((one, index) => ({ ...one, ...(index % 37 === 5 ? { fault: 'trap' as const } : index % 53 === 7 ? { fault: 'wrong key' as const } : index % 61 === 11 ? { fault: 'easy' as const } : {}) }))
  const rows: Row[] = []
  let sitting = 0
  for (const subject of new Set(asked.map((one) => one.subject_id))) {
    for (let learner = 0; learner < (LEARNERS[subject] ?? FEW); learner++) {
      sitting++
      const strength = (random.next() + random.next() + random.next()) * 2 - 3
      rows.push(...asked.filter((one) => one.subject_id === subject).map((one) => answer(random, one, sitting, strength)))
    }
  }
  await seedTransaction(db, async (tx) => {
    for (let at = 0; at < rows.length; at += 5000) {
      await tx.query(sql`insert into practice_answer (sitting, practice_id, score, max, picked, seconds, at)
        select s, p, g, m, k, t, now() - (s % 90) * interval '1 day' from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + 5000))}::jsonb) as r (s bigint, p bigint, g numeric, m numeric, k text[], t int)`)
    }
    for (let at = 0; at < asked.length; at += 100) await computeFigures(tx, asked.slice(at, at + 100).map(({ id }) => id))
  })
}
