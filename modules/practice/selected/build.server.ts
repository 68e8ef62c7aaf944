import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Call } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { holdTargets } from '../../../core/resource/write.server.ts'
import { knowledgeLabel } from '../label/label.ts'
import { chapter } from '../textbook/textbook.ts'
import { setOwner, type SetScope } from './calls.ts'
import { proposeFor } from './fill.server.ts'
import { tellBuilt } from './owner.server.ts'
import { findSetTarget, SET_TARGETS, type SetTarget } from './places.server.ts'
import { mayReach, type Wanted } from './visible.server.ts'

/** What questions are chosen for, as a record. */
const targetOf = (scope: SetScope) => (scope === 'chapter' ? chapter : knowledgeLabel)

/** Whoever builds, as the log names them. Without the id of a request nothing is logged: the demo changes nothing, it begins. */
type Builder = Pick<Call, 'staff' | 'ip'> & { readonly requestId: string | undefined }

interface Which extends Wanted {
  readonly group_key: number
}

interface Built {
  /** The version that the person began with. */
  readonly version_no: number
  readonly target_n: number | null
  readonly practice_ids: readonly number[]
}

/**
 * Builds a set as a whole. The place was found and the right was looked at.
 * @returns who was first, where somebody built it meanwhile: nothing is written then
 * @throws AppError when a question cannot be chosen
 */
export async function buildSet(tx: Queryable, { staff, ip, requestId }: Builder, which: Which, at: SetTarget, { version_no, target_n, practice_ids }: Built): Promise<{ by: string | null } | undefined> {
  const { scope, product_line, group_key } = which
  await holdTargets(tx, targetOf(scope), [at.id])
  const ids = [...new Set(practice_ids)]
  const found = await tx.query<{ id: number; pool: string; subject_id: number; difficulty: number | null }>(sql`select p.id, p.pool, p.subject_id, p.difficulty from practice p where p.id = any(${sql.param(ids)}::bigint[]) and p.deleted_at is null and ${mayReach(staff, which, at)}`)
  if (found.length < ids.length) throw notFound('要选入的试题')
  if (found.some(({ pool }) => pool !== 'official')) throw invalid({ practice_ids: '只能选入正式题库的试题' })
  if (found.some(({ subject_id }) => subject_id !== at.subject_id)) throw invalid({ practice_ids: `试题与${SET_TARGETS[scope].noun}应为同一学科` })
  const owner = setOwner(product_line)
  if (owner?.difficulties && found.some(({ difficulty }) => difficulty === null || !owner.difficulties?.includes(difficulty))) throw invalid({ practice_ids: `${owner.name}只收难度 ${owner.difficulties.join('、')} 的试题` })
  // Building is what locks: of two people the second waits, and is then told of the first.
  await tx.query(sql`insert into selected_set (scope, ref_id, product_line, group_key, version_no) values (${scope}, ${at.id}, ${product_line}, ${group_key}, 0) on conflict do nothing`)
  const [set] = await tx.query<{ id: number; version_no: number; staff_name: string | null }>(sql`select x.id, x.version_no, s.name as staff_name from selected_set x left join staff s on s.id = x.staff_id where x.scope = ${scope} and x.ref_id = ${at.id} and x.product_line = ${product_line} and x.group_key = ${group_key} for no key update of x`)
  if (!set) throw notFound('精选题')
  if (set.version_no !== version_no) return { by: set.staff_name }
  const before = (await tx.query<{ id: number }>(sql`select practice_id as id from selected_item where set_id = ${set.id} order by ord`)).map(({ id }) => id)
  await tx.query(sql`delete from selected_item where set_id = ${set.id}`)
  await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no) select ${set.id}, p.id, u.place, p.version_no from unnest(${sql.param(ids)}::bigint[]) with ordinality u(id, place) join practice p on p.id = u.id`)
  await tx.query(sql`update selected_set set version_no = version_no + 1, target_n = ${target_n}, staff_id = ${staff.id}, at = now() where id = ${set.id}`)
  // One line of the log says what the rebuild changed.
  if (requestId !== undefined) await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
    values (${staff.id}, ${ip}, ${requestId}, 'rebuild', 'selected_set', ${set.id}, ${JSON.stringify({ practice_ids: before })}::jsonb, ${JSON.stringify({ practice_ids: ids })}::jsonb)`)
  await tellBuilt(tx, { scope, ref_id: at.id, product_line, group_key, n: ids.length })
  return undefined
}

/** How many questions sets of places should have; those that were never built come to be, empty. */
export async function setTargets(tx: Queryable, staff: Staff, { scope, product_line }: Wanted, targets: readonly { ref_id: number; group_key: number; target_n: number }[]): Promise<void> {
  await holdTargets(tx, targetOf(scope), [...new Set(targets.map(({ ref_id }) => ref_id))].sort((a, b) => a - b))
  await tx.query(sql`insert into selected_set (scope, ref_id, product_line, group_key, version_no, target_n, staff_id)
    select ${scope}, r.ref_id, ${product_line}, r.group_key, 0, r.target_n, ${staff.id} from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as r (ref_id bigint, group_key int, target_n int) order by r.ref_id, r.group_key
    on conflict (scope, ref_id, product_line, group_key) do update set target_n = excluded.target_n, version_no = selected_set.version_no + 1, staff_id = excluded.staff_id, at = now() where selected_set.target_n is distinct from excluded.target_n`)
}

/**
 * Fills what sets lack of their targets, place after place, with what the bank has.
 * @returns how many questions were chosen, and how many are still missing
 */
export async function fillSets(tx: Queryable, builder: Builder, wanted: Wanted, holes: readonly { ref_id: number; group_key: number }[]): Promise<{ filled: number; left: number }> {
  const done = { filled: 0, left: 0 }
  for (const { ref_id, group_key } of holes) {
    const at = await findSetTarget(tx, builder.staff, wanted.scope, ref_id)
    const [set] = await tx.query<{ version_no: number; target_n: number | null; ids: number[] }>(sql`select x.version_no, x.target_n, coalesce((select array_agg(i.practice_id order by i.ord) from selected_item i where i.set_id = x.id), '{}') as ids
      from selected_set x where x.scope = ${wanted.scope} and x.ref_id = ${ref_id} and x.product_line = ${wanted.product_line} and x.group_key = ${group_key} for no key update`)
    const missing = (set?.target_n ?? 0) - (set?.ids.length ?? 0)
    if (!set || missing <= 0) continue
    const found = await proposeFor(tx, wanted.scope, at, { product_line: wanted.product_line, group_key, n: missing, taken: set.ids }, mayReach(builder.staff, wanted, at), SET_TARGETS[wanted.scope].places(builder.staff))
    done.left += missing - found.length
    if (found.length === 0) continue
    await buildSet(tx, builder, { ...wanted, group_key }, at, { version_no: set.version_no, target_n: set.target_n, practice_ids: [...set.ids, ...found] })
    done.filled += found.length
  }
  return done
}
