import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { change, create, remove, switchIn, type Pipeline } from '../../core/resource/operations.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { averageStar, shownComments } from '../comment/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { fullName } from '../reference/module.ts'
import { createLesson, lessonsBySubject, removeLesson, updateLesson, videosSchema, type ShownLesson } from './calls.ts'
import { LESSON_TARGET } from './evaluation.ts'
import { lesson, OUTLINE_KIND } from './lesson.ts'
import { lessonToEdit } from './find.server.ts'
import { addVideos, readVideos } from './video.server.ts'

const KIND = sql.raw(`'${OUTLINE_KIND}'`)
/** Nodes of a course's outline that are in sight; `o` is the outline and `n` the node. */
const living = sql`from outline o join outline_node n on n.outline_id = o.id where o.owner_kind = ${KIND} and o.owner_id = t.id and not n.gone
  and not exists (select 1 from outline_node a where a.outline_id = o.id and a.gone and n.path like '%/' || a.id || '/%')`
const videoCount = sql`select count(*)::int from outline_block b where b.kind = 'video' and b.node_id in (select n.id ${living})`
const SELLING = sql.raw(String(OFFER_STATE.selling))

/** Computed fields of courses; `t` is the offer. */
export const LESSON_COMPUTED: Readonly<Record<string, SQL>> = {
  is_parent: sql`exists (select 1 from lesson_relation r where r.parent_id = t.id and r.deleted_at is null)::int`,
  section_cnt: sql`select count(*)::int ${living}`,
  video_cnt: videoCount,
  star: averageStar(LESSON_TARGET, sql`t.id`),
  comment_cnt: shownComments(LESSON_TARGET, sql`t.id`),
  unhealthy: sql`nullif(concat_ws('、', case when t.cover is null then '缺封面' end, case when (${videoCount}) = 0 then '没有视频' end,
    case when t.state = ${SELLING} and not exists (select 1 from outline o where o.owner_kind = ${KIND} and o.owner_id = t.id and o.version_no > 0) then '章节未发布' end,
    case when exists (select 1 from outline o where o.owner_kind = ${KIND} and o.owner_id = t.id and o.state = 2) then '章节有未发布的改动' end,
    case when t.state = ${SELLING} and t.valid_until < now() then '有效期已过' end), '')`,
}

interface Grouped extends ShownLesson { subject: string; level: number }

/** Courses that are not put away, by their subjects. */
async function groupsOf(db: Queryable, staff: Staff, catId: string | undefined) {
  const rows = await db.query<Grouped & Record<string, unknown>>(sql`select t.id, t.title as name, t.subject_id as cat_id, t.cover, t.state, (t.state = ${SELLING})::int as status, t.difficulty, s.name as subject, s.level,
      ${LESSON_COMPUTED['is_parent']} as "isParent", (${LESSON_COMPUTED['section_cnt']}) as section_cnt, (${LESSON_COMPUTED['video_cnt']}) as video_cnt, ${LESSON_COMPUTED['star']} as star, ${LESSON_COMPUTED['unhealthy']} as unhealthy
    from offer t join subject s on s.id = t.subject_id where t.id in (select id from offer where ${listCondition(lesson, staff, {})}) and t.state <> ${sql.raw(String(OFFER_STATE.archived))}
      ${catId === undefined ? sql`` : sql`and t.subject_id = ${Number(catId)}`} order by t.subject_id, t.sort, t.id limit 2000`)
  return [...Map.groupBy(rows, ({ cat_id }) => cat_id)].map(([cat_id, lessons]) => ({
    cat_id, name: fullName(lessons[0]?.subject ?? '', lessons[0]?.level ?? 0), lessons: lessons.map(({ subject: _subject, level: _level, ...one }): ShownLesson => one),
  }))
}

/** The videos that a body brings; undefined where it says nothing of them. @throws AppError that names the field */
function videosIn(input: Readonly<Record<string, unknown>>) {
  if (input['videos'] === undefined || input['videos'] === null) return undefined
  const { success, data, error } = videosSchema.safeParse(input['videos'])
  if (!success) throw invalid({ videos: error.issues[0]?.message ?? '视频有误' })
  return data
}

/** The specification's own calls of courses; the console's stand below `end/lesson`. */
export function lessonCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const pipeline = ({ staff }: Pick<Call, 'staff'>): Pipeline => {
    const service = registry.get(lesson.name)
    if (!service) throw new Error('courses are not served')
    return { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff }
  }
  /** A course as it is answered, with its videos. */
  const answer = async (tx: Queryable, staff: Staff, id: number, input: Readonly<Record<string, unknown>>) => {
    const videos = videosIn(input)
    const waits = videos && videos.length > 0 ? (await addVideos(tx, staff, await lessonToEdit(tx, staff, id), videos)).waits : null
    const service = registry.get(lesson.name)
    const row = await readOne(tx, lesson, staff, id, service?.rules.computed ?? {})
    if (!row) throw notFound(lesson.label)
    return { ...showRow(lesson, staff, row), videos: await readVideos(tx, id), waits }
  }
  return [
    handle(lessonsBySubject, async (call) => ({ groups: await groupsOf(call.db, call.staff, call.input.cat_id) })),
    handle(createLesson, (call) => call.transaction(async (tx) => answer(tx, call.staff, (await create(tx, pipeline(call), call.input)).record.id, call.input))),
    handle(updateLesson, (call) => {
      const switched = switchIn(lesson, call.input)
      return call.transaction(async (tx) => {
        const done = await change(tx, pipeline(call), idParam(call), call.input, { rev: call.input['rev'] })
        const undo = await keepUndo(tx, { resource: lesson, staff: call.staff, action: switched?.edge.name ?? 'update' }, [done])
        return { ...await answer(tx, call.staff, done.record.id, call.input), ...(undo !== undefined && { undo }) }
      }, switched && { action: switched.edge.name })
    }),
    handle(removeLesson, (call) => call.transaction(async (tx) => {
      const undo = await keepUndo(tx, { resource: lesson, staff: call.staff, action: 'remove' }, [await remove(tx, pipeline(call), idParam(call), { rev: call.input.rev })])
      return undo === undefined ? {} : { undo }
    })),
  ]
}
