import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { seesNames, shownName } from '../../core/resource/names.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import type { BusyHours, MapSeat, SeatMap, Sitting } from './map-calls.ts'
import { ownMap, partnerMap } from './map-calls.ts'
import { read } from './row.server.ts'
import { seat } from './seat.ts'
import { layoutProblem, seatLabel, type PlacedSeat } from './seat-layout.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

/** Days that the chart of busy hours looks back. */
const BUSY_DAYS = 30

type Room = NonNullable<Rooms['room']['types']>['row']

/** The map of a room as it stands, as a person who sees the room may see it. */
async function seatMap(db: Queryable, staff: Staff, { room, member }: Rooms, { id, rev, name, school_id, status, price_rules }: Room): Promise<SeatMap> {
  type Stored = Omit<MapSeat, 'sitting'> & { [Key in keyof Sitting]: Sitting[Key] | null }
  const rows = await db.query<Stored>(sql`select s.id, s.area, s.row, s.no, s.kind, s.x, s.y, s.status, s.label,
      n.visit_id, n.member_id, m.name as member_name, c.name as card_name, n.in_at, u.kind as card_kind, u.remaining::float8 as remaining, u.expire_at, p.sn as pad_sn
    from seat s left join seated n on n.seat_id = s.id left join room_member m on m.id = n.member_id
      left join user_card u on u.id = n.user_card_id left join member_card c on c.id = u.card_id
      left join pad p on p.seat_id = s.id and p.deleted_at is null
    where s.room_id = ${id} and s.deleted_at is null order by s.area, s.row, s.no, s.id`)
  // A person who works in the room works with those who sit in it.
  const nameOf = (text: string) => (seesNames(room, staff) ? text : shownName(member, staff, text))
  const seats = rows.map(({ visit_id, member_id, member_name, card_name, in_at, card_kind, remaining, expire_at, ...seat }): MapSeat => ({
    ...seat,
    sitting: visit_id === null || member_id === null || in_at === null || card_kind === null ? null : { visit_id, member_id, member_name: nameOf(member_name ?? ''), card_name: card_name ?? '', in_at, card_kind, remaining: remaining ?? 0, expire_at },
  }))
  return { room: { id, rev, name, school_id, status, price_rules }, seats }
}

const COLUMNS = sql`area text, row bigint, no bigint, kind integer, x bigint, y bigint, status integer, label text`

/**
 * Makes a room's seats those of a map. The room is locked, so that two people cannot draw at once.
 * @throws badRequest when the map cannot be so, or somebody sits where there would be no seat
 */
async function saveSeats(tx: Queryable, room: Pick<Room, 'id' | 'school_id'>, seats: readonly PlacedSeat[]): Promise<{ added: number; removed: number }> {
  const problem = layoutProblem(seats)
  if (problem) throw badRequest(problem)
  const before = await tx.query<{ id: number; label: string; taken: boolean; pad: string | null }>(sql`select s.id, s.label, exists (select 1 from seated n where n.seat_id = s.id) as taken,
      (select p.sn from pad p where p.seat_id = s.id and p.deleted_at is null limit 1) as pad
    from seat s where s.room_id = ${room.id} and s.deleted_at is null`)
  const known = new Set(before.map((seat) => seat.id))
  if (seats.some(({ id }) => id !== undefined && !known.has(id))) throw badRequest('座位图已被修改，请刷新后重试')
  const kept = new Set(seats.flatMap(({ id }) => id ?? []))
  if (kept.size < seats.filter(({ id }) => id !== undefined).length) throw badRequest('同一座位出现了两次，请刷新后重试')
  const gone = before.filter((seat) => !kept.has(seat.id))
  for (const { label, taken, pad } of gone) {
    if (taken) throw badRequest(`「${label}」有人在座，不能删除`)
    if (pad) throw badRequest(`「${label}」绑定了平板 ${pad}，请先解绑`)
  }
  await touch(tx, seat, { deleted_at: sql`now()` }, gone.map(({ id }) => id))
  const rows = seats.map(({ key: _key, ...seat }) => ({ ...seat, label: seatLabel(seat) }))
  const drawn = { area: sql`r.area`, row: sql`r.row`, no: sql`r.no`, kind: sql`r.kind`, x: sql`r.x`, y: sql`r.y`, status: sql`r.status`, label: sql`r.label` }
  await touch(tx, seat, drawn, sql`t.id = r.id and (t.area, t.row, t.no, t.kind, t.x, t.y, t.status) is distinct from (r.area, r.row, r.no, r.kind, r.x, r.y, r.status)`, {
    from: sql`jsonb_to_recordset(${JSON.stringify(rows.filter(({ id }) => id !== undefined))}::jsonb) as r (id bigint, ${COLUMNS})`,
  })
  const added = rows.filter(({ id }) => id === undefined)
  await tx.query(sql`insert into seat (room_id, school_id, area, row, no, kind, x, y, status, label)
    select ${room.id}::bigint, ${room.school_id}::bigint, r.* from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as r (${COLUMNS})`)
  recordsWritten(tx, seat.table)
  return { added: added.length, removed: gone.length }
}

