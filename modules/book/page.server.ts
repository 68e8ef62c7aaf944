import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { readOne, readPage } from '../../core/resource/list.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { TableUse } from '../../core/resource/uses.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { AssetUser } from '../asset/door.server.ts'
import { blockKind, describeBlocks, openBlocks } from '../outline/door.server.ts'
import { readCards, type PracticeUser } from '../practice/door.server.ts'
import { book } from './book.ts'
import { bookService } from './book.server.ts'
import { bookPage } from './book-page.ts'
import { findSpotTargets, readPages, readSpotCard } from './calls.ts'
import type { Hotspot } from './hotspot.ts'

/** What is computed of a page. */
export const PAGE_COMPUTED = {
  spot_cnt: sql`coalesce(jsonb_array_length(t.hotspots), 0)`,
  unbound_cnt: sql`(select count(*)::int from jsonb_array_elements(t.hotspots) e where e->>'ref_id' is null)`,
}

const listOf = (value: unknown) => (value ?? []) as Hotspot[]
/** What places lead to. */
export const bound = (spots: readonly Hotspot[]) => spots.flatMap(({ kind, ref_id }) => (kind === null || ref_id === null ? [] : [{ kind, ref_id }]))

/** Refuses what is not there, of what was not there before, and opens the rest to those who see the page. */
export async function checkSpots(tx: Queryable, spots: readonly Hotspot[], before: readonly Hotspot[]): Promise<void> {
  const had = new Set(bound(before).map(({ kind, ref_id }) => `${kind} ${ref_id}`))
  const fresh = bound(spots).filter(({ kind, ref_id }) => !had.has(`${kind} ${ref_id}`))
  const known = new Set((await describeBlocks(tx, fresh)).map(({ kind, id }) => `${kind} ${id}`))
  const missing = fresh.find(({ kind, ref_id }) => !known.has(`${kind} ${ref_id}`))
  if (missing) throw invalid({ hotspots: `${blockKind(missing.kind)?.label ?? '内容'}不存在或已被删除，请重新选择` })
  await openBlocks(tx, fresh, bookPage.grant)
}

/** Writes down what the places of a page lead to, in the transaction that writes them. */
export async function writeSpotUses(tx: Queryable, pageId: number, spots: readonly Hotspot[]): Promise<void> {
  await tx.query(sql`delete from hotspot_use where page_id = ${pageId}`)
  const uses = [...new Map(bound(spots).map((use) => [`${use.kind} ${use.ref_id}`, use])).values()]
  if (uses.length > 0) await tx.query(sql`insert into hotspot_use (page_id, kind, ref_id) select ${pageId}::bigint, r.kind, r.ref_id from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as r (kind text, ref_id bigint)`)
}

/** Pages of electronic books: what their places lead to is there, and is opened to those who edit them. */
export const pageService = serve(bookPage)({
  computed: PAGE_COMPUTED,
  async before({ tx, values, row }) {
    if (values.hotspots !== undefined) await checkSpots(tx, listOf(values.hotspots), listOf(row?.hotspots))
  },
  async after({ tx, values, saved }) {
    if (values.hotspots !== undefined) await writeSpotUses(tx, saved.id, listOf(saved.hotspots))
  },
})

/** A book that the person may see. @throws AppError when there is none */
export async function bookOf(call: { readonly staff: Staff; readonly db: Queryable }, id: number) {
  const row = await readOne(call.db, book, call.staff, id, bookService.rules.computed ?? {})
  if (!row) throw notFound(book.label)
  return row
}

