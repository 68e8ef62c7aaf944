import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import type { AuthorStory, PracticeBeside, SaidItem, VideoTalk } from '../said/calls.ts'
import type { SaidTarget } from '../said/said.ts'
import type { Hit } from '../word/match.ts'
import { CAUSES, commentReview, type ReviewReason } from './review.ts'

const { list, item } = commentReview.api
const look = [MANAGE_RIGHTS.screen]
const reviews = [MANAGE_RIGHTS.id('review')]
const ids = (most: number) => z.array(z.int('评论有误').check(z.positive('评论有误')), '请选择评论').check(z.minLength(1, '请选择评论'), z.maxLength(most, `一次最多 ${most} 条`))
export const MOST_DECIDED = 200

/** A row of the queue. */
export interface Queued {
  id: number
  comment_id: number
  target: SaidTarget
  content: string
  hits: Hit[]
  cause: number
  reasons: ReviewReason[]
  score: number
  at: number
  user_id: number | null
  name: string
  /** Who has it now; absent where anybody may take it. */
  claimed_by: number | null
  claimed_name: string | null
  claimed_until: number | null
}

/** What waits, the most urgent first, with how much of each cause, and how second looks came out lately. */
export interface Queue { items: Queued[]; total: number; causes: { cause: number; n: number }[]; decided_today: number; checked: { n: number; agreed: number } }
export const reviewQueue = defineEndpoint<Queue>()({
  method: 'GET', path: `${list}/queue`, summary: '待审评论', grant: look,
  input: z.object({ cause: z.optional(z.coerce.number('来由有误').check(z.refine((value) => CAUSES.some((one) => one.value === value), '来由有误'))), target: z.optional(z.enum(['video', 'practice'], '对象有误')) }),
})

/** Everything beside one row. */
export interface ReviewCase {
  row: Queued & { state: number; decided_name: string | null; decided_at: number | null; first_by: number | null }
  comment: SaidItem | null
  video: VideoTalk['video'] | null
  practice: PracticeBeside | null
  /** What stands around it in its thread. */
  thread: SaidItem[]
  author: AuthorStory | null
  /** Other rows that wait: of the same author, and with the same words. */
  same_author: number[]
  same_text: number[]
}
export const reviewCase = defineEndpoint<ReviewCase>()({ method: 'GET', path: `${item}/{id}/case`, summary: '待审评论详情', grant: look })

export const claimReview = defineEndpoint<{ until: number }>()({ method: 'POST', path: `${item}/{id}/claim`, summary: '领取待审评论', grant: reviews })
export const releaseReview = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${item}/{id}/release`, summary: '放回待审评论', grant: reviews })

/** Decides about one row, or about many of the same author or text at once: what somebody else has stays. */
export const decideReviews = defineEndpoint<{ decided: number[]; left_alone: { id: number; why: string }[] }>()({
  method: 'POST', path: `${list}/decide`, summary: '审核评论', back: { instead: '审错了，撤销审核即可' }, grant: reviews,
  input: z.object({ ids: ids(MOST_DECIDED), verdict: z.enum(['pass', 'hide', 'remove'], '请选择处理方式') }),
})
/** Takes back what this person decided some seconds ago; it comes before them again as new rows. */
export const undoReviews = defineEndpoint<{ ids: number[] }>()({ method: 'POST', path: `${list}/undo`, summary: '撤销审核', back: { instead: '撤销错了，重新审核即可' }, grant: reviews, input: z.object({ ids: ids(MOST_DECIDED) }) })
