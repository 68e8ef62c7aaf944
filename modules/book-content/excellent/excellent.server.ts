import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { fillSets, findSetTarget, readCards, setTargets } from '../../practice/door.server.ts'
import { knowledgeLabel } from '../../practice/module.ts'
import { EXCELLENT_GROUP, EXCELLENT_SETS, HARD } from '../sets.ts'
import { fillExcellent, readExcellent, readVariants, setExcellentTargets, type ExcellentLabel } from './calls.ts'

const WANTED = { scope: 'label', product_line: EXCELLENT_SETS } as const
/** Sets that are filled in one call; the rest is filled by the next. */
const MOST_SETS = 200

interface Row { id: number; parent_id: number | null; name: string; offered: number; n: number | null; target_n: number | null; alone: number }

/** The knowledge of a subject in the order of its tree, each with how far its set is. The root of the subject is left out. */
async function labelsOf(db: Queryable, staff: Staff, subjectId: number): Promise<ExcellentLabel[]> {
  const rows = await db.query<Row & Record<string, unknown>>(sql`select l.id, l.parent_id, l.name,
      (select count(*)::int from practice_label_tree t join practice p on p.id = t.practice_id where t.label_id = l.id and t.pool = 'official' and p.status = 4 and p.difficulty = any(${sql.param([...HARD])}::int[])) as offered,
      x.target_n, (select count(*)::int from selected_item i where i.set_id = x.id) as n,
      (select count(*)::int from selected_item i where i.set_id = x.id and not exists (select 1 from practice_similar s where s.practice_id = i.practice_id and s.kind = 'one2three')) as alone
    from (select * from label where kind = 'knowledge' and subject_id = ${subjectId} and deleted_at is null and merged_into is null and ${scopeCondition(knowledgeLabel, staff) ?? sql`true`}) l
    left join selected_set x on x.scope = 'label' and x.ref_id = l.id and x.product_line = ${EXCELLENT_SETS} and x.group_key = ${EXCELLENT_GROUP} order by l.ord, l.id`)
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const walk = (parent: number | null, depth: number): ExcellentLabel[] => (below.get(parent) ?? []).flatMap(({ parent_id: _parent, ...row }) => [
    ...(depth < 0 ? [] : [{ ...row, n: row.n ?? 0, depth, lowest: row.offered > 0 && !(below.get(row.id) ?? []).some(({ offered }) => offered > 0) }]), ...walk(row.id, depth + 1),
  ])
  return walk(null, -1)
}

/** Labels that are asked for: those that are named, or the lowest ones that have hard questions. */
function chosen(labels: readonly ExcellentLabel[], ids: readonly number[] | undefined): ExcellentLabel[] {
  if (ids === undefined) return labels.filter(({ lowest }) => lowest)
  const wanted = new Set(ids)
  const found = labels.filter(({ id }) => wanted.has(id))
  if (found.length < wanted.size) throw invalid({ label_ids: '有知识点不属于该学科，请刷新后重试' })
  return found
}

/** The calls of sets for the strongest, answered. */
export const excellentCalls = (): Served[] => [
  handle(readExcellent, async (call) => ({ labels: await labelsOf(call.db, call.staff, Number(call.input.cat_id)) })),
  handle(setExcellentTargets, (call) => call.transaction(async (tx) => {
    const { cat_id, target_n, label_ids, only_new } = call.input
    const wanted = chosen(await labelsOf(tx, call.staff, cat_id), label_ids).filter((label) => label.target_n !== target_n && !(only_new && label.target_n !== null))
    await setTargets(tx, call.staff, WANTED, wanted.map(({ id }) => ({ ref_id: id, group_key: EXCELLENT_GROUP, target_n })))
    return { labels: await labelsOf(tx, call.staff, cat_id) }
  })),
  handle(fillExcellent, (call) => call.transaction(async (tx) => {
    const { cat_id, label_ids } = call.input
    const labels = await labelsOf(tx, call.staff, cat_id)
    const holes = (label_ids === undefined ? labels : chosen(labels, label_ids)).filter(({ n, target_n }) => target_n !== null && n < target_n)
    if (holes.length === 0) throw badRequest('没有缺题：先设目标题数，或选择有缺题的知识点')
    const done = await fillSets(tx, call, WANTED, holes.slice(0, MOST_SETS).map(({ id }) => ({ ref_id: id, group_key: EXCELLENT_GROUP })))
    return { ...done, labels: await labelsOf(tx, call.staff, cat_id) }
  })),
  handle(readVariants, async (call) => {
    const at = await findSetTarget(call.db, call.staff, 'label', idParam(call))
    const pairs = await call.db.query<{ practice_id: number; other_id: number }>(sql`select s.practice_id, s.other_id from selected_set x join selected_item i on i.set_id = x.id
      join practice_similar s on s.practice_id = i.practice_id and s.kind = 'one2three' join practice o on o.id = s.other_id and o.deleted_at is null and o.pool = 'official'
      where x.scope = 'label' and x.ref_id = ${at.id} and x.product_line = ${EXCELLENT_SETS} and x.group_key = ${EXCELLENT_GROUP} order by s.practice_id, s.ord, s.other_id`)
    const cards = new Map((await readCards(call.db, call.staff, [...new Set(pairs.map(({ other_id }) => other_id))])).map((card) => [card.id, card]))
    return { items: [...Map.groupBy(pairs, ({ practice_id }) => practice_id)].map(([practice_id, own]) => ({ practice_id, variants: own.flatMap(({ other_id }) => cards.get(other_id) ?? []) })) }
  }),
]