/** Mean occupancy by hour over the last weeks; hours are Shanghai's. */
async function busyHours(db: Queryable, room: Pick<Room, 'id' | 'seat_cnt'>): Promise<BusyHours> {
  const rows = await db.query<{ hour: number; weekend: boolean; minutes: number }>(sql`
    with stays as (
      select v.in_at as a, coalesce(v.out_at, now()) as b from visit v
      where v.room_id = ${room.id} and v.deleted_at is null and v.in_at >= now() - make_interval(days => ${BUSY_DAYS})
    )
    select extract(hour from h at time zone 'Asia/Shanghai')::int as hour, extract(isodow from h at time zone 'Asia/Shanghai') >= 6 as weekend,
      (sum(extract(epoch from least(b, h + interval '1 hour') - greatest(a, h))) / 60)::float8 as minutes
    from stays, generate_series(date_trunc('hour', a), b, interval '1 hour') h where b > h group by 1, 2`)
  const now = Date.now()
  // Today counts as a day: what has passed of it is in the sums.
  const weekend = Array.from({ length: BUSY_DAYS }, (_unused, day) => new Date(now + 8 * 3_600_000 - day * 86_400_000).getUTCDay()).filter((day) => day === 0 || day === 6).length
  const days = { workday: BUSY_DAYS - weekend, weekend }
  const mean = (hour: number, isWeekend: boolean) => {
    const minutes = rows.find((row) => row.hour === hour && row.weekend === isWeekend)?.minutes ?? 0
    return Math.round((minutes / 60 / (isWeekend ? days.weekend : days.workday)) * 10) / 10
  }
  return { seats: room.seat_cnt ?? 0, days, hours: Array.from({ length: 24 }, (_unused, hour) => ({ hour, workday: mean(hour, false), weekend: mean(hour, true) })) }
}

function callsOf(rooms: Rooms, calls: typeof partnerMap): Served[] {
  const { room } = rooms
  return [
    handle(calls.read, async (call) => seatMap(call.db, call.staff, rooms, await read(call.db, room, call.staff, idParam(call)))),
    handle(calls.save, async (call) => {
      const { rev, seats } = call.input
      const id = idParam(call)
      const answer = await call.transaction(async (tx) => {
        const row = await lockRow(tx, room, call.staff, id)
        await checkRev(tx, row as typeof row & Record<string, unknown>, rev, (stale) => stale)
        const { added, removed } = await saveSeats(tx, row, seats.map((seat, index) => ({ ...seat, key: String(seat.id ?? `new ${index}`) })))
        await touch(tx, room, { seat_cnt: seats.length }, id)
        return { map: await seatMap(tx, call.staff, rooms, await read(tx, room, call.staff, id)), added, removed }
      }, { action: 'seat_map' })
      return answer.map
    }),
    handle(calls.busy, async (call) => busyHours(call.db, await read(call.db, room, call.staff, idParam(call)))),
  ]
}

/** The calls around the maps of rooms. */
export const seatMapCalls: readonly Served[] = [...callsOf(PARTNER_ROOMS, partnerMap), ...callsOf(OWN_ROOMS, ownMap)]
