import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { holdTargets } from '../../core/resource/write.server.ts'
import { forecast, LEAST_DAYS, LOOK_BACK } from './forecast.ts'
import { matter } from './matter.ts'
import type { MoveKind, PURPOSES } from './move.ts'
import { warehouse } from './warehouse.ts'

const DAY = 86_400

/** One change of what lies in a warehouse. */
export interface Line {
  readonly matter_id: number
  readonly warehouse_id: number
  /** What comes is above nothing, what goes below. */
  readonly qty: number
  readonly peer_id?: number
  readonly print_no?: number
  readonly reverse_of?: number
}

/** What all lines of a document say. */
export interface Document {
  readonly kind: MoveKind
  readonly staffId: number | null
  readonly purpose?: (typeof PURPOSES)[number]['value'] | undefined
  readonly receiver?: string | undefined
  readonly mobile?: string | undefined
  readonly order_no?: string | undefined
  readonly check_no?: number | undefined
  readonly note?: string | undefined
  /** When it happened, in unix seconds; now by default. */
  readonly at?: number
}

/** A matter as it is locked. */
export interface HeldMatter extends Record<string, unknown> { id: number; name: string; unit: string; status: number; book_id: number | null }

/** SQL of what of the prints of a matter's book has not come yet, since the matter is known; `t` is the matter. */
export const TRANSIT = sql`(select coalesce(sum(greatest(p.copies - coalesce(r.qty, 0), 0)), 0)::bigint from book_print p
  left join (select print_no, sum(qty) as qty from matter_move m where m.matter_id = t.id and m.print_no is not null group by print_no) r on r.print_no = p.no
  where p.book_id = t.book_id and p.at >= t.created_at)`

/**
 * Locks matters in the order of their ids: whoever changes stock of one waits here for others, so what is read afterwards holds.
 * @throws notFound where one is gone
 */
export async function lockMatters(tx: Queryable, ids: readonly number[]): Promise<Map<number, HeldMatter>> {
  const wanted = [...new Set(ids)]
  const rows = await tx.query<HeldMatter>(sql`select id, name, unit, status, book_id from matter where id = any(${sql.param(wanted)}::bigint[]) and deleted_at is null order by id for no key update`)
  if (rows.length < wanted.length) throw notFound(matter.label)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What lies of locked matters in a warehouse. */
export async function stockIn(tx: Queryable, warehouseId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ matter_id: number; qty: number }>(sql`select matter_id, qty from matter_stock where warehouse_id = ${warehouseId} and matter_id = any(${sql.param([...ids])}::bigint[])`)
  return new Map(rows.map(({ matter_id, qty }) => [matter_id, qty]))
}

/** The next number of a document: its day, and a number that never repeats. */
async function nextDoc(tx: Queryable): Promise<string> {
  const [row] = await tx.query<{ no: string }>(sql`select 'WL' || to_char(now() at time zone 'Asia/Shanghai', 'YYMMDD') || lpad(nextval(pg_get_serial_sequence('matter_move', 'id'))::text, 6, '0') as no`)
  return row?.no ?? ''
}

/**
 * Writes lines into the stock book: the one place where stock changes. Lines of the same matter and warehouse count together.
 * @param held the matters of the lines, locked
 * @returns number of the document
 * @throws AppError that says where how much is missing; nothing is written then
 */
