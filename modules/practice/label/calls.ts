import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { screenId } from '../../screens.ts'
import { LABEL_KINDS, type LabelKind } from './label.ts'
import { defineRights } from '../../../core/grant/rights.ts'

const END = '/daoyuan/api/end'
const MICRO = '/micro_material/api/end'

/** One node of a label tree. */
export interface LabelNode {
  id: number
  rev: number
  kind: LabelKind
  cat_id: number
  pid: number | null
  name: string
  alias: string[]
  code: string | null
  colour: string | null
  importance: number | null
  exam_freq: number | null
  depth: number
  sort: number
  status: number
  /** Whether anything stands below it, so that a lazy tree knows what can be opened. */
  has_children: boolean
  /** Questions of the back bank that carry it or anything below it. */
  back_count: number
  official_count: number
}

/** A node with everything below it; leaves have no `children`. */
export interface LabelBranch extends LabelNode {
  children?: LabelBranch[]
}

/** A label with the way from the root to it, as pickers and question cards name it. */
export interface NamedLabel {
  id: number
  name: string
  kind: LabelKind
  cat_id: number
  /** Names from the top level down to the parent; the root of the subject is left out. */
  above: string[]
}

const id = z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误'))
const optionalId = z.optional(id)
const kind = z.optional(z.enum(LABEL_KINDS.map(({ value }) => value), '标签种类有误'))
const idList = z.optional(z.union([id, z.array(id).check(z.maxLength(500, '最多 500 个'))], '编号有误'))
const bodyId = z.int('编号有误').check(z.positive('编号有误'))

/** spec 7. Children of `pid`; without it the roots, of one subject or of all within reach. */
export const pLabels = defineEndpoint<{ p_labels: LabelNode[] }>()({
  method: 'GET', path: '/daoyuan/api/p_labels', summary: '标签：某一级的下级', grant: 'staff', input: z.object({ pid: optionalId, cat_id: optionalId, kind }),
})

/** spec 7. `id` is an education level: whole trees of its subjects, or of the one that `cat_id` names (domain 3.4). */
export const levelLabels = defineEndpoint<{ p_labels: LabelBranch[] }>()({
  method: 'GET', path: '/daoyuan/api/p_labels/level_label/{id}', summary: '标签：某一学段的整棵树', grant: 'staff', input: z.object({ cat_id: optionalId, kind }),
})

/** spec 7. The groups of question labels of a subject with what stands below them. */
export const catLabels = defineEndpoint<{ labels: LabelBranch[] }>()({
  method: 'GET', path: '/daoyuan/api/dou_practice/end/cat_labels', summary: '学科的题目标签', grant: 'staff', input: z.object({ cat_id: optionalId }),
})

/** spec 7. The labels that a person has used most lately, those of everybody when there are none. */
export const commonLabels = defineEndpoint<{ labels: NamedLabel[] }>()({
  method: 'GET', path: `${END}/common_labels`, summary: '常用标签', grant: 'staff', input: z.object({ cat_id: optionalId, kind }),
})

/** spec 7. Labels by id, or those of a question; ids of merged labels give what took their place. */
export const selectLabels = defineEndpoint<{ labels: (NamedLabel & { main?: boolean })[] }>()({
  method: 'GET', path: `${END}/select_labels`, summary: '已选标签', grant: 'staff', input: z.object({ ids: idList, practice_id: optionalId }),
})

/** Labels whose name, alias or code holds a text. */
export const findLabels = defineEndpoint<{ labels: NamedLabel[] }>()({
  method: 'GET', path: `${END}/find_labels`, summary: '按名称找标签', grant: 'staff',
  input: z.object({ keyword: z.string('请输入搜索内容').check(z.trim(), z.minLength(1, '请输入搜索内容'), z.maxLength(60, '搜索内容最多 60 个字')), cat_id: optionalId, kind }),
})

/** spec 7. Children of a knowledge label; without `pid` the top level of a subject. */
export const knowledgeLabels = defineEndpoint<{ items: LabelNode[]; total: number }>()({
  method: 'GET', path: `${MICRO}/knowledge_label`, summary: '知识点：某一级的下级', grant: 'staff', input: z.object({ pid: optionalId, cat_id: optionalId }),
})

/** spec 7. The whole knowledge tree of a subject. */
export const knowledgeTree = defineEndpoint<{ items: LabelBranch[]; total: number }>()({
  method: 'GET', path: `${MICRO}/knowledge_label_v2`, summary: '知识点：整棵树', grant: 'staff', input: z.object({ cat_id: optionalId }),
})

