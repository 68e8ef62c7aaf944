import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notGranted, staleWrite } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { PRODUCT_LINES } from '../../reference/module.ts'
import { readCards } from '../bank/card.server.ts'
import { levelOfSubject } from '../bank/number.ts'
import type { Use } from '../compare/calls.ts'
import type { PracticeUser } from '../compare/uses.server.ts'
import { EVERY_LINE, holdsLine, proposeSelected, rebuildSelected, selectedSets, SET_EDIT, SET_GROUPS, SET_SCOPES, setOwner, setProgress, type SelectedSet } from './calls.ts'
import { buildSet } from './build.server.ts'
import { proposeFor, readProgress } from './fill.server.ts'
import { checkOwner } from './owner.server.ts'
import { findSetTarget, SET_TARGETS, type SetTarget } from './places.server.ts'
import { mayReach, type Wanted } from './visible.server.ts'

interface SetRow {
  id: number
  group_key: number
  target_n: number | null
  version_no: number
  staff_name: string | null
  at: number
}

const groupName = (key: number) => choiceLabel(SET_GROUPS, key)

const mayRead = (staff: Staff, { scope, product_line }: Wanted) => staff.modules.has(SET_SCOPES[scope]) || holdsLine(staff, scope, product_line)
const mayEdit = (staff: Staff, { scope, product_line }: Wanted) => staff.modules.has(SET_EDIT[scope]) || holdsLine(staff, scope, product_line, 'edit')

/** Sets of a place with what a person may see of their questions. */
export async function readSets(db: Queryable, staff: Staff, at: SetTarget, wanted: Wanted): Promise<SelectedSet[]> {
  const { scope, product_line } = wanted
  const sets = await db.query<SetRow>(sql`select x.id, x.group_key, x.target_n, x.version_no, s.name as staff_name, x.at from selected_set x left join staff s on s.id = x.staff_id
    where x.scope = ${scope} and x.ref_id = ${at.id} and x.product_line = ${product_line}`)
  const items = await db.query<{ set_id: number; id: number; version_no: number; elsewhere: { place: string; group_key: number }[]; twins: string[] | null }>(sql`with places as (${SET_TARGETS[scope].places(staff)})
    select i.set_id, p.id, i.version_no,
      coalesce((select jsonb_agg(jsonb_build_object('place', c.name, 'group_key', o.group_key) order by c.id, o.group_key) from selected_item oi join selected_set o on o.id = oi.set_id join places c on c.id = o.ref_id
        where oi.practice_id = i.practice_id and oi.set_id <> i.set_id and o.scope = ${scope} and o.product_line = ${product_line} and c.beside = ${at.beside}), '[]') as elsewhere,
      (select array_agg(q.no order by q.id) from selected_item oi join practice q on q.id = oi.practice_id where oi.set_id = i.set_id and oi.practice_id <> i.practice_id
        and (q.content_hash = p.content_hash or exists (select 1 from practice_similar x where x.kind = 'dup' and ((x.practice_id = p.id and x.other_id = q.id) or (x.practice_id = q.id and x.other_id = p.id))))) as twins
    from selected_item i join practice p on p.id = i.practice_id where i.set_id = any(${sql.param(sets.map(({ id }) => id))}::bigint[]) and p.deleted_at is null and ${mayReach(staff, wanted, at)} order by i.set_id, i.ord`)
  const cards = new Map((await readCards(db, staff, [...new Set(items.map(({ id }) => id))])).map((card) => [card.id, card]))
  return SET_GROUPS.map(({ value }) => {
    const set = sets.find(({ group_key }) => group_key === value)
    return {
      group_key: value, target_n: set?.target_n ?? null, version_no: set?.version_no ?? 0, staff_name: set?.staff_name ?? null, at: set?.at ?? null,
      items: items.filter(({ set_id }) => set_id === set?.id).flatMap(({ id, version_no, elsewhere, twins }) => {
        const practice = cards.get(id)
        return practice ? [{ practice, version_no, elsewhere: elsewhere.map((one) => `${one.place} ${groupName(one.group_key)}`), twins: twins ?? [] }] : []
      }),
    }
  })
}

