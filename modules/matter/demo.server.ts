import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { SHIP_STATUS } from '../order/module.ts'
import { PARTNER_GOODS } from '../study-room/module.ts'
import { bookCheck, writeLines } from './check.server.ts'
import { CHECK_STATE, matterCheck, type CheckRow } from './check.ts'
import { matter } from './matter.ts'
import { moveOnce } from './matter.server.ts'
import { lockMatters, post } from './post.server.ts'
import { warehouse } from './warehouse.ts'

const DAY = 86_400
/** Days of history. */
const HISTORY = 84
/** How often something is given out in that time. */
const GIVEN = 110

/** Matters beside the books: how many came at first, how many go at a time, in which hundredth of the cases. */
const THINGS = [
  { name: '激活码刮刮卡（高中）', sku: 'CARD-GZ-01', kind: 'card', unit: '张', cost: 35, spec: '86 × 54 mm', first: 6000, out: [20, 120], share: 14, floor: 1000, lead_days: 12, kit_qty: null },
  { name: '激活码刮刮卡（初中）', sku: 'CARD-CZ-01', kind: 'card', unit: '张', cost: 35, spec: '86 × 54 mm', first: 1500, out: [20, 90], share: 12, floor: 500, lead_days: 12, kit_qty: null },
  { name: '门店招生海报', sku: 'POST-A1-03', kind: 'poster', unit: '张', cost: 420, spec: 'A1 铜版纸', first: 1800, out: [2, 10], share: 8, floor: 100, lead_days: 10, kit_qty: 4 },
  { name: '课程介绍手册', sku: 'BOOK-JS-02', kind: 'poster', unit: '本', cost: 260, spec: '16 开 24 页', first: 9000, out: [20, 60], share: 14, floor: 800, lead_days: 14, kit_qty: 30 },
  { name: '自习室桌牌', sku: 'SIGN-ZP-01', kind: 'poster', unit: '个', cost: 850, spec: '亚克力', first: 1500, out: [2, 6], share: 5, floor: 60, lead_days: 20, kit_qty: 2 },
  { name: '帆布袋', sku: 'GIFT-FB-01', kind: 'gift', unit: '个', cost: 900, spec: '38 × 42 cm', first: 900, out: [5, 25], share: 9, floor: 100, lead_days: 25, kit_qty: null },
  { name: '错题笔记本', sku: 'GIFT-BJ-02', kind: 'gift', unit: '本', cost: 480, spec: 'B5 80 页', first: 1600, out: [10, 40], share: 12, floor: 200, lead_days: 18, kit_qty: null },
  { name: '中性笔套装', sku: 'GIFT-BI-01', kind: 'gift', unit: '盒', cost: 620, spec: '0.5 mm 3 支', first: 130, out: [5, 20], share: 8, floor: 50, lead_days: 15, kit_qty: null },
  { name: '快递防水袋', sku: 'SUP-KD-01', kind: 'supply', unit: '个', cost: 40, spec: '38 × 52 cm', first: 4000, out: [50, 150], share: 6, floor: 800, lead_days: 7, kit_qty: null },
  { name: '旧版宣传单页', sku: 'POST-DY-01', kind: 'poster', unit: '张', cost: 12, spec: 'A4', first: 2600, out: [1, 1], share: 0, floor: 0, lead_days: 10, kit_qty: null },
] as const

const RECEIVERS = { sample: ['苏州一中备课组', '成都七中数学组', '南通中学教研室', '金陵中学图书馆'], agent: ['江苏启明书店', '川蜀文轩代理', '华东区代理 陈磊', '浙里阅读书社'], event: ['秋季家长会', '地推小组三组', '校园开放日', '暑期班结营礼'], own: ['客服部', '市场部 林倩', '教研部', '前台'] } as const

interface Stocked { id: number; name: string; sku: string; out: readonly [number, number]; share: number; first: number; book_id: number | null }

async function insertMatters(tx: Queryable, now: number, begun: number): Promise<Stocked[]> {
  const books = await tx.query<{ id: number; name: string; cover: string | null; n: number }>(sql`select b.id, b.name, b.cover, b.print_no::int as n from book b where b.print_no > 0 and b.deleted_at is null and b.state = 3 order by b.id`)
  const rows = [
    ...books.map((book, at) => ({ name: book.name, sku: `BK-${String(at + 1).padStart(3, '0')}`, kind: 'book', book_id: book.id, unit: '册', cost: 680 + at * 60, spec: '16 开', floor: 300, lead_days: 30, kit_qty: null, cover: book.cover })),
    ...THINGS.map(({ first: _first, out: _out, share: _share, ...thing }) => ({ ...thing, book_id: null, barcode: `690${thing.sku.replace(/\D/g, '').padStart(2, '0')}${String(1000 + thing.cost)}` })),
  ]
  const ids = await insertMany(tx, matter, rows.map((row) => ({ ...row, created_at: begun, updated_at: now - 3 * DAY })) as never)
  return rows.map((row, at) => {
    const thing = THINGS[at - books.length]
    return { id: ids[at] ?? 0, name: row.name, sku: row.sku, book_id: row.book_id, out: thing?.out ?? [5, 60], share: thing?.share ?? 12, first: thing?.first ?? 2600 - at * 500 }
  })
}

