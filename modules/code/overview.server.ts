import { sql } from 'drizzle-orm'
import { choiceLabel } from '../../core/field/choice.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { CODE_STATUSES, readCodeState, stateAt } from './code-state.ts'
import type { CodeFamily } from './family.ts'
import { pathOf } from './paths.ts'

/** Codes that one section shows. */
const SHOWN = 50

/** The codes of a family that somebody has activated, masked, the newest first. */
export function codeOverview({ code, batch, product, label }: CodeFamily): OverviewSection {
  return {
    name: code.name,
    title: label,
    grant: code.grant,
    async load(db, staff, { id }) {
      const target = product.target()
      const mine = sql`select * from ${sql.identifier(code.table)} where ${listCondition(code, staff, {})} and user_id = ${id} order by id desc limit ${sql.raw(String(SHOWN))}`
      const rows = await db.query<Record<string, unknown>>(sql`select t.id, t.code, p.${sql.identifier(target.title)} as product, g.name as batch, t.status, t.redeem_before, t.activated_at, t.expire_at, t.unbind_count
        from (${mine}) t left join ${sql.identifier(target.table)} p on p.id = t.${sql.identifier(product.key)} left join ${sql.identifier(batch.table)} g on g.id = t.group_id order by t.id desc`)
      const now = Date.now() / 1000
      return {
        screen: pathOf(code.grant),
        columns: [
          { key: 'code', title: label, as: 'text' }, { key: 'product', title: product.label, as: 'text' }, { key: 'batch', title: '批次', as: 'text' },
          { key: 'activated_at', title: '激活时间', as: 'time' }, { key: 'expire_at', title: '有效期至', as: 'date' }, { key: 'status', title: '状态', as: 'text' },
        ],
        rows: rows.map((row) => ({ ...row, status: choiceLabel(CODE_STATUSES, stateAt(readCodeState(row), now)) })),
      }
    },
  }
}
