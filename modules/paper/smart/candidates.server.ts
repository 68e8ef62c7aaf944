import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { coefOf, secondsOf } from '../compose/analysis.ts'
import type { Band, PracticeCandidate } from './problem.ts'
import { cellsOf, type RuleCell, type SmartRule } from './rule.ts'

/** Candidates that one cell gets at least, and beyond that for each question that it needs. */
const PER_CELL = 40
const PER_QUESTION = 12
/** How far the pool of a cell is counted, for the report. */
const COUNT_CAP = 1000
/** spec 9 and domain 3.2: difficulties of a band; a question without one is in none. */
const DIFFICULTIES: Readonly<Record<Band, readonly number[]>> = { easy: [4, 5], medium: [3], hard: [1, 2] }
const ALL_DIFFICULTIES = [1, 2, 3, 4, 5]
/** Where in the bank reading begins follows from the seed; ids are spread by this prime. */
const SPREAD = 7_368_787

/** A condition that a cell may be relaxed by, in the words of the report. */
const RELAXABLE = { bands: '难度', cognitive: '认知层次', label_ids: '知识点' } as const
type Relaxable = keyof typeof RELAXABLE

/** A wish that is asked of every question, in the words of the report. */
const WISHES = { scope: '知识范围', catalog_ids: '章节', years: '年份', region_ids: '卷区', has_video: '有视频', has_analysis: '有解析' } as const
export type Wish = keyof typeof WISHES

export interface Unmet {
  readonly section: number
  readonly row: number | undefined
  readonly need: number
  readonly have: number
  /** What helps: without this condition there would be so many. */
  readonly relax: readonly { readonly key: Relaxable; readonly label: string; readonly have: number }[]
  /** Which wishes of the whole paper are to blame: without this one there would be so many. */
  readonly wishes: readonly { readonly key: Wish; readonly label: string; readonly have: number }[]
}

const list = (values: readonly number[]) => sql`${sql.param([...values])}::bigint[]`

/** Everything that a question of a cell must be, but for what the index walks along. */
function conditions(rule: SmartRule, subjectId: number, cell: RuleCell, without?: Relaxable | Wish): SQL {
  const { narrowed } = cell
  const parts = [sql`p.pool = 'official' and p.deleted_at is null and p.status = 4 and p.subject_id = ${subjectId} and p.category_id = any(${list(cell.category_ids)})`]
  const years = [...(rule.year_from ? [sql`y >= ${rule.year_from}`] : []), ...(rule.year_to ? [sql`y <= ${rule.year_to}`] : [])]
  if (years.length > 0 && without !== 'years') parts.push(sql`exists (select 1 from unnest(p.source_years) y where ${sql.join(years, sql` and `)})`)
  if (rule.region_ids?.length && without !== 'region_ids') parts.push(sql`p.exam_region_id = any(${list(rule.region_ids)})`)
  if (rule.has_video && without !== 'has_video') parts.push(sql`p.has_video = 1`)
  if (rule.has_analysis && without !== 'has_analysis') parts.push(sql`p.has_analysis = 1`)
  if (rule.exclude_ids?.length) parts.push(sql`p.id <> all(${list(rule.exclude_ids)})`)
  if (rule.scope?.length && without !== 'scope') parts.push(inBranch(rule.scope.map(({ label_id }) => label_id)))
  if (rule.catalog_ids?.length && without !== 'catalog_ids') {
    parts.push(sql`exists (select 1 from practice_chapter pc join chapter c on c.id = pc.chapter_id join chapter above on above.id = any(${list(rule.catalog_ids)})
      where pc.practice_id = p.id and (c.id = above.id or c.path like above.path || above.id || '/%'))`)
  }
  if (narrowed?.cognitive && without !== 'cognitive') parts.push(sql`p.cognitive = ${narrowed.cognitive}`)
  if (narrowed?.label_ids?.length && without !== 'label_ids') parts.push(inBranch(narrowed.label_ids))
  return sql.join(parts, sql` and `)
}

/** A label of these or of anything below them. */
const inBranch = (labels: readonly number[]) => sql`exists (select 1 from practice_label_tree t where t.practice_id = p.id and t.pool = 'official' and t.label_id = any(${list(labels)}))`

const difficultiesOf = (cell: RuleCell, without?: Relaxable | Wish) => {
  const bands = without === 'bands' ? [] : cell.narrowed?.bands ?? []
  return bands.length === 0 ? ALL_DIFFICULTIES : bands.flatMap((band) => DIFFICULTIES[band])
}

interface Found {
  id: number
  type: number
  coef: number | null
  difficulty: number | null
  est_seconds: number | null
  source: string | null
  source_years: number[] | null
  labels: number[]
  covers: number[]
  used: boolean
}

/**
 * Questions that may fill the cells: for each cell as many of each difficulty, from a place in the bank that follows from
 * the seed, so that another seed sees other questions and the same seed the same ones.
 */