/** Something that happened. The book is written in the order of time. */
interface Event { at: number; run: () => Promise<unknown> }

interface Scene { tx: Queryable; random: Random; staff: readonly number[]; things: readonly Stocked[]; main: number; branch: number; begun: number; now: number }

/** What came first, and of prints since then what the printer's delivered so far. */
async function arrivals({ tx, staff, things, main, branch, begun, now }: Scene): Promise<Event[]> {
  const morning = begun + 9 * 3600
  const shared = things.filter(({ first }) => first >= 800).slice(0, 8)
  const prints = await tx.query<{ id: number; no: number; copies: number; at: number; last: boolean }>(sql`select t.id, p.no, p.copies, extract(epoch from p.at)::float8 as at, p.no = (select max(x.no) from book_print x where x.book_id = p.book_id) as last
    from matter t join book_print p on p.book_id = t.book_id where p.at >= t.created_at order by t.id, p.no`)
  return [
    { at: morning, run: () => moveOnce(tx, staff[0] ?? null, { kind: 'in', warehouse_id: main, lines: things.map(({ id, first }) => ({ matter_id: id, qty: first })), note: '期初入库' }, morning) },
    { at: morning + 4 * DAY, run: () => moveOnce(tx, staff[1] ?? null, { kind: 'transfer', warehouse_id: main, peer_id: branch, lines: shared.map(({ id, first }) => ({ matter_id: id, qty: Math.round(first * 0.2) })), note: '分仓备货' }, morning + 4 * DAY) },
    ...prints.map(({ id, no, copies, at, last }): Event => {
      const came = Math.min(now - DAY, Math.floor(at) + 9 * DAY)
      return { at: came, run: () => moveOnce(tx, staff[0] ?? null, { kind: 'in', warehouse_id: main, lines: [{ matter_id: id, qty: last ? Math.round(copies * 0.6) : copies, print_no: no }], note: '印刷厂送货' }, came) }
    }),
  ]
}

/** What went to people and places over the weeks, and some of it back. */
async function gifts({ tx, random, staff, things, main, branch, now }: Scene): Promise<Event[]> {
  const people = await tx.query<{ mobile: string; name: string }>(sql`select mobile, left(coalesce(real_name, nickname), 20) as name from app_user where status = 1 and deleted_at is null order by id limit 60`)
  const wanted = things.filter(({ share }) => share > 0).map((one) => [one, one.share] as const)
  return Array.from({ length: GIVEN }, (): Event => {
    const at = now - random.int(1, (HISTORY - 6) * 24) * 3600
    const purpose = random.weighted([['sample', 22], ['agent', 34], ['event', 20], ['gift', 16], ['own', 8]] as const)
    const place = random.chance(0.8) ? main : branch
    const picked = [...new Set(Array.from({ length: random.int(1, 3) }, () => random.weighted(wanted)))].map(({ id, out }) => ({ id, qty: purpose === 'gift' ? 1 : random.int(...out) }))
    const to = purpose === 'gift' ? random.pick(people) : { name: random.pick(RECEIVERS[purpose]), mobile: undefined }
    const [by, comesBack] = [random.pick(staff), random.chance(0.07) && purpose !== 'gift']
    return { at, async run() {
      const lies = new Map((await tx.query<{ matter_id: number; qty: number }>(sql`select matter_id, qty from matter_stock where warehouse_id = ${place}`)).map((one) => [one.matter_id, one.qty]))
      const lines = picked.map(({ id, qty }) => ({ matter_id: id, qty: Math.min(qty, (lies.get(id) ?? 0) - 5) })).filter(({ qty }) => qty > 0)
      const [first] = lines
      if (!first) return
      await moveOnce(tx, by, { kind: 'out', warehouse_id: place, purpose, receiver: to.name, lines, ...(to.mobile && { mobile: to.mobile }) }, at)
      if (comesBack && first.qty > 3) await moveOnce(tx, by, { kind: 'back', warehouse_id: place, receiver: to.name, lines: [{ matter_id: first.matter_id, qty: Math.ceil(first.qty * 0.3) }], note: '活动剩余退回' }, at + 600)
    } }
  })
}