/** The calls of selected sets, answered. */
export function selectedCalls(): Served[] {
  return [
    handle(selectedSets, async (call) => {
      const { scope, ref_id, product_line = EVERY_LINE } = call.input
      if (!mayRead(call.staff, { scope, product_line })) throw notGranted('查看精选题')
      const at = await findSetTarget(call.db, call.staff, scope, Number(ref_id))
      await checkOwner(call.db, call.staff, product_line, at.beside)
      return { sets: await readSets(call.db, call.staff, at, { scope, product_line }) }
    }),
    handle(rebuildSelected, (call) => call.transaction(async (tx) => {
      const { scope, product_line = EVERY_LINE, group_key, version_no, target_n = null, practice_ids } = call.input
      if (!mayEdit(call.staff, { scope, product_line })) throw notGranted('编辑精选题')
      const at = await findSetTarget(tx, call.staff, scope, call.input.ref_id)
      await checkOwner(tx, call.staff, product_line, at.beside)
      if (PRODUCT_LINES.some(({ code, level }) => code === product_line && level !== levelOfSubject(at.subject_id))) throw invalid({ product_line: '产品线与学段不符' })
      const stale = await buildSet(tx, call, { scope, product_line, group_key }, at, { version_no, target_n, practice_ids })
      if (stale) throw staleWrite(stale.by ?? undefined, await readSets(tx, call.staff, at, { scope, product_line }))
      return { sets: await readSets(tx, call.staff, at, { scope, product_line }) }
    })),
    handle(setProgress, async (call) => {
      const { partwork_id, product_line = EVERY_LINE } = call.input
      if (!mayRead(call.staff, { scope: 'chapter', product_line })) throw notGranted('查看精选题')
      await checkOwner(call.db, call.staff, product_line, Number(partwork_id))
      return { chapters: await readProgress(call.db, call.staff, Number(partwork_id), product_line) }
    }),
    handle(proposeSelected, async (call) => {
      const { scope, ref_id, product_line = EVERY_LINE, group_key, n, taken } = call.input
      const wanted = { scope, product_line }
      if (!mayEdit(call.staff, wanted)) throw notGranted('编辑精选题')
      const at = await findSetTarget(call.db, call.staff, scope, ref_id)
      await checkOwner(call.db, call.staff, product_line, at.beside)
      const ids = await proposeFor(call.db, scope, at, { product_line, group_key, n, taken }, mayReach(call.staff, wanted, at), SET_TARGETS[scope].places(call.staff))
      const cards = await readCards(call.db, call.staff, ids)
      return { items: cards.map((practice) => ({ practice, version_no: practice.version_no, elsewhere: [], twins: [] })) }
    }),
  ]
}

/** Sets as what uses questions. */
export const selectedUses: PracticeUser = {
  count: (id) => sql`(select count(*) from selected_item i where i.practice_id = ${id})`,
  async list(db, staff, id) {
    const rows = await db.query<{ group_key: number; product_line: string; name: string; above: string; path: string }>(sql`select x.group_key, x.product_line, c.name, c.above, c.path from selected_item i join selected_set x on x.id = i.set_id
      join (select 'chapter' as scope, c.* from (${SET_TARGETS.chapter.places(staff)}) c union all select 'label', l.* from (${SET_TARGETS.label.places(staff)}) l) c on c.scope = x.scope and c.id = x.ref_id
      where i.practice_id = ${id} order by x.id limit 100`)
    return rows.map(({ group_key, product_line, name, above, path }): Use => ({
      kind: '精选题', title: [above, name, groupName(group_key), PRODUCT_LINES.find(({ code }) => code === product_line)?.name ?? setOwner(product_line)?.name].filter(Boolean).join(' '), path,
    }))
  },
  async move(tx, _staff, from, to) {
    const moved = await tx.query<{ set_id: number }>(sql`with gone as (delete from selected_item where practice_id = ${from} returning set_id, ord)
      insert into selected_item (set_id, practice_id, ord, version_no) select g.set_id, ${to}, g.ord, p.version_no from gone g join practice p on p.id = ${to} on conflict do nothing returning set_id`)
    await tx.query(sql`update selected_set set version_no = version_no + 1 where id = any(${sql.param(moved.map(({ set_id }) => set_id))}::bigint[])`)
    return { moved: moved.length, left_alone: 0 }
  },
}
