import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { hasPieces, holds, listCondition } from '../../core/resource/where.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { describeBlocks } from '../outline/door.server.ts'
import type { BlockTarget } from '../outline/module.ts'
import { combination, COMBINATION_STATE, detailPath } from './combination.ts'
import type { CombinationItem } from './items.ts'

/** What a person may choose from at once. */
const OFFERED = 50

async function read(db: Queryable, where: SQL): Promise<Omit<BlockTarget, 'kind'>[]> {
  const rows = await db.query<{ id: number; name: string; state: number; cover: string | null; published: CombinationItem[] | null; version_no: number | null }>(sql`select c.id, c.name, c.state, c.cover, c.published, c.version_no::int as version_no
    from combination c where c.deleted_at is null and ${where}`)
  const targets = new Map((await describeBlocks(db, rows.flatMap(({ published }) => published ?? []))).map((target) => [`${target.kind} ${target.id}`, target]))
  return rows.map(({ id, name, state, cover, published, version_no }) => {
    const items = published ?? []
    const minutes = items.reduce((sum, { kind, ref_id }) => sum + (targets.get(`${kind} ${ref_id}`)?.minutes ?? 0), 0)
    const health = state === COMBINATION_STATE.draft ? { tone: 'bad' as const, words: '组合还没有发布' } : state === COMBINATION_STATE.off ? { tone: 'wait' as const, words: '组合已停用' } : { tone: 'ok' as const, words: '可用' }
    return { id, name, note: `${items.length} 项内容`, minutes, health, version_no: version_no === 0 ? null : version_no, cover, path: detailPath(id) }
  })
}

/** What is to be said of combinations; one that was removed is absent. */
export const combinationFacts = (db: Queryable, ids: readonly number[]): Promise<Omit<BlockTarget, 'kind'>[]> => read(db, sql`c.id = any(${sql.param([...ids])}::bigint[])`)

/** Published combinations that a person may choose, narrowed by words or a number, at most fifty. @param subjectId null: of any subject */
export function findCombinations(db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<Omit<BlockTarget, 'kind'>[]> {
  const named = words.length > 1 ? sql`(${holds(sql`c.name`, words)} and ${hasPieces(combination, words, 'c.')})` : holds(sql`c.name`, words)
  return read(db, sql`${sql.join([
    sql`c.state = ${COMBINATION_STATE.live} and c.id in (select id from combination where ${listCondition(combination, staff, {})})`,
    ...(subjectId === null ? [] : [sql`c.subject_id = ${subjectId}`]),
    ...(words === '' ? [] : [/^\d{1,15}$/.test(words) ? sql`(c.id = ${Number(words)} or ${named})` : named]),
  ], sql` and `)} order by c.id desc limit ${OFFERED}`)
}
