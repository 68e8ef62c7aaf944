import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { lockTree } from '../../../core/resource/tree.server.ts'
import { lockSiblings } from '../../../core/tree/change.server.ts'
import { childrenOf, orderSiblings } from '../../../core/resource/tree-order.server.ts'
import { likeText } from '../../../core/resource/where.server.ts'
import {
  catLabels, commonLabels, findLabels, knowledgeLabels, knowledgeTree, labelCoverage, labelNode, labelOrphans, levelLabels, microTree,
  ORDER_LABELS, orderByTextbook, orderLabels, pLabels, selectLabels, splitLabel, type CoverageRow, type NamedLabel,
} from './calls.ts'
import { checkKind, LABELS, lockLabel, split } from './change.server.ts'
import type { LabelKind } from './label.ts'
import { labelScope, labelsOfPractice, nameLabels, readCommon, readLevel, readNode, readTop, readTree, resolveLabels, standing, type Label } from './read.server.ts'

const whole = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** A person who may edit a tree may order it, and so may those who hold the screen for it. */
function checkOrder(call: Pick<Call, 'staff'>, kind: LabelKind): void {
  if (!call.staff.modules.has(ORDER_LABELS)) checkKind(call.staff, kind)
}

/** Puts labels that stand below one parent into an order. */
const writeOrder = (tx: Queryable, first: Label, ids: readonly number[]) => orderSiblings(tx, LABELS[first.kind], childrenOf(LABELS[first.kind], { ...first }, first.parent_id), ids)

