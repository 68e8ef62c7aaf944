import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { sameSchool } from '../study-room/door.server.ts'
import { CARD_KIND } from './card-kind.ts'
import { CARD_STATUS, IN_FORCE } from './card-state.ts'
import { LEAVE_UNTIL, serveLeave } from './leave.server.ts'
import { padService } from './pad.server.ts'
import { pad, PAD_STATUS } from './pad.ts'
import { anyRoom } from './room.ts'
import { seat } from './seat.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'
import { utilityService } from './utility.server.ts'

async function count(tx: Queryable, what: ReturnType<typeof sql>): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select count(*)::int as n from ${what}`)
  return row?.n ?? 0
}

const roomCounts = {
  present_cnt: sql`select count(*)::int from seated n where n.room_id = t.id`,
  today_cnt: sql`select count(*)::int from visit v where v.room_id = t.id and v.deleted_at is null and v.in_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
  revenue_m2: sql`select round(sum(l.amount) / nullif(t.area_m2, 0))::float8 from ledger l join orders o on o.id = l.order_id and o.line = 'member' where l.account_kind = 'room' and l.account_id = t.id and l.at >= now() - interval '30 days'`,
  pad_cnt: sql`select count(*)::int from pad p where p.room_id = t.id and p.deleted_at is null and p.status <> ${PAD_STATUS.retired}`,
}

/** Cards that are in force, of the member `t`. */
const ownCards = sql`from user_card u where u.member_id = t.id and u.deleted_at is null and u.status in (${CARD_STATUS.unused}, ${CARD_STATUS.active}, ${CARD_STATUS.frozen})`

/** SQL of what a visit took, in words. */
const usedText = sql`case when t.out_at is null then null
  when t.kind = ${CARD_KIND.minutes} then coalesce(t.used, 0) || ' 分钟'
  when t.kind = ${CARD_KIND.visits} then coalesce(t.used, 0) || ' 次'
  when t.kind = ${CARD_KIND.value} then '¥' || to_char(coalesce(t.used, 0) / 100.0, 'FM9999990.00')
  else '不扣' end || case when coalesce(t.short, 0) > 0 then '（不足）' else '' end`

function servicesOf({ room, card, member, userCard, cardLog, visit, leave }: Rooms): ResourceService[] {
  return [
    serve(room)({
      computed: roomCounts,
      async after({ tx, row, saved }) {
        if (!row || row.school_id === saved.school_id) return
        if (await count(tx, sql`seated n where n.room_id = ${saved.id}`)) throw badRequest('有人在座，不能换到其他学校')
        // What stands in the room belongs to the same school.
        await setDerived(tx, seat, { school_id: saved.school_id }, sql`t.room_id = ${saved.id}`)
        await setDerived(tx, pad, { school_id: saved.school_id }, sql`t.room_id = ${saved.id}`)
      },
    }),
    serve(card)(sameSchool([{ key: 'room_ids', table: 'study_room', label: '自习室' }])),
    serve(member)({
      computed: {
        cards: sql`select string_agg(c.name, '、' order by u.id) from user_card u join member_card c on c.id = u.card_id
          where u.member_id = t.id and u.deleted_at is null and u.status = any(${sql.param(IN_FORCE)}::int[])`,
        balance: sql`select sum(u.remaining)::float8 ${ownCards} and u.kind = ${CARD_KIND.value}`,
        left_minutes: sql`select sum(u.remaining)::float8 ${ownCards} and u.kind = ${CARD_KIND.minutes}`,
        left_visits: sql`select sum(u.remaining)::float8 ${ownCards} and u.kind = ${CARD_KIND.visits}`,
        card_until: sql`select max(u.expire_at) ${ownCards}`,
        frozen_until: sql`select max(u.frozen_until) ${ownCards}`,
        leave_until: LEAVE_UNTIL,
        present: sql`select r.name || ' ' || s.label from seated n join seat s on s.id = n.seat_id join study_room r on r.id = n.room_id where n.member_id = t.id`,
      },
    }),
    serve(userCard)(),
    serve(cardLog)(),
    serve(visit)({ computed: { used_text: usedText } }),
    serveLeave(leave),
  ]
}

export const services: readonly ResourceService[] = [
  ...servicesOf(PARTNER_ROOMS), ...servicesOf(OWN_ROOMS), serve(anyRoom)({ computed: roomCounts }), serve(seat)(), padService, utilityService,
]
