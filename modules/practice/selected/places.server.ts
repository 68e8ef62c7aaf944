import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { TableUse } from '../../../core/resource/uses.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { knowledgeLabel } from '../label/label.ts'
import { chapter } from '../textbook/textbook.ts'
import type { SetScope } from './calls.ts'

/** Something that questions are chosen for. */
export interface SetTarget {
  id: number
  subject_id: number
  /** What it shares with its neighbours: no question should be in two sets of them. */
  beside: number
}

/** How the places of one scope are found; every query has `id`, `subject_id`, `name`, `beside`, `above` and `path`. */
interface SetTargetKind {
  readonly noun: string
  /** All that the person may see. */
  places(staff: Staff): SQL
}

export const SET_TARGETS: Readonly<Record<SetScope, SetTargetKind>> = {
  chapter: {
    noun: '章节',
    places: (staff) => sql`select c.id, c.subject_id, c.name, c.partwork_id as beside, w.name as above, '/practice/ebook-catalogue-label?cat_id=' || c.subject_id || '&partwork_id=' || c.partwork_id || '&id=' || c.id as path
      from (select * from chapter where deleted_at is null and ${scopeCondition(chapter, staff) ?? sql`true`}) c join partwork w on w.id = c.partwork_id`,
  },
  label: {
    noun: '知识点',
    places: (staff) => sql`select id, subject_id, name, subject_id as beside, '知识点' as above, '/practice/knowledge-label?cat_id=' || subject_id || '&id=' || id as path
      from label where kind = 'knowledge' and deleted_at is null and ${scopeCondition(knowledgeLabel, staff) ?? sql`true`}`,
  },
}

/** A place within the person's reach. */
export async function findSetTarget(db: Queryable, staff: Staff, scope: SetScope, id: number): Promise<SetTarget> {
  const { noun, places } = SET_TARGETS[scope]
  const [row] = await db.query<SetTarget>(sql`select id, subject_id, beside from (${places(staff)}) x where id = ${id}`)
  if (!row) throw notFound(noun)
  return row
}

/** Questions that were chosen for a place, as what needs it. */
export const chosenFor = (scope: SetScope): Omit<TableUse, 'target'> => ({
  table: 'selected_item', label: '精选题', measure: '道', when: sql`r.set_id in (select x.id from selected_set x where x.scope = ${sql.raw(`'${scope}'`)} and x.ref_id = u.id)`,
})

/** One label takes the place of another: its sets are the other's, or stand behind what the other has already. */
export async function mergeSets(tx: Queryable, scope: SetScope, from: number, to: number): Promise<void> {
  await tx.query(sql`insert into selected_set (scope, ref_id, product_line, group_key, target_n, version_no, staff_id) select scope, ${to}, product_line, group_key, target_n, 0, staff_id from selected_set
    where scope = ${scope} and ref_id = ${from} on conflict do nothing`)
  await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no) select y.id, i.practice_id, i.ord + coalesce((select max(ord) from selected_item where set_id = y.id), 0), i.version_no
    from selected_set x join selected_item i on i.set_id = x.id join selected_set y on y.scope = x.scope and y.ref_id = ${to} and y.product_line = x.product_line and y.group_key = x.group_key
    where x.scope = ${scope} and x.ref_id = ${from} on conflict do nothing`)
  await tx.query(sql`update selected_set y set version_no = y.version_no + 1 from selected_set x where x.scope = ${scope} and x.ref_id = ${from} and y.scope = x.scope and y.ref_id = ${to} and y.product_line = x.product_line and y.group_key = x.group_key`)
  await tx.query(sql`with gone as (delete from selected_set where scope = ${scope} and ref_id = ${from} returning id) delete from selected_item where set_id in (select id from gone)`)
}
