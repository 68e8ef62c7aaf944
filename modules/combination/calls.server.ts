import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { assetFacts } from '../asset/door.server.ts'
import { ASSET_BLOCKS, blockKind, describeBlocks, offeredKinds } from '../outline/door.server.ts'
import type { BlockTarget } from '../outline/module.ts'
import { readCards } from '../practice/door.server.ts'
import { combinationUses, combinationVersions, findContent, readCombination, type CombinationContent, type CombinationVersion } from './calls.ts'
import { combination } from './combination.ts'
import { ITEM_KINDS, type CombinationItem } from './items.ts'
import { combinationService } from './rules.server.ts'
import { countUses, usesOf } from './uses.server.ts'

/** The combination that a call names, within the person's scope. @throws notFound */
async function rowOf(call: Pick<Call, 'params' | 'staff' | 'db'>) {
  const row = await readOne(call.db, combination, call.staff, idParam(call), combinationService.rules.computed ?? {})
  if (!row) throw notFound(combination.label)
  return row
}

const listOf = (value: unknown) => (value ?? []) as CombinationItem[]
const idsOf = (items: readonly CombinationItem[], kind: string) => [...new Set(items.flatMap((item) => (item.kind === kind ? [item.ref_id] : [])))]

/** Addresses of the assets among some items. */
async function filesOf(db: Queryable, items: readonly CombinationItem[]): Promise<Record<string, string>> {
  const found: [string, string][] = []
  for (const [kind, asset] of Object.entries(ASSET_BLOCKS)) {
    const ids = idsOf(items, kind)
    if (ids.length > 0) found.push(...(await assetFacts(asset)(db, ids)).map(({ id, url }): [string, string] => [String(id), url]))
  }
  return Object.fromEntries(found)
}

/** The calls of combinations beside those of their list. */
export const combinationCalls = (): Served[] => [
  handle(readCombination, async (call) => {
    const row = await rowOf(call)
    const items = [...listOf(row.items), ...listOf(row.published)]
    return {
      targets: await describeBlocks(call.db, items), cards: await readCards(call.db, call.staff, idsOf(items, 'practice')), files: await filesOf(call.db, items), kinds: offeredKinds(ITEM_KINDS),
      row: showRow(combination, call.staff, row) as CombinationContent['row'],
    }
  }),
  handle(findContent, async (call) => {
    const row = await rowOf(call)
    const { kind, keyword = '', subject } = call.input
    const target = blockKind(kind)?.target
    if (!target) throw badRequest('内容类型不正确')
    return { items: (await target.find(call.db, call.staff, keyword, subject === '1' ? row.subject_id : null)).map((fact): BlockTarget => ({ ...fact, kind })) }
  }),
  handle(combinationVersions, async (call) => {
    const { id } = await rowOf(call)
    const items = await call.db.query<CombinationVersion & Record<string, unknown>>(sql`select v.no, v.items, s.name as staff_name, extract(epoch from v.at)::int as at from combination_version v left join staff s on s.id = v.staff_id
      where v.combination_id = ${id} order by v.no desc`)
    return { items, targets: await describeBlocks(call.db, items.flatMap((version) => version.items)), total: items.length }
  }),
  handle(combinationUses, async (call) => {
    const { id } = await rowOf(call)
    const [counted] = await call.db.query<{ n: number }>(sql`select ${countUses(sql`u.id`)}::int as n from (select ${id}::bigint as id) u`)
    return { items: await usesOf(call.db, call.staff, id), total: counted?.n ?? 0 }
  }),
]
