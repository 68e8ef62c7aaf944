import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { SurveyItem, SurveyType } from '../../core/public-page/survey.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { questionnaire, QUESTIONNAIRE_RIGHTS } from './questionnaire.ts'

/** Answers fewer than this say little: their figures are grey. */
export const FEW = 30

/** What a question came to: how many saw it, how many chose what. */
export interface QuestionFigures {
  id: string
  type: SurveyType
  title: string
  /** Who saw it: the base of every share. */
  base: number
  answered: number
  options: { id: string; label: string; count: number }[]
  /** Mean of marks, or of the place in an order by option. */
  mean: number | null
  places: Record<string, number>
  nps: { score: number; promoters: number; passives: number; detractors: number } | null
  /** Of a matrix: the choices of each row. */
  rows: { id: string; label: string; base: number; counts: Record<string, number> }[]
  /** The latest words, with the answer that they are of. */
  texts: { answer_id: number; words: string }[]
}

export interface Figures { opened: number; answers: number; careless: number; seconds: number | null; days: { day: string; answers: number }[]; questions: QuestionFigures[] }

export interface CrossTable { rows: { id: string; label: string }[]; cols: { id: string; label: string }[]; counts: Record<string, number>; base: number; chi2: number; v: number; df: number }

export interface AnswerRow { id: number; at: number; who: string | null; seconds: number; careless: string | null; from: 'page' | 'app'; version: number; values: { id: string; number: number; title: string; words: string }[] }

const { api: { item }, grant } = questionnaire
const one = `${item}/{id}`
const see = [QUESTIONNAIRE_RIGHTS.id('answers')]
const careless = z.optional(z.literal('1', '条件有误'))
const questionId = z.string('请选择题目').check(z.regex(/^[a-z0-9]{1,12}$/, '请选择题目'))

export const copyQuestionnaire = defineEndpoint<WireRow<typeof questionnaire>>()({ method: 'POST', path: `${one}/copy`, summary: '复制问卷', grant: [standardId(grant, 'edit')] })
/** The address of the public page; null before it was published. */
export const questionnaireLink = defineEndpoint<{ path: string | null }>()({ method: 'GET', path: `${one}/link`, summary: '问卷的投放链接', grant: [grant] })
export const questionnaireFigures = defineEndpoint<Figures>()({ method: 'GET', path: `${one}/figures`, summary: '问卷统计', grant: see, input: z.object({ careless }) })
export const questionnaireCross = defineEndpoint<CrossTable>()({ method: 'GET', path: `${one}/cross`, summary: '问卷交叉分析', grant: see, input: z.object({ row: questionId, col: questionId, careless }) })
export const questionnaireAnswers = defineEndpoint<{ items: AnswerRow[]; total: number }>()({
  method: 'GET', path: `${one}/answers`, summary: '问卷的答卷', grant: see,
  input: z.object({ page: z.optional(z.coerce.number('页码有误').check(z.int('页码有误'), z.gte(1, '页码有误'), z.lte(10_000, '页码有误'))), only: z.optional(z.enum(['careless', 'good'], '条件有误')) }),
})
export const exportAnswers = defineEndpoint<unknown>()({ method: 'GET', path: `${one}/answers/export`, summary: '导出答卷', grant: see })
export const excludeAnswer = defineEndpoint<{ careless: string | null }>()({ method: 'POST', path: `${one}/answers/{answer_id}/exclude`, summary: '排除或恢复一份答卷', grant: see, input: z.object({ excluded: z.boolean('内容有误') }) })

/** For learners' apps: questions that pop up for somebody. */
export const QUESTIONNAIRE_APP = defineAppScope('questionnaire', '问卷弹出和填写')
const user = z.int('用户有误').check(z.positive('用户有误'))
const DEVICE = '/daoyuan/api/device/questionnaires'
export const openQuestionnaires = defineEndpoint<{ items: { id: number; title: string; intro: string | null; version: number; questions: SurveyItem[] }[] }>()({ method: 'GET', path: DEVICE, summary: '待填写的问卷', grant: 'device', app: QUESTIONNAIRE_APP, input: z.object({ user_id: z.coerce.number('用户有误').check(z.int('用户有误'), z.positive('用户有误')) }) })
export const answerQuestionnaire = defineEndpoint<{ message: string }>()({
  method: 'POST', path: `${DEVICE}/{id}/answers`, summary: '填写问卷', grant: 'device', app: QUESTIONNAIRE_APP,
  input: z.object({ user_id: user, seconds: z.int('用时有误').check(z.gte(0, '用时有误'), z.lte(86_400, '用时有误')), answers: z.record(z.string().check(z.maxLength(40)), z.union([z.string().check(z.maxLength(5000, '内容最多 5000 个字')), z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100))], '回答有误'), '回答有误') }),
})