/** The calls of pages beside those of every record. */
export const pageCalls = (): Served[] => [
  handle(readPages, async (call) => {
    const row = await bookOf(call, idParam(call))
    const { rows } = await readPage(call.db, bookPage, call.staff, { book_id: String(row.id), page_size: '0' }, PAGE_COMPUTED)
    const pages = rows.map((page) => showRow(bookPage, call.staff, page) as WireRow<typeof bookPage>)
    return { book: showRow(book, call.staff, row) as WireRow<typeof book>, pages, targets: await describeBlocks(call.db, pages.flatMap((page) => bound(listOf(page.hotspots)))) }
  }),
  handle(findSpotTargets, async (call) => {
    const { kind, keyword = '', book_id } = call.input
    const { subject_id } = await bookOf(call, Number(book_id))
    const target = blockKind(kind)?.target
    return { items: target ? (await target.find(call.db, call.staff, keyword, kind === 'practice' || kind === 'micro' ? subject_id : null)).map((fact) => ({ ...fact, kind })) : [] }
  }),
  handle(readSpotCard, async (call) => {
    const id = idParam(call)
    // A question is shown to those who see a page that leads to it.
    const [use] = await call.db.query(sql`select 1 from hotspot_use h where h.kind = 'practice' and h.ref_id = ${id} and h.page_id in (select id from book_page where ${listCondition(bookPage, call.staff, {})}) limit 1`)
    if (!use) throw notFound('试题')
    return { cards: await readCards(call.db, call.staff, [id]) }
  }),
]

const living = sql`join book_page p on p.id = s.page_id and p.deleted_at is null join book b on b.id = p.book_id`

/** What keeps a record from being removed while a place leads to it. */
export const usedBySpots = (kind: string, target: Resource): TableUse => ({
  target, table: 'hotspot_use', label: '电子书热区', measure: '页', when: sql`r.kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id and exists (select 1 from book_page p where p.id = r.page_id and p.deleted_at is null)`,
})

async function listUsing(kinds: SQL, db: Queryable, staff: Staff, refId: number) {
  if (!staff.modules.has(bookPage.grant)) return []
  const rows = await db.query<{ book_id: number; name: string; page_no: number; live: boolean }>(sql`select b.id as book_id, b.name, p.page_no, b.state = 3 as live from hotspot_use s ${living} where s.kind in (${kinds}) and s.ref_id = ${refId}
    and p.id in (select id from book_page where ${listCondition(bookPage, staff, {})}) order by b.id desc, p.page_no limit 100`)
  return rows.map(({ book_id, name, page_no, live }) => ({ kind: '电子书热区', title: `${name} 第 ${page_no} 页`, path: `/practiceBook/content/pebDetail?book_id=${book_id}&page=${page_no}`, live }))
}

/** One thing takes the place of another wherever a place leads to it. */
async function moveUsing(kinds: readonly string[], tx: Queryable, staff: Staff, from: number, to: number) {
  const done = { moved: 0, left_alone: 0 }
  const rows = await tx.query<{ id: number }>(sql`select distinct p.id from hotspot_use s ${living} where s.kind = any(${sql.param([...kinds])}::text[]) and s.ref_id = ${from} order by p.id`)
  for (const { id } of rows) {
    if (!staff.modules.has(bookPage.actions.update ?? 0)) {
      done.left_alone++
      continue
    }
    try {
      const row = await lockRow(tx, bookPage, staff, id)
      const next = listOf(row.hotspots).map((spot) => (spot.kind !== null && kinds.includes(spot.kind) && spot.ref_id === from ? { ...spot, ref_id: to } : spot))
      await touch(tx, bookPage, { hotspots: next }, id)
      await writeSpotUses(tx, id, next)
      done.moved++
    } catch (error) {
      // Refused before anything is written: what lies outside the person's scopes.
      if (!(error instanceof AppError)) throw error
      done.left_alone++
    }
  }
  return done
}

const ASSETS = ['video', 'audio']
const listed = (kinds: readonly string[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))

/** Places of pages as users of assets and of questions. */
export const spotAssets: AssetUser = {
  count: (id) => sql`(select count(*) from hotspot_use s ${living} where s.kind in (${listed(ASSETS)}) and s.ref_id = ${id})`,
  list: (db, staff, id) => listUsing(listed(ASSETS), db, staff, id),
  move: (tx, staff, from, to) => moveUsing(ASSETS, tx, staff, from, to),
}

export const spotPractices: PracticeUser = {
  count: (id) => sql`(select count(*) from hotspot_use s ${living} where s.kind = 'practice' and s.ref_id = ${id})`,
  list: (db, staff, id) => listUsing(listed(['practice']), db, staff, id),
  move: (tx, staff, from, to) => moveUsing(['practice'], tx, staff, from, to),
}
