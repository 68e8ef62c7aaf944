import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { PracticeCard } from '../../practice/module.ts'
import type { Unmet } from './candidates.server.ts'
import type { SmartVersion } from './compose.server.ts'
import { ruleSchema, type SmartRule } from './rule.ts'
import { SMART_EDIT, SMART_SCREEN } from './smart-paper.ts'

const MICRO = '/micro_material/api/end'
const subjectId = z.optional(z.int('请选择学科').check(z.positive('请选择学科')))
/** A subject is `cat_id` in the specification and in its clients. */
const asked = { subject_id: subjectId, cat_id: subjectId, rule: ruleSchema }

/** What came of a rule: papers, or the cells that the bank cannot fill. */
export interface SmartOutcome {
  seed: number
  /** Cells that the bank has too few questions for; no paper is made then. */
  unmet: Unmet[]
  versions: SmartVersion[]
  /** The chosen questions and the replacements that were offered. */
  practices: PracticeCard[]
}

/** Tries a rule without keeping anything. */
export const trySmart = defineEndpoint<SmartOutcome>()({
  method: 'POST', path: `${MICRO}/smart_test_paper/preview`, summary: '智能组卷预览', grant: [SMART_EDIT], input: z.object(asked),
})

/** spec 7. Keeps a rule with the papers that come of it. */
export const createSmart = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${MICRO}/smart_test_paper`, summary: '新增智能试卷', grant: [SMART_EDIT],
  input: z.object({ name: z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(60, '名称最多 60 个字')), ...asked }),
})

/** A kept smart paper with its questions. */
export const readSmart = defineEndpoint<{ id: number; name: string; subject_id: number; rule: SmartRule } & SmartOutcome>()({
  method: 'GET', path: `${MICRO}/smart_test_paper/{id}/result`, summary: '智能试卷结果', grant: [SMART_SCREEN],
})

/** Makes base papers of the versions of a smart paper. */
export const smartToPapers = defineEndpoint<{ papers: { id: number; name: string; level: number }[] }>()({
  method: 'POST', path: `${MICRO}/smart_test_paper/{id}/papers`, summary: '智能试卷转为基础试卷', grant: [SMART_EDIT],
})

/** Knowledge that learners do badly at. */
export interface WeakPoint {
  label_id: number
  name: string
  /** What stands above it: 易错点 alone says little. */
  above: string | null
  /** Answers that say so. */
  attempts: number
  /** Share of the points that was reached, 0 to 1. */
  facility: number
}

/** Weakest knowledge of all learners of a subject, or of one sitting, the weakest first (domain 3.7). */
export const weakPoints = defineEndpoint<{ items: WeakPoint[]; total: number }>()({
  method: 'GET', path: `${MICRO}/smart_weak_points`, summary: '薄弱知识点', grant: [SMART_EDIT],
  input: z.object({
    cat_id: z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '学科有误')),
    sitting: z.optional(z.string('作答编号有误').check(z.regex(/^\d{1,15}$/, '作答编号应为数字'))),
  }),
})

/** How often examinations asked about a point. */
export interface PointFrequency {
  label_id: number
  name: string
  /** Official questions of each of the last three years that name their source, the newest first. */
  years: { year: number; questions: number }[]
}

/** How often points came in the last three years that the bank has of a subject. */
export const pointFrequency = defineEndpoint<{ items: PointFrequency[] }>()({
  method: 'GET', path: `${MICRO}/smart_point_frequency`, summary: '知识点近三年考频', grant: [SMART_EDIT],
  input: z.object({ cat_id: z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '学科有误')), label_ids: z.string('请选择知识点').check(z.regex(/^\d{1,15}(,\d{1,15}){0,99}$/, '知识点有误')) }),
})

/** spec 7: what goes with a smart paper, such as a micro lesson. */
export interface SmartMaterial {
  id: number
  kind: 'practice' | 'paper' | 'lesson'
  ref_id: number
  ord: number
  name: string
}
const materialId = z.int('请选择材料').check(z.positive('请选择材料'))
/** A micro lesson is `micro` in domain A. */
const materialKind = z.enum(['practice', 'paper', 'lesson', 'micro'], '材料类型有误')
/** Several at once by `ref_ids` (domain A), in their order. */
export const addSmartMaterial = defineEndpoint<{ id: number; ids: number[] }>()({
  method: 'POST', path: `${MICRO}/smart_test_material`, summary: '添加智能试卷材料', grant: [SMART_EDIT],
  input: z.object({ paper_id: z.int('智能试卷有误'), kind: materialKind, ref_id: z.optional(materialId), ref_ids: z.optional(z.array(materialId, '请选择材料').check(z.maxLength(100, '一次最多 100 个材料'))), ord: z.optional(z.int('排序应为整数').check(z.gte(0, '排序不能为负'), z.lte(9999, '排序最大 9999'))) }),
})
export const smartMaterials = defineEndpoint<{ items: SmartMaterial[]; total: number }>()({
  method: 'GET', path: `${MICRO}/list/smart_test_material/{id}`, summary: '智能试卷材料', grant: [SMART_SCREEN],
})
export const removeSmartMaterial = defineEndpoint<Record<string, never>>()({
  method: 'DELETE', path: `${MICRO}/smart_test_paper_material/remove`, summary: '移除智能试卷材料', grant: [SMART_EDIT],
  input: z.object({ id: z.string('材料有误').check(z.regex(/^\d{1,15}$/, '材料有误')) }),
})
