import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { pickableCondition } from '../../core/resource/where.server.ts'
import { allRooms, type RoomInfo } from './lookup.ts'
import { anyRoom } from './room.ts'

export const allRoomsCall: Served = handle(allRooms, async (call) => {
  const items = await call.db.query<RoomInfo>(sql`select r.id, r.name, r.school_id, s.name as school_name, t.type, r.self_run, r.status
    from (select * from study_room where ${pickableCondition(anyRoom, call.staff)}) r
    join app_school s on s.id = r.school_id left join room_type t on t.id = r.type_id order by r.self_run, s.name, r.name, r.id`)
  return { items, total: items.length }
})
