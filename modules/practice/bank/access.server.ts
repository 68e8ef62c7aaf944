import { sql, type SQL } from 'drizzle-orm'
import { notFound, staleWrite } from '../../../core/error/error.ts'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { readCards } from './card.server.ts'
import { levelOfSubject } from './number.ts'
import { bankScreen, POOLS, type Pool } from './practice.ts'

/** A question as rules about it need it, without its text. */
export interface PracticeRow {
  id: number
  rev: number
  no: string
  pool: Pool
  level: number
  subject_id: number
  type: number
  status: number
  owner_id: number | null
  verifier1_id: number | null
  verifier2_id: number | null
  assignee_id: number | null
  origin_id: number | null
  version_no: number
  updated_by: number | null
  content_hash: string | null
  exam_year: number | null
}

/** Stages whose bank a person may open. */
function levelsOf(staff: Staff, pool: Pool): number[] {
  return [0, 1, 2].filter((level) => staff.modules.has(bankScreen(pool, level)) && (staff.scopes.level?.includes(level) ?? true))
}

/** Whether a person reaches every question of a subject in a bank. */
export const seesSubject = (staff: Staff, pool: Pool, subjectId: number): boolean => levelsOf(staff, pool).includes(levelOfSubject(subjectId)) && (staff.scopes.subject?.includes(subjectId) ?? true)

/** Condition on `p`: the banks whose screens a person holds, within the data scopes. */
export function reachable(staff: Staff, pool?: Pool): SQL {
  const banks = POOLS.map(({ value }) => value).filter((name) => pool === undefined || name === pool)
    .map((name) => sql`(p.pool = ${name} and p.level = any(${sql.param(levelsOf(staff, name))}::int[]))`)
  const subjects = staff.scopes.subject
  return sql`(${sql.join(banks, sql` or `)})${subjects ? sql` and p.subject_id = any(${sql.param([...subjects])}::bigint[])` : sql``}`
}

const columns = sql.raw('p.id, p.rev, p.no, p.pool, p.level, p.subject_id, p.type, p.status, p.owner_id, p.verifier1_id, p.verifier2_id, p.assignee_id, p.origin_id, p.version_no, p.updated_by, p.content_hash, p.exam_year')

/** Locks living questions within a person's reach, in the order of their ids, so that two people never wait for each other. */
export function lockPractices(tx: Queryable, staff: Staff, ids: readonly number[]): Promise<PracticeRow[]> {
  return tx.query<PracticeRow>(sql`select ${columns} from practice p where p.id = any(${sql.param([...ids])}::bigint[]) and p.deleted_at is null and ${reachable(staff)} order by p.id for no key update`)
}

/**
 * Locks one.
 * @throws AppError when there is none that the person may see
 */
export async function lockPractice(tx: Queryable, staff: Staff, id: number): Promise<PracticeRow> {
  const [row] = await lockPractices(tx, staff, [id])
  if (!row) throw notFound('试题')
  return row
}

/**
 * Refuses what was begun from an older state of a question.
 * @throws AppError that names who saved in between and carries the question as it stands
 */
export async function checkRevision(tx: Queryable, staff: Staff, row: PracticeRow, rev: number | undefined): Promise<void> {
  if (rev === undefined || rev === row.rev) return
  const [by] = await tx.query<{ name: string }>(sql`select name from staff where id = ${row.updated_by}`)
  const [current] = await readCards(tx, staff, [row.id])
  throw staleWrite(by?.name, current)
}