/** spec 7. The tree of labels of micro lessons. */
export const microTree = defineEndpoint<{ items: LabelBranch[]; total: number }>()({
  method: 'GET', path: `${MICRO}/micro_lesson_label`, summary: '微课标签：整棵树', grant: 'staff', input: z.object({ cat_id: optionalId }),
})

const KNOWLEDGE = screenId('/practice/knowledge-label')
const LABELS = screenId('/practice/labels')
const ORDER = screenId('/practice/labelOrder')

/** Who may change trees of a kind. */
export const EDIT_GRANT: Readonly<Record<LabelKind, number>> = { knowledge: standardId(KNOWLEDGE, 'edit'), micro: standardId(KNOWLEDGE, 'edit'), practice: standardId(LABELS, 'edit') }
export const EDITORS = [standardId(KNOWLEDGE, 'edit'), standardId(LABELS, 'edit')]
export const VIEWERS = [KNOWLEDGE, LABELS, ORDER]
/** Changing the order has a screen of its own, beside those on which trees are edited. */
export const ORDER_RIGHTS = defineRights(ORDER, { edit: [1, '标签排序'] })
export const ORDER_LABELS = ORDER_RIGHTS.id('edit')

/** domain 1.11. Puts the children of one label into the order of `ids`. */
export const orderLabels = defineEndpoint<{ p_labels: LabelNode[] }>()({
  method: 'PUT', path: '/daoyuan/api/p_labels/orders', summary: '标签排序', back: { instead: '排错了，拖回原来的位置' }, grant: [ORDER_LABELS, ...EDITORS],
  input: z.object({ ids: z.array(bodyId, '请提供标签的新顺序').check(z.minLength(1, '请提供标签的新顺序'), z.maxLength(2000, '一次最多 2000 个标签')) }),
})

/** Puts the children of a label into the order in which the chapters of a textbook come. */
export const orderByTextbook = defineEndpoint<{ p_labels: LabelNode[] }>()({
  method: 'PUT', path: `${END}/label_orders/textbook`, summary: '按教材顺序重排标签', grant: [ORDER_LABELS, ...EDITORS],
  input: z.object({ pid: bodyId, version_id: bodyId }),
})

/** One label with the labels above it, from the top; the id of a merged label gives what took its place. */
export const labelNode = defineEndpoint<{ node: LabelNode; above: { id: number; name: string }[] }>()({ method: 'GET', path: `${END}/labels/{id}`, summary: '标签详情', grant: VIEWERS })

/** One part of a split: a new label beside the old one, or one that exists, and which questions go there. */
const part = z.object({
  name: z.optional(z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(60, '名称最多 60 个字'))),
  label_id: z.optional(bodyId),
  keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))),
  types: z.optional(z.array(z.int('题型有误'))),
  difficulties: z.optional(z.array(z.int('难度有误'))),
})
export type SplitPart = z.output<typeof part>

/** Divides a label: each question goes to the first part whose condition it meets, the rest stays. `dry` only counts. */
export const splitLabel = defineEndpoint<{ parts: { name: string; label_id: number | null; practices: number }[]; rest: number }>()({
  method: 'POST', path: `${END}/labels/{id}/split`, summary: '拆分标签', grant: EDITORS,
  input: z.object({ parts: z.array(part, '请填写拆分方式').check(z.minLength(1, '请填写拆分方式'), z.maxLength(20, '最多拆成 20 个')), dry: z.optional(z.boolean('参数有误')) }),
})

/** Questions of each difficulty that the children of a label carry; of the top level without `pid`. */
export interface CoverageRow {
  id: number
  name: string
  /** Numbers for difficulties 1 to 5 (spec 9: 1 hard). */
  counts: number[]
}
export const labelCoverage = defineEndpoint<{ items: CoverageRow[]; total: number }>()({
  method: 'GET', path: `${END}/label_coverage`, summary: '标签覆盖：各难度题量', grant: VIEWERS,
  input: z.object({ pid: optionalId, cat_id: optionalId, kind, pool: z.optional(z.enum(['back', 'official'], '题库有误')) }),
})

/** What nobody would find: labels without a question, questions without a knowledge label. */
export const labelOrphans = defineEndpoint<{ labels: NamedLabel[]; unlabelled: { pool: string; count: number }[] }>()({
  method: 'GET', path: `${END}/label_orphans`, summary: '孤立标签和无标签的题', grant: VIEWERS, input: z.object({ cat_id: optionalId, kind }),
})
