import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { readCountedPage } from '../../core/resource/list.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { openWith } from '../offer/door.server.ts'
import { relationGraph, setRelations, type LessonGraph } from './calls.ts'
import { findLesson } from './find.server.ts'
import { cycleThrough, type Edge } from './graph.ts'
import { lesson } from './lesson.ts'
import { lessonRelation } from './relation.ts'
import { OPENING, RELATION, RELATIONS, type RelationKind } from './relation-kind.ts'
import { requireJoint } from './tag-rules.server.ts'

const STEP = 10
const COMPUTED = { is_parent: sql`exists (select 1 from lesson_relation r where r.parent_id = t.child_id and r.deleted_at is null)::int` }

export const relations = serve(lessonRelation)({ computed: COMPUTED })

interface Stored { id: number; child_id: number; kind: RelationKind }

/** Names of courses, by their ids. */
async function namesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; title: string }>(sql`select id, title from offer where id = any(${sql.param([...ids])}::bigint[])`)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** @throws AppError when a course that is to go along is not there, or out of reach */
async function checkChildren(tx: Queryable, staff: Staff, ids: readonly number[]): Promise<void> {
  const rows = await tx.query(sql`select id from offer where ${listCondition(lesson, staff, {})} and id = any(${sql.param([...ids])}::bigint[]) order by id for key share`)
  if (rows.length < ids.length) throw invalid({ child_ids: '关联课程不存在或已被删除，请重新选择' })
}

/** @throws AppError that names the courses on a way back to where they began */
async function refuseCycle(tx: Queryable, from: number): Promise<void> {
  const edges = await tx.query<Edge & Record<string, unknown>>(sql`select parent_id as parent, child_id as child, kind from lesson_relation where deleted_at is null and kind <> ${RELATION.alike}`)
  const way = cycleThrough(edges, from)
  if (!way) return
  const names = await namesOf(tx, way)
  throw badRequest(`关联形成了循环：${way.map((id) => `「${names.get(id) ?? id}」`).join(' → ')}，请先解除其中一个`)
}

/** @throws AppError when courses that are alike are said to be so twice */
async function refuseTwice(tx: Queryable, parentId: number, childIds: readonly number[]): Promise<void> {
  const [twice] = await tx.query<{ title: string }>(sql`select o.title from lesson_relation r join offer o on o.id = r.parent_id where r.child_id = ${parentId} and r.kind = ${RELATION.alike} and r.deleted_at is null
    and r.parent_id = any(${sql.param([...childIds])}::bigint[]) limit 1`)
  if (twice) throw invalid({ child_ids: `「${twice.title}」已经把本课程设为同类，不用重复关联` })
}

/** Makes a set of courses go with one in this way, and no others. Whoever writes relations waits for whoever does so already. */
export async function writeRelations(tx: Queryable, staff: Staff, { parent_id, child_ids, kind, sort = 0 }: { parent_id: number; child_ids: readonly number[]; kind: RelationKind; sort?: number | undefined }): Promise<void> {
  const wanted = [...new Set(child_ids)]
  if (wanted.includes(parent_id)) throw invalid({ child_ids: '课程不能关联自己' })
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('lesson_relation'))`)
  await checkChildren(tx, staff, wanted)
  if (kind === RELATION.alike) await refuseTwice(tx, parent_id, wanted)
  const known = await tx.query<Stored & Record<string, unknown>>(sql`select id, child_id, kind from lesson_relation where parent_id = ${parent_id} and deleted_at is null order by sort, id`)
  const [own, others] = [known.filter((one) => one.kind === kind), known.filter((one) => one.kind !== kind)]
  const gone = own.filter(({ child_id }) => !wanted.includes(child_id)).map(({ id }) => id)
  if (gone.length > 0) await touch(tx, lessonRelation, { deleted_at: sql`now()` }, gone)
  for (const [index, child_id] of wanted.entries()) {
    const place = sort + (index + 1) * STEP
    const there = own.find((one) => one.child_id === child_id)
    if (there) await touch(tx, lessonRelation, { sort: place }, sql`t.id = ${there.id} and t.sort <> ${place}`)
    else await insertRow(tx, lessonRelation, staff.id, { parent_id, child_id, kind, sort: place }, COMPUTED)
  }
  await refuseCycle(tx, parent_id)
  const opened = [...others.filter((one) => OPENING.includes(one.kind)).map(({ child_id }) => child_id), ...(OPENING.includes(kind) ? wanted : [])]
  await openWith(tx, parent_id, [...new Set(opened)])
  await requireJoint(tx, parent_id)
}

/** Courses that are connected with one, however far, within a person's scopes. */
async function graphOf(db: Queryable, staff: Staff, id: number): Promise<LessonGraph> {
  const edges = await db.query<Edge & Record<string, unknown>>(sql`with recursive near (id) as (
      select ${id}::bigint union select case when r.parent_id = n.id then r.child_id else r.parent_id end from near n join lesson_relation r on (r.parent_id = n.id or r.child_id = n.id) and r.deleted_at is null)
    select r.parent_id as parent, r.child_id as child, r.kind from lesson_relation r where r.deleted_at is null and r.parent_id in (select id from near) order by r.sort, r.id limit 2000`)
  const ids = [...new Set([id, ...edges.flatMap(({ parent, child }) => [parent, child])])]
  const nodes = await db.query<LessonGraph['nodes'][number] & Record<string, unknown>>(sql`select t.id, t.title as name, t.state, s.name as subject_name from offer t join subject s on s.id = t.subject_id
    where t.id in (select id from offer where ${listCondition(lesson, staff, {})} and id = any(${sql.param(ids)}::bigint[])) order by t.id`)
  const seen = new Set(nodes.map((node) => node.id))
  return { nodes, edges: edges.filter(({ parent, child }) => seen.has(parent) && seen.has(child)) }
}

/** The calls of relations beside their list, answered. */
export const relationCalls: readonly Served[] = [
  handle(setRelations, (call) => call.transaction(async (tx) => {
    const { id } = await findLesson(tx, call.staff, call.input.parent_id)
    const kind = RELATIONS.find(({ value }) => value === call.input.kind)?.value ?? RELATION.before
    await writeRelations(tx, call.staff, { ...call.input, parent_id: id, kind })
    const { rows, total } = await readCountedPage(tx, lessonRelation, call.staff, { parent_id: String(id), page_size: '200' }, COMPUTED)
    return { items: rows.map((row) => showRow(lessonRelation, call.staff, row)), total }
  })),
  handle(relationGraph, async (call) => graphOf(call.db, call.staff, (await findLesson(call.db, call.staff, idParam(call))).id)),
]
