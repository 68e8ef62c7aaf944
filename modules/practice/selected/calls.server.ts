import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound, staleWrite } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { reachable } from '../bank/access.server.ts'
import { readCards } from '../bank/card.server.ts'
import type { Use } from '../compare/calls.ts'
import type { PracticeUser } from '../compare/uses.server.ts'
import { EXERCISE_TYPES } from '../content/question.ts'
import { chapter } from '../textbook/textbook.ts'
import { rebuildSelected, selectedSets, type SelectedSet } from './calls.ts'

interface SetRow {
  id: number
  group_key: number
  target_n: number | null
  version_no: number
  staff_name: string | null
  at: number
}

/** A chapter within the person's reach. */
async function findChapter(db: Queryable, staff: Staff, id: number): Promise<{ id: number; subject_id: number; partwork_id: number }> {
  const [row] = await db.query<{ id: number; subject_id: number; partwork_id: number }>(sql`select id, subject_id, partwork_id from chapter where id = ${id} and deleted_at is null and ${scopeCondition(chapter as never, staff) ?? sql`true`}`)
  if (!row) throw notFound('章节')
  return row
}

const groupName = (key: number) => EXERCISE_TYPES.find(({ value }) => value === key)?.label ?? ''

/** Sets of a chapter with what a person may see of their questions. */
async function readSets(db: Queryable, staff: Staff, at: { id: number; partwork_id: number }): Promise<SelectedSet[]> {
  const sets = await db.query<SetRow>(sql`select x.id, x.group_key, x.target_n, x.version_no, s.name as staff_name, x.at from selected_set x left join staff s on s.id = x.staff_id where x.chapter_id = ${at.id}`)
  const items = await db.query<{ set_id: number; id: number; version_no: number; elsewhere: { chapter: string; group_key: number }[] }>(sql`select i.set_id, p.id, i.version_no,
      coalesce((select jsonb_agg(jsonb_build_object('chapter', c.name, 'group_key', o.group_key) order by c.id, o.group_key) from selected_item oi join selected_set o on o.id = oi.set_id join chapter c on c.id = o.chapter_id
        where oi.practice_id = i.practice_id and oi.set_id <> i.set_id and c.partwork_id = ${at.partwork_id} and c.deleted_at is null), '[]') as elsewhere
    from selected_item i join practice p on p.id = i.practice_id where i.set_id = any(${sql.param(sets.map(({ id }) => id))}::bigint[]) and p.deleted_at is null and ${reachable(staff)} order by i.set_id, i.ord`)
  const cards = new Map((await readCards(db, staff, [...new Set(items.map(({ id }) => id))])).map((card) => [card.id, card]))
  return EXERCISE_TYPES.map(({ value }) => {
    const set = sets.find(({ group_key }) => group_key === value)
    return {
      group_key: value, target_n: set?.target_n ?? null, version_no: set?.version_no ?? 0, staff_name: set?.staff_name ?? null, at: set?.at ?? null,
      items: items.filter(({ set_id }) => set_id === set?.id).flatMap(({ id, version_no, elsewhere }) => {
        const practice = cards.get(id)
        return practice ? [{ practice, version_no, elsewhere: elsewhere.map((one) => `${one.chapter} ${groupName(one.group_key)}`) }] : []
      }),
    }
  })
}

/** The calls of selected sets, answered. */
export function selectedCalls(): Served[] {
  return [
    handle(selectedSets, async (call) => ({ sets: await readSets(call.db, call.staff, await findChapter(call.db, call.staff, Number(call.input.chapter_id))) })),
    handle(rebuildSelected, (call) => call.transaction(async (tx) => {
      const { group_key, version_no, target_n = null } = call.input
      const at = await findChapter(tx, call.staff, call.input.chapter_id)
      const ids = [...new Set(call.input.practice_ids)]
      const found = await tx.query<{ id: number; pool: string; subject_id: number }>(sql`select p.id, p.pool, p.subject_id from practice p where p.id = any(${sql.param(ids)}::bigint[]) and p.deleted_at is null and ${reachable(call.staff)}`)
      if (found.length < ids.length) throw notFound('要选入的试题')
      if (found.some(({ pool }) => pool !== 'official')) throw invalid({ practice_ids: '只能选入正式题库的试题' })
      if (found.some(({ subject_id }) => subject_id !== at.subject_id)) throw invalid({ practice_ids: '试题与章节应为同一学科' })
      // Building is what locks: of two people the second waits, and is then told of the first.
      await tx.query(sql`insert into selected_set (chapter_id, group_key, version_no) values (${at.id}, ${group_key}, 0) on conflict (chapter_id, group_key) do nothing`)
      const [set] = await tx.query<{ id: number; version_no: number; staff_name: string | null }>(sql`select x.id, x.version_no, s.name as staff_name from selected_set x left join staff s on s.id = x.staff_id where x.chapter_id = ${at.id} and x.group_key = ${group_key} for update of x`)
      if (!set) throw notFound('精选题')
      if (set.version_no !== version_no) throw staleWrite(set.staff_name ?? undefined, await readSets(tx, call.staff, at))
      const before = (await tx.query<{ id: number }>(sql`select practice_id as id from selected_item where set_id = ${set.id} order by ord`)).map(({ id }) => id)
      await tx.query(sql`delete from selected_item where set_id = ${set.id}`)
      await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no) select ${set.id}, p.id, u.place, p.version_no from unnest(${sql.param(ids)}::bigint[]) with ordinality u(id, place) join practice p on p.id = u.id`)
      await tx.query(sql`update selected_set set version_no = version_no + 1, target_n = ${target_n}, staff_id = ${call.staff.id}, at = now() where id = ${set.id}`)
      // One line of the log says what the rebuild changed.
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
        values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'rebuild', 'selected_set', ${set.id}, ${JSON.stringify({ practice_ids: before })}::jsonb, ${JSON.stringify({ practice_ids: ids })}::jsonb)`)
      return { sets: await readSets(tx, call.staff, at) }
    })),
  ]
}

/** Sets as what uses questions. */
export const selectedUses: PracticeUser = {
  list: (db, staff, id) => db.query<Use>(sql`select '精选题' as kind, w.name || ' ' || c.name || ' ' || (case x.group_key when 1 then '例题' when 2 then '精选' else '深度练' end) as title,
      '/practice/ebook-catalogue-label?cat_id=' || c.subject_id || '&partwork_id=' || c.partwork_id || '&id=' || c.id as path
    from selected_item i join selected_set x on x.id = i.set_id join (select * from chapter where deleted_at is null and ${scopeCondition(chapter as never, staff) ?? sql`true`}) c on c.id = x.chapter_id join partwork w on w.id = c.partwork_id
    where i.practice_id = ${id} order by x.id limit 100`),
  async move(tx, _staff, from, to) {
    const moved = await tx.query<{ set_id: number }>(sql`with gone as (delete from selected_item where practice_id = ${from} returning set_id, ord)
      insert into selected_item (set_id, practice_id, ord, version_no) select g.set_id, ${to}, g.ord, p.version_no from gone g join practice p on p.id = ${to} on conflict do nothing returning set_id`)
    await tx.query(sql`update selected_set set version_no = version_no + 1 where id = any(${sql.param(moved.map(({ set_id }) => set_id))}::bigint[])`)
    return { moved: moved.length, left_alone: 0 }
  },
}
