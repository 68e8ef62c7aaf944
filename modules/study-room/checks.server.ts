import { sql } from 'drizzle-orm'
import { questionChecks } from '../../core/kernel/self-check.server.ts'

/** Partners have the pads and codes that are paid for, and use no more. */
export const partnerChecks = questionChecks('合伙自习室', [
  ['partner_quota', '合伙人的平板或授权码名额与已付款的订单不一致', sql`select p.id, coalesce(p.pad_cnt, 0) as pads, coalesce(p.code_quota, 0) as quota, x.pads as bought, x.codes from partner p join (
      select o.buyer_ref_id as partner_id, sum(i.granted_qty) filter (where i.kind = 'pad') as pads, sum(i.granted_qty) filter (where i.kind = 'code') as codes from orders o join order_item i on i.order_id = o.id where o.buyer_kind = 'partner' group by 1
    ) x on x.partner_id = p.id where coalesce(p.pad_cnt, 0) <> coalesce(x.pads, 0) or coalesce(p.code_quota, 0) <> coalesce(x.codes, 0) or coalesce(p.code_quota, 0) < coalesce(p.used_quota, 0)`],
])
