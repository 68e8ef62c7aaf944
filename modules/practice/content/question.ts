/** What a question is (domain 3.2 and 3.3), apart from where it is stored. */
import * as z from 'zod/mini'
import { rewriteDoc, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { cleanText, richDoc } from '../../../core/rich-text/rich-schema.ts'

/** spec 9: practice types; 5 has its questions in the text (cloze), 6 after it (reading). */
export const TYPES = [
  { value: 1, label: '单选题' },
  { value: 2, label: '多选题' },
  { value: 3, label: '填空题' },
  { value: 4, label: '解答题' },
  { value: 5, label: '设问在题干中', example: '完形填空、七选五' },
  { value: 6, label: '设问在题末', example: '阅读理解、材料题' },
] as const
export type QuestionType = (typeof TYPES)[number]['value']

/** How options stand (domain 0.2). */
export const OPTION_LAYOUTS = [
  { value: 1, label: '竖排' },
  { value: 2, label: '横排' },
  { value: 3, label: '两列' },
] as const
export type OptionLayout = (typeof OPTION_LAYOUTS)[number]['value']

/** How several right answers are marked (domain 3.3, type 2). */
export const MANY_RULES = [
  { value: 'all', label: '全对得分' },
  { value: 'partial', label: '少选得部分分' },
  { value: 'gaokao', label: '高考规则' },
] as const
export type ManyRule = (typeof MANY_RULES)[number]['value']

/** How what was written into a blank is compared with what is accepted (domain 3.3, type 3). */
export const BLANK_MATCHES = [
  { value: 'exact', label: '完全一致' },
  { value: 'nospace', label: '忽略空格' },
  { value: 'ci', label: '忽略大小写' },
  { value: 'numeric', label: '数值' },
  { value: 'tex', label: '公式等价' },
] as const
export type BlankMatch = (typeof BLANK_MATCHES)[number]['value']

export interface Option {
  /** Stays the same when options change places; the answer names it. */
  id: string
  doc: RichDoc | null
}

export interface BlankAnswer {
  /** Blank of the stem. */
  id: string
  /** Each of them is right. */
  accept: RichDoc[]
  match: BlankMatch
  /** Tolerance of a numeric answer. */
  eps?: number
  /** Blanks of one group may change places. */
  group?: number
  score?: number
}

export interface AnswerPart {
  /** 1 for (1); a question without parts has one part 0. */
  no: number
  score?: number
  ref: RichDoc | null
  /** What is given how many points. */
  steps: { text: RichDoc; score: number }[]
}

export type Answer =
  | { k: 'one'; ok: string | null }
  | { k: 'many'; ok: string[]; rule: ManyRule }
  | { k: 'blanks'; b: BlankAnswer[] }
  | { k: 'free'; parts: AnswerPart[] }
  | { k: 'sub' }

export interface Analysis {
  /** 思路 */
  hint: RichDoc | null
  /** 详解 */
  solution: RichDoc | null
  /** 点评 */
  comment: RichDoc | null
  /** 易错 */
  pitfall: RichDoc | null
}

/** What a learner works on; the children of types 5 and 6 are questions of types 1 to 4 of their own. */
export interface QuestionContent {
  type: QuestionType
  /** The text of the question; for types 5 and 6 the passage. */
  stem: RichDoc | null
  /** For type 5 the pool that all holes share, if there is one. */
  options: Option[]
  option_layout: OptionLayout
  answer: Answer
  analysis: Analysis
  /** Points. */
  score: number | null
  /** Name of the subject's own kind of question, e.g. 判断题, 实验题, 作文. */
  category: string | null
  children: QuestionContent[]
}

/** spec 7: where questions come from. */
export const SOURCES = [
  { value: 'dou_practice', label: '自编题库' },
  { value: 'dou_practice_v2', label: '自编题库（新）' },
  { value: 'practice_book', label: '练习册' },
  { value: 'college_entrance_exam_paper', label: '高考卷' },
  { value: 'senior_must_paper', label: '必刷卷' },
] as const
export type Source = (typeof SOURCES)[number]['value']

/** @public for the screens of the bank */
export const GAOKAO_TYPES = [{ value: 1, label: '新高考' }, { value: 2, label: '旧高考' }] as const
/** @public for the screens of the bank */
export const EXERCISE_TYPES = [{ value: 1, label: '例题' }, { value: 2, label: '精选' }, { value: 3, label: '深度练' }] as const
/** @public for the screens of the bank */
export const COGNITIVE_LEVELS = ['识记', '理解', '应用', '分析', '综合', '评价'] as const
/** @public for the screens of the bank */
export const COPYRIGHTS = ['原创', '授权', '公版', '网络'] as const

/** What is known about a question beside its content; names, because a file knows no ids. */
export interface QuestionFacts {
  /** Number in the place that it comes from. */
  no: string | null
  /** Name of the subject, without the stage. */
  subject: string | null
  /** 1 hard to 5 easy (spec 9). */
  difficulty: number | null
  /** Share of points that is reached, 0 to 1. */
  coef: number | null
  cognitive: string | null
  competence: string[]
  /** Knowledge labels from the root down, the main one first. */
  labels: string[][]
  /** Chapters from the textbook down. */
  chapters: string[][]
  tags: string[]
  source: Source | null
  /** Name of the paper that it stood in, and its place there. */
  source_paper: string | null
  source_order: number | null
  /** Years of the papers that it stood in. */
  source_years: number[]
  /** One of the 37 names of EXAM_REGIONS. */
  exam_region: string | null
  gaokao_type: number | null
  exercise_type: number | null
  est_seconds: number | null
  copyright: string | null
}

/** A question as it comes from or goes into a file. */
export interface Question extends QuestionContent, QuestionFacts {}

export const NO_ANALYSIS: Analysis = { hint: null, solution: null, comment: null, pitfall: null }

/** Nothing known. @public for the formats */
export const NO_FACTS: QuestionFacts = {
  no: null, subject: null, difficulty: null, coef: null, cognitive: null, competence: [], labels: [], chapters: [], tags: [], source: null,
  source_paper: null, source_order: null, source_years: [], exam_region: null, gaokao_type: null, exercise_type: null, est_seconds: null, copyright: null,
}

/** The answer that a question of this type begins with. */
export const NO_ANSWER: Readonly<Record<QuestionType, Answer>> = {
  1: { k: 'one', ok: null },
  2: { k: 'many', ok: [], rule: 'gaokao' },
  3: { k: 'blanks', b: [] },
  4: { k: 'free', parts: [] },
  5: { k: 'sub' },
  6: { k: 'sub' },
}

/** A question of a type with nothing in it. */
export function emptyContent(type: QuestionType): QuestionContent {
  return { type, stem: null, options: [], option_layout: 1, answer: NO_ANSWER[type], analysis: NO_ANALYSIS, score: null, category: null, children: [] }
}

/** Letter of the option at a place: A, B, C … */
export const optionLetter = (index: number) => String.fromCodePoint(65 + index)

/** The right letters of a choice question as people write them: AC. @public for the formats */
export function answerLetters(content: Pick<QuestionContent, 'options' | 'answer'>): string {
  const { answer, options } = content
  const ok = answer.k === 'one' ? [answer.ok] : answer.k === 'many' ? answer.ok : []
  return options.map((option, index) => (ok.includes(option.id) ? optionLetter(index) : '')).join('')
}

/** All rich texts of a question and its children, each with the place where it stands. */
export function docsOf(content: QuestionContent, at = ''): { place: string; doc: RichDoc | null }[] {
  const { answer } = content
  return [
    { place: `${at}题干`, doc: content.stem },
    ...content.options.map((option, index) => ({ place: `${at}选项${optionLetter(index)}`, doc: option.doc })),
    ...(answer.k === 'blanks' ? answer.b.flatMap((blank, index) => blank.accept.map((doc) => ({ place: `${at}第${index + 1}空答案`, doc }))) : []),
    ...(answer.k === 'free' ? answer.parts.flatMap((part) => [{ place: `${at}答案`, doc: part.ref }, ...part.steps.map((step) => ({ place: `${at}评分步骤`, doc: step.text }))]) : []),
    ...Object.entries({ 思路: content.analysis.hint, 详解: content.analysis.solution, 点评: content.analysis.comment, 易错: content.analysis.pitfall }).map(([name, doc]) => ({ place: at + name, doc })),
    ...content.children.flatMap((child, index) => docsOf(child, `${at}第${index + 1}小题`)),
  ]
}

/** A cloze whose holes are numbered from `from` on, as a paper numbers them. */
export const withHolesFrom = <Content extends QuestionContent>(content: Content, from: number): Content =>
  (content.type === 5 ? { ...content, stem: rewriteDoc(content.stem, { inline: (one) => [typeof one !== 'string' && one.t === 'subref' ? { ...one, n: one.n + from - 1 } : one] }) } : content)

/** A copy of a question with every rich text passed through a function. */
export function mapDocs<Content extends QuestionContent>(content: Content, map: (doc: RichDoc | null) => RichDoc | null): Content {
  const { answer, analysis } = content
  const some = (doc: RichDoc) => map(doc) ?? doc
  return {
    ...content,
    stem: map(content.stem),
    options: content.options.map((option) => ({ ...option, doc: map(option.doc) })),
    answer: answer.k === 'blanks' ? { ...answer, b: answer.b.map((blank) => ({ ...blank, accept: blank.accept.map(some) })) }
      : answer.k === 'free' ? { ...answer, parts: answer.parts.map((part) => ({ ...part, ref: map(part.ref), steps: part.steps.map((step) => ({ ...step, text: some(step.text) })) })) }
        : answer,
    analysis: { hint: map(analysis.hint), solution: map(analysis.solution), comment: map(analysis.comment), pitfall: map(analysis.pitfall) },
    children: content.children.map((child) => mapDocs(child, map)),
  }
}

const id = z.string('编号格式不正确').check(z.regex(/^[\w-]{1,24}$/, '编号格式不正确'))
const points = z.number('分值应为数字').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'))
const someDoc = z.pipe(richDoc, z.transform((doc, context): RichDoc => {
  if (doc) return doc
  context.issues.push({ code: 'custom', message: '内容不能为空', input: doc })
  return { t: 'doc', v: 1, c: [] }
}))

/** Options of a choice question A-H, or the words of a shared pool. */
export const optionsSchema: z.ZodMiniType<Option[]> = z.array(z.object({ id, doc: richDoc })).check(z.maxLength(16, '选项最多 16 个'))

export const answerSchema: z.ZodMiniType<Answer> = z.discriminatedUnion('k', [
  z.object({ k: z.literal('one'), ok: z.nullable(id) }),
  z.object({ k: z.literal('many'), ok: z.array(id).check(z.maxLength(16, '答案太多')), rule: z.enum(['all', 'partial', 'gaokao']) }),
  z.object({
    k: z.literal('blanks'),
    b: z.array(z.object({
      id,
      accept: z.array(someDoc).check(z.maxLength(20, '每空最多 20 个答案')),
      match: z.enum(['exact', 'nospace', 'ci', 'numeric', 'tex']),
      eps: z.optional(z.number('误差应为数字').check(z.gte(0, '误差不能为负'))),
      group: z.optional(z.int('分组应为整数').check(z.gte(0, '分组不能为负'), z.lte(100, '分组太多'))),
      score: z.optional(points),
    })).check(z.maxLength(100, '最多 100 空')),
  }),
  z.object({
    k: z.literal('free'),
    parts: z.array(z.object({
      no: z.int('小题号应为整数').check(z.gte(0, '小题号不能为负'), z.lte(100, '小题太多')),
      score: z.optional(points),
      ref: richDoc,
      steps: z.array(z.object({ text: someDoc, score: points })).check(z.maxLength(100, '评分步骤太多')),
    })).check(z.maxLength(100, '小题太多')),
  }),
  z.object({ k: z.literal('sub') }),
], '答案格式不正确')

export const analysisSchema: z.ZodMiniType<Analysis> = z.object({ hint: richDoc, solution: richDoc, comment: richDoc, pitfall: richDoc })

const contentShape = {
  type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)], '题型不正确'),
  stem: richDoc,
  options: optionsSchema,
  option_layout: z.union([z.literal(1), z.literal(2), z.literal(3)], '选项排列不正确'),
  answer: answerSchema,
  analysis: analysisSchema,
  score: z.nullable(points),
  category: z.nullable(z.string('题型分类应为文字').check(z.maxLength(20, '题型分类最多 20 个字'), z.overwrite(cleanText))),
}

