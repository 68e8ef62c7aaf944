import { sql, type SQL } from 'drizzle-orm'
import { CUSTOM_PLAN, compile, type Queryable } from '../../../core/database/database.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import { foldText } from '../../../core/field/field.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { COUNT_CAP } from '../../../core/resource/list.server.ts'
import { hasPieces, holds } from '../../../core/resource/where.server.ts'
import { resolveLabels } from '../label/read.server.ts'
import { reachable, seesSubject } from './access.server.ts'
import type { PracticeCard, PracticePage, Search } from './calls.ts'
import { readCards } from './card.server.ts'
import { levelOfSubject } from './number.ts'
import { practice } from './practice.ts'

const PAGE = 20
/** Shape of a number, as M1-0203817. */
const NO = /^[A-Z]\d-\d{1,12}$/i

const within = (column: string, values: readonly (number | string)[] | undefined, type = 'bigint'): SQL[] =>
  values?.length ? [values.length === 1 ? sql`${sql.raw(column)} = ${values[0]}` : sql`${sql.raw(column)} = any(${sql.param([...values])}::${sql.raw(type)}[])`] : []
const yes = (column: string, value: number | boolean | undefined): SQL[] => (value === undefined ? [] : [sql`${sql.raw(column)} = ${Number(value)}`])

/** Words in the stem, the options and the parts. The index knows pairs of characters; the pattern decides. */
function keywordCondition({ pool, cat_id }: Search, text: string): SQL {
  const words = foldText(text)
  const exact = holds(sql`coalesce(p."search_text", '')`, words)
  const found = words.length > 1 ? sql`(${hasPieces(practice, words, 'p.', pool && cat_id ? [pool, cat_id] : [])} and ${exact})` : exact
  return NO.test(words) ? sql`(p.no = ${words.toUpperCase()} or ${found})` : found
}

const same = (p: string, x: string) => sql.raw(`${x}.content_hash = ${p}.content_hash and ${x}.pool = ${p}.pool and ${x}.subject_id = ${p}.subject_id and ${x}.id <> ${p}.id and ${x}.deleted_at is null`)

/** Filters that say no more of a question than the label along which a list walks, when that is one of the subject. */
const TOLD_BY_LABEL: ReadonlySet<string> = new Set(['pool', 'cat_id', 'level', 'label_ids', 'label_scope', 'sort', 'cursor', 'page_size'])

/** Whether everything that carries a label belongs to the list: counting then reads the index of labels alone. */
const isLabelOnly = (staff: Staff, { pool, cat_id, level, ...rest }: Search): boolean =>
  pool !== undefined && cat_id !== undefined && [undefined, levelOfSubject(cat_id)].includes(level as 0) && seesSubject(staff, pool, cat_id)
  && Object.entries(rest).every(([key, value]) => value === undefined || TOLD_BY_LABEL.has(key))

