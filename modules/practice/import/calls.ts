import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bankGrants } from '../bank/practice.ts'
import type { Likeness } from '../content/fingerprint.ts'
import type { Question } from '../content/question.ts'
import type { Suggestion } from '../suggest/calls.ts'
import type { Warning } from '../formats/item.ts'
import { mappingSchema, type FieldSample, type JsonMapping } from '../formats/json-mapping.ts'

const BASE = '/daoyuan/api/end/practice_imports'
const grant = bankGrants('back', 'import')

export type ImportState = 'parsing' | 'ready' | 'done' | 'undone'
/** A problem has to be mended, a hint looked at. */
export type ItemState = 'good' | 'hint' | 'problem'

export interface ImportBatch {
  id: number
  level: number
  subject_id: number | null
  file_name: string
  state: ImportState
  /** Whether the file was read as a whole paper. */
  whole: boolean
  job_id: number | null
  mapping: JsonMapping | null
  fields: FieldSample[] | null
  mapping_kept: boolean
  notes: Warning[]
  counts: { all: number; good: number; hint: number; problem: number; alike: number; sure: number; skipped: number; written: number }
  created_at: number
}

export interface ImportItem {
  ord: number
  place: string
  question: Question | null
  warnings: Warning[]
  state: ItemState
  skip: boolean
  like_id: number | null
  like_no: string | null
  like_kind: Likeness | null
  practice_id: number | null
  /** Knowledge points and difficulty that the nearest questions of the bank have; null when the file says them itself. */
  suggested: Suggestion | null
}

/** What becomes of a label of the file: found by its name and place, chosen, left out, or waiting for a decision. */
export type LabelFate = 'known' | 'mapped' | 'left' | 'open'

export interface ImportLabel {
  subject_id: number
  /** Names from the root, as the file has them. */
  path: string[]
  /** Questions that have it. */
  count: number
  fate: LabelFate
  /** Label of ours that it becomes. */
  to: LabelPlace | null
  suggestions: LabelPlace[]
  /** Whether the first suggestion may be accepted without being looked at. */
  strong: boolean
}

export interface LabelPlace {
  id: number
  /** Names from the root, its own last. */
  path: string[]
}

/** Items on one page. */
export const ITEMS_PAGE = 20

const whole = z.int('应为整数').check(z.gte(0, '不能为负'), z.lte(2_000_000_000, '太大'))

/** Takes the file, as multipart. */
export const uploadImport = defineEndpoint<{ id: string; name: string }>()({ method: 'POST', path: `${BASE}/files`, summary: '上传试题文件', grant, upload: true })

const start = z.object({ file_id: z.string('请选择文件').check(z.uuid('文件编号不正确')), level: z.union([z.literal(0), z.literal(1), z.literal(2)], '学段不正确'), subject_id: z.optional(z.nullable(whole)) })
export const startImport = defineEndpoint<{ id: number; job_id: number }>()({ method: 'POST', path: BASE, summary: '解析试题文件', grant, input: start })

export const listImports = defineEndpoint<{ items: ImportBatch[] }>()({ method: 'GET', path: BASE, summary: '最近的试题导入', grant })
export const getImport = defineEndpoint<ImportBatch>()({ method: 'GET', path: `${BASE}/{id}`, summary: '试题导入详情', grant })

