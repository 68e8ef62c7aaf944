import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { roomTypeMap, type RoomTypeInfo } from './lookup.ts'

/** Lookups that every logged-in person may read. */
export function lookupCalls(): Served[] {
  return [
    handle(roomTypeMap, async (call) => {
      const rows = await call.db.query<RoomTypeInfo & { type: string }>(
        sql`select type, id, "desc", service_fee, exchange_service_fee, pad_cnt from room_type where deleted_at is null order by id`,
      )
      return Object.fromEntries(rows.map(({ type, ...info }) => [type, info]))
    }),
  ]
}
