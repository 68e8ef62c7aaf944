import { sql } from 'drizzle-orm'
import { questionChecks } from '../../core/kernel/self-check.server.ts'
import { MONEY_CHANNELS } from '../order/module.ts'

/** Cards, their ledgers and the closings of days agree. */
export const roomChecks = questionChecks('自习室', [
  ['closing_books', '日结金额与账上流水不一致', sql`select c.room_id, sum(c.expected) as closed from day_closing c group by 1 having sum(c.expected) <> (
    select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'room' and l.account_id = c.room_id and l.id <= max(c.last_entry) and l.channel = any(${sql.param([...MONEY_CHANNELS])}::text[]))`],
  ['card_stock', '会员卡卖出的数量多于库存', sql`select id, sold, stock from member_card where coalesce(sold, 0) < 0 or coalesce(sold, 0) > stock`],
  ['card_money', '会员的卡的收退款与流水不一致', sql`select u.id, u.paid, u.refunded from user_card u where u.paid - u.refunded <> (select coalesce(sum(paid), 0) from card_log where user_card_id = u.id) or u.refunded > u.paid`],
  ['card_left', '会员的卡的余量不等于流水之和', sql`select u.id, u.remaining from user_card u where u.remaining < 0 or u.remaining <> (select coalesce(sum(delta), 0) from card_log where user_card_id = u.id)`],
])
