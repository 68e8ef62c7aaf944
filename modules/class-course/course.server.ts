import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { outlineHealth } from '../outline/door.server.ts'
import { courseChecks, type CourseCheck } from './calls.ts'
import { classCourse, juniorCourse, seniorCourse } from './course.ts'
import { OWNER } from './outline.server.ts'

const outline = sql`from outline o where o.owner_kind = ${sql.raw(`'${OWNER}'`)} and o.owner_id = t.id`
const grants = sql`room_course g where g.kind = 'course' and g.course_id = t.id and g.state in (1, 2) and g.deleted_at is null`

const computed = {
  lesson_cnt: sql`(select count(*)::int from outline o join outline_node n on n.outline_id = o.id where o.owner_kind = ${sql.raw(`'${OWNER}'`)} and o.owner_id = t.id and n.kind = 4 and not n.gone)`,
  outline: sql`coalesce((select case when o.version_no = 0 then '未发布' when o.state = 2 then 'v' || o.version_no || '，有改动' else 'v' || o.version_no end ${outline}), '未建')`,
  room_cnt: sql`(select count(*)::int from ${grants})`,
  account_cnt: sql`(select count(*)::int from class_account a where a.state = 1 and a.deleted_at is null and a.grant_id in (select g.id from ${grants}))`,
}

/** What a course has to have, and should have, before rooms can be given it. */
async function checksOf(db: Queryable, row: { readonly id: number; readonly cover: string | null; readonly close_at: number | null }): Promise<CourseCheck[]> {
  const health = (await outlineHealth(db, OWNER, [row.id])).get(row.id)
  const lessons = health?.lessons ?? 0
  return [
    { label: '目录', must: true, ok: health !== undefined && health.version > 0 && lessons > 0, detail: health === undefined || health.version === 0 ? '目录还没有发布' : lessons === 0 ? '目录里还没有课时' : null },
    { label: '内容', must: true, ok: (health?.problems.length ?? 0) === 0, detail: health?.problems.slice(0, 3).join('；') || null },
    { label: '开放时间', must: true, ok: row.close_at === null || row.close_at > Date.now() / 1000, detail: row.close_at !== null && row.close_at <= Date.now() / 1000 ? '截止时间已过' : null },
    { label: '完整', must: false, ok: lessons > 0 && health?.complete === lessons, detail: lessons > (health?.complete ?? 0) ? `${lessons - (health?.complete ?? 0)} 个课时还缺视频或试卷` : null },
    { label: '封面', must: false, ok: row.cover !== null, detail: row.cover === null ? '还没有封面' : null },
  ]
}

const serveCourse = (resource: typeof juniorCourse): ResourceService => serve(resource)({
  computed,
  before({ values, row }) {
    const { open_at: open, close_at: close } = { ...row, ...values }
    if (open && close && close <= open) throw invalid({ close_at: '截止时间应晚于开放时间' })
  },
  beforeOnlyReads: true,
  effects: {
    async shelve({ tx, row }) {
      const lacking = (await checksOf(tx, row)).filter(({ ok, must }) => must && !ok)
      if (lacking.length > 0) throw badRequest(`还不能上架：${lacking.map(({ label, detail }) => detail ?? label).join('；')}`)
    },
    async archive({ tx, row }) {
      const [live] = await tx.query<{ n: number }>(sql`select count(*)::int as n from (select ${row.id}::bigint as id) t, ${grants}`)
      if (live && live.n > 0) throw badRequest(`还有 ${live.n} 个自习室在使用，请先回收授权`)
    },
  },
})

export const courseServices: readonly ResourceService[] = [serveCourse(juniorCourse), serveCourse(seniorCourse), serve(classCourse)({ computed })]

/** 上架体检, answered for each stage. */
export const courseCalls = (): Served[] => [juniorCourse, seniorCourse].flatMap((resource) => {
  const endpoint = courseChecks[resource.name]
  return endpoint ? [handle(endpoint, async (call) => {
    const id = idParam(call)
    const [row] = await call.db.query<{ id: number; cover: string | null; close_at: number | null }>(sql`select id, cover, extract(epoch from close_at)::int as close_at from class_course where ${listCondition(resource, call.staff, {})} and id = ${id}`)
    if (!row) throw notFound(resource.label)
    return { items: await checksOf(call.db, row) }
  })] : []
})