/** Everything that decides whether a question belongs to a list, but for the one label that the list may walk along. */
async function conditions(db: Queryable, staff: Staff, search: Search): Promise<{ where: SQL; label: number | undefined }> {
  const { cat_id, level, pool, keyword, label_ids, label_scope, catalog_ids } = search
  // What a label is found by holds living questions only, and a person who sees the whole subject need not be looked after at each
  // of them: what is asked then often stands in an index, and is counted there.
  const byLabel = label_ids?.length && label_scope !== 'exact'
  const parts: SQL[] = byLabel ? [] : [sql`p.deleted_at is null`]
  if (pool) parts.push(sql`p.pool = ${pool}`)
  if (cat_id) parts.push(sql`p.subject_id = ${cat_id}`)
  if (level !== undefined) parts.push(sql`p.level = ${level}`)
  if (!(pool && cat_id && seesSubject(staff, pool, cat_id))) parts.push(reachable(staff, pool))
  parts.push(
    ...within('p.type', search.types, 'int'), ...within('p.category_id', search.category_ids), ...within('p.difficulty', search.difficulties, 'int'), ...within('p.source', search.sources, 'text'),
    ...within('p.exam_region_id', search.region_ids, 'int'), ...within('p.exercise_type', search.exercise_types, 'int'), ...within('p.status', search.statuses, 'int'), ...within('p.owner_id', search.owner_ids),
    ...within('p.id', search.ids), ...yes('p.has_video', search.has_video), ...yes('p.has_analysis', search.has_analysis), ...yes('p.has_image', search.has_image),
  )
  if (search.gaokao_type !== undefined) parts.push(sql`p.gaokao_type = ${search.gaokao_type}`)
  if (search.source_years?.length) parts.push(sql`p.source_years && ${sql.param(search.source_years)}::bigint[]`)
  if (search.product !== undefined) parts.push(sql`p.products @> array[${search.product}]::bigint[]`)
  if (search.tags?.length) parts.push(sql`p.tags && ${sql.param(search.tags)}::text[]`)
  if (search.verifier_ids?.length) parts.push(sql`(p.verifier1_id = any(${sql.param(search.verifier_ids)}::bigint[]) or p.verifier2_id = any(${sql.param(search.verifier_ids)}::bigint[]))`)
  if (search.exclude_ids?.length) parts.push(sql`p.id <> all(${sql.param(search.exclude_ids)}::bigint[])`)
  if (search.basket !== undefined) parts.push(sql`${search.basket ? sql`` : sql`not `}exists (select 1 from basket_item b where b.staff_id = ${staff.id} and b.practice_id = p.id)`)
  if (search.unlabelled) parts.push(sql`not exists (select 1 from practice_label pl join label l on l.id = pl.label_id where pl.practice_id = p.id and l.kind = 'knowledge')`)
  if (search.duplicated) parts.push(sql`exists (select 1 from practice x where ${same('p', 'x')})`)
  if (search.flagged) parts.push(sql`exists (select 1 from practice_stat s where s.practice_id = p.id and s.flags <> '{}')`)
  if (search.reported) parts.push(sql`p.id in (select practice_id from practice_report where status in (0, 1) and deleted_at is null)`)
  if (search.flags?.length) parts.push(sql`exists (select 1 from practice_stat s where s.practice_id = p.id and s.flags && ${sql.param([...search.flags])}::text[])`)
  const chapters = chapterQuery(search)
  if (chapters) parts.push(sql`p.id = any(array(select pc.practice_id from practice_chapter pc where pc.chapter_id in (${chapters})))`)
  if (keyword) parts.push(keywordCondition(search, keyword))

  let label: number | undefined
  if (label_ids?.length) {
    const living = [...new Set((await resolveLabels(db, label_ids)).values())]
    if (label_scope === 'exact') parts.push(sql`p.id in (select practice_id from practice_label where label_id = any(${sql.param(living)}::bigint[]))`)
    // One label, in one bank: the list walks along its range, newest first, and stops when the page is full.
    else if (living.length === 1 && pool) label = living[0]
    else parts.push(sql`${CUSTOM_PLAN}p.id in (select practice_id from practice_label_tree where label_id = any(${sql.param(living)}::bigint[])${pool ? sql` and pool = ${pool}` : sql``})`)
  }
  return { where: sql.join(parts, sql` and `), label }

  function chapterQuery(wanted: Search): SQL | undefined {
    if (catalog_ids?.length) {
      return sql`select below.id from chapter above join chapter below on below.id = above.id or (below.partwork_id = above.partwork_id and below.path like above.path || above.id || '/%') where above.id = any(${sql.param(catalog_ids)}::bigint[])`
    }
    if (wanted.partwork_id) return sql`select id from chapter where partwork_id = ${wanted.partwork_id}`
    if (wanted.version_id) return sql`select c.id from chapter c join partwork w on w.id = c.partwork_id where w.version_id = ${wanted.version_id}`
    return undefined
  }
}

interface Order {
  key: string
  way: 'asc' | 'desc'
}

function orderOf(search: Search): Order {
  const text = search.sort ?? '-id'
  return text.startsWith('-') ? { key: text.slice(1), way: 'desc' } : { key: text, way: 'asc' }
}

function readCursor(text: string): [number | null, number] {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    if (Array.isArray(value) && value.length === 2 && (value[0] === null || typeof value[0] === 'number') && Number.isSafeInteger(value[1])) return value as [number | null, number]
  } catch {
    // Falls through: whatever it was, it is not ours.
  }
  throw badRequest('翻页位置有误，请回到第一页')
}

