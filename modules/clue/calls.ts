import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { clue, CLUE_RIGHTS } from './clue.ts'

export const WAYS = [{ value: 'call', label: '电话' }, { value: 'wechat', label: '微信' }, { value: 'visit', label: '面谈' }, { value: 'other', label: '其他' }] as const

/** What was said, and who had the clue. */
export interface ClueStory {
  follows: { id: number; at: number; staff_name: string | null; way: string; body: string }[]
  owners: { id: number; staff_name: string; from_at: number; to_at: number | null; cause: string; note: string | null }[]
}

/** A clue on the board. */
export interface ClueCard { id: number; name: string; grade: number | null; intent: string | null; stage: number; owner_name: string | null; next_follow_at: number | null; protect_until: number | null; last_words: string | null; rev: number }
export interface BoardColumn { stage: number; total: number; items: ClueCard[] }

const { api: { list, item }, grant } = clue
const edit = [standardId(grant, 'edit')]

export const clueStory = defineEndpoint<ClueStory>()({ method: 'GET', path: `${item}/{id}/story`, summary: '线索的跟进和归属', grant: [grant] })
export const clueBoard = defineEndpoint<{ columns: BoardColumn[] }>()({ method: 'GET', path: `${list}/board`, summary: '线索看板', grant: [grant], input: z.object({ mine: z.optional(z.literal('1', '条件有误')) }) })
export const followClue = defineEndpoint<{ id: number; protect_until: number | null }>()({
  method: 'POST', path: `${item}/{id}/follows`, summary: '跟进线索', grant: edit,
  input: z.object({ way: z.enum(WAYS.map(({ value }) => value), '请选择方式'), body: z.string('请填写跟进内容').check(z.trim(), z.minLength(5, '跟进内容至少 5 个字'), z.maxLength(500, '跟进内容最多 500 个字')), next_follow_at: z.optional(z.int('时间有误').check(z.positive('时间有误'))) }),
})
export const claimClue = defineEndpoint<{ protect_until: number }>()({ method: 'POST', path: `${item}/{id}/claim`, summary: '领取线索', grant: [CLUE_RIGHTS.id('claim')] })
export const releaseClue = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${item}/{id}/release`, summary: '线索放回公海', grant: [CLUE_RIGHTS.id('claim')], input: z.object({ reason: reasonSchema }) })
export const assignClues = defineEndpoint<{ assigned: number; left_alone: { id: number; why: string }[]; undo?: number }>()({
  method: 'POST', path: `${list}/assign`, summary: '分配线索', grant: [CLUE_RIGHTS.id('assign')],
  input: z.object({ ids: z.array(z.int('请选择线索').check(z.positive('请选择线索')), '请选择线索').check(z.minLength(1, '请选择线索'), z.maxLength(200, '一次最多 200 条')), owner_id: z.int('请选择顾问').check(z.positive('请选择顾问')), reason: reasonSchema }),
  back: 'undo',
})
