import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { reasonSchema } from '../../../core/resource/endpoints.ts'
import type { QuestionContent, QuestionType } from '../content/question.ts'
import type { NamedChapter } from '../textbook/calls.ts'
import type { LabelKind } from '../label/label.ts'
import { FLAGS } from '../stat/flags.ts'
import { BANK_SCREENS, bankGrants, POOLS, type Pool } from './practice.ts'
import { EDGES, type EdgeName } from './state.ts'

const DOU = '/daoyuan/api/dou_practice/end'
const END = '/daoyuan/api/end'

export const bodyId = z.int('编号有误').check(z.positive('编号有误'))
const ids = (most = 200) => z.array(bodyId, '编号有误').check(z.maxLength(most, `最多 ${most} 个`))
const numbers = z.array(z.int('筛选条件有误'), '筛选条件有误').check(z.maxLength(200, '筛选条件太多'))
/** A switch of a filter: 1 有, 0 无 (spec 3). */
const flag = z.optional(z.union([z.literal(0), z.literal(1), z.boolean()], '筛选条件有误'))
const poolName = z.enum(POOLS.map(({ value }) => value), '题库有误')

/** Orders of a list; a minus sign means descending. */
export const SORTS = [
  { value: '-id', label: '最新录入' }, { value: '-updated_at', label: '最近更新' }, { value: 'difficulty', label: '难到易' }, { value: '-difficulty', label: '易到难' },
  { value: '-quality', label: '质量分' }, { value: '-use_count', label: '使用次数' }, { value: 'id', label: '最早录入' },
] as const

/** The filters of a bank (domain appendix A). */
export const searchSchema = z.object({
  cat_id: z.optional(bodyId),
  level: z.optional(z.int('学段有误').check(z.gte(0, '学段有误'), z.lte(2, '学段有误'))),
  pool: z.optional(poolName),
  types: z.optional(numbers),
  category_ids: z.optional(numbers),
  difficulties: z.optional(numbers),
  label_ids: z.optional(ids()),
  /** Whether a label's descendants count; they do by default. */
  label_scope: z.optional(z.enum(['subtree', 'exact'], '标签范围有误')),
  catalog_ids: z.optional(ids()),
  partwork_id: z.optional(bodyId),
  version_id: z.optional(bodyId),
  sources: z.optional(z.array(z.string('来源有误').check(z.maxLength(40, '来源有误')), '来源有误').check(z.maxLength(20, '来源有误'))),
  source_years: z.optional(numbers),
  region_ids: z.optional(numbers),
  exercise_types: z.optional(numbers),
  gaokao_type: z.optional(z.int('高考类型有误')),
  statuses: z.optional(numbers),
  has_video: flag,
  has_analysis: flag,
  has_image: flag,
  /** Questions that no knowledge label leads to. */
  unlabelled: flag,
  /** Questions that are the same as another one. */
  duplicated: flag,
  flagged: flag,
  /** Questions with reports of errors that nobody has decided about. */
  reported: flag,
  /** Questions whose answers look suspicious in one of these ways. */
  flags: z.optional(z.array(z.enum(FLAGS.map(({ value }) => value), '统计标记有误'), '统计标记有误').check(z.maxLength(20, '统计标记有误'))),
  owner_ids: z.optional(numbers),
  verifier_ids: z.optional(numbers),
  product: z.optional(z.int('调用产品有误')),
  tags: z.optional(z.array(z.string('标记有误').check(z.maxLength(20, '标记有误')), '标记有误').check(z.maxLength(20, '标记有误'))),
  keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(100, '搜索内容最多 100 个字'))),
  ids: z.optional(ids(500)),
  exclude_ids: z.optional(ids(1000)),
  basket: flag,
  sort: z.optional(z.enum(SORTS.map(({ value }) => value), '不能这样排序')),
  cursor: z.optional(z.string('翻页位置有误').check(z.maxLength(200, '翻页位置有误'))),
  page_size: z.optional(z.int('每页条数有误').check(z.gte(1, '每页条数有误'), z.lte(200, '每页最多 200 条'))),
})
export type Search = z.output<typeof searchSchema>

/** A label as a card shows it. */
export interface CardLabel {
  id: number
  name: string
  kind: LabelKind
  main: boolean
}

/** What is known of a question beside its text. */
export interface PracticeFacts {
  subject_id: number
  category_id: number | null
  difficulty: number | null
  coef: number | null
  source: string | null
  source_paper: string | null
  source_order: number | null
  source_years: number[]
  exam_region_id: number | null
  exam_year: number | null
  gaokao_type: number | null
  exercise_type: number | null
  est_seconds: number | null
  cognitive: string | null
  competence: string[]
  tags: string[]
  copyright: string | null
  products: number[]
  video: string | null
  /** Addresses of pictures of the original, in order. */
  scans: string[]
}

/** A question in a list. */
export interface PracticeCard extends PracticeFacts {
  id: number
  rev: number
  no: string
  pool: Pool
  level: number
  subject_name: string
  type: QuestionType
  category_name: string | null
  score: number | null
  has_image: number
  has_formula: number
  has_video: number
  has_analysis: number
  status: number
  urgent: number
  owner_id: number | null
  owner_name: string | null
  verifier1_name: string | null
  verifier2_name: string | null
  assignee_name: string | null
  quality: number | null
  version_no: number
  published_at: number | null
  origin_id: number | null
  use_count: number
  /** Places that use it now: papers, sets, books and the like. */
  ref_count: number
  created_at: number
  updated_at: number
  content: QuestionContent
  labels: CardLabel[]
  stat: { attempts: number; facility: number | null; discrimination: number | null; flags: string[] } | null
  /** Reports of errors that nobody has decided about. */
  report_count: number
  in_basket: boolean
  /** What this person may do with it now. */
  can: string[]
}

