import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { serve, type Change, type ResourceService } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { ProductLine } from '../reference/module.ts'
import { ENTITLEMENT_STATUS } from '../user/module.ts'
import { OFFER_STATE, VALID_MODE, type OfferResource, type OfferRow } from './offer.ts'
import type { OutlinePort } from './outline-port.ts'
import { asksSecond } from './price.ts'
import { requireShelf } from './shelf-check.server.ts'

const S = OFFER_STATE
const ACTIVE = sql.raw(String(ENTITLEMENT_STATUS.active))

export const OFFER_COMPUTED = {
  sold: sql`select coalesce(sum(i.granted_qty), 0)::int from order_item i where i.kind = 'offer' and i.ref_id = t.id`,
  learner_cnt: sql`select count(distinct e.user_id)::int from entitlement e where e.line = t.line and e.offer_id = t.id and e.status = ${ACTIVE} and e.expire_at > now() and e.deleted_at is null`,
  sale_state: sql`case when t.state <> ${sql.raw(String(S.selling))} then null when t.stock = 0 then '售罄' when t.sale_end <= now() then '已截止' when t.sale_start > now() then '未开售' else '销售中' end`,
}

/** Refuses values that contradict each other. */
function checkValues(values: Readonly<Record<string, unknown>>, row: OfferRow | undefined): void {
  const now = { ...row, ...values } as Partial<OfferRow>
  // A draft may lack what it needs and be half changed; the check before the shelf asks for all of it.
  const known = row?.state === S.selling || row?.state === S.off
  if (known && now.valid_mode === VALID_MODE.days && !now.valid_days) throw invalid({ valid_days: '请填写有效天数' })
  if (known && now.valid_mode === VALID_MODE.until && !now.valid_until) throw invalid({ valid_until: '请填写有效至' })
  if (known && now.line_price != null && now.price !== undefined && now.line_price < now.price) throw invalid({ line_price: '划线价不能低于价格' })
  // What is sold stays as fit to be sold as it was.
  if (row?.state === S.selling && row.cover !== null && now.cover === null) throw invalid({ cover: '在售课程不能没有封面，请换一张或先下架' })
  if (row?.state === S.selling && now.valid_mode === VALID_MODE.until && (now.valid_until ?? 0) <= Date.now() / 1000 && (values['valid_until'] !== undefined || values['valid_mode'] !== undefined)) throw invalid({ valid_until: '有效至应晚于现在，或先下架' })
  // However the price was set: by the form, in bulk, by a sheet, or back.
  if (now.floor_price != null && now.price != null && now.price < now.floor_price) throw invalid({ [values['price'] === undefined ? 'floor_price' : 'price']: `「${now.title ?? ''}」的价格不能低于底价 ${yuan(now.floor_price)} 元` })
  if (now.sale_start && now.sale_end && now.sale_end <= now.sale_start) throw invalid({ sale_end: '停售时间应晚于开售时间' })
}

/** Refuses to put away what somebody still learns from. */
async function refuseArchive(tx: Queryable, row: OfferRow): Promise<void> {
  const [live] = await tx.query<{ n: number }>(sql`select count(distinct user_id)::int as n from entitlement where line = ${row.line} and offer_id = ${row.id}
    and status = ${ACTIVE} and expire_at > now() and deleted_at is null`)
  if (live && live.n > 0) throw badRequest(`还有 ${live.n} 名学员在有效期内，不能归档`)
}

/** Checks and completes the values of a course that is saved; throws to refuse. */
export type CheckOffer = (change: Change<OfferRow, Record<string, unknown>>) => void | Promise<void>

/**
 * Serves the offers of a line.
 * @param outline what knows of outlines; a course is sold without them where nobody does
 * @param check what the line's module asks of a course that is saved
 * @param computed its own computed fields
 */
export function serveOffers(line: ProductLine, offers: OfferResource, outline: OutlinePort | undefined, check?: CheckOffer, computed?: Readonly<Record<string, SQL>>): ResourceService {
  return serve(offers)({
    computed: { ...OFFER_COMPUTED, ...computed },
    async before({ tx, staff, values, row }: Change<OfferRow, Record<string, unknown>>) {
      checkValues(values, row)
      await check?.({ tx, staff, values, row })
      if (row && asksSecond(row, values['price'])) Object.assign(values, { state: S.waiting, submitted_by: staff.id })
    },
    effects: {
      async submit({ tx, staff, row }) {
        await requireShelf(tx, line, row, outline)
        await touch(tx, offers, { submitted_by: staff.id }, row.id)
      },
      approve: ({ tx, row }) => requireShelf(tx, line, row, outline),
      shelve: ({ tx, row }) => requireShelf(tx, line, row, outline),
      archive: ({ tx, row }) => refuseArchive(tx, row),
    },
  })
}