/** Children have no children: a child is of type 1 to 4. */
const child: z.ZodMiniType<QuestionContent> = z.object({ ...contentShape, children: z.array(z.never()).check(z.maxLength(0, '小题下不能再有小题')) })

export const childrenSchema: z.ZodMiniType<QuestionContent[]> = z.array(child).check(z.maxLength(100, '小题最多 100 个'))

/** What may be stored as the content of a question. Whether it makes sense is said by `problemsOf`. */
export const contentSchema: z.ZodMiniType<QuestionContent> = z.object({ ...contentShape, children: childrenSchema })

const name = z.string('应为文字').check(z.maxLength(100, '最多 100 个字'), z.overwrite(cleanText))
const maybe = z.nullable(name)
const path = z.array(name).check(z.maxLength(8, '层级太多'))
const maybeWhole = (min: number, max: number) => z.nullable(z.int('应为整数').check(z.gte(min, '数字太小'), z.lte(max, '数字太大')))

/** A whole question of a file, with what is known about it. @public for the import */
export const questionSchema: z.ZodMiniType<Question> = z.object({
  ...contentShape,
  children: childrenSchema,
  no: maybe,
  subject: maybe,
  difficulty: maybeWhole(1, 5),
  coef: z.nullable(z.number('应为数字').check(z.gte(0, '难度系数为 0 到 1'), z.lte(1, '难度系数为 0 到 1'))),
  cognitive: maybe,
  competence: z.array(name).check(z.maxLength(20, '最多 20 个')),
  labels: z.array(path).check(z.maxLength(20, '最多 20 个')),
  chapters: z.array(path).check(z.maxLength(20, '最多 20 个')),
  tags: z.array(name).check(z.maxLength(20, '最多 20 个')),
  source: z.nullable(z.enum(['dou_practice', 'dou_practice_v2', 'practice_book', 'college_entrance_exam_paper', 'senior_must_paper'])),
  source_paper: maybe,
  source_order: maybeWhole(0, 9999),
  source_years: z.array(z.int('年份应为整数').check(z.gte(1950, '年份不正确'), z.lte(2100, '年份不正确'))).check(z.maxLength(20, '最多 20 个')),
  exam_region: maybe,
  gaokao_type: maybeWhole(1, 2),
  exercise_type: maybeWhole(1, 3),
  est_seconds: maybeWhole(0, 36_000),
  copyright: maybe,
})
