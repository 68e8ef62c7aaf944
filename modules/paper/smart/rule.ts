/** What a person asks of a smart paper (domain 3.7), as it is sent and kept. */
import * as z from 'zod/mini'
import { BANDS } from './problem.ts'

const whole = (what: string, min: number, max: number) => z.int(`${what}应为整数`).check(z.gte(min, `${what}最少 ${min}`), z.lte(max, `${what}最多 ${max}`))
const ids = (what: string, most: number) => z.array(z.int(`${what}有误`).check(z.gte(1, `${what}有误`)), `${what}有误`).check(z.maxLength(most, `${what}最多 ${most} 个`))
const share = z.number('比例应为数字').check(z.gte(0, '比例为 0 到 1'), z.lte(1, '比例为 0 到 1'))
const bandList = z.array(z.enum(BANDS, '难度有误')).check(z.maxLength(3, '难度有误'))
const score = z.number('分值应为数字').check(z.gte(0.5, '分值最少 0.5'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位'))

/** A row of the specification table (双向细目表): so many questions of a section about this. */
const rowSchema = z.object({
  label_ids: z.optional(ids('知识点', 20)),
  bands: z.optional(bandList),
  cognitive: z.optional(z.string('认知层次有误').check(z.maxLength(10, '认知层次有误'))),
  count: whole('题数', 1, 100),
})

const sectionSchema = z.object({
  name: z.string('请填写大题名称').check(z.trim(), z.minLength(1, '请填写大题名称'), z.maxLength(40, '大题名称最多 40 个字')),
  /** The subject's own kinds of questions. */
  category_ids: ids('题型', 40).check(z.minLength(1, '请选择题型')),
  count: whole('题数', 1, 100),
  score,
  /** Rows of the table; their numbers add up to at most `count`, what is left over is free. */
  rows: z.optional(z.array(rowSchema).check(z.maxLength(50, '细目最多 50 行'))),
}).check(z.refine(({ rows = [], count }) => rows.reduce((sum, row) => sum + row.count, 0) <= count, '细目的题数之和超过了大题的题数'))

/** The specification table of a rule. */
export const sectionsSchema = z.array(sectionSchema, '请添加大题').check(z.minLength(1, '请添加大题'), z.maxLength(20, '大题最多 20 个'))

export const ruleSchema = z.object({
  sections: sectionsSchema,
  /** Knowledge that the paper is about, with everything below it; its weights are what should be covered. */
  scope: z.optional(z.array(z.object({ label_id: whole('知识点', 1, Number.MAX_SAFE_INTEGER), weight: z.number('权重应为数字').check(z.gte(0, '权重不能为负'), z.lte(100, '权重最多 100')) })).check(z.maxLength(200, '知识点最多 200 个'))),
  catalog_ids: z.optional(ids('章节', 200)),
  coef: z.optional(share),
  bands: z.optional(z.object({ easy: share, medium: share, hard: share }).check(z.refine(({ easy, medium, hard }) => Math.abs(easy + medium + hard - 1) < 0.001, '难度比例之和应为 100%'))),
  minutes: z.optional(whole('预计用时', 1, 600)),
  year_from: z.optional(whole('年份', 1950, 2200)),
  year_to: z.optional(whole('年份', 1950, 2200)),
  region_ids: z.optional(ids('卷区', 40)),
  has_video: z.optional(z.boolean('视频要求有误')),
  has_analysis: z.optional(z.boolean('解析要求有误')),
  /** Questions of the last so many papers of the subject are avoided where that is possible. */
  recent_papers: z.optional(whole('近期试卷', 0, 50)),
  exclude_ids: z.optional(ids('试题', 2000)),
  per_label: z.optional(whole('同知识点题数', 1, 100)),
  per_source: z.optional(whole('同来源题数', 1, 100)),
  locked: z.optional(z.array(z.object({ practice_id: whole('试题', 1, Number.MAX_SAFE_INTEGER), section: whole('大题', 0, 19) })).check(z.maxLength(100, '锁定的试题最多 100 道'))),
  seed: z.optional(whole('随机种子', 0, 2 ** 31 - 1)),
  /** Parallel papers, as different from each other as the bank allows. */
  versions: z.optional(whole('平行卷', 1, 5)),
})
export type SmartRule = z.output<typeof ruleSchema>
export type SpecRow = z.output<typeof rowSchema>

/** A row of the table or what is left of a section: the smallest thing that is filled by itself. */
export interface RuleCell {
  readonly section: number
  /** Place among the rows of the section; undefined for what no row narrows. */
  readonly row: number | undefined
  readonly count: number
  readonly score: number
  readonly category_ids: readonly number[]
  readonly narrowed: SpecRow | undefined
}

/** The cells of a rule, in the order of its sections and rows. */
export function cellsOf(rule: Pick<SmartRule, 'sections'>): RuleCell[] {
  return rule.sections.flatMap((section, index) => {
    const rows = section.rows ?? []
    const free = section.count - rows.reduce((sum, { count }) => sum + count, 0)
    const cell = (count: number, narrowed: SpecRow | undefined, row: number | undefined): RuleCell => ({ section: index, row, count, score: section.score, category_ids: section.category_ids, narrowed })
    return [...rows.map((row, at) => cell(row.count, row, at)), ...(free > 0 ? [cell(free, undefined, undefined)] : [])]
  })
}
