import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { assetFacts } from '../asset/door.server.ts'
import { addOutlineOwner, createOutline, describeBlocks, outlinesOf, publishedOf, replaceContents } from '../outline/door.server.ts'
import { fullName } from '../reference/module.ts'
import { DIRECTORY_RIGHTS, outlinePath } from './api.ts'
import { openOutline, putContents, seniorCourses, seniorVideos, type CourseVideo, type SeniorCourse } from './calls.ts'
import { classCourse, COURSE_STATE, seniorCourse } from './course.ts'

/** Kind of owner under which the outlines of class courses are kept. */
export const OWNER = 'class_course'

interface Owner { id: number; name: string; subject_id: number; subject: string; level: number }

/** Lets class courses have outlines. */
export function addCourseOutlines(): void {
  addOutlineOwner({
    kind: OWNER, label: '课堂课程目录', blocks: ['video', 'micro', 'paper', 'file', 'audio', 'combination', 'text'],
    grants: { view: DIRECTORY_RIGHTS.screen, edit: DIRECTORY_RIGHTS.id('outline'), publish: DIRECTORY_RIGHTS.id('publish') },
    complete: { each: 'lesson', needs: [{ key: 'video', label: '视频', hint: '视频或微课，至少要有一个', blocks: { kinds: ['video', 'micro'] } }, { key: 'paper', label: '试卷', hint: '至少要有一份', blocks: { kinds: ['paper'] } }] },
    async find(db, staff, ids) {
      const rows = await db.query<Owner & Record<string, unknown>>(sql`select t.id, t.name, t.subject_id, s.name as subject, s.level from class_course t join subject s on s.id = t.subject_id
        where t.id in (select id from class_course where ${listCondition(classCourse, staff, {})} and id = any(${sql.param([...ids])}::bigint[]))`)
      return new Map(rows.map(({ id, name, subject, level, subject_id }) => [id, { title: name, note: fullName(subject, level), subject_id }]))
    },
    path: outlinePath,
  })
}

/** A course within a person's reach. @throws notFound */
async function reach(db: Queryable, staff: Staff, resource: Resource, id: number): Promise<{ id: number; name: string }> {
  const [row] = await db.query<{ id: number; name: string }>(sql`select id, name from class_course where ${listCondition(resource, staff, {})} and id = ${id}`)
  if (!row) throw notFound(resource.label)
  return row
}

/** How many videos and micro lessons each outline shows its learners. */
async function videoCounts(db: Queryable, courseIds: readonly number[]): Promise<ReadonlyMap<number, { videos: number; version: number }>> {
  const rows = await db.query<{ owner_id: number; version_no: number; n: number }>(sql`select o.owner_id, o.version_no::int as version_no, (select count(*)::int from outline_shown s where s.outline_id = o.id and s.kind in ('video', 'micro')) as n
    from outline o where o.owner_kind = ${OWNER} and o.owner_id = any(${sql.param([...courseIds])}::bigint[])`)
  return new Map(rows.map(({ owner_id, version_no, n }) => [owner_id, { videos: n, version: version_no }]))
}

const PAGE = 50

/** The videos of a course in their order, as its learners get them. */
async function videosOf(db: Queryable, courseId: number): Promise<CourseVideo[]> {
  const outline = (await outlinesOf(db, OWNER, [courseId])).get(courseId)
  const version = outline && await publishedOf(db, outline.id)
  if (!version) return []
  const { nodes, blocks } = version.body
  const living = nodes.filter(({ gone_since }) => gone_since === null)
  const below = Map.groupBy(living, ({ parent }) => parent)
  const byOrd = (a: { ord: string; key: string }, b: { ord: string; key: string }) => (a.ord === b.ord ? (a.key < b.key ? -1 : 1) : a.ord < b.ord ? -1 : 1)
  const walk = (parent: string | null): typeof living => (below.get(parent) ?? []).toSorted(byOrd).flatMap((node) => [node, ...walk(node.key)])
  const shown = walk(null).flatMap((node) => blocks.filter((block) => block.node === node.key && (block.kind === 'video' || block.kind === 'micro')).toSorted(byOrd).map((block) => ({ node, block })))
  const facts = new Map((await describeBlocks(db, shown.map(({ block }) => block))).map((fact) => [`${fact.kind} ${fact.id}`, fact]))
  const urls = new Map((await assetFacts('video')(db, shown.flatMap(({ block: { kind, ref_id } }) => (kind === 'video' ? [ref_id] : [])))).map(({ id, url }) => [id, url]))
  return shown.map(({ node, block }) => {
    const fact = facts.get(`${block.kind} ${block.ref_id}`)
    return {
      id: block.ref_id, kind: block.kind === 'video' ? 'video' : 'micro', name: block.name, cover: fact?.cover ?? null, url: block.kind === 'video' ? urls.get(block.ref_id) ?? null : null,
      minutes: fact?.minutes ?? block.minutes, node_id: node.id, node_name: node.name,
    }
  })
}

/** The calls of class courses that concern what they teach, answered. */
export const outlineCalls = (): Served[] => [
  handle(openOutline, (call) => call.transaction(async (tx) => {
    const { id, name } = await reach(tx, call.staff, classCourse, idParam(call))
    return { outline_id: await createOutline(tx, { kind: OWNER, id }), name }
  }, { action: 'open_outline' })),
  handle(seniorCourses, async (call) => {
    const { cat_id, page = '0', page_size = String(PAGE) } = call.input
    const size = Math.max(1, Number(page_size))
    const where = sql`${listCondition(seniorCourse, call.staff, {})}${cat_id === undefined ? sql`` : sql` and subject_id = ${Number(cat_id)}`}`
    const rows = await call.db.query<Omit<SeniorCourse, 'video_count' | 'version_no' | 'status'> & { state: number }>(sql`select t.id, t.name, t.subject_id as cat_id, s.name as cat_name, t.cover, t.state, extract(epoch from t.updated_at)::int as updated_at
      from (select * from class_course where ${where} order by sort, id limit ${size} offset ${Number(page) * size}) t join subject s on s.id = t.subject_id order by t.sort, t.id`)
    const [counted] = await call.db.query<{ n: number }>(sql`select count(*)::int as n from class_course where ${where}`)
    const counts = await videoCounts(call.db, rows.map(({ id }) => id))
    return {
      items: rows.map(({ state, ...row }): SeniorCourse => ({ ...row, status: state === COURSE_STATE.on ? 1 : 0, video_count: counts.get(row.id)?.videos ?? 0, version_no: counts.get(row.id)?.version ?? 0 })),
      total: counted?.n ?? 0,
    }
  }),
  handle(seniorVideos, async (call) => {
    const { course_id } = call.input
    if (course_id === undefined) return { items: [], total: 0 }
    const { id } = await reach(call.db, call.staff, seniorCourse, Number(course_id))
    const items = await videosOf(call.db, id)
    return { items, total: items.length }
  }),
  handle(putContents, (call) => call.transaction(async (tx) => {
    const { course_id, node_id, contents } = call.input
    const { id } = await reach(tx, call.staff, classCourse, course_id)
    return replaceContents(tx, call.staff, await createOutline(tx, { kind: OWNER, id }), node_id ?? undefined, contents)
  }, { action: 'put_contents' })),
]
