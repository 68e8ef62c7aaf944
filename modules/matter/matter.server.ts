import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { findScanned, moveMatters, readStory, reverseMove, type MatterStory, type Scanned } from './calls.ts'
import { forecast, LOOK_BACK } from './forecast.ts'
import { matter } from './matter.ts'
import { MOVE_KINDS, matterMove } from './move.ts'
import { lockMatters, outflow, post, refresh, TRANSIT, type HeldMatter, type Line } from './post.server.ts'
import { warehouse } from './warehouse.ts'

const DAY = 86_400

/** The condition on `TRANSIT` and its like for the bare table. */
const bare = (condition: ReturnType<typeof sql>) => sql`exists (select 1 from matter t where t.id = matter.id and ${condition})`

const COMPUTED = {
  transit: TRANSIT,
  value: sql`(t.stock * coalesce(t.cost, 0))::bigint`,
  places: sql`(select string_agg(w.name || ' ' || s.qty, '、' order by s.qty desc) from matter_stock s join warehouse w on w.id = s.warehouse_id where s.matter_id = t.id and s.qty > 0)`,
}

export const matters = serve(matter)({
  computed: COMPUTED,
  segments: {
    needs: {
      reorder: bare(sql`t.status = 1 and t.reorder_at > 0 and t.stock + ${TRANSIT} <= t.reorder_at`),
      none: sql`matter.stock = 0`,
      coming: bare(sql`${TRANSIT} > 0`),
      idle: sql`matter.stock > 0 and not exists (select 1 from matter_move m where m.matter_id = matter.id and m.kind = 'out' and m.created_at > now() - make_interval(days => ${LOOK_BACK}))`,
    },
  },
  async after({ tx, row, saved }) {
    // What somebody wants to have in any case, and how long a delivery takes, are part of when more is ordered.
    if (!row || row.floor !== saved.floor || row.lead_days !== saved.lead_days) await refresh(tx, [saved.id])
  },
})

const LIES = sql`from matter_stock s join matter m on m.id = s.matter_id and m.deleted_at is null where s.warehouse_id = t.id and s.qty > 0`

