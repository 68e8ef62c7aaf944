import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { blockKind, brokenBlocks, describeBlocks, openBlocks, outlinesOf, publishedOf } from '../outline/door.server.ts'
import { classCourse } from './course.ts'
import { ACCOUNT_STATE } from './grant.ts'
import { OWNER } from './outline.server.ts'
import { PLAN_STATE, trainingPlan } from './plan.ts'
import { findShown, planRooms, planSources, planVersions, publishPreview, readPlan, sourceLessons, type PlanContent, type PlanVersion, type Source } from './plan-calls.ts'
import { writeUses } from './plan-uses.server.ts'
import { roomsOf, turnRooms } from './run.server.ts'
import { differences, lastDay, WEEK, type Lesson, type PlanTask } from './tasks.ts'

const listOf = (value: unknown) => (value ?? []) as PlanTask[]
/** What tasks show, as blocks are named. */
const shownBy = (tasks: readonly PlanTask[]) => tasks.flatMap(({ show }) => show ?? [])

/** Refuses what is not there, of what was not there before, and opens the rest to those who see plans. */
async function checkTasks(tx: Queryable, tasks: readonly PlanTask[], before: readonly PlanTask[]): Promise<void> {
  const had = new Set(shownBy(before).map(({ kind, ref_id }) => `${kind} ${ref_id}`))
  const fresh = shownBy(tasks).filter(({ kind, ref_id }) => !had.has(`${kind} ${ref_id}`))
  const known = new Set((await describeBlocks(tx, fresh)).map(({ kind, id }) => `${kind} ${id}`))
  const missing = fresh.find(({ kind, ref_id }) => !known.has(`${kind} ${ref_id}`))
  if (missing) throw invalid({ tasks: `${blockKind(missing.kind)?.label ?? '内容'}不存在或已被删除，请重新选择` })
  await openBlocks(tx, fresh, trainingPlan.grant)
}

interface Row { id: number; state: number | null; tasks: unknown; published: unknown; version_no: number | null; weeks: number }

/** Makes what is edited what rooms work through, from their next day on. @throws AppError when something of it cannot be shown */
async function publish(tx: Queryable, staffId: number, row: Row): Promise<void> {
  const tasks = listOf(row.tasks)
  if (tasks.length === 0) throw badRequest('还没有任务，不能发布')
  if (lastDay(tasks) > row.weeks * WEEK) throw badRequest(`任务排到第 ${lastDay(tasks)} 天，超过了 ${row.weeks} 周，请改周数或移动任务`)
  const blocks = tasks.flatMap(({ key, title, show }) => (show ? [{ ...show, key, title, text: '', node: '', ord: '', slot: null, version_no: null }] : []))
  const broken = brokenBlocks({ blocks }, await describeBlocks(tx, blocks))
  if (broken.length > 0) throw badRequest(`不能发布：${broken.slice(0, 3).map(({ name, words }) => `「${name}」${words}`).join('；')}`)
  const no = row.version_no ?? 0
  if (no > 0 && JSON.stringify(tasks) === JSON.stringify(listOf(row.published))) {
    if (row.state === PLAN_STATE.live) throw badRequest('没有未发布的改动')
    return
  }
  await tx.query(sql`insert into plan_version (plan_id, no, tasks, staff_id) values (${row.id}, ${no + 1}, ${JSON.stringify(tasks)}::jsonb, ${staffId})`)
  await touch(tx, trainingPlan, { published: tasks, version_no: no + 1, published_by: staffId }, row.id)
  await writeUses(tx, row.id, tasks, tasks)
  await turnRooms(tx, row.id, no + 1)
}

const running = sql`from room_course g where g.kind = 'plan' and g.plan_id = t.id and g.state in (1, 2) and g.deleted_at is null`

export const planService = serve(trainingPlan)({
  computed: {
    task_cnt: sql`coalesce(jsonb_array_length(t.tasks), 0)`,
    room_cnt: sql`(select count(*)::int ${running})`,
    student_cnt: sql`(select count(*)::int from class_account a where a.state = ${sql.raw(String(ACCOUNT_STATE.used))} and a.deleted_at is null and a.grant_id in (select g.id ${running}))`,
  },
  segments: {
    needs: {
      changed: sql`training_plan.version_no > 0 and training_plan.tasks is distinct from training_plan.published`,
      empty: sql`coalesce(jsonb_array_length(training_plan.tasks), 0) = 0`,
      unused: sql`not exists (select 1 from room_course g where g.kind = 'plan' and g.plan_id = training_plan.id and g.state in (1, 2) and g.deleted_at is null)`,
    },
  },
  async before({ tx, values, row }) {
    if (values.tasks !== undefined) await checkTasks(tx, listOf(values.tasks), listOf(row?.tasks))
  },
  async after({ tx, values, saved }) {
    if (values.tasks !== undefined) await writeUses(tx, saved.id, listOf(saved.tasks), listOf(saved.published))
  },
  effects: { publish: ({ tx, staff, row }) => publish(tx, staff.id, row) },
})

