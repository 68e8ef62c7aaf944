/** Whose page it is. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'

interface PlacedPage {
  readonly marking_id: number
  /** Not counted among the others; 0 for a page that is not stored yet. */
  readonly id: number
  readonly card_id: number
  readonly page_no: number
}

/** What becomes of a page that has a number: it counts, unless somebody has such a page already. The marking is locked. */
export async function stateWith(tx: Queryable, { marking_id, id, card_id, page_no }: PlacedPage, number: string): Promise<{ state: 'read' | 'twice'; problem: string | null }> {
  const [other] = await tx.query<{ card_id: number; page_no: number; name: string; ord: number }>(sql`select p.card_id, p.page_no, u.name, p.ord from card_page p join card_upload u on u.id = p.upload_id
    where p.marking_id = ${marking_id} and p.number = ${number} and p.state = 'read' and p.id <> ${id} and (p.page_no = ${page_no} or p.card_id <> ${card_id}) order by p.page_no <> ${page_no} limit 1`)
  if (!other) return { state: 'read', problem: null }
  const where = `「${other.name}」第 ${other.ord + 1} 页`
  return { state: 'twice', problem: other.page_no === page_no ? `考号 ${number} 的第 ${page_no} 页已经有了（${where}），这一页没有计入` : `考号 ${number} 的另一页（${where}）是另一次打印的答题卡，这一页没有计入` }
}

/** Nobody else places pages of this marking until the transaction ends. */
export const lockMarking = (tx: Queryable, id: number) => tx.query(sql`select 1 from card_marking where id = ${id} for no key update`)