/** The calls of label trees, answered. */
export function labelCalls(): Served[] {
  const level = (call: Call, first: Label) => readLevel(call.db, call.staff, { kind: first.kind, cat_id: first.subject_id, pid: first.parent_id ?? undefined })
  return [
    handle(pLabels, async (call) => {
      const { pid, cat_id, kind } = call.input
      // An id that was merged goes on leading to its children.
      const parent = pid === undefined ? undefined : (await resolveLabels(call.db, [Number(pid)])).get(Number(pid)) ?? 0
      return { p_labels: await readLevel(call.db, call.staff, { pid: parent, cat_id: whole(cat_id), kind }) }
    }),
    handle(levelLabels, async (call) => {
      const { cat_id, kind } = call.input
      return { p_labels: await readTree(call.db, call.staff, { kind: kind ?? 'knowledge', cat_id: whole(cat_id), level: Number.isInteger(Number(call.params['id'])) ? Math.min(Number(call.params['id']), 99) : 99 }) }
    }),
    handle(catLabels, async (call) => ({ labels: await readTree(call.db, call.staff, { kind: 'practice', cat_id: whole(call.input.cat_id) }) })),
    handle(commonLabels, async (call) => ({ labels: await readCommon(call.db, call.staff, call.input.kind ?? 'knowledge', whole(call.input.cat_id)) })),
    handle(selectLabels, async (call) => {
      const { ids, practice_id } = call.input
      const labels: (NamedLabel & { main?: boolean })[] = practice_id === undefined
        ? await nameLabels(call.db, [ids ?? []].flat().map(Number))
        : await labelsOfPractice(call.db, Number(practice_id))
      const { subject: subjects } = call.staff.scopes
      return { labels: labels.filter((label) => subjects?.includes(label.cat_id) ?? true) }
    }),
    handle(findLabels, async (call) => {
      const { keyword, cat_id, kind } = call.input
      const like = `%${likeText(keyword)}%`
      const found = await call.db.query<{ id: number }>(sql`select id from label where ${standing} and ${labelScope(call.staff)} and parent_id is not null
        ${cat_id === undefined ? sql`` : sql`and subject_id = ${Number(cat_id)}`} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
        and (name ilike ${like} or code ilike ${like} or array_to_string(alias, ' ') ilike ${like})
        order by (name = ${keyword}) desc, (name ilike ${`${likeText(keyword)}%`}) desc, length(name), id limit 50`)
      return { labels: await nameLabels(call.db, found.map(({ id }) => id)) }
    }),
    handle(knowledgeLabels, async (call) => {
      const { pid, cat_id } = call.input
      const items = pid === undefined
        ? await readTop(call.db, call.staff, 'knowledge', whole(cat_id))
        : await readLevel(call.db, call.staff, { kind: 'knowledge', pid: (await resolveLabels(call.db, [Number(pid)])).get(Number(pid)) ?? 0 })
      return { items, total: items.length }
    }),
    handle(knowledgeTree, async (call) => {
      const items = await readTree(call.db, call.staff, { kind: 'knowledge', cat_id: whole(call.input.cat_id) })
      return { items, total: items.length }
    }),
    handle(microTree, async (call) => {
      const items = await readTree(call.db, call.staff, { kind: 'micro', cat_id: whole(call.input.cat_id) })
      return { items, total: items.length }
    }),
    handle(orderLabels, async (call) => {
      const { ids } = call.input
      const first = await call.transaction(async (tx) => {
        await lockTree(tx, 'label')
        const [known] = await tx.query<Label>(sql`select * from label where id = ${ids[0]}`)
        const [one] = await lockSiblings(tx, LABELS[known?.kind ?? 'knowledge'], sql`${standing} and ${labelScope(call.staff)}`, ids) as unknown as Label[]
        if (!one) throw notFound('标签')
        checkOrder(call, one.kind)
        await writeOrder(tx, one, ids)
        return one
      }, { action: 'order' })
      return { p_labels: await level(call, first) }
    }),
    handle(orderByTextbook, async (call) => {
      const { pid, version_id } = call.input
      const first = await call.transaction(async (tx) => {
        await lockTree(tx, 'label')
        const children = await tx.query<Label & { place: number | null }>(sql`
          select l.*, (select min(pw.sort * 1000000000 + pw.id * 100000 + coalesce(c.place, 0)) from label_chapter lc
            join (select id, partwork_id, row_number() over (order by path, ord, id) as place from chapter where deleted_at is null) c on c.id = lc.chapter_id
            join partwork pw on pw.id = c.partwork_id
            join label below on below.id = lc.label_id
            where pw.version_id = ${version_id} and (below.id = l.id or below.path like l.path || l.id || '/%')) as place
          from label l where l.parent_id = ${pid} and l.deleted_at is null and l.merged_into is null and l.subject_id in (select subject_id from label where ${labelScope(call.staff)}) order by place nulls last, l.ord, l.id`)
        const [one] = children
        if (!one) throw badRequest('该标签下没有可以排序的标签')
        checkOrder(call, one.kind)
        if (children.every((child) => child.place === null)) throw badRequest('这些标签还没有对应到该版本的章节')
        await writeOrder(tx, one, children.map(({ id }) => id))
        return one
      }, { action: 'order' })
      return { p_labels: await level(call, first) }
    }),
    handle(labelNode, async (call) => {
      const id = (await resolveLabels(call.db, [idParam(call)])).get(idParam(call)) ?? 0
      const [label] = await call.db.query<Label>(sql`select * from label where id = ${id} and ${standing} and ${labelScope(call.staff)}`)
      if (!label) throw notFound('标签')
      const above = await call.db.query<{ id: number; name: string }>(sql`select a.id, a.name from unnest(string_to_array(trim(both '/' from ${label.path}), '/')) with ordinality u(id, place)
        join label a on a.id = nullif(u.id, '')::bigint order by u.place`)
      return { node: await readNode(call.db, label.id), above }
    }),
    handle(splitLabel, (call) => {
      const { parts, dry } = call.input
      return call.transaction(async (tx) => {
        const label = await lockLabel(tx, call.staff, idParam(call))
        checkKind(call.staff, label.kind)
        return split(tx, call.staff, label, parts, dry ?? false)
      }, { action: 'split' })
    }),
    handle(labelCoverage, async (call) => {
      const { pid, cat_id, kind, pool } = call.input
      const nodes = pid === undefined ? await readTop(call.db, call.staff, kind ?? 'knowledge', whole(cat_id)) : await readLevel(call.db, call.staff, { pid: Number(pid) })
      const counted = await call.db.query<{ label_id: number; difficulty: number; n: number }>(sql`select t.label_id, p.difficulty, count(*)::int as n
        from practice_label_tree t join practice p on p.id = t.practice_id
        where t.label_id = any(${sql.param(nodes.map((node) => node.id))}::bigint[]) ${pool === undefined ? sql`` : sql`and t.pool = ${pool}`} group by 1, 2`)
      const items: CoverageRow[] = nodes.map(({ id, name }) => ({ id, name, counts: [1, 2, 3, 4, 5].map((difficulty) => counted.find((row) => row.label_id === id && row.difficulty === difficulty)?.n ?? 0) }))
      return { items, total: items.length }
    }),
    handle(labelOrphans, async (call) => {
      const { cat_id, kind } = call.input
      const subject = cat_id === undefined ? sql`` : sql` and subject_id = ${Number(cat_id)}`
      const [labels, unlabelled] = await Promise.all([
        call.db.query<{ id: number }>(sql`select id from label l where kind = ${kind ?? 'knowledge'} and ${standing} and ${labelScope(call.staff)}${subject} and parent_id is not null
          and not exists (select 1 from label x where x.parent_id = l.id and x.deleted_at is null and x.merged_into is null)
          and not exists (select 1 from practice_label_tree t where t.label_id = l.id) order by path, ord, id limit 500`),
        call.db.query<{ pool: string; count: number }>(sql`select pool, count(*)::int as count from practice p where deleted_at is null and ${labelScope(call.staff)}${subject}
          and not exists (select 1 from practice_label pl join label l on l.id = pl.label_id where pl.practice_id = p.id and l.kind = ${kind ?? 'knowledge'}) group by pool order by pool`),
      ])
      return { labels: await nameLabels(call.db, labels.map(({ id }) => id)), unlabelled }
    }),
  ]
}
