import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Reason } from './partner-reasons.ts'
import { partner } from './partner.ts'

/** Farthest day to which a call is put off, in days. */
export const MOST_LATER_DAYS = 30

/** A partner of the week's list. */
export interface PartnerToCall {
  id: number
  name: string
  contact: string
  /** Masked, as everywhere; the whole number is looked at in the record. */
  mobile: string
  owner_id: number | null
  owner_name: string | null
  score: number | null
  urgency: number
  reasons: Reason[]
  /** Called this week, put off, or neither. */
  state: 'due' | 'done' | 'later'
  last: { at: number; staff_name: string | null; note: string | null; until: number | null } | null
}

export interface ContactList {
  /** First second of the week, a Monday. */
  week: number
  items: PartnerToCall[]
}

/** Whom to call this week: everybody within one's data who gives cause, what weighs most first. */
export const partnersToCall = defineEndpoint<ContactList>()({ method: 'GET', path: `${partner.api.list}/to_call`, summary: '本周该联系的合伙人', grant: [partner.grant] })

const day = z.int('请选择日期').check(z.positive('请选择日期'), z.lte(4_102_444_800, '日期过晚'))

/** Says what came of a call; a follow-up becomes the person's own, and stands among what waits for them. */
export const contacted = defineEndpoint<PartnerToCall>()({
  method: 'POST', path: `${partner.api.item}/{id}/contacted`, summary: '记录联系合伙人', grant: [standardId(partner.grant, 'edit')],
  input: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('done'), note: z.string('请填写谈了什么').check(z.trim(), z.minLength(5, '谈了什么至少 5 个字'), z.maxLength(500, '最多 500 个字')), follow_up_at: z.optional(day) }),
    z.object({ outcome: z.literal('later'), until: day }),
  ], '请选择结果'),
})
