import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { Random } from '../../core/setup/random.ts'
import type { PaperBody } from './compose/body.ts'
import { writeBody, type PaperRow } from './content.server.ts'
import { orderGroups } from './order-groups.ts'
import { PAPER_STATE, type PaperResource } from './paper.ts'

/** Questions that a group of the order has in a whole paper, and their points. */
const USUAL: Readonly<Record<string, readonly [count: number, score: number]>> = {
  单选题: [8, 5], 多选题: [3, 6], 填空题: [4, 5], 实验题: [2, 10], 解答题: [5, 12], 综合题: [2, 15],
}
/** Questions of a short paper. */
export const SHORT_QUESTIONS = 8

interface Usable {
  id: number
  subject_id: number
  category_id: number
  version_no: number
}

/** Some of a list, in no order. */
const someOf = <Item>(random: Random, list: readonly Item[], count: number): Item[] =>
  list.map((item) => ({ item, place: random.next() })).toSorted((a, b) => a.place - b.place).slice(0, count).map(({ item }) => item)

/** Sections as the order rule has them, filled with questions that no other section took. */
function bodyOf(random: Random, groups: ReturnType<typeof orderGroups>, usable: readonly Usable[], size: 'whole' | 'short'): PaperBody {
  const sections = groups.flatMap(({ name, category_ids, group_no }) => {
    const [count, score] = USUAL[name] ?? [4, 5]
    const own = someOf(random, usable.filter(({ category_id }) => category_ids.includes(category_id)), size === 'short' ? Math.ceil(count / 3) : count)
    if (own.length === 0) return []
    return [{ key: `g${group_no}`, name, title: '', instruction: '', items: own.map(({ id, version_no }) => ({ practice_id: id, version_no, score, sub_scores: [] })) }]
  })
  if (size === 'whole') return { sections }
  let left = SHORT_QUESTIONS
  return { sections: sections.flatMap((section) => {
    const items = section.items.slice(0, left)
    left -= items.length
    return items.length > 0 ? [{ ...section, items }] : []
  }) }
}

/** A paper of the demo before it is composed. */
export interface PlannedPaper {
  readonly subject: { readonly id: number; readonly name: string; readonly level: number }
  readonly values: Readonly<Record<string, unknown>> & { readonly name: string; readonly duration: number }
  readonly state: (typeof PAPER_STATE)[keyof typeof PAPER_STATE]
}

/**
 * Writes papers of the demo, composed from the official bank by the order rule.
 * @param resource of which all of them are
 * @param size a whole paper, or the eight questions of a short one
 * @returns their ids, in the order of the plan
 */
export async function insertPapers(tx: Queryable, random: Random, resource: PaperResource, plan: readonly PlannedPaper[], size: 'whole' | 'short' = 'whole'): Promise<number[]> {
  const subjects = [...new Set(plan.map(({ subject }) => subject.id))]
  const usable = await tx.query<Usable & Record<string, unknown>>(sql`select id, subject_id, category_id, version_no::int as version_no from practice
    where pool = 'official' and status = 4 and deleted_at is null and category_id is not null and subject_id = any(${sql.param(subjects)}::bigint[]) order by id`)
  const categories = await tx.query<{ id: number; subject_id: number; name: string; type: number }>(sql`select id, subject_id, name, type from practice_category where deleted_at is null and subject_id = any(${sql.param(subjects)}::bigint[]) order by sort, id`)
  const groups = new Map(subjects.map((id) => [id, orderGroups(categories.filter(({ subject_id }) => subject_id === id))]))
  const level = (subject: PlannedPaper['subject']) => ('level' in resource.where ? {} : { level: subject.level })
  const ids = await insertMany(tx, resource as never, plan.map(({ subject, values, state }) => ({ ...level(subject), subject_id: subject.id, ...values, state })) as never)
  for (const [index, id] of ids.entries()) {
    const one = plan[index]
    if (!one) continue
    const { subject, values, state } = one
    const row: PaperRow = { id, name: values.name, kind: String(resource.where['kind']), level: subject.level, subject_id: subject.id, subject_name: subject.name, state: PAPER_STATE.draft, version_no: 0, duration: values.duration }
    const body = bodyOf(random, groups.get(subject.id) ?? [], usable.filter(({ subject_id }) => subject_id === subject.id), size)
    // What is shelved stays so: this is how it was shelved, not an edit of it.
    await writeBody(tx, null, row, body, [])
    await tx.query(sql`update paper set state = ${state}, version_no = ${state === PAPER_STATE.shelved ? 1 : 0}, rev = 1, updated_at = ${state === PAPER_STATE.waiting ? sql`greatest(created_at, now() - (id % 4) * interval '15 hours')` : sql`created_at`} where id = ${id}`)
    if (state === PAPER_STATE.shelved) await tx.query(sql`insert into paper_version (paper_id, version_no, body) values (${id}, 1, ${JSON.stringify(body)}::jsonb)`)
  }
  return ids
}
