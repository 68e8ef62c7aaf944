import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Opens } from '../user/door.server.ts'
import { OFFER_ITEM, OFFER_STATE, VALID_MODE } from './offer.ts'

interface Product {
  id: number
  title: string
  state: number
  valid_mode: number
  valid_days: number | null
  valid_until: number | null
}

/**
 * What an offer opens: itself first, then the courses that come with it. Each lasts as long as it says itself.
 * @returns nothing when there is no such offer
 */
export async function opensOf(tx: Queryable, line: string, offerId: number): Promise<Opens[]> {
  const rows = await tx.query<Product & Record<string, unknown>>(sql`select o.id, o.title, o.state, o.valid_mode, o.valid_days, o.valid_until from offer o
    left join offer_item i on i.offer_id = ${offerId} and i.kind = ${OFFER_ITEM.offer} and i.ref_id = o.id
    where (o.id = ${offerId} or i.id is not null) and o.line = ${line} and o.deleted_at is null order by o.id <> ${offerId}, i.id`)
  return rows.map(({ id, title, valid_mode, valid_days, valid_until }) => ({
    offer_id: id, product: title, ...(valid_mode === VALID_MODE.days ? { days: valid_days, until: null } : { days: null, until: valid_until }),
  }))
}

/** What staff open of an offer. @throws AppError when it was never sold, or is put away */
export async function planOpening(tx: Queryable, line: string, offerId: number): Promise<Opens[]> {
  const [offer] = await tx.query<{ state: number }>(sql`select state from offer where id = ${offerId} and line = ${line} and deleted_at is null`)
  if (!offer) throw badRequest('课程不存在或已被删除，请重新选择')
  if (offer.state !== OFFER_STATE.selling && offer.state !== OFFER_STATE.off) throw badRequest('课程还没有上架过或已归档，不能开通')
  return opensOf(tx, line, offerId)
}

/** Courses that an offer opens beside itself, from now on: whoever says which come with it keeps this list. */
export async function openWith(tx: Queryable, offerId: number, others: readonly number[]): Promise<void> {
  await tx.query(sql`delete from offer_item where offer_id = ${offerId} and kind = ${OFFER_ITEM.offer} and ref_id <> all(${sql.param([...others])}::bigint[])`)
  await tx.query(sql`insert into offer_item (offer_id, kind, ref_id) select ${offerId}, ${OFFER_ITEM.offer}, u.id from unnest(${sql.param([...others])}::bigint[]) with ordinality u (id, n) order by u.n on conflict do nothing`)
}
