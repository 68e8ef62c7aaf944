import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { PracticeCard } from '../practice/module.ts'
import { switchSchema } from '../../core/resource/endpoints.ts'
import { changeSchema, type PaperBody } from './compose/body.ts'
import type { OrderGroup } from './compose/order.ts'
import { APPROVE_GRANTS, EDIT_GRANTS, MICRO_EDIT_GRANTS, MICRO_GRANTS, READ_GRANTS } from './paper.ts'

const END = '/daoyuan/api/end'
const MICRO = '/micro_material/api/end'

/** A question as a paper shows it: its text is that of the version which the paper holds. */
export interface PaperCard extends PracticeCard {
  /** The version that the bank has by now. */
  latest: number
  /** Other papers of the subject among the last ones that it stands in. */
  repeats: number
  /** Place of its first chapter among those of the paper's questions, in the order of the textbooks. */
  chapter: number | null
}

/** A paper as its editor shows it. */
export interface PaperContent {
  id: number
  name: string
  kind: string
  level: number
  subject_id: number
  subject_name: string
  state: number
  version_no: number
  duration: number | null
  /** Addresses of its editor and of the choice of questions; null where the person may not open that. */
  places: { detail: string; add: string | null }
  body: PaperBody
  /** Counts the changes of the body. */
  body_rev: number
  practices: PaperCard[]
  /** Whether this person may change it now; else why not. */
  can_edit: boolean
  read_only: string | null
  /** Whether this person may mark its answer cards. */
  can_mark: boolean
}

/** Among how many of the subject's last papers repeated questions are looked for (domain 3.6); 10 by default. */
const recent = z.optional(z.string('近期试卷有误').check(z.regex(/^([1-9]|[1-4][0-9]|50)$/, '近期试卷为 1 到 50 份')))

export const readPaper = defineEndpoint<PaperContent>()({ method: 'GET', path: `${END}/paper/{id}/content`, summary: '试卷内容', grant: READ_GRANTS, input: z.object({ recent }) })

/** Several changes at once, as they were made. The answer is the paper with everybody's changes. */
export const changePaper = defineEndpoint<PaperContent>()({
  method: 'POST', path: `${END}/paper/{id}/changes`, summary: '修改试卷内容', grant: EDIT_GRANTS,
  input: z.object({ changes: z.array(changeSchema, '修改内容有误').check(z.minLength(1, '没有修改'), z.maxLength(600, '一次修改太多')), recent }),
})

/** A new paper with the same questions. */
export const copyPaper = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${END}/paper/{id}/copy`, summary: '复制试卷', grant: EDIT_GRANTS,
  input: z.object({ name: z.string('请填写试卷名称').check(z.trim(), z.minLength(1, '请填写试卷名称'), z.maxLength(100, '试卷名称最多 100 个字')) }),
})

/** A question of a paper, as the spec's calls list them. */
export interface PaperPractice extends PracticeCard {
  number: number
  section: string
  paper_score: number
}

/** spec 7. */
export const paperPractices = defineEndpoint<{ items: PaperPractice[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/practice_papers/{id}/practices', summary: '试卷试题', grant: READ_GRANTS,
})
/** spec 7. */
export const knowledgePaperPractices = defineEndpoint<{ items: PaperPractice[]; total: number }>()({
  method: 'GET', path: `${MICRO}/knowledge_paper_practice/{id}`, summary: '微试卷试题', grant: READ_GRANTS,
})
/** spec 7. */
export const editPaperPractice = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${MICRO}/knowledge_paper_practice/list/edit/{paper_id}/{id}`, summary: '修改试卷中的试题', grant: EDIT_GRANTS,
  input: z.object({ score: z.number('请填写分值').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位')) }),
})
/** spec 7. */
export const dropPaperPractice = defineEndpoint<Record<string, never>>()({
  method: 'DELETE', path: `${MICRO}/knowledge_paper_practice/list/edit/{paper_id}/{id}`, summary: '移出试卷中的试题', grant: EDIT_GRANTS,
})

/** spec 7: order of a subject's kinds of questions in a paper; of those of all subjects where none is named. */
export const orderRule = defineEndpoint<{ practice_category_rule: OrderGroup[] }>()({
  method: 'GET', path: '/daoyuan/api/base_practice_papers/practice_order_rule', summary: '题型排序规则', grant: 'staff',
  input: z.object({ cat_id: z.optional(z.string('学科有误').check(z.regex(/^\d{1,9}$/, '学科有误'))) }),
})

/** A paper to choose from. */
export interface PaperChoice {
  id: number
  name: string
  subject_id: number
  /** spec 3's name of the same. */
  cat_id: number
  question_count: number
  total_score: number
  source_year: number | null
  duration: number | null
  /** 1 on the shelf, else 0; `state` says why. */
  status: number
  state: number
}

/** The filters are those of the papers' own lists; a subject is called cat_id here. */
const choiceInput = z.record(z.string(), z.unknown())

/** spec 7: papers of all stages, to take questions from. */
export const basePapers = defineEndpoint<{ items: PaperChoice[]; total: number }>()({
  method: 'GET', path: `${END}/base_practice_papers`, summary: '可引用的试卷', grant: READ_GRANTS,
  input: choiceInput,
})

/** spec 7: micro papers of all stages. */
export const microPapers = defineEndpoint<{ items: (PaperChoice & { label_ids: number[]; micro_lesson_ids: number[] })[]; total: number }>()({
  method: 'GET', path: `${MICRO}/micro/paper`, summary: '微试卷', grant: MICRO_GRANTS, input: choiceInput,
})
const practiceList = z.array(z.object({ id: z.int('题号不正确').check(z.gte(1, '题号不正确')), score: z.number('分值应为数字').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位')) }), '试题有误')
  .check(z.maxLength(100, '微试卷最多 100 题'))
const paperName = z.string('请填写试卷名称').check(z.trim(), z.minLength(1, '请填写试卷名称'), z.maxLength(100, '试卷名称最多 100 个字'))

/** spec 7: a micro paper with its questions (domain appendix A). */
export const createMicroPaper = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${MICRO}/micro/paper`, summary: '新增微试卷', grant: MICRO_EDIT_GRANTS,
  input: z.looseObject({ name: paperName, cat_id: z.int('请选择学科').check(z.positive('请选择学科')), practices: z.optional(practiceList) }),
})
/** spec 7. What is absent stays. */
export const updateMicroPaper = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${MICRO}/paper/update/{id}`, summary: '修改微试卷', grant: MICRO_EDIT_GRANTS,
  input: z.looseObject({ name: z.optional(paperName), practices: z.optional(practiceList) }),
})
/** spec 4 and 7: puts a paper on the shelf (1) or takes it off (0). */
export const setPaperStatus = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${MICRO}/paper/status`, summary: '微试卷上下架', grant: APPROVE_GRANTS,
  input: z.object({ id: z.int('试卷有误').check(z.positive('试卷有误')), status: switchSchema }),
})
