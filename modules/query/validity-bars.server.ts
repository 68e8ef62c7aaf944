import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { limits, type Staff } from '../../core/grant/staff.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { screenId } from '../screens.ts'
import { entitlement, ENTITLEMENT_LINES, ENTITLEMENT_STATUS } from '../user/module.ts'
import type { ValidityBar } from './validity-calls.ts'

const sources = entitlement.fields['source']?.kind === 'choice' ? entitlement.fields['source'].choices : []

/** Entitlements that a person reaches: those of their agents' users, and of their subjects where the product has one. */
export function reached(staff: Staff): SQL {
  const [subjects, levels] = [limits(staff, 'subject'), limits(staff, 'level')]
  const own = (condition: SQL) => sql`not exists (select 1 from offer o left join subject s on s.id = o.subject_id where o.id = entitlement.offer_id and o.line = entitlement.line and not (${condition}))`
  return sql.join([
    listCondition(entitlement, staff, {}),
    ...(subjects ? [own(sql`o.subject_id = any(${sql.param([...subjects])}::bigint[])`)] : []),
    ...(levels ? [own(sql`s.level = any(${sql.param([...levels])}::bigint[])`)] : []),
  ], sql` and `)
}

/** Why an entitlement gets no more time; null where it does. */
export function fixedWhy(status: number): string | null {
  if (status === ENTITLEMENT_STATUS.stopped) return '已停用，恢复后才能延期'
  return status === ENTITLEMENT_STATUS.refunded ? '已退款，不能延期' : null
}

interface Row extends Record<string, unknown> { id: number; user_id: number; line: string; product: string; source: number; ref: string; start_at: number; expire_at: number; status: number; order_no: string | null; opened: string | null; change_id: number | null }

/** What opened it, in words, with where to look. */
function causeOf(row: Row, staff: Staff): Pick<ValidityBar, 'cause' | 'to'> {
  if (row.order_no !== null) return { cause: `订单 ${row.order_no}`, to: staff.modules.has(screenId('/operate/orderDetail')) ? `/operate/orderDetail?no=${row.order_no}` : null }
  if (row.change_id !== null) return { cause: `延期单 #${row.change_id}`, to: `/operate/query/validity?show=changes&open=${row.change_id}` }
  return { cause: row.opened ?? choiceLabel(sources, row.source), to: null }
}

/** Id in a reference that begins with a word; null in others, whatever stands in them. */
const idIn = (word: string): SQL => sql.raw(`substring(e.ref from '^${word} (\\d{1,18})(:|$)')::bigint`)

/** What people may use or might have used, by the person, what ends last first. */
export async function readBars(db: Queryable, staff: Staff, users: readonly number[]): Promise<ReadonlyMap<number, ValidityBar[]>> {
  const rows = await db.query<Row>(sql`select e.id, e.user_id, e.line, e.product, e.source, e.ref, e.start_at, e.expire_at, e.status, o.order_no, j.input ->> 'reason' as opened, ${idIn('validity')} as change_id
    from (select * from entitlement where ${reached(staff)} and user_id = any(${sql.param([...users])}::bigint[])) e
    left join order_item i on i.id = ${idIn('order_item')} left join orders o on o.id = i.order_id
    left join job j on j.id = ${idIn('open')}
    order by e.expire_at desc, e.id`)
  const now = Date.now() / 1000
  const state = ({ status, start_at, expire_at }: Row) => (status === ENTITLEMENT_STATUS.stopped ? '已停用' : status === ENTITLEMENT_STATUS.refunded ? '已退款' : expire_at <= now ? '已过期' : start_at > now ? '未开始' : '生效中')
  const bars = new Map<number, ValidityBar[]>()
  for (const row of rows) {
    const bar = { id: row.id, line: row.line, line_name: choiceLabel(ENTITLEMENT_LINES, row.line), product: row.product, source: choiceLabel(sources, row.source), ...causeOf(row, staff), start_at: row.start_at, expire_at: row.expire_at, state: state(row), fixed: fixedWhy(row.status) }
    bars.set(row.user_id, [...bars.get(row.user_id) ?? [], bar])
  }
  return bars
}