export async function post(tx: Queryable, held: ReadonlyMap<number, HeldMatter>, document: Document, lines: readonly Line[]): Promise<string> {
  const places = [...new Set(lines.map(({ warehouse_id }) => warehouse_id))]
  await holdTargets(tx, warehouse, places)
  const doc = await nextDoc(tx)
  const sums = new Map<string, number>()
  // What comes is written before what goes, so that no balance in between is below nothing.
  const ordered = [...lines].sort((a, b) => a.matter_id - b.matter_id || a.warehouse_id - b.warehouse_id || b.qty - a.qty)
  for (const { matter_id, warehouse_id, qty } of ordered) sums.set(`${matter_id} ${warehouse_id}`, (sums.get(`${matter_id} ${warehouse_id}`) ?? 0) + qty)
  const wanted = [...sums].map(([key, qty]) => ({ matter_id: Number(key.split(' ')[0]), warehouse_id: Number(key.split(' ')[1]), qty }))
  const before = await tx.query<{ matter_id: number; warehouse_id: number; qty: number; place: string }>(sql`select s.matter_id, s.warehouse_id, s.qty, w.name as place from matter_stock s join warehouse w on w.id = s.warehouse_id
    where s.matter_id = any(${sql.param([...held.keys()])}::bigint[]) and s.warehouse_id = any(${sql.param(places)}::bigint[])`)
  const left = new Map(before.map((one) => [`${one.matter_id} ${one.warehouse_id}`, one]))
  const short = wanted.flatMap(({ matter_id, warehouse_id, qty }) => {
    const has = left.get(`${matter_id} ${warehouse_id}`)
    const one = held.get(matter_id)
    return (has?.qty ?? 0) + qty >= 0 ? [] : [`「${one?.name ?? ''}」只有 ${(has?.qty ?? 0).toLocaleString('zh-CN')} ${one?.unit ?? ''}，要出 ${(-qty).toLocaleString('zh-CN')} ${one?.unit ?? ''}`]
  })
  if (short.length > 0) {
    const [place] = await tx.query<{ name: string }>(sql`select name from warehouse where id = ${wanted.find(({ matter_id, warehouse_id, qty }) => (left.get(`${matter_id} ${warehouse_id}`)?.qty ?? 0) + qty < 0)?.warehouse_id ?? 0}`)
    throw badRequest(`${place?.name ?? '仓库'}库存不足：${short.slice(0, 3).join('；')}${short.length > 3 ? ` 等 ${short.length} 种` : ''}`)
  }
  await tx.query(sql`insert into matter_stock (matter_id, warehouse_id, qty) select matter_id, warehouse_id, qty from jsonb_to_recordset(${JSON.stringify(wanted.filter(({ matter_id, warehouse_id }) => !left.has(`${matter_id} ${warehouse_id}`)))}::jsonb) as r (matter_id bigint, warehouse_id bigint, qty bigint)`)
  await tx.query(sql`update matter_stock s set qty = s.qty + r.qty from jsonb_to_recordset(${JSON.stringify(wanted.filter(({ matter_id, warehouse_id }) => left.has(`${matter_id} ${warehouse_id}`)))}::jsonb) as r (matter_id bigint, warehouse_id bigint, qty bigint)
    where s.matter_id = r.matter_id and s.warehouse_id = r.warehouse_id`)
  const running = new Map([...left].map(([key, { qty }]) => [key, qty]))
  const rows = ordered.map((line) => {
    const key = `${line.matter_id} ${line.warehouse_id}`
    const balance = (running.get(key) ?? 0) + line.qty
    running.set(key, balance)
    return { ...line, balance }
  })
  const { kind, staffId, purpose, receiver, mobile, order_no, check_no, note, at } = document
  const moment = at === undefined ? sql`now()` : sql`to_timestamp(${at})`
  await tx.query(sql`insert into matter_move (doc, matter_id, warehouse_id, kind, qty, balance, peer_id, purpose, receiver, mobile, user_id, order_no, print_no, check_no, note, reverse_of, created_by, updated_by, created_at, updated_at)
    select ${doc}, r.matter_id, r.warehouse_id, ${kind}, r.qty, r.balance, r.peer_id, ${purpose ?? null}, ${receiver ?? null}, ${mobile ?? null}, (select id from app_user where mobile = ${mobile ?? null} and deleted_at is null limit 1), ${order_no ?? null}, r.print_no, ${check_no ?? null}::bigint, ${note ?? null}, r.reverse_of, ${staffId}::bigint, ${staffId}::bigint, ${moment}, ${moment}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (matter_id bigint, warehouse_id bigint, qty bigint, balance bigint, peer_id bigint, print_no bigint, reverse_of bigint)`)
  recordsWritten(tx, 'matter_move')
  await refresh(tx, [...held.keys()])
  return doc
}

/** What went out of matters, day by day, the oldest first: what came back and what was reversed is taken off. */
export async function outflow(db: Queryable, ids: readonly number[], now: number): Promise<Map<number, number[]>> {
  const first = startOfDay(now) - (LOOK_BACK - 1) * DAY
  const rows = await db.query<{ id: number; since: number; day: number | null; qty: number }>(sql`select t.id, greatest(0, floor((extract(epoch from coalesce((select min(f.created_at) from matter_move f where f.matter_id = t.id), now())) - ${first}) / ${DAY}))::int as since, x.day, coalesce(x.qty, 0)::float8 as qty
    from matter t left join lateral (select floor((extract(epoch from coalesce(o.created_at, m.created_at)) - ${first}) / ${DAY})::int as day, -sum(m.qty) as qty from matter_move m left join matter_move o on o.id = m.reverse_of
      where m.matter_id = t.id and m.kind in ('out', 'back') and coalesce(o.created_at, m.created_at) >= to_timestamp(${first}) group by 1) x on true where t.id = any(${sql.param([...ids])}::bigint[])`)
  const found = new Map<number, number[]>()
  for (const { id, since, day, qty } of rows) {
    const days = found.get(id) ?? Array.from({ length: Math.max(LEAST_DAYS, LOOK_BACK - since) }, () => 0)
    const place = day === null ? -1 : day - (LOOK_BACK - days.length)
    if (place >= 0 && place < days.length) days[place] = qty
    found.set(id, days)
  }
  return found
}

/** Works out anew what follows from the book: stock, how much goes out, when it runs out, when to order. */
export async function refresh(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const now = Math.floor(Date.now() / 1000)
  const flows = await outflow(tx, ids, now)
  const facts = await tx.query<{ id: number; stock: number; lead: number; floor: number }>(sql`select t.id, t.lead_days as lead, t.floor, coalesce((select sum(s.qty) from matter_stock s where s.matter_id = t.id), 0)::float8 as stock from matter t where t.id = any(${sql.param([...ids])}::bigint[])`)
  const rows = facts.map(({ id, stock, lead, floor }) => {
    // What is on its way does not change when the shelf is empty, nor the level at which more is ordered.
    const { daily, lasts, reorderAt } = forecast({ out: flows.get(id) ?? [], stock, transit: 0, lead, floor })
    return { id, stock, daily, reorder_at: reorderAt, out_on: lasts === null ? null : startOfDay(now) + lasts * DAY }
  })
  await setDerived(tx, matter, { stock: sql`r.stock`, daily: sql`r.daily`, reorder_at: sql`r.reorder_at`, out_on: sql`to_timestamp(r.out_on)` }, sql`t.id = r.id`, { from: sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, stock bigint, daily numeric, reorder_at bigint, out_on float8)` })
}