export async function findCandidates(db: Queryable, rule: SmartRule, subjectId: number, seed: number): Promise<PracticeCandidate[]> {
  const cells = cellsOf(rule)
  const [bounds] = await db.query<{ least: number | null; most: number | null }>(sql`select min(id) as least, max(id) as most from practice where pool = 'official' and subject_id = ${subjectId}`)
  const [least, most] = [bounds?.least ?? 0, bounds?.most ?? 0]
  const pivot = least + ((seed * SPREAD) % Math.max(most - least + 1, 1))
  const perCell = await Promise.all(cells.map((cell) => {
    const difficulties = difficultiesOf(cell)
    const each = sql.raw(String(Math.ceil((PER_CELL + PER_QUESTION * cell.count) / difficulties.length)))
    const where = conditions(rule, subjectId, cell)
    return db.query<{ id: number }>(sql`select x.id from unnest(${sql.param(difficulties)}::int[]) d cross join lateral (
      select * from ((select p.id from practice p where ${where} and p.difficulty = d and p.id >= ${pivot} order by p.id limit ${each})
        union all (select p.id from practice p where ${where} and p.difficulty = d and p.id < ${pivot} order by p.id limit ${each})) u limit ${each}) x`)
  }))
  const places = new Map<number, number[]>()
  for (const [index, rows] of perCell.entries()) for (const { id } of rows) places.set(id, [...(places.get(id) ?? []), index])
  // A question that stays is a candidate of its section, whatever the conditions say of it by now.
  for (const { practice_id, section } of rule.locked ?? []) {
    const fitting = places.get(practice_id)?.some((cell) => cells[cell]?.section === section)
    const home = cells.findLastIndex((cell) => cell.section === section)
    if (!fitting && home >= 0) places.set(practice_id, [...(places.get(practice_id) ?? []), home])
  }
  const ids = [...places.keys()]
  const aimed = (rule.scope ?? []).map(({ label_id }) => label_id)
  const [facts, recent, alike] = await Promise.all([
    db.query<Found>(sql`select p.id, p.type, p.coef, p.difficulty, p.est_seconds::int as est_seconds, p.source_paper as source, p.source_years,
      coalesce((select array_agg(pl.label_id) from practice_label pl where pl.practice_id = p.id), '{}') as labels,
      coalesce((select array_agg(t.label_id) from practice_label_tree t where t.practice_id = p.id and t.pool = 'official' and t.label_id = any(${list(aimed)})), '{}') as covers,
      exists (select 1 from paper_item i join paper u on u.id = i.paper_id where i.practice_id = p.id and u.deleted_at is null) as used
      from practice p where p.id = any(${list(ids)})`),
    rule.recent_papers ? db.query<{ id: number; n: number }>(sql`select i.practice_id as id, count(*)::int as n
      from (select id from paper where subject_id = ${subjectId} and deleted_at is null order by id desc limit ${sql.raw(String(rule.recent_papers))}) r
      join paper_item i on i.paper_id = r.id where i.practice_id = any(${list(ids)}) group by i.practice_id`) : [],
    db.query<{ a: number; b: number }>(sql`select practice_id as a, other_id as b from practice_similar where kind in ('dup', 'variant') and practice_id = any(${list(ids)}) and other_id = any(${list(ids)})`),
  ])
  const repeats = new Map(recent.map(({ id, n }) => [id, n]))
  const clusters = clustersOf(alike)
  return facts.map((row) => ({
    id: row.id, cells: places.get(row.id) ?? [], coef: coefOf(row) ?? 0.6, labels: row.labels, covers: row.covers, source: row.source, year: row.source_years?.length ? Math.max(...row.source_years) : null,
    seconds: secondsOf(row), cluster: clusters.get(row.id) ?? null, used: row.used, repeats: repeats.get(row.id) ?? 0,
  }))
}

/** Questions that are each other's duplicates or variants, also by way of a third, share a number. */
export function clustersOf(pairs: readonly { a: number; b: number }[]): Map<number, number> {
  const parent = new Map<number, number>()
  const root = (id: number): number => {
    const above = parent.get(id) ?? id
    return above === id ? id : root(above)
  }
  for (const { a, b } of pairs) {
    const [left, right] = [root(a), root(b)]
    if (left !== right) parent.set(Math.max(left, right), Math.min(left, right))
  }
  return new Map(pairs.flatMap(({ a, b }) => [[a, root(a)], [b, root(b)]] as const))
}

/** Which cells cannot be filled from the bank, before anything is tried, and what would help. */
export async function feasibility(db: Queryable, rule: SmartRule, subjectId: number): Promise<Unmet[]> {
  const asked = { scope: rule.scope?.length, catalog_ids: rule.catalog_ids?.length, years: rule.year_from ?? rule.year_to, region_ids: rule.region_ids?.length, has_video: rule.has_video, has_analysis: rule.has_analysis }
  const count = async (cell: RuleCell, without?: Relaxable | Wish): Promise<number> => {
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from (select 1 from practice p where ${conditions(rule, subjectId, cell, without)}
      and p.difficulty = any(${sql.param(difficultiesOf(cell, without))}::int[]) limit ${sql.raw(String(COUNT_CAP))}) x`)
    return row?.n ?? 0
  }
  const found = await Promise.all(cellsOf(rule).map(async (cell): Promise<Unmet[]> => {
    const have = await count(cell)
    if (have >= cell.count) return []
    const narrowed = (Object.keys(RELAXABLE) as Relaxable[]).filter((key) => cell.narrowed?.[key] !== undefined && cell.narrowed[key].length > 0)
    const relax = await Promise.all(narrowed.map(async (key) => ({ key, label: RELAXABLE[key], have: await count(cell, key) })))
    const wishes = await Promise.all((Object.keys(WISHES) as Wish[]).filter((key) => asked[key]).map(async (key) => ({ key, label: WISHES[key], have: await count(cell, key) })))
    const helping = <One extends { have: number }>(list: readonly One[]) => list.filter((one) => one.have > have).toSorted((a, b) => b.have - a.have)
    return [{ section: cell.section, row: cell.row, need: cell.count, have, relax: helping(relax), wishes: helping(wishes) }]
  }))
  return found.flat()
}
