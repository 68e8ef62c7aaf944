import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { blockKind, brokenBlocks, describeBlocks, openBlocks } from '../outline/door.server.ts'
import { combination, COMBINATION_STATE } from './combination.ts'
import type { CombinationItem } from './items.ts'
import { combinationChanged } from './live.ts'
import { countUses, refuseUsed, writeUses } from './uses.server.ts'

const listOf = (value: unknown) => (value ?? []) as CombinationItem[]
const isSame = (a: unknown, b: unknown) => JSON.stringify(listOf(a)) === JSON.stringify(listOf(b))

/** Refuses what is not there, of what was not there before, and opens the rest to those who see combinations. */
async function checkItems(tx: Queryable, items: readonly CombinationItem[], before: readonly CombinationItem[]): Promise<void> {
  const had = new Set(before.map(({ kind, ref_id }) => `${kind} ${ref_id}`))
  const fresh = items.filter(({ kind, ref_id }) => blockKind(kind)?.target !== undefined && !had.has(`${kind} ${ref_id}`))
  const known = new Set((await describeBlocks(tx, fresh)).map(({ kind, id }) => `${kind} ${id}`))
  const missing = fresh.find(({ kind, ref_id }) => !known.has(`${kind} ${ref_id}`))
  if (missing) throw invalid({ items: `${blockKind(missing.kind)?.label ?? '内容'}不存在或已被删除，请重新选择` })
  await openBlocks(tx, fresh, combination.grant)
}

/** Makes what is edited what others see. @throws AppError when something of it cannot be shown */
async function publish(tx: Queryable, staffId: number, row: { id: number; state: number | null; items: unknown; published: unknown; version_no: number | null }): Promise<void> {
  const items = listOf(row.items)
  if (items.length === 0) throw badRequest('还没有内容，不能发布')
  const broken = brokenBlocks({ blocks: items.map((item) => ({ ...item, node: '', ord: '', slot: null, version_no: null })) }, await describeBlocks(tx, items))
  if (broken.length > 0) throw badRequest(`不能发布：${broken.slice(0, 3).map(({ name, words }) => `「${name}」${words}`).join('；')}`)
  const no = row.version_no ?? 0
  if (no > 0 && isSame(row.items, row.published)) {
    if (row.state === COMBINATION_STATE.live) throw badRequest('没有未发布的改动')
    return
  }
  await tx.query(sql`insert into combination_version (combination_id, no, items, staff_id) values (${row.id}, ${no + 1}, ${JSON.stringify(items)}::jsonb, ${staffId})`)
  await touch(tx, combination, { published: items, version_no: no + 1 }, row.id)
  await writeUses(tx, row.id, items, items)
  await publishRecords(tx, 'all', combinationChanged, [row.id])
}

export const combinationService = serve(combination)({
  computed: {
    item_count: sql`coalesce(jsonb_array_length(t.items), 0)`,
    // The first page begins by itself.
    page_count: sql`(select count(*) filter (where e.value->>'page' = 'true' or e.place = 1) from jsonb_array_elements(t.items) with ordinality e (value, place))`,
    use_count: countUses(sql`t.id`),
  },
  segments: {
    needs: {
      changed: sql`combination.version_no > 0 and combination.items is distinct from combination.published`,
      empty: sql`coalesce(jsonb_array_length(combination.items), 0) = 0`,
      unused: sql`${countUses(sql`combination.id`)} = 0`,
    },
  },
  async before({ tx, values, row }) {
    if (values.items !== undefined) await checkItems(tx, listOf(values.items), listOf(row?.items))
  },
  async after({ tx, values, saved }) {
    if (values.items !== undefined) await writeUses(tx, saved.id, listOf(saved.items), listOf(saved.published))
    await publishRecords(tx, 'all', combinationChanged, [saved.id])
  },
  beforeRemove: ({ tx, staff, row }) => refuseUsed(tx, staff, row),
  effects: { publish: ({ tx, staff, row }) => publish(tx, staff.id, row) },
})
