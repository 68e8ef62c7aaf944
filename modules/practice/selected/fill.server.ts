import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { isBelowRow } from '../../../core/resource/tree-place.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { STATUS } from '../bank/practice.ts'
import { chapter } from '../textbook/textbook.ts'
import { SET_GROUPS, setOwner, type SetChapter, type SetScope } from './calls.ts'
import type { SetTarget } from './places.server.ts'

interface Row { id: number; parent_id: number | null; name: string; offered: number }

const PUBLISHED = sql`p.pool = 'official' and p.status = ${STATUS.published} and p.deleted_at is null`

/** Condition on `p`: published questions of a chapter `c` and of what is below it. */
const OFFICIAL = sql`${PUBLISHED} and p.id in (select pc.practice_id from practice_chapter pc join chapter b on b.id = pc.chapter_id
  where b.id = c.id or (b.partwork_id = c.partwork_id and ${isBelowRow('b', 'c')}))`

/** The chapters of a book in their order, each with how many questions its sets have and should have. */
export async function readProgress(db: Queryable, staff: Staff, partworkId: number, line: string): Promise<SetChapter[]> {
  const rows = await db.query<Row & Record<string, unknown>>(sql`select c.id, c.parent_id, c.name, (select count(*)::int from practice p where ${OFFICIAL}) as offered
    from (select * from chapter where partwork_id = ${partworkId} and deleted_at is null and ${scopeCondition(chapter, staff) ?? sql`true`}) c order by c.ord, c.id`)
  const sets = await db.query<{ ref_id: number; group_key: number; target_n: number | null; n: number }>(sql`select x.ref_id, x.group_key, x.target_n, (select count(*)::int from selected_item i where i.set_id = x.id) as n
    from selected_set x where x.scope = 'chapter' and x.product_line = ${line} and x.ref_id = any(${sql.param(rows.map(({ id }) => id))}::bigint[])`)
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const walk = (parent: number | null, depth: number): SetChapter[] => (below.get(parent) ?? []).flatMap(({ id, name, offered }) => [
    {
      id, name, depth, offered, leaf: !below.has(id),
      groups: SET_GROUPS.map(({ value }) => {
        const set = sets.find(({ ref_id, group_key }) => ref_id === id && group_key === value)
        return { group_key: value, n: set?.n ?? 0, target_n: set?.target_n ?? null }
      }),
    },
    ...walk(id, depth + 1),
  ])
  return walk(null, 0)
}

/** Difficulty (1 hard to 5 easy, spec 9) that suits each kind of set best. */
const SUITS: Readonly<Record<number, number>> = { 1: 4, 2: 3, 3: 2, 4: 1 }

/** Condition on `p`: published questions of a place, and of what is below it. */
const BELONGING: Readonly<Record<SetScope, (id: number) => SQL>> = {
  chapter: (id) => sql`${PUBLISHED} and p.id in (select pc.practice_id from chapter c join chapter b on b.id = c.id or (b.partwork_id = c.partwork_id and ${isBelowRow('b', 'c')}) join practice_chapter pc on pc.chapter_id = b.id where c.id = ${id})`,
  label: (id) => sql`${PUBLISHED} and p.id in (select t.practice_id from practice_label_tree t where t.label_id = ${id} and t.pool = 'official')`,
}

interface Lacking {
  readonly product_line: string
  readonly group_key: number
  readonly n: number
  readonly taken: readonly number[]
}

/** Questions that would fill a set, best first. @param visible condition on `p` */
export async function proposeFor(db: Queryable, scope: SetScope, at: SetTarget, set: Lacking, visible: SQL, places: SQL): Promise<number[]> {
  const { product_line, group_key, n, taken } = set
  const { difficulties } = setOwner(product_line) ?? {}
  const rows = await db.query<{ id: number }>(sql`with places as (${places}) select x.id from (
      select distinct on (coalesce(p.content_hash, p.id::text)) p.id, p.exercise_type, p.difficulty, p.use_count from practice p
      where ${BELONGING[scope](at.id)} and ${visible} and p.subject_id = ${at.subject_id} and p.id <> all(${sql.param([...taken])}::bigint[])
        ${difficulties ? sql`and p.difficulty = any(${sql.param([...difficulties])}::int[])` : sql``}
        and not exists (select 1 from practice q where q.id = any(${sql.param([...taken])}::bigint[]) and q.content_hash = p.content_hash)
        and not exists (select 1 from selected_item i join selected_set s on s.id = i.set_id and s.scope = ${scope} and s.product_line = ${product_line} join places o on o.id = s.ref_id and o.beside = ${at.beside}
          where i.practice_id = p.id and not (s.ref_id = ${at.id} and s.group_key = ${group_key}))
      order by coalesce(p.content_hash, p.id::text), p.id) x
    order by x.exercise_type is distinct from ${group_key}, abs(coalesce(x.difficulty, 3) - ${SUITS[group_key] ?? 3}), x.use_count, x.id limit ${n}`)
  return rows.map(({ id }) => id)
}