/** Rows behind a place. What is empty stands at the upper end, as the database sorts it. */
function after({ key, way }: Order, cursor: string, id: SQL): SQL {
  const [value, last] = readCursor(cursor)
  const than = sql.raw(way === 'desc' ? '<' : '>')
  if (key === 'id') return sql`${id} ${than} ${last}`
  const column = sql`p.${sql.identifier(key)}`
  const filled = sql`(${column}, p.id) ${than} (${key === 'updated_at' ? sql`to_timestamp(${value}::float8)` : sql`${value}`}, ${last})`
  const empty = sql`(${column} is null and p.id ${than} ${last})`
  if (value === null) return way === 'desc' ? sql`(${empty} or ${column} is not null)` : empty
  return way === 'desc' ? filled : sql`(${filled} or ${column} is null)`
}

/** How long the number of questions in a long list may be repeated, in milliseconds: counting is what costs (ADR 0005). */
const COUNT_TTL = 5000
/** From here on nobody sees that a number is some seconds old; shorter lists are counted every time. */
const LONG = 1000
const counts = new Map<string, { at: number; n: number }>()

function rememberedCount(key: string): number | undefined {
  const known = counts.get(key)
  return known && Date.now() - known.at < COUNT_TTL ? known.n : undefined
}

function rememberCount(key: string, n: number): void {
  if (n < LONG) return
  if (counts.size > 2000) counts.clear()
  counts.set(key, { at: Date.now(), n })
}

interface FoundQuestion {
  id: number
  /** What the list is sorted by; null where that is the id. */
  value: number | null
}

/** One page of a bank, and on the first page how many there are. */
export async function searchPage(db: Queryable, staff: Staff, search: Search): Promise<PracticePage> {
  const order = orderOf(search)
  const size = search.page_size ?? PAGE
  // One row more than asked tells whether there is a next page, without counting.
  const limit = sql.raw(String(size + 1))
  const { where, label } = await conditions(db, staff, search)
  const along = label === undefined ? sql`practice p` : sql`practice_label_tree t join practice p on p.id = t.practice_id`
  const condition = label === undefined ? where : sql`t.label_id = ${label} and t.pool = ${search.pool ?? 'back'} and ${where}`
  const id = label === undefined ? sql`p.id` : sql`t.practice_id`
  const way = sql.raw(order.way)
  const column = sql`p.${sql.identifier(order.key)}`
  const by = order.key === 'id' ? sql`${id} ${way}` : sql`${column} ${way}, p.id ${way}`
  const behind = search.cursor ? sql` and ${after(order, search.cursor, id)}` : sql``
  const found = sql`select p.id, ${order.key === 'id' ? sql`null::int` : column} as value from ${along} where ${condition}`

  const walk = () => db.query<FoundQuestion>(sql`${found}${behind} order by ${by} limit ${limit}`)
  /** All of a list that is not too long is gone through for its number, and has its first page on the way. */
  const walkCounted = async (): Promise<{ rows: FoundQuestion[]; total: number }> => {
    const rows = await db.query<FoundQuestion & { n: number }>(sql`with found as materialized (${found} limit ${sql.raw(String(COUNT_CAP))})
      select id, value, (select count(*)::int from found) as n from found order by ${order.key === 'id' ? sql`id ${way}` : sql`value ${way}, id ${way}`} limit ${limit}`)
    const total = rows[0]?.n ?? 0
    return { rows: total < COUNT_CAP ? rows : await walk(), total }
  }
  /** Of a label nothing but its index has to be counted. */
  const countLabel = async (): Promise<number> => {
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from (select 1 from practice_label_tree t join label l on l.id = t.label_id
      where t.label_id = ${label} and t.pool = ${search.pool ?? 'back'} and l.subject_id = ${search.cat_id} limit ${sql.raw(String(COUNT_CAP))}) x`)
    return row?.n ?? 0
  }

  const { text, values } = compile(found)
  const key = `${text} ${JSON.stringify(values)}`
  const known = search.cursor ? undefined : rememberedCount(key)
  const first = async (): Promise<{ rows: FoundQuestion[]; total: number }> => {
    if (known === undefined && !(label !== undefined && isLabelOnly(staff, search))) return walkCounted()
    const [rows, total] = await Promise.all([walk(), known ?? countLabel()])
    return { rows, total }
  }
  const { rows, total } = search.cursor ? { rows: await walk() } : await first()
  if (total !== undefined && known === undefined) rememberCount(key, total)

  const shown = rows.slice(0, size)
  const items: PracticeCard[] = await readCards(db, staff, shown.map((row) => row.id))
  const last = shown.at(-1)
  return {
    items,
    ...(total !== undefined && { total }),
    ...(rows.length > size && last && { next: Buffer.from(JSON.stringify([last.value, last.id])).toString('base64url') }),
  }
}
