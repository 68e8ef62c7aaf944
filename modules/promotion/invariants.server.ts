import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { COUPON_STATE as C } from './activity.ts'

/** What does not hold of sales, coupons, budgets and shares, one sentence each (operations 1.10); empty when all is well. */
export async function wrongPromotion(db: Queryable): Promise<string[]> {
  const questions = [
    ['a sale holds or has sold something else than its orders say', sql`select s.id, s.held, s.sold, x.held as by_orders, x.sold as sold_by_orders from flash_sale s
      cross join lateral (select coalesce(sum(qty) filter (where h.state = 'held'), 0) as held, coalesce(sum(qty) filter (where h.state = 'sold'), 0) as sold from flash_hold h where h.sale_id = s.id) x where coalesce(s.held, 0) <> x.held or coalesce(s.sold, 0) <> x.sold`],
    ['more was sold than there is', sql`select id, stock, held, sold from flash_sale where coalesce(held, 0) + coalesce(sold, 0) > stock`],
    ['a closed order still holds pieces', sql`select h.order_id from flash_hold h join orders o on o.id = h.order_id where h.state = 'held' and o.status <> 1`],
    ['a coupon stands otherwise than its purchase', sql`select c.id, c.status from coupon_user c where (c.status = ${C.locked} and not exists (select 1 from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.checkout_id and p.alive = 1 and o.status = 1))
      or (c.status = ${C.used} and not exists (select 1 from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.checkout_id and p.alive = 1 and o.paid > 0)) or (c.status in (${C.free}, ${C.over}, ${C.void}) and c.checkout_id is not null)`],
    ['an activity has spent something else than it gave', sql`select a.id, a.spent, x.given from activity a cross join lateral (select
      (select coalesce(sum(amount), 0) from coupon_user c where c.activity_id = a.id and c.status in (${C.free}, ${C.locked}, ${C.used})) + (select coalesce(sum(p.cost), 0) from checkout_part p join checkout k on k.id = p.checkout_id where k.activity_id = a.id and p.alive = 1) as given) x
      where coalesce(a.spent, 0) <> x.given`],
    ['a budget was overspent', sql`select id, spent, budget from activity where spent > budget`],
    ['a purchase is not what its orders cost', sql`select c.id, c.amount, x.owed from checkout c cross join lateral (select sum(d.amount) as owed from order_log d join checkout_part p on p.order_id = d.order_id where p.checkout_id = c.id and d.action = 'create') x where c.amount <> x.owed`],
    ['an order costs less than its goods may', sql`select i.order_id, i.net from order_item i join offer f on i.kind = 'offer' and f.id = i.ref_id join checkout_part p on p.order_id = i.order_id where f.floor_price is not null and i.net < f.floor_price * i.qty`],
    ['a link was used another number of times', sql`select l.id, l.used, x.n from activity_link l cross join lateral (select count(*) as n from checkout c where c.kind = 'link' and c.ref_id = l.id and exists (select 1 from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = c.id and (p.alive = 1 or o.paid > 0))) x where coalesce(l.used, 0) <> x.n`],
    ['a group is one without enough who paid, or the other way round', sql`select g.id, g.state from group_buy g where g.state = 1 and g.need <= (select count(*) from group_member m where m.group_id = g.id and m.state = 2)`],
    ['a newcomer was worth more than one reward', sql`select c.id from coupon_user c where c.cause = 'invite' and (select count(*) from share_newcomer n where n.coupon_id = c.id) <> 1`],
  ] as const
  const wrong: string[] = []
  for (const [sentence, question] of questions) wrong.push(...(await db.query(question)).map((row) => `${sentence}: ${JSON.stringify(row)}`))
  return wrong
}
