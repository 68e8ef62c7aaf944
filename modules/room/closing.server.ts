import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { defineError, invalid, notFound } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { holdAccount } from '../order/door.server.ts'
import { MONEY_CHANNELS } from '../order/module.ts'
import { closeDay, dayClosing, openDay, type OpenDay } from './closing.ts'
import { selfRoom } from './room.ts'
import { read } from './row.server.ts'

const movedOn = defineError('closing_moved_on', 409, () => '期间又有新的收款，请核对后重新提交')

/** What the books of a room hold since its last closing. */
async function readOpen(tx: Queryable, roomId: number): Promise<OpenDay & { last: number }> {
  const [before] = await tx.query<{ last_entry: number; created_at: number }>(sql`select last_entry, created_at from day_closing where room_id = ${roomId} order by id desc limit 1`)
  const rows = await tx.query<{ channel: string; expected: number; entries: number; last: number }>(sql`select channel, sum(amount)::float8 as expected, count(*)::int as entries, max(id) as last
    from ledger where account_kind = 'room' and account_id = ${roomId} and id > ${before?.last_entry ?? 0} group by channel`)
  return {
    since: before?.created_at ?? null,
    lines: MONEY_CHANNELS.map((channel) => {
      const found = rows.find((row) => row.channel === channel)
      return { channel, expected: found?.expected ?? 0, entries: found?.entries ?? 0 }
    }),
    last: Math.max(before?.last_entry ?? 0, ...rows.map((row) => row.last)),
  }
}

/** The calls by which the days of our own rooms are closed. */
export const closingCalls: readonly Served[] = [
  handle(openDay, async (call) => {
    const room = await read(call.db, selfRoom, call.staff, Number(call.input.room_id))
    const { since, lines } = await readOpen(call.db, room.id)
    return { since, lines }
  }),
  handle(closeDay, async (call) => {
    const { room_id, shift, lines, remark } = call.input
    const id = await call.transaction(async (tx) => {
      const room = await read(tx, selfRoom, call.staff, room_id)
      // Alone with the books: what is booked from now on belongs to the next closing.
      await holdAccount(tx, { kind: 'room', id: room.id })
      const open = await readOpen(tx, room.id)
      const complete = open.lines.map(({ channel, expected }) => {
        const given = lines.find((one) => one.channel === channel)
        if ((given?.expected ?? 0) !== expected) throw movedOn()
        return { channel, expected, counted: given?.counted ?? 0, ...(given?.reason && { reason: given.reason }) }
      })
      const unexplained = complete.findIndex((one) => one.counted !== one.expected && !one.reason)
      if (unexplained >= 0) throw invalid({ [`lines.${unexplained}.reason`]: '实点与应收不一致，请填写原因' })
      const sum = (key: 'expected' | 'counted') => complete.reduce((total, one) => total + one[key], 0)
      const saved = await insertRow(tx, dayClosing, call.staff.id, {
        room_id, school_id: room.school_id, day: startOfDay(Math.floor(Date.now() / 1000)), shift, expected: sum('expected'), counted: sum('counted'), difference: sum('counted') - sum('expected'),
        lines: complete, last_entry: open.last, remark: remark ?? null,
      }, {})
      return saved.id
    }, { action: 'close_day' })
    const row = await readOne(call.db, dayClosing, call.staff, id, {})
    if (!row) throw notFound(dayClosing.label)
    return present(dayClosing, call.staff, row)
  }),
]
