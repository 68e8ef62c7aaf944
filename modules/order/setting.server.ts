import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { DEFAULT_SETTING, type OrderSetting } from './setting.ts'

/** What is decided about a line's orders. @param resource name of the line's resource */
export async function readSetting(tx: Queryable, resource: string): Promise<OrderSetting> {
  const [row] = await tx.query<OrderSetting>(sql`select refund_second_from, approve_second_from, unpaid_days, prices from order_setting where resource = ${resource}`)
  return row ?? DEFAULT_SETTING
}

/** Decides it again; the log keeps who did. */
export async function writeSetting(tx: Queryable, staffId: number | null, { name: resource, grant }: Pick<Resource, 'name' | 'grant'>, setting: OrderSetting): Promise<void> {
  const before = await readSetting(tx, resource)
  await tx.query(sql`insert into order_setting (resource, refund_second_from, approve_second_from, unpaid_days, prices)
    values (${resource}, ${setting.refund_second_from}, ${setting.approve_second_from}, ${setting.unpaid_days}, ${JSON.stringify(setting.prices)}::jsonb)
    on conflict (resource) do update set refund_second_from = excluded.refund_second_from, approve_second_from = excluded.approve_second_from, unpaid_days = excluded.unpaid_days, prices = excluded.prices`)
  await tx.query(sql`insert into audit_log (staff_id, action, entity, entity_id, before, after)
    values (${staffId}, 'update', 'order_setting', ${grant}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(setting)}::jsonb)`)
}
