import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { Change } from '../../../core/resource/endpoints.ts'
import { bodyId, type PracticeCard, type PracticeDetail, type PracticeFacts } from '../bank/calls.ts'
import { BANK_SCREENS, bankGrants } from '../bank/practice.ts'
import type { Use } from '../compare/calls.ts'
import type { QuestionContent } from '../content/question.ts'

const DOU = '/daoyuan/api/dou_practice/end'
const END = '/daoyuan/api/end'

/** Everything that a person writes about a question, as it is sent and as versions keep it. */
export interface Written {
  content: QuestionContent
  facts: PracticeFacts
  labels: { id: number; main: boolean }[]
  chapter_ids: number[]
}

const givenLabels = z.array(z.object({ id: bodyId, main: z.boolean('标签有误') }), '标签有误').check(z.maxLength(50, '标签太多'))
/** Content and facts have rules of their own, which name their fields (bank/write.server.ts). */
export const writtenInput = {
  content: z.unknown(),
  facts: z.record(z.string(), z.unknown(), '请填写试题属性'),
  labels: givenLabels,
  chapter_ids: z.array(bodyId, '章节有误').check(z.maxLength(50, '章节太多')),
}
const level = z.int('学段有误').check(z.gte(0, '学段有误'), z.lte(2, '学段有误'))
const note = z.optional(z.string('说明有误').check(z.trim(), z.maxLength(200, '说明最多 200 个字')))

/** domain: creates a question in the back bank of a stage, as a draft. */
export const createPractice = defineEndpoint<PracticeDetail>()({
  method: 'POST', path: `${DOU}/practice`, summary: '新增试题', grant: bankGrants('back', 'edit'), input: z.object({ level, ...writtenInput, note }),
})

/** Saves a draft of the back bank; `rev` is the state that the person began with. */
export const savePractice = defineEndpoint<PracticeDetail>()({
  method: 'PUT', path: `${DOU}/practice/{id}`, summary: '保存试题', grant: bankGrants('back', 'edit'), input: z.object({ ...writtenInput, rev: z.int('版本有误'), note }),
})

/** What a question looked like once. */
export interface Version {
  version_no: number
  at: number
  staff_name: string | null
  note: string | null
  published: boolean
}
export const practiceVersions = defineEndpoint<{ items: Version[]; total: number }>()({ method: 'GET', path: `${DOU}/practice/{id}/versions`, summary: '试题的历史版本', grant: BANK_SCREENS })
export const practiceVersion = defineEndpoint<Version & { snapshot: Written }>()({ method: 'GET', path: `${DOU}/practice/{id}/versions/{no}`, summary: '试题的一个历史版本', grant: BANK_SCREENS })
export const restoreVersion = defineEndpoint<PracticeDetail>()({
  method: 'POST', path: `${DOU}/practice/{id}/versions/{no}/restore`, summary: '恢复到历史版本', grant: bankGrants('back', 'edit'), input: z.object({ rev: z.optional(z.int('版本有误')) }),
})

/** Typed and not saved: kept for the person on whatever computer they go on. */
export interface Draft {
  written: Partial<Written>
  base_rev: number | null
  at: number
}
export const readDraft = defineEndpoint<{ draft: Draft | null }>()({
  method: 'GET', path: `${END}/practice_draft`, summary: '自动保存的草稿', grant: bankGrants('back', 'edit'),
  input: z.object({ practice_id: z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误')), level: z.string('学段有误').check(z.regex(/^[012]$/, '学段有误')) }),
})
export const keepDraft = defineEndpoint<{ at: number }>()({
  method: 'PUT', path: `${END}/practice_draft`, summary: '自动保存', grant: bankGrants('back', 'edit'),
  input: z.object({ practice_id: z.int('编号有误').check(z.gte(0, '编号有误')), level, base_rev: z.nullable(z.int('版本有误')), written: z.record(z.string(), z.unknown(), '内容有误') }),
})
export const dropDraft = defineEndpoint<Record<string, never>>()({
  method: 'DELETE', path: `${END}/practice_draft`, summary: '丢弃自动保存的草稿', grant: bankGrants('back', 'edit'),
  input: z.object({ practice_id: z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误')), level: z.string('学段有误').check(z.regex(/^[012]$/, '学段有误')) }),
})

/** A question that is like another, and how. */
export interface Alike {
  practice: PracticeCard
  kind: 'same' | 'suspected' | 'variant'
  score: number
}

/** Where a question is used: papers, sets, 举一反三. */
export const practiceUses = defineEndpoint<{ items: Use[]; total: number }>()({ method: 'GET', path: `${DOU}/practice/{id}/uses`, summary: '试题的引用', grant: BANK_SCREENS })

/** Who changed what of a question, as the log of any record. */
export const practiceHistory = defineEndpoint<{ items: Change[]; total: number }>()({
  method: 'GET', path: `${DOU}/practice/{id}/history`, summary: '试题的操作日志', grant: BANK_SCREENS, input: z.object({ page: z.optional(z.string('页码不正确').check(z.regex(/^\d{1,7}$/, '页码不正确'))) }),
})

/** Looks whether a question is there already, while it is typed or afterwards. */
export const findAlike = defineEndpoint<{ items: Alike[]; total: number }>()({
  method: 'POST', path: `${END}/practice_alike`, summary: '查找重复和相似的试题', grant: BANK_SCREENS,
  input: z.object({ content: z.unknown(), cat_id: bodyId, except_id: z.optional(bodyId) }),
})
