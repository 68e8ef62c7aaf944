import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { seriesEndpoints, type Arranged } from './calls.ts'
import { OFFER_STATE, type OfferResource } from './offer.ts'
import type { SeriesResource } from './series.ts'

const COMPUTED = {
  offer_cnt: sql`select count(*)::int from offer x where x.series_id = t.id and x.deleted_at is null`,
  price_from: sql`select min(x.price)::float8 from offer x where x.series_id = t.id and x.state = ${sql.raw(String(OFFER_STATE.selling))} and x.deleted_at is null`,
}

export const serveSeries = (series: SeriesResource): ResourceService => serve(series)({ computed: COMPUTED })

/** Courses of a series and those of its subject that could be in it: its own first, in their order. */
function readArranged(db: Queryable, line: string, row: { id: number; subject_id: number }): Promise<Arranged[]> {
  return db.query<Arranged & Record<string, unknown>>(sql`select o.id, o.title, o.price, o.state, coalesce(o.series_id = ${row.id}, false) as chosen, case when o.series_id <> ${row.id} then s.name end as elsewhere
    from offer o left join series s on s.id = o.series_id where o.line = ${line} and o.subject_id = ${row.subject_id} and o.state <> ${OFFER_STATE.archived} and o.deleted_at is null
    order by (o.series_id = ${row.id}) desc nulls last, o.sort, o.id limit 1000`)
}

/** 管理课程: which courses a series shows, and in which order. */
export function seriesCalls(line: string, series: SeriesResource, offers: OfferResource): Served[] {
  const endpoints = seriesEndpoints(series)
  const find = async (call: Pick<Call, 'db' | 'staff'>, id: number) => {
    const row = await readOne(call.db, series, call.staff, id, COMPUTED)
    if (!row) throw notFound(series.label)
    return row
  }
  return [
    handle(endpoints.arranged, async (call) => ({ items: await readArranged(call.db, line, await find(call, idParam(call))) })),
    handle(endpoints.arrange, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, series, call.staff, idParam(call))
      const ids = [...new Set(call.input.offer_ids)]
      const known = await readArranged(tx, line, row)
      if (ids.some((id) => !known.some((one) => one.id === id))) throw invalid({ offer_ids: '只能选择本产品线同一学科、未归档的课程' })
      // Those that stay where they are are not written.
      await touch(tx, offers, { series_id: sql`null` } as object, sql`t.series_id = ${row.id} and not (t.id = any(${sql.param(ids)}::bigint[])) and t.deleted_at is null`)
      await touch(tx, offers, { series_id: row.id, sort: sql`r.place` } as object, sql`t.id = r.id and (t.series_id is distinct from ${row.id} or t.sort is distinct from r.place)`,
        { from: sql`jsonb_to_recordset(${JSON.stringify(ids.map((id, index) => ({ id, place: (index + 1) * 10 })))}::jsonb) as r (id bigint, place bigint)` })
      return { items: await readArranged(tx, line, row) }
    }, { action: 'arrange' })),
  ]
}