/** The plan that a call names, within the person's scope. @throws notFound */
async function rowOf(call: Pick<Call, 'params' | 'staff' | 'db'>) {
  const row = await readOne(call.db, trainingPlan, call.staff, idParam(call), planService.rules.computed ?? {})
  if (!row) throw notFound(trainingPlan.label)
  return row
}

const byOrd = (a: { ord: string; key: string }, b: { ord: string; key: string }) => (a.ord === b.ord ? (a.key < b.key ? -1 : 1) : a.ord < b.ord ? -1 : 1)

/** The lessons of a course as its learners get them, in their order. */
async function lessonsOf(db: Queryable, courseId: number): Promise<Lesson[]> {
  const outline = (await outlinesOf(db, OWNER, [courseId])).get(courseId)
  const version = outline && await publishedOf(db, outline.id)
  if (!version) return []
  const { nodes, blocks } = version.body
  const below = Map.groupBy(nodes.filter(({ gone_since }) => gone_since === null), ({ parent }) => parent)
  const walk = (parent: string | null): typeof nodes => (below.get(parent) ?? []).toSorted(byOrd).flatMap((node) => [node, ...walk(node.key)])
  return walk(null).flatMap(({ key, name }) => {
    const contents = blocks.filter(({ node, ref_id }) => node === key && ref_id > 0).toSorted(byOrd).map(({ kind, ref_id, name: title, minutes }) => ({ kind, ref_id, name: title, minutes }))
    return contents.length === 0 ? [] : [{ name, contents }]
  })
}

/** The calls of plans beside those of their list, answered. */
export const planCalls = (): Served[] => [
  handle(readPlan, async (call) => {
    const row = await rowOf(call)
    return { targets: await describeBlocks(call.db, shownBy([...listOf(row.tasks), ...listOf(row.published)])), row: showRow(trainingPlan, call.staff, row) as PlanContent['row'] }
  }),
  handle(findShown, async (call) => {
    const row = await rowOf(call)
    const { kind, keyword = '' } = call.input
    const target = blockKind(kind)?.target
    if (!target) throw badRequest('内容类型不正确')
    return { items: (await target.find(call.db, call.staff, keyword, row.subject_id)).map((fact) => ({ ...fact, kind })) }
  }),
  handle(planSources, async (call) => {
    const row = await rowOf(call)
    return {
      items: await call.db.query<Source & Record<string, unknown>>(sql`select c.id, c.name, (select count(*)::int from outline_node n where n.outline_id = o.id and n.kind = 4 and not n.gone) as lessons from class_course c join outline o on o.owner_kind = ${OWNER} and o.owner_id = c.id and o.version_no > 0
        where c.id in (select id from class_course where ${listCondition(classCourse, call.staff, {})}) and c.subject_id = ${row.subject_id} order by c.sort, c.id limit 200`),
    }
  }),
  handle(sourceLessons, async (call) => {
    await rowOf(call)
    const id = Number(call.input.course_id)
    const [course] = await call.db.query(sql`select 1 from class_course where ${listCondition(classCourse, call.staff, {})} and id = ${id}`)
    if (!course) throw notFound(classCourse.label)
    const lessons = await lessonsOf(call.db, id)
    return { lessons, targets: await describeBlocks(call.db, lessons.flatMap(({ contents }) => contents)) }
  }),
  handle(publishPreview, async (call) => {
    const row = await rowOf(call)
    return { rooms: await roomsOf(call.db, call.staff, row.id), ...differences(listOf(row.published), listOf(row.tasks)) }
  }),
  handle(planVersions, async (call) => {
    const { id } = await rowOf(call)
    const items = await call.db.query<PlanVersion & Record<string, unknown>>(sql`select v.no, v.tasks, s.name as staff_name, extract(epoch from v.at)::int as at from plan_version v left join staff s on s.id = v.staff_id where v.plan_id = ${id} order by v.no desc`)
    return { items, total: items.length }
  }),
  handle(planRooms, async (call) => {
    const { id } = await rowOf(call)
    const items = await roomsOf(call.db, call.staff, id)
    return { items, total: items.length }
  }),
]
