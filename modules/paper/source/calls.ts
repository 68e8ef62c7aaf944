import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { BASE_EDIT_GRANTS } from '../paper.ts'

const END = '/daoyuan/api/end'

/** A paper that questions of the bank come from, as far as the bank holds it. */
export interface PaperSource {
  source_paper: string
  year: number | null
  question_count: number
  /** The paper that was made of it, if there is one. */
  paper_id: number | null
}

/** Papers that the official questions of a subject name as their source, the newest first. */
export const paperSources = defineEndpoint<{ items: PaperSource[]; total: number; /** Stage of the subject. */ level: number }>()({
  method: 'GET', path: `${END}/paper_sources`, summary: '试题的来源试卷', grant: BASE_EDIT_GRANTS,
  input: z.object({
    cat_id: z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '学科有误')),
    keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))),
  }),
})

/** Puts the questions of one source together as it had them: a draft, in the sections of the subject's order rule. */
export const paperFromSource = defineEndpoint<{ id: number; name: string; level: number; question_count: number }>()({
  method: 'POST', path: `${END}/paper_sources/papers`, summary: '按来源组卷', grant: BASE_EDIT_GRANTS,
  input: z.object({
    cat_id: z.int('请选择学科').check(z.positive('请选择学科')),
    source_paper: z.string('请选择来源试卷').check(z.minLength(1, '请选择来源试卷'), z.maxLength(100, '来源试卷最多 100 个字')),
    year: z.optional(z.int('年份有误').check(z.gte(1950, '年份有误'), z.lte(2200, '年份有误'))),
  }),
})
