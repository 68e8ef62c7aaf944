import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import type { Resource } from '../resource/define.ts'

/** Longest contribution, in characters. */
export const LONGEST = 1000
/** People whom one contribution asks to look. */
const MOST_MENTIONS = 20

/** What somebody said about a record. */
export interface Contribution {
  id: number
  at: number
  staff_id: number
  staff_name: string | null
  body: string
  mentions: { id: number; name: string }[]
  follow_up: { at: number; staff_id: number; staff_name: string | null; done_at: number | null } | null
}

/** Something said about a record that concerns this person: they are named in it, or are to do something about it. */
export interface Concern extends Contribution {
  /** Screen and resource of the record, by which the console opens it. */
  screen: number
  resource: string
  record_id: number
  /** What the record is called: 学生「王*」. */
  record: string
}

const staffId = z.int('人员编号有误').check(z.positive('人员编号有误'))

const said = z.object({
  body: z.string('请填写讨论内容').check(z.trim(), z.minLength(1, '请填写讨论内容'), z.maxLength(LONGEST, `讨论内容最多 ${LONGEST} 个字`)),
  mentions: z.optional(z.array(staffId).check(z.maxLength(MOST_MENTIONS, `一次最多提醒 ${MOST_MENTIONS} 人`))),
  /** Until when, in unix seconds, and by whom; by the author by default. */
  follow_up: z.optional(z.object({ at: z.int('跟进时间有误').check(z.positive('跟进时间有误'), z.maximum(4_102_444_800, '跟进时间有误')), staff_id: z.optional(staffId) })),
})

/** The calls of the discussion of one record. */
export function discussionEndpoints({ api, label, grant }: Pick<Resource, 'api' | 'label' | 'grant'>): {
  list: Endpoint<undefined, { items: Contribution[] }>
  say: Endpoint<z.infer<typeof said>, Contribution>
  people: Endpoint<{ keyword?: string | undefined }, { items: { id: number; name: string }[] }>
} {
  const path = `${api.item}/{id}/discussion`
  return {
    list: defineEndpoint<{ items: Contribution[] }>()({ method: 'GET', path, summary: `${label}的讨论`, grant: [grant] }),
    say: defineEndpoint<Contribution>()({ method: 'POST', path, summary: `讨论${label}`, grant: [grant], input: said }),
    people: defineEndpoint<{ items: { id: number; name: string }[] }>()({
      method: 'GET', path: `${path}/people`, summary: `可以提醒的同事（${label}）`, grant: [grant], input: z.object({ keyword: z.optional(z.string()) }),
    }),
  }
}

const BASE = '/daoyuan/api/end/discussion'

/** What concerns this person: contributions that name them within the last month, and what they are to do and have not done. */
export const concerns = defineEndpoint<{ mentions: Concern[]; follow_ups: Concern[] }>()({ method: 'GET', path: BASE, summary: '提到我的讨论和我的跟进', grant: 'staff' })

/** Says that a follow-up is done, or not yet. */
export const followUpDone = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${BASE}/{id}/done`, summary: '完成跟进', grant: 'staff', input: z.object({ done: z._default(z.boolean(), true) }),
})
