import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { makePaper } from '../paper/door.server.ts'
import { contentSchema } from '../practice/door.server.ts'
import { problemsOf, problemText, TYPES, type QuestionContent } from '../practice/module.ts'
import { teacherPaper } from './paper.ts'
import { REVIEW } from './states.ts'

/** A paper as a teacher hands it in. */
export interface HandedIn {
  readonly name: string
  readonly shared: boolean
  readonly client_key: string
  readonly items: readonly ({ practice_id: number; score: number } | { content: Record<string, unknown>; score: number })[]
}

/** A question that a teacher wrote, read. @throws AppError that says which one is wrong, and why */
function readOwn(content: Record<string, unknown>, ord: number): QuestionContent {
  const read = contentSchema.safeParse(content)
  if (!read.success) throw badRequest(`第 ${ord} 题：${read.error.issues[0]?.message ?? '内容格式不正确'}`)
  const [problem] = problemsOf(read.data)
  if (problem) throw badRequest(`第 ${ord} 题：${problemText(problem)}`)
  return read.data
}

/** Keeps a paper of a teacher: questions of the bank stand in it at once, own ones wait to be read. Sent again under the same key it is the same paper. */
export async function handIn(tx: Queryable, teacher: { id: number; subject_id: number; name: string }, { name, shared, client_key, items }: HandedIn): Promise<{ id: number; own_count: number }> {
  const [before] = await tx.query<{ id: number; own_count: number }>(sql`select p.id, p.own_count::int as own_count from teacher_handin h join paper p on p.id = h.paper_id where h.teacher_id = ${teacher.id} and h.client_key = ${client_key}`)
  if (before) return before
  const named = items.flatMap((item) => ('practice_id' in item ? [item] : []))
  if (new Set(named.map(({ practice_id }) => practice_id)).size < named.length) throw invalid({ items: '同一道题只能出现一次' })
  const known = new Map((await tx.query<{ id: number; type: number; version_no: number; subject_id: number; pool: string }>(sql`select id, type, version_no::int as version_no, subject_id, pool from practice where id = any(${sql.param(named.map(({ practice_id }) => practice_id))}::bigint[]) and deleted_at is null and status = 4`)).map((row) => [row.id, row]))
  const own = items.flatMap((item, at) => ('content' in item ? [{ ord: at + 1, score: item.score, content: readOwn(item.content, at + 1) }] : []))
  const sections = TYPES.flatMap(({ value, label }) => {
    const placed = items.flatMap((item, at) => {
      if (!('practice_id' in item)) return []
      const row = known.get(item.practice_id)
      if (!row || row.pool !== 'official' || row.subject_id !== teacher.subject_id) throw badRequest(`第 ${at + 1} 题不在本学科的正式题库里`)
      return row.type === value ? [{ practice_id: row.id, version_no: row.version_no, score: item.score, sub_scores: [] }] : []
    })
    return placed.length > 0 ? [{ key: `t${value}`, name: label, title: '', instruction: '', items: placed }] : []
  })
  const [subject] = await tx.query<{ level: number }>(sql`select level from subject where id = ${teacher.subject_id}`)
  const id = await makePaper(tx, null, teacherPaper, { name, subject_id: teacher.subject_id, level: subject?.level ?? 0, teacher_id: teacher.id, shared: shared ? 1 : 0, own_count: own.length, review: own.length > 0 ? REVIEW.waiting : REVIEW.none }, { sections })
  await touch(tx, teacherPaper, { handed_at: sql`now()` } as object, id)
  await tx.query(sql`insert into teacher_handin (paper_id, teacher_id, client_key) values (${id}, ${teacher.id}, ${client_key})`)
  if (own.length > 0) await tx.query(sql`insert into teacher_question (paper_id, ord, content, score) select ${id}, r.ord, r.content, r.score from jsonb_to_recordset(${JSON.stringify(own)}::jsonb) as r (ord int, content jsonb, score numeric) order by r.ord`)
  return { id, own_count: own.length }
}
