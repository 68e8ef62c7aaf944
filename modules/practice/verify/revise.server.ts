import { touch } from '../../../core/resource/touch.server.ts'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { PracticeRow } from '../bank/access.server.ts'
import { practice, STATUS, STATUSES } from '../bank/practice.ts'
import { insertPractices, readWritten } from '../bank/write.server.ts'
import { noteRevision } from '../compare/pairs.server.ts'

/**
 * Opens a locked official question again: a draft in the back bank that is linked to it; while there is one, that one.
 * @param ownerId who is to write it
 * @returns id of the draft
 * @throws AppError for what is no official question, or is not in use
 */
export async function openRevision(tx: Queryable, staffId: number, row: Pick<PracticeRow, 'id' | 'no' | 'pool' | 'level' | 'status'>, ownerId: number): Promise<number> {
  const [opened] = row.status === STATUS.revising ? await tx.query<{ id: number }>(sql`select id from practice where origin_id = ${row.id} and pool = 'back' and deleted_at is null
    and status in (${STATUS.draft}, ${STATUS.first}, ${STATUS.second}, ${STATUS.final}, ${STATUS.rejected}) order by id desc limit 1`) : []
  if (opened) return opened.id
  if (row.pool !== 'official' || ![STATUS.published, STATUS.off].includes(row.status as 4)) throw wrongState('修订', choiceLabel(STATUSES, row.status))
  const input = await readWritten(tx, row.id)
  if (!input) throw notFound('试题')
  await touch(tx, practice, { status: STATUS.revising }, row.id)
  const [id = 0] = await insertPractices(tx, staffId, [{ ...input, pool: 'back', level: row.level, status: STATUS.draft, owner_id: ownerId, origin_id: row.id }], `修订 ${row.no}`)
  await noteRevision(tx, id, row.id)
  return id
}
