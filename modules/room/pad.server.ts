import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { keepOwnUndo } from '../../core/resource/keep-undo.server.ts'
import { serve, type OwnBack } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { checkScope, lockRow } from '../../core/resource/write.server.ts'
import { pickableCondition } from '../../core/resource/where.server.ts'
import { schoolStudent } from '../study-room/module.ts'
import { selfMember } from './member.ts'
import { enqueue } from './device/queue.server.ts'
import { bindPad, movePads, pad, PAD_STATUS, unbindPad } from './pad.ts'
import { anyRoom } from './room.ts'
import { seat } from './seat.ts'

export const seatHasPad = defineError('seat_has_pad', 409, (sn: string) => `该座位已绑定平板 ${sn}`)

const statusField = pad.fields['status']
const statusName = (status: unknown) => choiceLabel(statusField?.kind === 'choice' ? statusField.choices : [], status)

/** Whom a pad can be given to, and how it is found out that they belong to the room. */
const HOLDERS = {
  seat_id: { resource: seat, label: '座位', belongs: sql`h.room_id = p.room_id and h.status = 1` },
  student_id: { resource: schoolStudent, label: '学生', belongs: sql`h.school_id = p.school_id` },
  member_id: { resource: selfMember, label: '会员', belongs: sql`h.school_id = p.school_id` },
} as const

/** A pad that nobody has. */
const NOBODYS = { seat_id: null, student_id: null, member_id: null }
/** Takes a pad from those who have it, beside a change of its state. */
const release = (tx: Queryable, id: number) => setDerived(tx, pad, NOBODYS, id)

/** The school of a room; none of the store. */
async function schoolOf(tx: Queryable, roomId: number | null): Promise<number | null> {
  if (roomId === null) return null
  const [room] = await tx.query<{ school_id: number }>(sql`select school_id from study_room where id = ${roomId}`)
  return room?.school_id ?? null
}

const leaves = ({ tx, row }: { tx: Queryable; row: { id: number } }) => release(tx, row.id).then(() => undefined)

/** Sends a pad back to the room that it came from, as long as nobody has it. */
const moveBack: OwnBack = {
  grant: () => pad.rights.id('move'),
  async run({ tx, staff, id, values, lock }) {
    await lock()
    const row = await lockRow(tx, pad, staff, id)
    if (row.status !== PAD_STATUS.stock) throw wrongState('撤销调拨', statusName(row.status))
    const room_id = values['room_id'] === null ? null : Number(values['room_id'])
    if (room_id !== null && !(await tx.query(sql`select 1 from study_room where id = ${room_id} and deleted_at is null for key share`)).length) throw notFound(anyRoom.label)
    await touch(tx, pad, { room_id, school_id: await schoolOf(tx, room_id) }, id)
    await checkScope(tx, pad, staff, id)
  },
}

export const padService = serve(pad)({
  backs: { move: moveBack },
  effects: {
    repair: leaves, lose: leaves, retire: leaves,
    // What is locked here the pad learns from its queue, and from every report it makes.
    lock: ({ tx, staff, row, reason }) => enqueue(tx, staff.id, [row.id], 'lock', { reason }),
    unlock: ({ tx, staff, row }) => enqueue(tx, staff.id, [row.id], 'unlock'),
  },
})

async function shown(tx: Queryable, staff: Staff, id: number) {
  const row = await readOne(tx, pad, staff, id, {})
  if (!row) throw notFound(pad.label)
  return present(pad, staff, row)
}

/** Calls that give pads out, take them back and send them elsewhere. */
export const padCalls: readonly Served[] = [
  handle(bindPad, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, pad, call.staff, idParam(call))
    if (row.status !== PAD_STATUS.stock && row.status !== PAD_STATUS.in_use) throw wrongState('绑定', statusName(row.status))
    if (!row.room_id) throw badRequest('平板还在总仓，请先调拨到自习室')
    for (const [key, { resource, label, belongs }] of Object.entries(HOLDERS) as [keyof typeof HOLDERS, (typeof HOLDERS)[keyof typeof HOLDERS]][]) {
      const id = call.input[key]
      if (id === undefined) continue
      const [found] = await tx.query(sql`select 1 from (select * from ${sql.identifier(resource.table)} where id = ${id} and ${pickableCondition(resource, call.staff)} for key share) h
        join pad p on p.id = ${row.id} where ${belongs}`)
      if (!found) throw invalid({ [key]: `${label}不在该平板所在的自习室` })
      if (key === 'seat_id') {
        // The second caller waits here and then finds the pad of the first.
        await tx.query(sql`select 1 from seat where id = ${id} for no key update`)
        const [other] = await tx.query<{ sn: string }>(sql`select sn from pad where seat_id = ${id} and id <> ${row.id} and deleted_at is null`)
        if (other) throw seatHasPad(other.sn)
      }
    }
    const { seat_id = null, student_id = null, member_id = null } = call.input
    await touch(tx, pad, { seat_id, student_id, member_id, status: PAD_STATUS.in_use, activated_at: sql`coalesce(t.activated_at, now())` }, row.id)
    return shown(tx, call.staff, row.id)
  }, { action: 'bind' })),

  handle(unbindPad, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, pad, call.staff, idParam(call))
    if (row.status !== PAD_STATUS.in_use) throw wrongState('解绑', statusName(row.status))
    await touch(tx, pad, { ...NOBODYS, status: PAD_STATUS.stock }, row.id)
    return shown(tx, call.staff, row.id)
  }, { action: 'unbind', ...(call.input.reason && { reason: call.input.reason }) })),

  handle(movePads, (call) => call.transaction(async (tx) => {
    const { room_id = null } = call.input
    const ids = [...new Set(call.input.ids)].sort((a, b) => a - b)
    if (room_id !== null) {
      const [found] = await tx.query(sql`select 1 from study_room where id = ${room_id} and ${pickableCondition(anyRoom, call.staff)} for key share`)
      if (!found) throw invalid({ room_id: '自习室不存在或已被删除，请重新选择' })
    }
    for (const id of ids) {
      const row = await lockRow(tx, pad, call.staff, id)
      if (row.status === PAD_STATUS.in_use) throw badRequest(`平板 ${row.sn} 在用，请先解绑再调拨`)
      if (row.status !== PAD_STATUS.stock) throw badRequest(`平板 ${row.sn} 当前为「${statusName(row.status)}」，不能调拨`)
    }
    const from = new Map((await tx.query<{ id: number; room_id: number | null }>(sql`select id, room_id from pad where id = any(${sql.param(ids)}::bigint[]) and room_id is distinct from ${room_id}::bigint`)).map((row) => [row.id, { room_id: row.room_id }]))
    const moved = await touch(tx, pad, { room_id, school_id: await schoolOf(tx, room_id) }, sql`t.id = any(${sql.param(ids)}::bigint[]) and t.room_id is distinct from ${room_id}::bigint`)
    for (const { id } of moved) await checkScope(tx, pad, call.staff, id)
    const undo = await keepOwnUndo(tx, { resource: pad, staff: call.staff, action: 'move' }, 'move', from)
    return { moved: moved.length, ...(undo !== undefined && { undo }) }
  }, { action: 'move', ...(call.input.reason && { reason: call.input.reason }) })),
]
