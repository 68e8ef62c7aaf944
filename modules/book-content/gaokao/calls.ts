import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { defineRights } from '../../../core/grant/rights.ts'
import { BASE } from '../../book/module.ts'
import { screenId } from '../../screens.ts'

export const GAOKAO_RIGHTS = defineRights(screenId('/practiceBook/content/gaokaoPractice'), { edit: [1, '新增和编辑'] })

/** Years that the matrix shows: this one and those before it. */
export const GAOKAO_YEARS = 10

/** A paper of an exam, with how far its questions are done. */
export interface GaokaoPaper {
  id: number
  name: string
  state: number
  /** Learners have it. */
  live: boolean
  questions: number
  analysed: number
  filmed: number
  labelled: number
}

/** A year of a region. One that is not named has neither papers nor questions. */
export interface GaokaoCell {
  year: number
  region_id: number
  papers: GaokaoPaper[]
  /** Official questions of that exam which stand in none of its papers. */
  loose: number
  /** An order to write it is open: who, until when. */
  order: { id: number; staff_name: string | null; due_at: number } | null
}

export interface GaokaoMatrix {
  years: number[]
  cells: GaokaoCell[]
}

/** A question of a paper that lacks something. */
export interface GaokaoGap {
  id: number
  no: string
  place: number
  lacks: ('解析' | '视频' | '知识点')[]
  /** Where it is mended; null for those who may not. */
  path: string | null
}

const catId = z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '请选择学科'))

/** domain 1.10: years against regions of a subject, old and new exams apart where somebody asks. */
export const readGaokao = defineEndpoint<GaokaoMatrix>()({
  method: 'GET', path: `${BASE}/gaokao`, summary: '高考题矩阵', grant: [GAOKAO_RIGHTS.screen],
  input: z.object({ cat_id: catId, gaokao_type: z.optional(z.enum(['1', '2'], '高考类型有误')) }),
})
export const readGaps = defineEndpoint<{ items: GaokaoGap[]; total: number }>()({ method: 'GET', path: `${BASE}/gaokao/papers/{id}`, summary: '高考卷待完善的试题', grant: [GAOKAO_RIGHTS.screen] })

/** Makes the paper of an empty cell: of the questions that the bank has of that exam, or to be filled. */
export const makeGaokao = defineEndpoint<{ id: number; name: string; questions: number }>()({
  method: 'POST', path: `${BASE}/gaokao`, summary: '新建高考卷', grant: [GAOKAO_RIGHTS.id('edit')],
  input: z.object({
    cat_id: z.int('请选择学科').check(z.positive('请选择学科')),
    year: z.int('请填写年份').check(z.gte(1950, '年份有误'), z.lte(2200, '年份有误')),
    region_id: z.int('请选择卷区').check(z.positive('请选择卷区')),
    gaokao_type: z.optional(z.int('高考类型有误').check(z.gte(1, '高考类型有误'), z.lte(2, '高考类型有误'))),
  }),
})