export interface PracticePage {
  items: PracticeCard[]
  /** Absent behind the first page; capped at 10,001. */
  total?: number
  /** Place after this page; absent at the end. */
  next?: string
}

/** spec 7; domain: this call searches, `practice` creates. */
export const searchPractices = defineEndpoint<PracticePage>()({
  method: 'POST', path: `${DOU}/practices`, summary: '搜索试题', back: 'reads', grant: BANK_SCREENS, input: searchSchema,
})

/** spec 7. The subject's own kinds of questions. */
export const practiceCategories = defineEndpoint<{ practice_category: { id: number; cat_id: number; name: string; type: number }[] }>()({
  method: 'GET', path: `${END}/practice_category`, summary: '题型分类', grant: 'staff',
  input: z.object({ cat_id: z.optional(z.string('编号有误').check(z.regex(/^\d{1,9}$/, '编号有误'))) }),
})

/** People who have written or checked questions, to filter by. */
export const practicePeople = defineEndpoint<{ owners: { id: number; name: string }[]; verifiers: { id: number; name: string }[] }>()({
  method: 'GET', path: `${END}/practice_people`, summary: '录入人和校对人', grant: BANK_SCREENS,
})

/** A question with everything that its page shows. */
export interface PracticeDetail extends PracticeCard {
  chapters: NamedChapter[]
  label_paths: { id: number; name: string; kind: LabelKind; above: string[]; main: boolean }[]
}

export const getPractice = defineEndpoint<PracticeDetail>()({ method: 'GET', path: `${DOU}/practice/{id}`, summary: '试题详情', grant: BANK_SCREENS })

const edgeNames = Object.keys(EDGES) as [EdgeName, ...EdgeName[]]

/** domain 1.11. Takes a question along one edge of its life (bank/state.ts). */
export const movePractice = defineEndpoint<PracticeCard>()({
  method: 'PUT', path: `${DOU}/practice/{id}/status`, summary: '改变试题状态',
  grant: [...new Set(Object.values(EDGES).flatMap(({ pool, action }) => bankGrants(pool, action)))],
  input: z.object({ action: z.enum(edgeNames, '操作有误'), reason: z.optional(reasonSchema), rev: z.optional(z.int('版本有误')) }),
})

/** Puts questions into the person's basket or takes them out. */
export const changeBasket = defineEndpoint<{ count: number }>()({
  method: 'POST', path: `${END}/practice_basket`, summary: '试题篮：加入和移出', grant: BANK_SCREENS,
  input: z.object({ add: z.optional(ids(500)), remove: z.optional(ids(500)), clear: z.optional(z.boolean('参数有误')) }),
})
export const readBasket = defineEndpoint<{ count: number; ids: number[] }>()({ method: 'GET', path: `${END}/practice_basket`, summary: '试题篮', grant: BANK_SCREENS })

/** What a bulk change does to each question; several at once. */
export const bulkChanges = z.object({
  difficulty: z.optional(z.int('难度有误').check(z.gte(1, '难度有误'), z.lte(5, '难度有误'))),
  source: z.optional(z.string('来源有误')),
  source_years: z.optional(numbers),
  exam_region_id: z.optional(bodyId),
  category_id: z.optional(bodyId),
  exercise_type: z.optional(z.int('习题类型有误')),
  products: z.optional(numbers),
  add_label_ids: z.optional(ids(20)),
  remove_label_ids: z.optional(ids(20)),
  /** Becomes the main label of each. */
  main_label_id: z.optional(bodyId),
  add_tags: z.optional(z.array(z.string('标记有误').check(z.trim(), z.minLength(1, '标记不能为空'), z.maxLength(20, '每个标记最多 20 个字')), '标记有误').check(z.maxLength(20, '最多 20 个标记'))),
})
export type BulkChanges = z.output<typeof bulkChanges>

/** What became of each of several questions. */
export interface BulkDone {
  done: number
  skipped: { id: number; no: string; reason: string }[]
}
const some = z.array(bodyId, '请先选择试题').check(z.minLength(1, '请先选择试题'), z.maxLength(500, '一次最多 500 道题'))

export const bulkChange = defineEndpoint<BulkDone>()({
  method: 'POST', path: `${END}/practice_bulk/change`, summary: '批量修改试题', back: { instead: '改错了，按每题的历史改回' }, grant: [...bankGrants('back', 'edit'), ...bankGrants('official', 'edit')], input: z.object({ ids: some, changes: bulkChanges }),
})
export const bulkSubmit = defineEndpoint<BulkDone>()({
  method: 'POST', path: `${END}/practice_bulk/submit`, summary: '批量提交校对', back: { instead: '提交错了，撤回即可' }, grant: bankGrants('back', 'submit'), input: z.object({ ids: some }),
})
export const bulkAssign = defineEndpoint<BulkDone>()({
  method: 'POST', path: `${END}/practice_bulk/assign`, summary: '批量分配校对', back: { instead: '分配错了，重新分配即可' }, grant: bankGrants('back', 'assign'), input: z.object({ ids: some, staff_id: z.nullable(bodyId) }),
})
/** People who may check questions. */
export const practiceVerifiers = defineEndpoint<{ items: { id: number; name: string; waiting: number }[]; total: number }>()({
  method: 'GET', path: `${END}/practice_verifiers`, summary: '可以校对的员工', grant: bankGrants('back', 'assign'),
})
