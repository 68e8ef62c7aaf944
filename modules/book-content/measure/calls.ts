import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { measurement } from './measurement.ts'

const { list: LIST } = measurement.api
const EDIT = [standardId(measurement.grant, 'edit')]
const bodyId = z.int('试题有误').check(z.positive('试题有误'))
const rev = z.optional(z.int('版本有误'))

/** A measurement with its questions, and what somebody may be told to learn. */
export interface MeasureContent {
  row: WireRow<typeof measurement>
  labels: { id: number; name: string; above: string | null }[]
  cards: PracticeCard[]
  /** Published micro lessons of its knowledge. */
  lessons: { label_id: number; id: number; name: string }[]
  /** Codes of the book that lead to it. */
  codes: { id: number; code: string; name: string; page_no: number | null; printed: boolean }[]
  /** What the bank could not give when it was composed, in words. */
  lacks: string[]
}

export const readMeasure = defineEndpoint<MeasureContent>()({ method: 'GET', path: `${LIST}/{id}/content`, summary: '测评的试题', grant: [measurement.grant] })
/** Chooses the questions by knowledge and difficulty, as smart papers are composed; what was chosen before is left. */
export const composeMeasure = defineEndpoint<MeasureContent>()({ method: 'POST', path: `${LIST}/{id}/compose`, summary: '测评组卷', grant: EDIT, input: z.object({ rev }) })
/** Another question of the same knowledge, nearest in difficulty, in the place of one. */
export const swapQuestion = defineEndpoint<MeasureContent>()({ method: 'POST', path: `${LIST}/{id}/swap`, summary: '测评换一题', grant: EDIT, input: z.object({ practice_id: bodyId, rev }) })
export const dropQuestion = defineEndpoint<MeasureContent>()({ method: 'POST', path: `${LIST}/{id}/drop`, summary: '测评移除试题', grant: EDIT, input: z.object({ practice_id: bodyId, rev }) })
/** Gives a published measurement a place in its book, with a printed code of its own. */
export const placeMeasure = defineEndpoint<MeasureContent>()({
  method: 'POST', path: `${LIST}/{id}/codes`, summary: '测评放进图书', grant: [measurement.rights.id('publish')],
  input: z.object({
    name: z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(60, '名称最多 60 个字')),
    section: z.optional(z.string('章节应为文字').check(z.trim(), z.maxLength(60, '章节最多 60 个字'))),
    page_no: z.int('请填写页码').check(z.gte(1, '页码至少 1'), z.lte(999, '页码最大 999')),
  }),
})
