import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { change, create, type Done, type Pipeline } from '../../core/resource/operations.server.ts'
import { writableKeys } from '../../core/resource/rules.ts'
import type { ProductLine } from '../reference/module.ts'
import { offerEndpoints, type Priced } from './calls.ts'
import { OFFER_COMPUTED } from './offer.server.ts'
import { OFFER_STATE, type OfferResource, type OfferRow } from './offer.ts'
import type { OutlinePort } from './outline-port.ts'
import { checkShelf } from './shelf-check.server.ts'

/** Characters of a title, see the definition. */
const TITLE_LENGTH = 80
const COPY = '（副本）'

/** Calls of a line's offers, answered. @param computed their computed fields beside those of every offer */
export function offerCalls({ registry }: Pick<Kernel, 'registry'>, line: ProductLine, offers: OfferResource, outline: OutlinePort | undefined, computed: Readonly<Record<string, SQL>> = {}): Served[] {
  const endpoints = offerEndpoints(offers)
  const pipeline = (call: Pick<Call, 'staff'>): Pipeline => {
    const service = registry.get(offers.name)
    if (!service) throw new Error(`${offers.name} is not served`)
    return { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff: call.staff }
  }
  const find = async (call: { db: Queryable; staff: Call['staff'] }, id: number): Promise<OfferRow> => {
    const row = await readOne(call.db, offers, call.staff, id, { ...OFFER_COMPUTED, ...computed })
    if (!row) throw notFound(offers.label)
    return row
  }
  return [
    handle(endpoints.check, async (call) => checkShelf(call.db, line, await find(call, idParam(call)), outline)),
    handle(endpoints.duplicate, (call) => call.transaction(async (tx) => {
      const row: Readonly<Record<string, unknown>> = await find({ db: tx, staff: call.staff }, idParam(call))
      const title = `${String(row['title']).slice(0, TITLE_LENGTH - COPY.length)}${COPY}`
      const values = Object.fromEntries(writableKeys(offers).flatMap((key) => (row[key] === null || row[key] === undefined ? [] : [[key, row[key]]])))
      const { record } = await create(tx, pipeline(call), { ...values, title })
      await tx.query(sql`insert into offer_item (offer_id, kind, ref_id, qty) select ${record.id}, kind, ref_id, qty from offer_item where offer_id = ${row['id']}`)
      return present(offers, call.staff, record)
    }, { action: 'duplicate' })),
    handle(endpoints.prices, (call) => call.transaction(async (tx) => {
      const items: Priced[] = []
      const all: Done[] = []
      const wanted = [...call.input.items].sort((a, b) => a.id - b.id)
      if (new Set(wanted.map(({ id }) => id)).size < wanted.length) throw badRequest('同一门课程不能改两次价')
      const parts = pipeline(call)
      for (const { id, rev, price } of wanted) {
        const done = await change(tx, parts, id, { price }, { rev })
        const waits = done.record['state'] === OFFER_STATE.waiting
        items.push({ id, rev: done.rev, price, before: Number(done.before?.['price'] ?? 0), waits })
        // What waits for a second person is decided there.
        if (!waits) all.push(done)
      }
      const undo = await keepUndo(tx, { resource: offers, staff: call.staff, action: 'bulk_price' }, all)
      return { items, ...(undo !== undefined && { undo }) }
    }, { action: 'bulk_price', reason: call.input.reason })),
  ]
}
