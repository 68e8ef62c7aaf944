import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import type { Alike, QuestionContent } from '../practice/module.ts'
import { teacherPaper } from './paper.ts'

/** A question that a teacher wrote, and what became of it. */
export interface ReviewQuestion {
  id: number
  ord: number
  content: QuestionContent
  score: number
  state: number
  reason: string | null
  staff_name: string | null
  /** Where it stands in the bank; null where the person may not see that, or it is not there. */
  practice: { no: string; path: string; status: number; official: boolean; placed: boolean } | null
}

const { api: { item }, grant, rights } = teacherPaper
const read = [grant]
const audit = [rights.id('approve')]
const id = (words: string) => z.int(words).check(z.positive(words))

export const reviewQuestions = defineEndpoint<{ items: ReviewQuestion[] }>()({ method: 'GET', path: `${item}/{id}/questions`, summary: '教师试卷的自编题', grant: read })
export const likeQuestion = defineEndpoint<{ items: Alike[] }>()({ method: 'GET', path: `${item}/{id}/questions/{question}/alike`, summary: '自编题查重', grant: read })
export const admitQuestion = defineEndpoint<{ left: number; practice_id: number }>()({ method: 'POST', path: `${item}/{id}/questions/{question}/admit`, summary: '自编题入库', grant: audit, input: z.object({ sure: z._default(z.boolean('确认有误'), false) }) })
export const reuseQuestion = defineEndpoint<{ left: number }>()({ method: 'POST', path: `${item}/{id}/questions/{question}/reuse`, summary: '自编题改用题库已有题', grant: audit, input: z.object({ practice_id: id('请选择试题') }) })
export const refuseQuestion = defineEndpoint<{ left: number }>()({ method: 'POST', path: `${item}/{id}/questions/{question}/refuse`, summary: '退回自编题', grant: audit, input: z.object({ reason: reasonSchema }) })
/** Official questions that came of a paper's own take their places in it. */
export const placeQuestions = defineEndpoint<{ placed: number }>()({ method: 'POST', path: `${item}/{id}/questions/place`, summary: '入库的题放入试卷', grant: [standardId(grant, 'edit')] })
