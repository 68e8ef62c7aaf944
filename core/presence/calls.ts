import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import { defineLiveKind } from '../live/event.ts'

/** Seconds between two signs of somebody who has a record open. */
export const SIGN_EVERY = 20
/** Seconds after which somebody who gives no sign is taken to be gone. */
export const GONE_AFTER = 40

/** Somebody else who has the record open. */
export interface Present {
  staff_id: number
  name: string
  writes: boolean
}

/** Somebody came to a record that this person has open, left it, or began to write: its id. */
export const presenceMoved = defineLiveKind('presence')

/** Says that this person has a record open, writes, or is gone. Answers who else has it open; a record that the person may not see is not found. */
export const signPresence = defineEndpoint<{ here: Present[] }>()({
  method: 'POST', path: '/daoyuan/api/end/presence', summary: '正在查看记录', grant: 'staff',
  input: z.object({
    resource: z.string('记录类型有误'), id: z.int('记录编号有误').check(z.positive('记录编号有误')), doing: z.enum(['look', 'write', 'gone'], '状态有误'),
  }),
})
