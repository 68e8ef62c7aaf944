import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, invalid } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { Registry } from '../../core/resource/uses.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { allServedOrders, quoteGoods, servedOrders, type Quote, type ServedLine } from '../order/door.server.ts'
import type { OfferedGood } from './calls.ts'
import type { Good } from './good.ts'

/** Goods that one search names. */
const SHOWN = 40

/** Lines whose goods are sold here: who buys is known by their number, and the line asks nothing else. */
const isOffered = ({ line }: ServedLine) => line.learners === true && line.entryMode === 'steps' && line.inputFields.length === 0 && !line.place

/** Kinds of goods of a line that are sold here: what is sent has a way of its own, months and parts of deals are asked for. */
const kindsOf = ({ line }: ServedLine) => line.goods.filter((good) => !good.ships && !good.months && (!good.record || good.record.priced))

/** The line of goods. @throws AppError when it is none that is sold here */
export function lineOf(name: string): ServedLine {
  const served = servedOrders(name)
  if (!served || !isOffered(served)) throw invalid({ good: '没有这种商品，请重新选择' })
  return served
}

/** Refuses goods that somebody may not see. */
export async function checkReach(tx: Queryable, staff: Staff, goods: readonly Pick<Good, 'line' | 'kind' | 'ref_id' | 'name'>[], field: string): Promise<void> {
  for (const { line, kind, ref_id, name } of goods) {
    const good = kindsOf(lineOf(line)).find((one) => one.kind === kind)
    if (!good) throw invalid({ [field]: '没有这种商品，请重新选择' })
    // What a line sells is a resource of it: the row of data names it as what references need of one.
    const target = good.record?.target() as Resource | undefined
    if (!target) continue
    const [seen] = await tx.query(sql`select 1 from ${sql.identifier(target.table)} where ${listCondition(target, staff, {})} and id = ${ref_id ?? 0}`)
    if (!seen) throw invalid({ [field]: `商品「${name}」不存在或已被删除，请重新选择` })
  }
}

/** What goods cost now, with what they must not fall below. @throws AppError when some of them cannot be bought */
export async function quote(tx: Queryable, goods: readonly (Pick<Good, 'line' | 'kind' | 'ref_id'> & { qty?: number })[]): Promise<Quote[]> {
  const found = new Map<object, Quote>()
  for (const [line, own] of Map.groupBy(goods, (good) => good.line)) {
    const quotes = await quoteGoods(lineOf(line), tx, own.map(({ kind, ref_id, qty = 1 }) => ({ kind, ref_id: ref_id ?? null, qty })))
    for (const [index, good] of own.entries()) if (quotes[index]) found.set(good, quotes[index])
  }
  return goods.flatMap((good) => found.get(good) ?? [])
}

/** What one of some goods costs now; undefined with why where it cannot be bought. */
export async function tryQuote(tx: Queryable, good: Pick<Good, 'line' | 'kind' | 'ref_id'>): Promise<{ quote?: Quote; why?: string }> {
  try {
    const [known] = await quote(tx, [good])
    return known ? { quote: known } : { why: '商品不存在' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { why: error.message }
  }
}

/** Goods whose name has some words, of every line, within what somebody may see. */
export async function findGoods(db: Queryable, registry: Registry, staff: Staff, words: string): Promise<OfferedGood[]> {
  const found: OfferedGood[] = []
  for (const served of allServedOrders().filter(isOffered)) {
    const { line, resource } = served
    const group = line.label.replace(/订单$/, '')
    for (const kind of kindsOf(served)) {
      const target = kind.record && registry.get(kind.record.target().name)?.resource
      if (!target) {
        if (kind.record || (words !== '' && !`${group}${kind.label}`.includes(words))) continue
        const { quote: known } = await tryQuote(db, { line: resource.name, kind: kind.kind })
        if (known) found.push({ line: resource.name, kind: kind.kind, ref_id: null, name: `${group}·${kind.label}`, group, price: known.price, floor: known.floor })
        continue
      }
      const rows = await db.query<{ id: number }>(sql`select id from ${sql.identifier(target.table)} where ${listCondition(target, staff, Object.fromEntries(Object.entries(target.pick.offered ?? {}).map(([key, value]) => [key, String(value)])))}
        and ${sql.identifier(target.title)} ilike ${`%${words.replace(/[\\%_]/g, '\\$&')}%`} order by id desc limit ${SHOWN}`)
      const quotes = await Promise.all(rows.map(({ id }) => tryQuote(db, { line: resource.name, kind: kind.kind, ref_id: id })))
      for (const [index, { id }] of rows.entries()) {
        const known = quotes[index]?.quote
        if (known) found.push({ line: resource.name, kind: kind.kind, ref_id: id, name: known.name.replace(`${kind.label}·`, ''), group, price: known.price, floor: known.floor })
      }
    }
    if (found.length >= SHOWN) break
  }
  return found.slice(0, SHOWN)
}

/** Goods that were chosen before, by their keys, with what they cost now; what cannot be bought any more is left out. */
export async function knownGoods(db: Queryable, staff: Staff, keys: readonly string[]): Promise<OfferedGood[]> {
  const found: OfferedGood[] = []
  for (const key of [...new Set(keys)].slice(0, SHOWN * 5)) {
    const [line = '', kind = '', ref = ''] = key.split(':')
    const served = servedOrders(line)
    if (!served || !isOffered(served)) continue
    const good = { line, kind, ref_id: Number(ref) || null, name: '' }
    const seen = await checkReach(db, staff, [good], 'good').then(() => true, () => false)
    const { quote: known } = seen ? await tryQuote(db, good) : {}
    if (known) found.push({ ...good, name: known.name, group: served.line.label.replace(/订单$/, ''), price: known.price, floor: known.floor })
  }
  return found
}