const itemFilter = z.optional(z.enum(['good', 'hint', 'problem', 'alike', 'skipped'], '筛选不正确'))
const filter = z.object({ page: z.optional(z.coerce.number('页码不正确').check(z.int('页码不正确'), z.gte(0, '页码不正确'), z.lte(1_000_000, '页码不正确'))), state: itemFilter })
export const listImportItems = defineEndpoint<{ items: ImportItem[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/items`, summary: '待导入的试题', grant, input: filter })

/** Reads the file again under another mapping. */
export const parseAgain = defineEndpoint<{ id: number; job_id: number }>()({ method: 'POST', path: `${BASE}/{id}/parse`, summary: '按字段对应重新解析', grant, input: z.object({ mapping: mappingSchema, subject_id: z.optional(z.nullable(whole)) }) })

/** Leaves an item out or takes it in again. */
export const skipImportItem = defineEndpoint<{ ord: number; skip: boolean }>()({ method: 'PUT', path: `${BASE}/{id}/items/{ord}`, summary: '跳过或恢复一道题', grant, input: z.object({ skip: z.boolean('请选择是否跳过') }) })

/** Leaves out or takes in all items of a filter at once. */
export const skipImportItems = defineEndpoint<{ changed: number }>()({ method: 'PUT', path: `${BASE}/{id}/items`, summary: '批量跳过或恢复', grant, input: z.object({ skip: z.boolean('请选择是否跳过'), state: itemFilter }) })

/** Puts a mended question in the place of what was read; problems, hints and likeness are found again. */
export const mendImportItem = defineEndpoint<ImportItem>()({ method: 'PUT', path: `${BASE}/{id}/items/{ord}/question`, summary: '修改待导入的试题', grant, input: z.object({ question: z.unknown() }) })

const suggestion = z.object({
  /** Items that take the label with this id, one of those that are suggested. */
  items: z.optional(z.array(z.object({ ord: whole, label_id: whole })).check(z.minLength(1, '请选择试题'), z.maxLength(200, '一次最多 200 道'))),
})
/** Takes suggestions over: those that are named, else the first of every item where it is sure. What the file says stays. */
export const acceptSuggestions = defineEndpoint<{ changed: number; left: number }>()({ method: 'POST', path: `${BASE}/{id}/suggestions`, summary: '采用建议的知识点和难度', grant, input: suggestion })

/** Writes the items as drafts; with `problems` also those that have to be mended afterwards. */
export const commitImport = defineEndpoint<{ id: number; job_id: number }>()({
  method: 'POST', path: `${BASE}/{id}/commit`, summary: '试题入库', grant, input: z.object({ problems: z.boolean('请选择有问题的题如何处理'), alike: z.boolean('请选择重复的题如何处理') }),
})

/** Labels of the questions that are to be written, with what becomes of each. */
export const listImportLabels = defineEndpoint<{ items: ImportLabel[] }>()({ method: 'GET', path: `${BASE}/{id}/labels`, summary: '待导入试题的知识点', grant })

const decision = z.object({ subject_id: whole, path: z.array(z.string('名称应为文字').check(z.maxLength(100, '名称太长'))).check(z.minLength(1, '请选择知识点'), z.maxLength(8, '层级太多')), to: z.nullable(whole) })
export type LabelDecision = z.infer<typeof decision>
/** Decides what becomes of labels: one of ours, or left out. */
export const decideImportLabels = defineEndpoint<{ items: ImportLabel[] }>()({ method: 'PUT', path: `${BASE}/{id}/labels`, summary: '决定知识点的去向', grant, input: z.object({ decisions: z.array(decision).check(z.minLength(1, '请选择知识点'), z.maxLength(500, '一次最多 500 个')) }) })

const facts = z.object({
  level: z.optional(z.union([z.literal(0), z.literal(1), z.literal(2)], '学段不正确')), subject_id: z.optional(whole), difficulty: z.optional(z.int('难度应为整数').check(z.gte(1, '难度为 1 到 5'), z.lte(5, '难度为 1 到 5'))),
  source_years: z.optional(z.array(z.int('年份应为整数').check(z.gte(1950, '年份不正确'), z.lte(2100, '年份不正确'))).check(z.maxLength(20, '最多 20 个'))),
  exam_region: z.optional(z.string('卷区应为文字').check(z.maxLength(100, '卷区太长'))), source_paper: z.optional(z.string('来源应为文字').check(z.maxLength(100, '来源最多 100 个字'))),
  score: z.optional(z.number('分值应为数字').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'))),
  /** Also where the file says something else. */
  all: z.boolean('请选择是否覆盖'),
})
export type ImportFacts = z.infer<typeof facts>
/** Sets what questions of the preview have in common. */
export const setImportFacts = defineEndpoint<{ id: number; job_id: number }>()({ method: 'POST', path: `${BASE}/{id}/facts`, summary: '统一设置待导入试题', grant, input: facts })

/** Takes back what a batch has written; questions that were worked on since stay. */
export const undoImport = defineEndpoint<{ removed: number; kept: number }>()({ method: 'POST', path: `${BASE}/{id}/undo`, summary: '撤销试题导入', grant })
