/** Suggestions from the questions of a subject, whose terms are kept for some minutes. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { reachable } from '../bank/access.server.ts'
import { STATUS, type Pool } from '../bank/practice.ts'
import { contentSchema, type QuestionContent } from '../content/question.ts'
import { standing } from '../label/read.server.ts'
import { readHashes } from '../picture/hash.server.ts'
import { suggestFacts, type Suggestion } from './calls.ts'
import { ASKED, NeighbourIndex, suggestFrom, termsOf, type Known } from './neighbours.ts'

/** Questions of a subject that are asked: the official ones and the newest first. */
const MOST = 6000
/** Questions that are read between two pauses for other work. */
const PIECE = 200
/** How long what was read counts, in milliseconds: labels that people give meanwhile are missed by as much. */
const KEPT = 5 * 60_000
/** Subjects that are kept at a time. */
const SUBJECTS = 4

interface Bank {
  index: NeighbourIndex
  paths: ReadonlyMap<number, string[]>
  until: number
}

async function readBank(db: Queryable, subjectId: number): Promise<Bank> {
  const labels = await db.query<{ id: number; parent_id: number | null; name: string }>(sql`select id, parent_id, name from label where subject_id = ${subjectId} and kind = 'knowledge' and ${standing}`)
  const byId = new Map(labels.map((label) => [label.id, label]))
  const pathOf = (id: number, depth = 0): string[] => {
    const label = byId.get(id)
    return label ? [...(label.parent_id === null || depth > 12 ? [] : pathOf(label.parent_id, depth + 1)), label.name] : []
  }
  const known = await db.query<Known>(sql`select p.id, p.difficulty, jsonb_agg(jsonb_build_object('id', l.label_id, 'main', l.main) order by l.main desc, l.label_id) as labels
    from practice p join practice_label l on l.practice_id = p.id where p.subject_id = ${subjectId} and p.deleted_at is null and p.status <> ${STATUS.void} and not (p.pool = 'back' and p.status = ${STATUS.published})
      and l.label_id = any(${sql.param(labels.map(({ id }) => id))}::bigint[]) group by p.id order by p.pool desc, p.id desc limit ${sql.raw(String(MOST))}`)
  const index = new NeighbourIndex()
  for (let at = 0; at < known.length; at += PIECE) {
    const piece = known.slice(at, at + PIECE)
    const bodies = await db.query<{ practice_id: number; content: QuestionContent }>(sql`select practice_id, content from practice_body where practice_id = any(${sql.param(piece.map(({ id }) => id))}::bigint[])`)
    const hashes = await readHashes(db, bodies.map(({ content }) => content))
    const contents = new Map(bodies.map(({ practice_id, content }) => [practice_id, content]))
    for (const one of piece) {
      const content = contents.get(one.id)
      if (content) index.add(one, termsOf(content, hashes))
    }
    await setImmediate()
  }
  return { index: index.finish(), paths: new Map(labels.map(({ id }) => [id, pathOf(id)])), until: Date.now() + KEPT }
}

/** Banks that were read lately, by database and subject. */
const banks = new WeakMap<Database, Map<number, Promise<Bank>>>()

async function bankOf(db: Database, subjectId: number): Promise<Bank> {
  const own = banks.get(db) ?? new Map<number, Promise<Bank>>()
  banks.set(db, own)
  const kept = await own.get(subjectId)?.catch(() => undefined)
  if (kept && kept.until > Date.now()) return kept
  const read = readBank(db, subjectId)
  own.delete(subjectId)
  own.set(subjectId, read)
  const [oldest] = own.keys()
  if (own.size > SUBJECTS && oldest !== undefined) own.delete(oldest)
  return read
}

export const NOTHING: Suggestion = { labels: [], difficulty: null, sure: false }

/**
 * Knowledge points and difficulty of a question, as the questions say that are nearest to it in words, formulas and pictures.
 * @param staff sees only what questions within their reach say
 */
export async function suggest(db: Database, staff: Staff, content: QuestionContent, subjectId: number, exceptId?: number): Promise<Suggestion> {
  const { index, paths } = await bankOf(db, subjectId)
  const near = index.nearest(termsOf(content, await readHashes(db, [content])), ASKED, new Set(exceptId === undefined ? [] : [exceptId]))
  if (near.length === 0) return NOTHING
  const seen = new Map((await db.query<{ id: number; no: string; pool: Pool }>(sql`select p.id, p.no, p.pool from practice p where p.id = any(${sql.param(near.map(({ known }) => known.id))}::bigint[]) and p.deleted_at is null and ${reachable(staff)}`)).map((row) => [row.id, row]))
  const { labels, difficulty, sure } = suggestFrom(near.filter(({ known }) => seen.has(known.id)))
  return {
    labels: labels.flatMap(({ id, share, neighbours }) => {
      const path = paths.get(id)
      return path && path.length > 0 ? [{ id, path, share: Math.round(share * 100) / 100, neighbours: neighbours.flatMap((one) => seen.get(one) ?? []) }] : []
    }),
    difficulty, sure,
  }
}

/** The call of the editor, answered. */
export function suggestCalls(): Served[] {
  return [
    handle(suggestFacts, async (call) => {
      const read = contentSchema.safeParse(call.input.content)
      if (!read.success) throw invalid({ content: read.error.issues[0]?.message ?? '内容格式不正确' })
      return suggest(call.db, call.staff, read.data, call.input.cat_id, call.input.except_id)
    }),
  ]
}
