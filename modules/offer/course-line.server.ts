import { sql, type SQL } from 'drizzle-orm'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { ServerModule } from '../../core/module/serve.server.ts'
import { orderParts, type OrderEffects } from '../order/door.server.ts'
import { serveLearners } from '../user/door.server.ts'
import type { CourseLine } from './course-line.ts'
import { offerCalls } from './offer-calls.server.ts'
import { orderOrigin, serveOfferOrders } from './offer-order.server.ts'
import { serveOffers, type CheckOffer } from './offer.server.ts'
import { OFFER_ITEM, OFFER_STATE } from './offer.ts'
import { planOpening } from './open.server.ts'
import { addLineOutlines, outlineCalls, outlinePort } from './outline-owner.server.ts'
import { seriesCalls, serveSeries } from './series.server.ts'
import { serveTextbooks } from './textbook.server.ts'

/** The parts of a module that lines of courses fill. */
type Parts = Pick<ServerModule, 'services' | 'uses' | 'calls' | 'jobs' | 'sweeps' | 'overview' | 'waiting' | 'rights'>

/** Days in which a submitted course is looked at. */
const REVIEW_DAYS = 3

/** Courses that were submitted, for those who may pass them. */
export const waitingOffers = ({ offers, offerPath }: Pick<CourseLine, 'offers' | 'offerPath'>): WaitingKind => listWaiting(offers, {
  name: `${offers.name}_waiting`, title: `待审的${offers.label}`, group: 'decide', verb: '审核', path: offerPath, query: () => ({ state: String(OFFER_STATE.waiting) }),
  grant: offers.rights.id('shelve'), due: { days: REVIEW_DAYS }, since: sql`updated_at`, notes: ['subject_id'], amount: 'price', pass: 'approve', refuse: 'reject',
})

/** What the module of a line does when things move that every line has. */
export interface LineWork {
  /** Adds to what an order does: calls what every line of courses does, and what is the line's own. */
  readonly effects?: (own: OrderEffects) => OrderEffects
  readonly checkOffer?: CheckOffer
  /** Computed fields of its courses and of its learners; `t` is the offer, or the entitlement. */
  readonly offers?: Readonly<Record<string, SQL>>
  readonly learners?: Readonly<Record<string, SQL>>
}

/**
 * Serves lines of courses: the same calls and rules for each, by its row.
 * @param work what the modules of lines add, by the code of the line
 */
export function serveCourseLines(lines: readonly CourseLine[], work: Readonly<Record<string, LineWork>> = {}): Parts {
  for (const one of lines) addLineOutlines(one)
  const served = lines.map((one) => ({
    one,
    outline: one.outlinePath === undefined ? undefined : outlinePort(one),
    orders: serveOfferOrders(one.orderLine, one.orders, one.offers, one.orderPath, work[one.line.code]?.effects),
    learners: serveLearners(one.learnerLine, one.learners, { plan: (tx, _staff, offerId) => planOpening(tx, one.line.code, offerId), origins: { order_item: orderOrigin(one.orderPath) }, computed: work[one.line.code]?.learners }),
  }))
  const orders = orderParts(served.map((part) => part.orders))
  return {
    services: [
      ...served.flatMap(({ one: { line, textbooks, series, offers }, outline, learners }) => [
        ...(textbooks ? [serveTextbooks(textbooks)] : []), ...(series ? [serveSeries(series)] : []), serveOffers(line, offers, outline, work[line.code]?.checkOffer, work[line.code]?.offers), ...learners.services,
      ]),
      ...orders.services,
    ],
    uses: lines.map(({ offers }) => ({ target: offers, table: 'offer_item', when: sql`r.kind = ${sql.raw(`'${OFFER_ITEM.offer}'`)} and r.ref_id = u.id`, label: '套装', measure: '个' })),
    calls: (kernel) => [
      ...served.flatMap(({ one, one: { line, series, offers }, outline, learners }) => [...outlineCalls(one), ...offerCalls(kernel, line, offers, outline, work[line.code]?.offers), ...(series ? seriesCalls(line.code, series, offers) : []), ...learners.calls(kernel)]),
      ...orders.calls(kernel),
    ],
    jobs: () => served.flatMap(({ learners }) => [...learners.jobs]),
    sweeps: ({ db }) => orders.sweeps(db),
    overview: orders.overview,
    waiting: [...lines.map(waitingOffers), ...orders.waiting],
    rights: lines.flatMap(({ outlineRights, contentRights }) => [outlineRights ?? [], contentRights ?? []].flat()),
  }
}
