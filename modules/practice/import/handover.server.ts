/** An import as modules see it that make something of its questions. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest, notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { bankGrant } from '../bank/practice.ts'
import type { Likeness } from '../content/fingerprint.ts'
import type { Question } from '../content/question.ts'
import type { ItemSection, PaperHead } from '../formats/item.ts'
import type { ImportState, ItemState } from './calls.ts'
import { readImportLabels } from './labels.server.ts'

export interface HandedImport {
  id: number
  level: number
  subject_id: number | null
  file_name: string
  state: ImportState
  /** What the file says of itself; null where it is no whole paper. */
  head: PaperHead | null
}

export interface HandedItem {
  ord: number
  place: string
  question: Question | null
  state: ItemState
  skip: boolean
  subject_id: number | null
  section: ItemSection | null
  /** The question that it became. */
  practice_id: number | null
  like_id: number | null
  like_kind: Likeness | null
  like_no: string | null
  /** Version of the one that is like it. */
  like_version: number | null
}

/** Whether a person may import questions of a stage. */
export const mayImport = (staff: Staff, level: number): boolean => staff.modules.has(bankGrant('back', level, 'import')) && (staff.scopes.level?.includes(level) ?? true)

/**
 * A person's own import with all its questions.
 * @param lock for writing: nobody else makes anything of it until the transaction ends
 * @throws AppError when it is somebody else's, or the person may not import into its stage
 */
export async function handedImport(db: Queryable, staff: Staff, id: number, lock = false): Promise<{ batch: HandedImport; items: HandedItem[] }> {
  const [batch] = await db.query<HandedImport & Record<string, unknown>>(sql`select id, level, subject_id, file_name, state, head from practice_import where id = ${id} and staff_id = ${staff.id}${lock ? sql` for no key update` : sql``}`)
  if (!batch) throw notFound('导入')
  if (!mayImport(staff, batch.level)) throw notGranted('导入')
  const items = await db.query<HandedItem & Record<string, unknown>>(sql`select i.ord, i.place, i.question, i.state, i.skip, i.subject_id, i.section, i.practice_id, i.like_id, i.like_kind, p.no as like_no, p.version_no::int as like_version
    from practice_import_item i left join practice p on p.id = i.like_id and p.deleted_at is null where i.import_id = ${id} order by i.ord`)
  return { batch, items }
}

/** Says why nothing can be written yet. @throws AppError while a label waits for a decision */
export async function checkImportLabels(db: Queryable, importId: number): Promise<void> {
  const open = (await readImportLabels(db, importId)).filter(({ fate }) => fate === 'open')
  if (open.length > 0) throw badRequest(`还有 ${open.length} 个知识点没有决定去向（${open.slice(0, 3).map(({ path }) => path.at(-1)).join('、')}），请先在“知识点”中处理`)
}

/** Says why an import cannot be taken back; null when it can. */
type UndoCheck = (tx: Queryable, importId: number) => Promise<string | null>

const checks: UndoCheck[] = []

/** Lets a module keep imports that it has made something of; called once by its server half. */
export function onImportUndo(check: UndoCheck): void {
  checks.push(check)
}

/** @throws AppError while something is made of the import */
export async function checkUndo(tx: Queryable, importId: number): Promise<void> {
  for (const check of checks) {
    const reason = await check(tx, importId)
    if (reason) throw badRequest(reason)
  }
}