/** Parcels of orders in these weeks, as their shipping would have written them down. */
async function parcels({ tx, main, begun }: Scene): Promise<Event[]> {
  const kit = await tx.query<{ id: number; kit_qty: number }>(sql`select id, kit_qty from matter where kit_qty > 0 order by id`)
  const sent = await tx.query<{ order_no: string; sets: number; name: string | null; mobile: string | null; at: number }>(sql`select o.order_no, sum(i.qty - i.refunded_qty)::int as sets, min(r.name) as name, min(r.mobile) as mobile, extract(epoch from min(x.created_at))::float8 as at
    from orders o join order_item i on i.order_id = o.id and i.kind = ${PARTNER_GOODS.material} join shipment x on x.order_id = o.id left join order_receiver r on r.order_id = o.id where o.ship_status = ${SHIP_STATUS.sent} and o.deleted_at is null
    group by o.id, o.order_no having min(x.created_at) > to_timestamp(${begun + 5 * DAY}) and sum(i.qty - i.refunded_qty) between 1 and 12 order by o.id limit 40`)
  return sent.map(({ order_no, sets, name, mobile, at }) => ({ at: Math.floor(at), async run() {
    const held = await lockMatters(tx, kit.map(({ id }) => id))
    await post(tx, held, { kind: 'out', staffId: null, purpose: 'order', receiver: name?.slice(0, 20), mobile: mobile ?? undefined, order_no, note: `${sets} 套物料随订单发出`, at: Math.floor(at) }, kit.map(({ id, kit_qty }) => ({ matter_id: id, warehouse_id: main, qty: -sets * kit_qty })))
  } }))
}

const B = CHECK_STATE

/** Counts and losses in every state. */
function counts({ tx, staff, main, branch, now }: Scene): Event[] {
  const plans = [
    { name: '9 月末盘点', kind: 'count', place: main, state: B.booked, days: 56 }, { name: '搬库进水损坏', kind: 'loss', place: branch, state: B.booked, days: 33 },
    { name: '重复建的盘点', kind: 'count', place: branch, state: B.void, days: 30 }, { name: '分仓 11 月盘点', kind: 'count', place: branch, state: B.waiting, days: 0.2 },
    { name: '展会回收破损', kind: 'loss', place: main, state: B.waiting, days: 0.1 }, { name: '11 月末盘点', kind: 'count', place: main, state: B.open, days: 0 },
  ] as const
  return plans.map(({ name, kind, place, state, days }): Event => {
    const at = Math.floor(now - days * DAY) - 1800
    return { at, async run() {
      const [id = 0] = await insertMany(tx, matterCheck, [{ name, kind, warehouse_id: place, state: B.open, created_at: at, created_by: staff[1] ?? null, ...(state === B.void && { verdict: '和上一张重复' }) }])
      const row = { id, kind, warehouse_id: place, name, state: B.open } as CheckRow
      if (state !== B.void) {
        const stock = await tx.query<{ matter_id: number; qty: number }>(sql`select matter_id, qty from matter_stock where warehouse_id = ${place} and qty > 20 order by matter_id limit ${kind === 'loss' ? 2 : state === B.open ? 5 : 9}`)
        await writeLines(tx, row, staff[1] ?? 1, stock.map(({ matter_id, qty }, nth) => ({ matter_id, counted: kind === 'loss' ? 3 + nth * 4 : nth % 4 === 1 ? qty - 3 - nth : nth === 6 ? qty + 2 : qty, seen: null, ...(nth === 1 && kind === 'count' && { note: '箱内少一包' }) })))
      }
      if (state === B.booked) await bookCheck(tx, row, staff[0] ?? null, at + 900)
      await tx.query(sql`update matter_check_line set at = to_timestamp(${at}) where check_id = ${id}`)
      await tx.query(sql`update matter_check set state = ${state}, submitted_by = ${state === B.booked || state === B.waiting ? staff[1] ?? null : null}::bigint, updated_at = to_timestamp(${at + 900}) where id = ${id}`)
    } }
  })
}

/** Warehouses, matters with twelve weeks of their book, counts and losses. */
export async function insertMatterDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1507), Math.floor(Date.now() / 1000)]
  const begun = startOfDay(now - HISTORY * DAY)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  await seedTransaction(db, async (tx) => {
    const [main = 0, branch = 0] = await insertMany(tx, warehouse, [
      { name: '苏州总仓', region_code: '320506', address: '吴中区越溪街道苏旺路 8 号 3 库', keeper_id: staff[1] ?? null, phone: '13815270316', ships: 1, created_at: begun },
      { name: '成都分仓', region_code: '510104', address: '锦江区柳江街道锦华路 31 号', keeper_id: staff[2] ?? null, phone: '13908061427', ships: 0, created_at: begun },
      { name: '南京旧仓', region_code: '320105', address: '建邺区江东中路 102 号地下一层', ships: 0, status: 0, remark: '2026 年 6 月并入总仓', created_at: begun },
    ])
    const things = await insertMatters(tx, now, begun)
    const scene: Scene = { tx, random, staff, things, main, branch, begun, now }
    const events = [...await arrivals(scene), ...await parcels(scene), ...await gifts(scene), ...counts(scene)].sort((a, b) => a.at - b.at)
    for (const { run } of events) await run()
    await tx.query(sql`update matter set status = 0 where sku = 'POST-DY-01'`)
    report(`已生成 ${things.length} 种物料、${events.length} 笔出入库`)
  })
}
