import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { BASE } from '../../book/module.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { trainMaterial } from './material.ts'
import { ANSWERS, type Layout, type Piece } from './pieces.ts'

/** A question as a material prints it: its text is that of the version which the material holds. */
export type MaterialCard = PracticeCard & { /** The version that the bank has by now. */ latest: number }

/** A material as its editor shows it. */
export interface MaterialContent {
  row: WireRow<typeof trainMaterial>
  subject: { id: number; name: string; level: number }
  /** Its questions, as they are printed. */
  cards: MaterialCard[]
  /** Sets of its chapter, to take questions from; none where it has no chapter. */
  sets: { name: string; items: PracticeCard[] }[]
  /** Other materials of the book, in the order in which they were made. */
  others: { id: number; name: string; state: number }[]
}

export interface MaterialVersion {
  no: number
  pieces: Piece[]
  layout: Layout
  staff_name: string | null
  at: number
}

const LIST = trainMaterial.api.list
const VIEW = [trainMaterial.grant]
const EDIT = [standardId(trainMaterial.grant, 'edit')]

export const readMaterial = defineEndpoint<MaterialContent>()({ method: 'GET', path: `${LIST}/{id}/content`, summary: '训练素材的内容', grant: VIEW })
export const materialVersions = defineEndpoint<{ items: MaterialVersion[]; cards: MaterialCard[]; total: number }>()({ method: 'GET', path: `${LIST}/{id}/versions`, summary: '训练素材的版本', grant: VIEW })

/** A material as a Word document with Word's own formulas: as it is edited, or a version. The answer is the file. */
export const materialWord = defineEndpoint<unknown>()({
  method: 'GET', path: `${LIST}/{id}/word`, summary: '下载 Word 训练素材', grant: VIEW, stream: true,
  input: z.object({
    answers: z.optional(z.enum(ANSWERS.map(({ value }) => value), '请选择答案位置')),
    no: z.optional(z.string('版本有误').check(z.regex(/^[1-9]\d{0,5}$/, '版本有误'))),
  }),
})

/** Makes a material of the sets of chapters, in their order: a heading for each chapter and each set. */
export const makeMaterial = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${BASE}/training/{id}/materials`, summary: '由训练生成素材', grant: EDIT,
  input: z.object({
    name: z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(80, '名称最多 80 个字')),
    chapter_ids: z.array(z.int('章节有误').check(z.positive('章节有误')), '请选择章节').check(z.minLength(1, '请选择章节'), z.maxLength(50, '一份素材最多 50 个章节')),
  }),
})
