import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { RELATION } from './relation-kind.ts'
import { lessonTag, SPECIAL_TAGS } from './tag.ts'

const SPECIAL: readonly string[] = Object.values(SPECIAL_TAGS)
/** Courses that one of 联报课程 brings at least (teaching.md 2.4). */
const LEAST_JOINT = 2

/** What the tags with fixed behaviour ask, in words. */
const effect = sql`case t.name when ${sql.raw(`'${SPECIAL_TAGS.boost}'`)} then '课程须填写高考届' when ${sql.raw(`'${SPECIAL_TAGS.joint}'`)} then '上架须打包至少 2 门课程，价格不高于各门之和' end`

/** Tags; those that mean something to the product keep their names (spec 3). */
export const tags = serve(lessonTag)({
  computed: { effect, lesson_cnt: sql`select count(*)::int from offer o where o.line = 'lesson' and t.id = any(o.tag_ids) and o.deleted_at is null` },
  before({ values, row }) {
    if (row && SPECIAL.includes(row.name) && values.name !== undefined && values.name !== row.name) throw invalid({ name: `「${row.name}」有固定规则，不能改名` })
  },
  beforeOnlyReads: true,
  beforeRemove: ({ row }) => (SPECIAL.includes(row.name) ? Promise.reject(badRequest(`「${row.name}」有固定规则，不能删除`)) : Promise.resolve()),
})

/** Names of tags. */
async function namesOf(db: Queryable, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  return (await db.query<{ name: string }>(sql`select name from lesson_tag where id = any(${sql.param([...ids])}::bigint[]) and deleted_at is null`)).map(({ name }) => name)
}

/** What a course needs that carries 高考提升营. @throws AppError when it is not said for whom it is */
export async function checkTags(tx: Queryable, { tag_ids, exam_year }: { readonly tag_ids: readonly number[]; readonly exam_year: unknown }): Promise<void> {
  if ((exam_year ?? null) === null && (await namesOf(tx, tag_ids)).includes(SPECIAL_TAGS.boost)) throw invalid({ exam_year: `标签含「${SPECIAL_TAGS.boost}」，请填写高考届` })
}

interface Joint { tag_ids: number[] | null; price: number; state: number; n: number; sum: number }

/**
 * A course of 联报课程 that is sold, or about to be, brings two courses at least and costs no more than they do.
 * @param selling it is about to be sold
 * @throws AppError that says what is lacking
 */
export async function requireJoint(tx: Queryable, lessonId: number, selling = false): Promise<void> {
  const [row] = await tx.query<Joint & Record<string, unknown>>(sql`select o.tag_ids, o.price, o.state, count(c.id)::int as n, coalesce(sum(c.price), 0)::int as sum from offer o
    left join lesson_relation r on r.parent_id = o.id and r.kind = ${RELATION.bundle} and r.deleted_at is null left join offer c on c.id = r.child_id and c.deleted_at is null
    where o.id = ${lessonId} group by o.id`)
  if (!row || (!selling && row.state !== OFFER_STATE.selling) || !(await namesOf(tx, row.tag_ids ?? [])).includes(SPECIAL_TAGS.joint)) return
  const tag = `标签「${SPECIAL_TAGS.joint}」的课程`
  if (row.n < LEAST_JOINT) throw badRequest(`${tag}须打包至少 ${LEAST_JOINT} 门课程，现有 ${row.n} 门`)
  if (row.price > row.sum) throw badRequest(`${tag}价格不能高于所含课程之和 ${(row.sum / 100).toLocaleString('zh-CN')} 元`)
}