export const warehouses = serve(warehouse)({
  computed: { sort_cnt: sql`(select count(*)::int ${LIES})`, total: sql`(select coalesce(sum(s.qty), 0)::bigint ${LIES})`, cost: sql`(select coalesce(sum(s.qty * coalesce(m.cost, 0)), 0)::bigint ${LIES})` },
  async before({ tx, values, row }) {
    if (row && values.status === 0 && row.status === 1) {
      const [left] = await tx.query<{ name: string; qty: number; unit: string }>(sql`select m.name, s.qty, m.unit from matter_stock s join matter m on m.id = s.matter_id where s.warehouse_id = ${row.id} and s.qty > 0 order by s.qty desc limit 1`)
      if (left) throw badRequest(`「${row.name}」还有「${left.name}」${left.qty.toLocaleString('zh-CN')} ${left.unit}，先调拨到别的仓库再停用`)
    }
  },
  effects: {
    async ship_here({ tx, row }) {
      // One at a time: of two that are set at once the later one ships.
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('warehouse ships'))`)
      await touch(tx, warehouse, { ships: 0 }, sql`t.ships = 1 and t.id <> ${row.id}`)
    },
  },
})

export const moves = serve(matterMove)({ computed: { reversed: sql`(select x.doc from matter_move x where x.reverse_of = t.id order by x.id limit 1)` } })

/** @throws AppError when a warehouse takes and gives nothing any more */
async function checkWarehouse(tx: Queryable, key: 'warehouse_id' | 'peer_id', id: number): Promise<void> {
  const [row] = await tx.query<{ name: string; status: number }>(sql`select name, status from warehouse where id = ${id} and deleted_at is null for key share`)
  if (!row) throw invalid({ [key]: '仓库不存在或已被删除，请重新选择' })
  if (row.status !== 1) throw invalid({ [key]: `「${row.name}」已停用` })
}

/** Refuses more of a print than was printed: what was split over several entries counts together. */
async function checkPrints(tx: Queryable, held: ReadonlyMap<number, HeldMatter>, lines: readonly { matter_id: number; qty: number; print_no?: number | undefined }[]): Promise<void> {
  const wanted = new Map<string, number>()
  for (const { matter_id, qty, print_no } of lines) if (print_no !== undefined) wanted.set(`${matter_id} ${print_no}`, (wanted.get(`${matter_id} ${print_no}`) ?? 0) + qty)
  for (const [key, qty] of wanted) {
    const [matterId = 0, no = 0] = key.split(' ').map(Number)
    const one = held.get(matterId)
    const [print] = await tx.query<{ copies: number; received: number }>(sql`select p.copies, coalesce((select sum(m.qty) from matter_move m where m.matter_id = ${matterId} and m.print_no = p.no), 0)::float8 as received from book_print p where p.book_id = ${one?.book_id ?? 0} and p.no = ${no}`)
    if (!print) throw badRequest(`「${one?.name ?? ''}」没有第 ${no} 次印刷`)
    const left = Math.max(0, print.copies - print.received)
    if (qty > left) throw badRequest(`「${one?.name ?? ''}」第 ${no} 次印刷 ${print.copies.toLocaleString('zh-CN')} 册，还有 ${left.toLocaleString('zh-CN')} 册未入库；多出来的不选印次入库`)
  }
}

type MoveInput = NonNullable<typeof moveMatters['input']> extends { _zod: { output: infer Output } } ? Output : never

/** What each kind of document needs beside its lines. @throws AppError that names what is missing */
function checkParts({ kind, warehouse_id, peer_id, purpose, receiver, lines }: MoveInput): void {
  if (kind === 'transfer' && peer_id === undefined) throw invalid({ peer_id: '请选择调入仓库' })
  if (kind === 'transfer' && peer_id === warehouse_id) throw invalid({ peer_id: '调入和调出是同一个仓库' })
  if (kind === 'out' && !purpose) throw invalid({ purpose: '请选择用途' })
  if (kind === 'out' && !receiver) throw invalid({ receiver: '请填写领用人' })
  if (kind !== 'in' && lines.some(({ print_no }) => print_no !== undefined)) throw badRequest('只有入库可以选印次')
}

/** Lines of a document as the book keeps them: the same matter of the same print is one line. */
function linesOf({ kind, warehouse_id, peer_id, lines }: MoveInput): Line[] {
  const merged = new Map<string, { matter_id: number; qty: number; print_no?: number | undefined }>()
  for (const line of lines) {
    const key = `${line.matter_id} ${line.print_no ?? ''}`
    merged.set(key, { ...line, qty: line.qty + (merged.get(key)?.qty ?? 0) })
  }
  return [...merged.values()].flatMap(({ matter_id, qty, print_no }): Line[] => {
    if (kind === 'transfer' && peer_id !== undefined) return [{ matter_id, warehouse_id, qty: -qty, peer_id }, { matter_id, warehouse_id: peer_id, qty, peer_id: warehouse_id }]
    return [{ matter_id, warehouse_id, qty: kind === 'out' ? -qty : qty, ...(print_no !== undefined && { print_no }) }]
  })
}

/** Moves matters as a person writes it down. @returns number of the document */
export async function moveOnce(tx: Queryable, staffId: number | null, input: MoveInput, at?: number): Promise<string> {
  checkParts(input)
  const { kind, warehouse_id, peer_id, purpose, receiver, mobile, order_no, note } = input
  const held = await lockMatters(tx, input.lines.map(({ matter_id }) => matter_id))
  await checkWarehouse(tx, 'warehouse_id', warehouse_id)
  if (kind === 'transfer' && peer_id !== undefined) await checkWarehouse(tx, 'peer_id', peer_id)
  const stopped = kind === 'in' ? [...held.values()].find(({ status }) => status !== 1) : undefined
  if (stopped) throw badRequest(`「${stopped.name}」已停用，不能再入库`)
  await checkPrints(tx, held, input.lines)
  if (order_no) {
    const [order] = await tx.query(sql`select 1 from orders where order_no = ${order_no} and deleted_at is null`)
    if (!order) throw invalid({ order_no: '没有这个订单' })
  }
  const words = kind === 'out' || kind === 'back' ? { receiver, mobile, order_no } : {}
  return post(tx, held, { kind, staffId, note, ...words, ...(kind === 'out' && { purpose }), ...(at !== undefined && { at }) }, linesOf(input))
}

/** What can be reversed: counts and losses have a second person's word, parcels follow their order. */
const REVERSIBLE: readonly string[] = ['in', 'out', 'transfer', 'back']

interface StoredMove extends Record<string, unknown> { id: number; doc: string; matter_id: number; warehouse_id: number; kind: (typeof MOVE_KINDS)[number]['value']; qty: number; peer_id: number | null; purpose: string | null; receiver: string | null; mobile: string | null; order_no: string | null; print_no: number | null; reverse_of: number | null; note: string | null }

/** Writes the opposite of a line, of both lines of a transfer. Once only, and never of what reverses. */
async function reverseOnce(tx: Queryable, staffId: number, id: number, reason: string): Promise<string> {
  const [one] = await tx.query<StoredMove>(sql`select * from matter_move where id = ${id}`)
  if (!one) throw notFound(matterMove.label)
  const held = await lockMatters(tx, [one.matter_id])
  const word = MOVE_KINDS.find(({ value }) => value === one.kind)?.label ?? ''
  if (!REVERSIBLE.includes(one.kind)) throw badRequest(`${word}经过审核，不能冲销，再盘一次`)
  if (one.reverse_of !== null) throw badRequest('这一条就是冲销，不能再冲销')
  const [done] = await tx.query<{ doc: string }>(sql`select doc from matter_move where reverse_of = ${id}`)
  if (done) throw new AppError('reversed', 409, `已由 ${done.doc} 冲销`)
  const pair = one.kind === 'transfer' ? await tx.query<StoredMove>(sql`select * from matter_move where doc = ${one.doc} and matter_id = ${one.matter_id} and kind = 'transfer' and id <> ${id}`) : []
  const lines = [one, ...pair].map((line): Line => ({ matter_id: line.matter_id, warehouse_id: line.warehouse_id, qty: -line.qty, reverse_of: line.id, ...(line.peer_id !== null && { peer_id: line.peer_id }), ...(line.print_no !== null && { print_no: line.print_no }) }))
  return post(tx, held, { kind: one.kind, staffId, note: `冲销 ${one.doc}：${reason}`.slice(0, 200), receiver: one.receiver ?? undefined, mobile: one.mobile ?? undefined, order_no: one.order_no ?? undefined }, lines)
}

/** Matters whose code, bar code or book's number was scanned, or the one of an id. */
async function scanned(db: Queryable, codes: readonly string[], id = 0): Promise<Scanned[]> {
  const wanted = codes.map((code) => code.trim().toLowerCase()).filter(Boolean)
  if (wanted.length === 0 && id === 0) return []
  const rows = await db.query<Omit<Scanned, 'places' | 'prints'>>(sql`select t.id, t.name, t.sku, t.barcode, b.isbn, t.unit, t.status from matter t left join book b on b.id = t.book_id
    where t.deleted_at is null and (t.id = ${id} or lower(t.sku) = any(${sql.param(wanted)}::text[]) or lower(t.barcode) = any(${sql.param(wanted)}::text[]) or b.isbn = any(${sql.param(wanted)}::text[])) order by t.status desc, t.id limit 200`)
  const ids = sql.param(rows.map(({ id }) => id))
  const places = await db.query<{ matter_id: number; warehouse_id: number; name: string; qty: number }>(sql`select s.matter_id, s.warehouse_id, w.name, s.qty from matter_stock s join warehouse w on w.id = s.warehouse_id where s.matter_id = any(${ids}::bigint[]) and s.qty > 0 order by s.qty desc`)
  const prints = await db.query<{ matter_id: number; no: number; left: number }>(sql`select t.id as matter_id, p.no, (p.copies - coalesce((select sum(m.qty) from matter_move m where m.matter_id = t.id and m.print_no = p.no), 0))::float8 as left from matter t join book_print p on p.book_id = t.book_id where t.id = any(${ids}::bigint[]) order by p.no desc`)
  return rows.map((row) => ({
    ...row, places: places.flatMap((one) => (one.matter_id === row.id ? [{ warehouse_id: one.warehouse_id, name: one.name, qty: one.qty }] : [])),
    prints: prints.flatMap((one) => (one.matter_id === row.id && one.left > 0 ? [{ no: one.no, left: one.left }] : [])),
  }))
}

/** Weeks of a matter, day by day, and what follows from them. */
async function storyOf(db: Queryable, row: { id: number; book_id: number | null; stock: number | null; transit: unknown; lead_days: number; floor: number }, shown: (name: string) => string): Promise<MatterStory> {
  const now = Math.floor(Date.now() / 1000)
  const out = (await outflow(db, [row.id], now)).get(row.id) ?? []
  const first = startOfDay(now) - (out.length - 1) * DAY
  const later = new Map((await db.query<{ day: number; qty: number }>(sql`select floor((extract(epoch from created_at) - ${first}) / ${DAY})::int as day, sum(qty)::float8 as qty from matter_move where matter_id = ${row.id} and created_at >= to_timestamp(${first}) group by 1`)).map(({ day, qty }) => [day, qty]))
  // Backwards from what is there now: what moved since is taken off again.
  const left: number[] = []
  for (let day = out.length - 1, stock = row.stock ?? 0; day >= 0; day--) { left[day] = stock; stock -= later.get(day) ?? 0 }
  const [places, prints, receivers] = await Promise.all([
    db.query<MatterStory['places'][number] & Record<string, unknown>>(sql`select s.warehouse_id, w.name, s.qty from matter_stock s join warehouse w on w.id = s.warehouse_id where s.matter_id = ${row.id} and s.qty > 0 order by s.qty desc`),
    row.book_id === null ? [] : db.query<MatterStory['prints'][number] & Record<string, unknown>>(sql`select p.no, p.copies, coalesce((select sum(m.qty) from matter_move m where m.matter_id = ${row.id} and m.print_no = p.no), 0)::float8 as received, extract(epoch from p.at)::float8 as at from book_print p where p.book_id = ${row.book_id} order by p.no desc limit 20`),
    db.query<MatterStory['receivers'][number] & Record<string, unknown>>(sql`select receiver as name, -sum(qty)::float8 as qty, count(*) filter (where reverse_of is null)::int as times from matter_move where matter_id = ${row.id} and kind in ('out', 'back') and receiver is not null and created_at >= to_timestamp(${first}) group by receiver having sum(qty) < 0 order by 2 desc limit 5`),
  ])
  return {
    places, prints, receivers: receivers.map((one) => ({ ...one, name: shown(one.name) })),
    days: out.map((qty, day) => ({ day: first + day * DAY, out: qty, left: left[day] ?? 0 })),
    forecast: forecast({ out, stock: row.stock ?? 0, transit: Number(row.transit ?? 0), lead: row.lead_days, floor: row.floor }),
  }
}

/** The calls of matters and their book, beside those of the lists. */
export const matterCalls: Served[] = [
  handle(findScanned, async ({ db, input: { codes = [], id } }) => ({ items: await scanned(db, [codes].flat(), id) })),
  handle(readStory, async (call) => {
    const row = await readOne(call.db, matter, call.staff, idParam(call), COMPUTED)
    if (!row) throw notFound(matter.label)
    return storyOf(call.db, { ...row, transit: (row as Record<string, unknown>)['transit'] }, (name) => shownName(matterMove, call.staff, name))
  }),
  handle(moveMatters, (call) => call.transaction(async (tx) => ({ doc: await moveOnce(tx, call.staff.id, call.input), lines: call.input.lines.length }), { action: 'move' })),
  handle(reverseMove, (call) => call.transaction(async (tx) => {
    // Found within what the person may see, and read again once its matter is locked.
    await lockRow(tx, matterMove, call.staff, idParam(call))
    return { doc: await reverseOnce(tx, call.staff.id, idParam(call), call.input.reason) }
  }, { action: 'reverse', reason: call.input.reason })),
]
