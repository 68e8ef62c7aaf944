import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound, staleWrite } from '../../core/error/error.ts'
import { DRAFT_LENGTH, type OrderDraft } from './calls.ts'

/** Drafts that one person may have of a line: more are forgotten ones. */
const MOST = 50

const COLUMNS = sql.raw('id, step, body, rev, created_at, updated_at')

type Part = Pick<OrderDraft, 'step' | 'body'>

function textOf({ body }: Part): string {
  const text = JSON.stringify(body)
  if (text.length > DRAFT_LENGTH) throw badRequest('草稿内容过长')
  return text
}

/** Whose drafts, of which line's orders. */
interface Owner {
  staffId: number
  resource: string
}

/** A person's drafts, the last one first. */
export function readDrafts(db: Queryable, { staffId, resource }: Owner): Promise<OrderDraft[]> {
  return db.query<OrderDraft>(sql`select ${COLUMNS} from order_draft where staff_id = ${staffId} and resource = ${resource} order by updated_at desc, id desc`)
}

/** Begins a draft. */
export async function addDraft(tx: Queryable, { staffId, resource }: Owner, draft: Part): Promise<OrderDraft> {
  const [count] = await tx.query<{ n: number }>(sql`select count(*) as n from order_draft where staff_id = ${staffId} and resource = ${resource}`)
  if (count && count.n >= MOST) throw badRequest(`最多保留 ${MOST} 个草稿，请先提交或丢弃旧的草稿`)
  const [row] = await tx.query<OrderDraft>(sql`insert into order_draft (staff_id, resource, step, body) values (${staffId}, ${resource}, ${draft.step}, ${textOf(draft)}::jsonb) returning ${COLUMNS}`)
  if (!row) throw new Error('the draft was not stored')
  return row
}

/** Reads one of a person's drafts for changing it. @throws notFound when it is not theirs */
export async function lockDraft(tx: Queryable, { staffId, resource }: Owner, id: number): Promise<OrderDraft> {
  const [row] = await tx.query<OrderDraft>(sql`select ${COLUMNS} from order_draft where id = ${id} and staff_id = ${staffId} and resource = ${resource} for update`)
  if (!row) throw notFound('草稿')
  return row
}

/**
 * Saves a draft as it stands.
 * @param rev revision that was read; another window may have gone on meanwhile
 */
export async function saveDraft(tx: Queryable, owner: Owner, id: number, draft: Part, rev: number | undefined): Promise<OrderDraft> {
  const known = await lockDraft(tx, owner, id)
  if (rev !== undefined && rev !== known.rev) throw staleWrite(undefined, known)
  const [row] = await tx.query<OrderDraft>(sql`update order_draft set step = ${draft.step}, body = ${textOf(draft)}::jsonb, rev = rev + 1, updated_at = now() where id = ${id} returning ${COLUMNS}`)
  if (!row) throw notFound('草稿')
  return row
}

/** Forgets a draft. */
export async function dropDraft(tx: Queryable, { staffId, resource }: Owner, id: number): Promise<void> {
  await tx.query(sql`delete from order_draft where id = ${id} and staff_id = ${staffId} and resource = ${resource}`)
}
