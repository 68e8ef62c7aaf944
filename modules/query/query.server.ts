import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { valueLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { displayKey } from '../../core/field/reference.ts'
import { formatTime } from '../../core/field/time.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { NOTHING_COMPUTED, readPage } from '../../core/resource/list.server.ts'
import { maskName } from '../../core/field/person-name.ts'
import { hasValue } from '../../core/resource/meta-fields.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { statusKey } from '../../core/resource/status.ts'
import { vaultOf } from '../code/door.server.ts'
import { anyOrders, orderResources, readOrderDetail } from '../order/door.server.ts'
import { screens } from '../screens.ts'
import { anyOrderDetail, findLines, recentOrders, type FoundLine, type FoundThing } from './calls.ts'
import { moneySteps } from './money.ts'
import { meant, tellApart, type LineKind, type TypedLine } from './typed.ts'

/** Facts that a found record shows. */
const MOST_FACTS = 7
/** Orders that somebody chooses from. */
const MOST_ORDERS = 30

const pathOf = (screen: number) => screens.find(({ id }) => id === screen)
const sayMoment = (at: number) => formatTime(Math.floor(at)).slice(0, 16)

/** A value of a record in words; undefined where there is none. */
function wordOf(resource: Resource, row: WireRow, key: string): string | undefined {
  const field = resource.fields[key]
  const value = row[displayKey(key)] ?? row[key]
  if (!field || value === null || value === undefined || value === '') return undefined
  if (field.kind === 'time' || field.kind === 'date') return sayMoment(Number(value)).slice(0, field.kind === 'date' ? 10 : 16)
  if (field.kind === 'money') return formatMoney(Number(value))
  return Array.isArray(value) ? value.join('、') : valueLabel(field, value)
}

/** Records of a resource as this person may see them, by what finds each. */
async function things({ registry }: Pick<Kernel, 'registry'>, call: Pick<Call, 'db' | 'staff'>, resource: Resource, ids: readonly number[]): Promise<ReadonlyMap<number, FoundThing>> {
  if (ids.length === 0 || !call.staff.modules.has(resource.grant)) return new Map()
  const { rows } = await readPage(call.db, resource, call.staff, { ids: ids.map(String), page_size: String(Math.min(200, ids.length)) }, registry.get(resource.name)?.rules.computed ?? NOTHING_COMPUTED)
  const state = statusKey(resource)
  return new Map(rows.map((stored) => {
    const row = showRow(resource, call.staff, stored)
    const keys = resource.list.columns.filter((key) => key !== state && key !== resource.title && resource.fields[key] && hasValue(resource.fields[key]))
    return [row.id, {
      kind: resource.label, title: String(row[resource.title] ?? row.id), state: (state && wordOf(resource, row, state)) ?? null, to: `${pathOf(resource.grant)?.path ?? '/'}?open=${row.id}`,
      facts: keys.flatMap((key) => { const value = wordOf(resource, row, key); return value === undefined ? [] : [{ label: resource.fields[key]?.label ?? key, value }] }).slice(0, MOST_FACTS),
    }]
  }))
}

interface Hit { readonly text: string; readonly resource: Resource; readonly id: number }

/** How lines of each kind are looked up; each asks once for all of them. */
function finders(kernel: Kernel): Readonly<Record<LineKind, (db: Queryable, texts: readonly string[], held: ReadonlySet<number>) => Promise<Hit[]>>> {
  const named = (name: string) => kernel.registry.get(name)?.resource
  const byColumn = (name: string, column: string) => async (db: Queryable, texts: readonly string[]) => {
    const resource = named(name)
    if (!resource) return []
    const rows = await db.query<{ id: number; text: string }>(sql`select id, ${sql.identifier(column)} as text from ${sql.identifier(resource.table)} where ${sql.identifier(column)} = any(${sql.param([...texts])}::text[]) and deleted_at is null`)
    return rows.map(({ id, text }): Hit => ({ id, text, resource }))
  }
  return {
    mobile: byColumn('app_user', 'mobile'),
    sn: byColumn('pad', 'sn'),
    async order(db, texts, held) {
      const rows = await db.query<{ id: number; text: string; line: string; self_run: number }>(sql`select id, order_no as text, line, self_run from orders where order_no = any(${sql.param([...texts])}::text[]) and deleted_at is null`)
      const own = orderResources(kernel, { modules: held })
      return rows.flatMap(({ id, text, line, self_run }): Hit[] => {
        const resource = own.find(({ where }) => (where['line'] ?? line) === line && (where['self_run'] ?? self_run) === self_run)
        return resource ? [{ id, text, resource }] : []
      })
    },
    async code(db, texts) {
      const vault = vaultOf(kernel.secrets)
      const hashes = new Map(texts.map((text) => [vault.hash(text), text]))
      const rows = await db.query<{ hash: string; family: string; code_id: number }>(sql`select hash, family, code_id from code_secret where hash = any(${sql.param([...hashes.keys()])}::text[])`)
      const families = [...kernel.registry.values()].map(({ resource }) => resource)
      return rows.flatMap(({ hash, family, code_id }): Hit[] => {
        const resource = families.find(({ table, name }) => table === family && name === family)
        return resource ? [{ id: code_id, text: hashes.get(hash) ?? '', resource }] : []
      })
    },
  }
}

/** Looks lines up, each kind once; what is not found is tried as it may have been meant. */
async function lookUp(kernel: Kernel, call: Call, lines: readonly TypedLine[]): Promise<FoundLine[]> {
  const find = finders(kernel)
  const asked = lines.filter(({ kinds }) => kinds.length > 0)
  const hitsOf = async (pairs: readonly { text: string; kind: LineKind }[]) => {
    const found: Hit[] = []
    for (const [kind, own] of Map.groupBy(pairs, (one) => one.kind)) found.push(...await find[kind](call.db, [...new Set(own.map(({ text }) => text))], call.staff.modules))
    return found
  }
  const direct = await hitsOf(asked.flatMap(({ text, kinds }) => kinds.map((kind) => ({ text, kind }))))
  const known = new Set(direct.map(({ text }) => text))
  const guesses = asked.filter(({ text }) => !known.has(text)).flatMap(({ text }) => meant(text).map((guess) => ({ text: guess, of: text })))
  const guessed = await hitsOf(guesses.map(({ text }) => ({ text, kind: 'sn' as const })))
  const shown = new Map<string, FoundThing>()
  for (const [resource, hits] of Map.groupBy([...direct, ...guessed], (hit) => hit.resource)) {
    for (const [id, thing] of await things(kernel, call, resource, hits.map((hit) => hit.id))) shown.set(`${resource.name} ${id}`, thing)
  }
  const of = (text: string, hits: readonly Hit[]) => hits.filter((hit) => hit.text === text).flatMap((hit) => shown.get(`${hit.resource.name} ${hit.id}`) ?? [])
  return lines.map(({ row, typed, text, problem, sameAs }): FoundLine => {
    if (sameAs !== undefined) return { row, typed, state: 'same', note: `与第 ${sameAs} 行相同`, items: [] }
    if (problem) return { row, typed, state: 'bad', note: problem, items: [] }
    const items = of(text, direct)
    if (items.length > 0) return { row, typed, state: items.length === 1 ? 'found' : 'many', note: items.length === 1 ? null : `对应 ${items.length} 条记录`, items }
    const near = guesses.filter((one) => one.of === text).flatMap((one) => of(one.text, guessed))
    return near.length > 0 ? { row, typed, state: 'many', note: '没有完全相同的，可能是下面这个', items: near } : { row, typed, state: 'none', note: '没有找到，或不在您的权限内', items: [] }
  })
}

/** The calls of the screens that look something up. */
export const queryCalls = (kernel: Kernel): Served[] => [
  handle(findLines, async (call) => {
    const items = await lookUp(kernel, call, tellApart(call.input.lines))
    const counts = { found: 0, many: 0, none: 0, bad: 0, same: 0 }
    for (const { state } of items) counts[state]++
    return { items, counts }
  }),
  handle(recentOrders, async (call) => {
    const { mobile } = call.input
    const where = mobile === undefined ? sql`created_at > now() - interval '30 days'` : sql`buyer_mobile = ${mobile}`
    const items = await anyOrders(kernel, call.db, call.staff, where, MOST_ORDERS)
    return { items: items.map(({ id, order_no, goods, amount, status_name, at }) => ({ id, order_no, goods, amount, status_name, at })), total: items.length }
  }),
  handle(anyOrderDetail, async (call) => {
    const no = (call.params['order_no'] ?? '').slice(0, 24)
    const [order] = await anyOrders(kernel, call.db, call.staff, sql`order_no = ${no}`, 1)
    const resource = order && kernel.registry.get(order.resource)?.resource
    if (!order || !resource) throw notFound('订单')
    const [row] = await call.db.query<{ total: number; buyer_name: string | null; paid_at: number | null; agent: string | null }>(sql`select o.total, o.buyer_name, extract(epoch from o.paid_at)::float8 as paid_at, a.name as agent from orders o left join agent a on a.id = o.agent_id where o.id = ${order.id}`)
    const { items, payments, refunds, shipments, receiver, log, discounts } = await readOrderDetail(call.db, resource, order)
    const opened = await call.db.query<{ id: number; product: string; start_at: number; expire_at: number; status: number }>(sql`select id, product, extract(epoch from start_at)::float8 as start_at, extract(epoch from expire_at)::float8 as expire_at, status from entitlement
      where deleted_at is null and split_part(ref, ':', 1) = any(${sql.param(items.map(({ id }) => `order_item ${id}`))}::text[]) and source = 1 order by id`)
    const screen = pathOf(order.screen)
    const name = row?.buyer_name ?? null
    return {
      order: {
        id: order.id, order_no: order.order_no, line: resource.label, buyer: name !== null && resource.fields['buyer_name']?.hidden && call.staff.masksNames ? maskName(name) : name, goods: order.goods, amount: order.amount, paid: order.paid, refunded: order.refunded, status_name: order.status_name, at: order.at,
        paid_at: row?.paid_at ?? null, agent: row?.agent ?? null, to: `${screen?.path ?? '/'}?open=${order.id}`, screen: screen?.title ?? '',
      },
      detail: { items, payments, refunds, shipments, receiver, log },
      steps: moneySteps({ total: row?.total ?? 0, amount: order.amount, discounts, payments, refunds }),
      opened: opened.map(({ status, ...one }) => ({ ...one, state: status === 3 ? '已退款' : status === 2 ? '已停用' : one.expire_at * 1000 < Date.now() ? '已过期' : '生效中' })),
    }
  }),
]
